#include "engine/input/foreign.h"

#include "engine/base/json_peek.h"

#include "tests/support/cells.h"
#include "tests/support/suite.h"

static void check_kind(const struct cells *row)
{
    const struct foreign *kind =
        foreign_of((const uint8_t *)row->cell[0], row->len[0]);
    const char *name = kind ? kind->name : "-";

    ck_assert_msg(!strncmp(name, row->cell[1], row->len[1]), "%s:%u: %s",
                  row->path, row->line, name);
}

TEST(known_by_magic_or_shape)
{
    cells_each("tests/engine/input/foreign.cells", "known", check_kind);
}

/* The word that identifies a format has to stand near the beginning: it may
 * follow `after` bytes, but not one more. */
static void check_reach(const char *begin, char filler, const char *word,
                        size_t after)
{
    size_t n = strlen(word);
    char *text = malloc(after + n + 2);

    ck_assert_ptr_nonnull(text);
    for (size_t more = 0; more < 2; more++) {
        memset(text, filler, after + more);
        memcpy(text, begin, strlen(begin));
        memcpy(text + after + more, word, n);
        ck_assert_msg((foreign_of((const uint8_t *)text, after + more + n) ==
                       NULL) == more,
                      "%s behind %zu", word, after + more);
    }
    free(text);
}

TEST(so_far_is_looked)
{
    check_reach("<", ' ', "<trace-toc", 4096 - strlen("<trace-toc"));
    check_reach("{", ' ', "\"traceEvents\":1",
                JSON_PEEKED - strlen("\"traceEvents\":1"));
}
