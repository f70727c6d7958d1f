/* The order of rows: what is real first, then the larger change, then names. */
#include "engine/diff/diff.h"

#include "tests/support/compare_two.h"
#include "tests/support/counted_stacks.h"
#include "tests/support/suite.h"

/* Rows as "module!name", blanks between. */
static const struct {
    const char *before, *after, *rows;
} cases[] = {
    /* Too few to tell: by change, whichever way, then by name and module. */
    {"10 a!x|10 a!y|10 b!x", "14 a!x|14 a!y|14 b!x", "a!x b!x a!y"},
    {"10 b!x|10 a!y|10 a!x", "14 b!x|14 a!y|14 a!x", "a!x b!x a!y"},
    {"10 a!x|10 a!y|10 a!z", "11 a!x|13 a!y|12 a!z", "a!y a!z a!x"},
    {"10 a!x|10 a!y|10 a!z", "12 a!x|7 a!y|11 a!z", "a!y a!x a!z"},
    {"10 a!z|10 a!x", "7 a!z|13 a!x", "a!x a!z"},
    /* Real changes before the rest, by what they are at least. */
    {"5000 a!even|100 a!less|100 a!more|40 a!few",
     "5010 a!even|10 a!less|900 a!more|41 a!few",
     "a!more a!less a!even a!few"},
    {"5000 a!even|900 a!less|100 a!more|40 a!few",
     "5010 a!even|10 a!less|300 a!more|41 a!few",
     "a!less a!more a!even a!few"},
};

TEST(rows_are_in_order)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct profile *a = counted_stacks(cases[i].before);
        struct profile *b = counted_stacks(cases[i].after);
        struct diff_options o = DIFF_DEFAULTS;
        struct comparison *c;
        char rows[200] = "";
        size_t n = 0;

        o.normalize = DIFF_NONE;
        c = compare_two(a, b, &o);
        for (size_t k = 0; k < c->diff->len; k++)
            n += (size_t)snprintf(rows + n, sizeof(rows) - n, "%s%s!%s",
                                  k ? " " : "", c->diff->rows[k].module,
                                  c->diff->rows[k].name);
        ck_assert_msg(!strcmp(rows, cases[i].rows), "%s to %s: %s",
                      cases[i].before, cases[i].after, rows);
        comparison_free(c);
        profile_free(a);
        profile_free(b);
    }
}
