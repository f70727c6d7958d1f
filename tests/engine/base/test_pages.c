/* Which pages are given back: anonymous ones are zero then. And that nothing
 * is touched but what is asked for. */
#include "engine/base/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include "tests/support/suite.h"

enum { PAGES = 6 };

/* Bytes from the second page on; whole pages in them are forgotten. */
static const struct {
    long from, less;  /* of the first byte behind the page's beginning, and
                         of four pages' length */
    const char *left; /* by page: "-" forgotten */
} rows[] = {
    {0, 0, "x----x"}, {1, 0, "xx---x"},   {-1, 0, "x---xx"},
    {0, 1, "x---xx"}, {0, -1, "x----x"},  {1, 1, "xx---x"},
    {1, 2, "xx--xx"}, {-1, -1, "x----x"}, {-1, -2, "x----x"},
};

TEST(whole_pages_are_forgotten)
{
    long page = sysconf(_SC_PAGESIZE);
    uint8_t *bytes = mmap(NULL, (size_t)page * PAGES, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    ck_assert(bytes != MAP_FAILED);
    for (size_t i = 0; i < COUNT(rows); i++) {
        char left[PAGES + 1] = "";

        memset(bytes, 7, (size_t)page * PAGES);
        pages_forget(bytes + page + rows[i].from,
                     (size_t)(4 * page - rows[i].less));
        for (long k = 0; k < PAGES; k++) {
            ck_assert_int_eq(bytes[k * page], bytes[(k + 1) * page - 1]);
            left[k] = bytes[k * page] ? 'x' : '-';
        }
        ck_assert_msg(!strcmp(left, rows[i].left), "row %zu: %s", i, left);
    }
    munmap(bytes, (size_t)page * PAGES);
}

TEST(less_than_a_page_stays)
{
    long page = sysconf(_SC_PAGESIZE);
    uint8_t *bytes = mmap(NULL, (size_t)page * 3, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    ck_assert(bytes != MAP_FAILED);
    memset(bytes, 7, (size_t)page * 3);
    pages_forget(bytes + page, (size_t)page - 1);
    pages_forget(bytes + page + 1, (size_t)page);
    pages_forget(bytes + 1, (size_t)page - 2);
    pages_forget(bytes + 1, 0);
    for (long i = 0; i < 3 * page; i++)
        ck_assert_int_eq(bytes[i], 7);
    pages_forget(bytes + page, (size_t)page);
    for (long i = 0; i < 3 * page; i++)
        ck_assert_int_eq(bytes[i], i / page == 1 ? 0 : 7);
    munmap(bytes, (size_t)page * 3);
}
