/* Names without their arguments, and how long names may be. */
#include "engine/base/mem.h"
#include "symbols/names/demangle.h"
#include "tests/support/suite.h"

/* 4,096 characters before a mark, and as many from there on. */
TEST(longest_names)
{
    static const struct {
        size_t before, behind;
        const char *identifier; /* and its length */
        bool is_read;
    } rows[] = {{4096, 0, "_Z4090", true},
                {4097, 0, "_Z4091", false},
                {100, 4096, "_Z96", true},
                {100, 4097, "_Z96", false}};

    for (size_t i = 0; i < 4; i++) {
        struct arena arena = {0};
        size_t n = rows[i].before;
        char *name = mem_new(n + rows[i].behind + 1, 1);

        demangle_gave_up();
        memset(name, 'i', n);
        memset(name + n, '@', rows[i].behind);
        memcpy(name, rows[i].identifier, strlen(rows[i].identifier));
        ck_assert((demangle(name, DEMANGLE_FULL, &arena, NULL) != name) ==
                  rows[i].is_read);
        ck_assert(demangle_gave_up() == !rows[i].is_read);
        free(name);
        arena_release(&arena);
    }
}

/* Room for what a name of so many characters says. */
TEST(longest_texts)
{
    ck_assert_uint_eq(demangle_bound_text(0), 1024);
    ck_assert_uint_eq(demangle_bound_text(1), 1088);
    ck_assert_uint_eq(demangle_bound_text(1007), 65472);
    ck_assert_uint_eq(demangle_bound_text(1008), 65536);
    ck_assert_uint_eq(demangle_bound_text(1009), 65536);
    ck_assert_uint_eq(demangle_bound_text(4096), 65536);
}

/* Nothing is left out of a text that no name can have become. */
TEST(texts_too_long_to_shorten)
{
    enum { MOST = 65536 + 4096 };

    for (size_t n = MOST - 1; n <= MOST; n++) {
        struct arena arena = {0};
        char *name = mem_new(n + 1, 1);

        memset(name, 'i', n);
        memcpy(name, "f<", 2);
        name[n - 1] = '>';
        if (n < MOST)
            ck_assert_str_eq(demangle(name, DEMANGLE_SHORT, &arena, NULL), "f");
        else
            ck_assert_ptr_eq(demangle(name, DEMANGLE_SHORT, &arena, NULL),
                             name);
        free(name);
        arena_release(&arena);
    }
}

/* Tuples within each other, the second part of each a reference to the first:
 * each level doubles the text. */
static bool is_rust_read(int levels)
{
    char name[200] = "_RINvC1a1b", *at = name + strlen(name);
    struct arena arena = {0};
    bool read;

    for (int i = 0; i < levels; i++)
        *at++ = 'T';
    *at++ = 'm';
    for (int i = levels; i > 0; i--)
        at += sprintf(at, "B%c_E", "789abcdefghijklmnopqrstuvwxyz"[i]);
    strcpy(at, "E");
    demangle_gave_up();
    read = demangle(name, DEMANGLE_FULL, &arena, NULL) != name;
    ck_assert(demangle_gave_up() == !read);
    arena_release(&arena);
    return read;
}

TEST(rust_that_doubles)
{
    ck_assert(is_rust_read(1));
    ck_assert(is_rust_read(7));
    ck_assert(!is_rust_read(14));
}
