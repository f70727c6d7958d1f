/* By way of which calls a change came about: parts with known values. */
#include "engine/diff/explain.h"

#include "tests/support/compare_two.h"
#include "tests/support/counted_stacks.h"
#include "tests/support/suite.h"

/* Lines of "calls f 10 20 10": kind, function, both values and the change,
 * in samples; of a rest the number of its edges. */
static char *printed(const struct diff *d, const struct diff_explanation *e)
{
    static char text[1000];
    size_t n = 0;

    *text = '\0';
    for (size_t i = 0; i < e->parts.len; i++) {
        const struct diff_part *part = &e->parts.data[i];
        const char *name = part->function == NO_ID
                               ? ""
                               : d->pairs->names.data[part->function].name;

        n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s%s %g %g %g",
                              diff_part_name((enum diff_part_kind)part->kind),
                              *name ? " " : "", name, part->value[0],
                              part->value[1], part->change);
        if (part->edges != 1)
            n += (size_t)snprintf(text + n, sizeof(text) - n, " of %zu",
                                  part->edges);
        n += (size_t)snprintf(text + n, sizeof(text) - n, "\n");
    }
    return text;
}

struct wanted {
    const char *before, *after;
    const char *function;
    bool inclusive;
    enum diff_direction direction;
    const char *parts;
};

static void check(const struct wanted *w)
{
    struct diff_options o = DIFF_DEFAULTS;
    struct diff_explanation e = {0};
    struct profile *a = counted_stacks(w->before);
    struct profile *b = counted_stacks(w->after);
    const struct diff_row *row;
    struct comparison *c;
    char *text;

    o.normalize = DIFF_NONE;
    o.inclusive = w->inclusive;
    c = compare_two(a, b, &o);
    row = comparison_row(c, w->function);
    diff_explain(&e, c->diff, row, w->direction);
    text = printed(c->diff, &e);
    ck_assert_msg(!strcmp(text, w->parts), "%s to %s: %s", w->before,
                  w->after, text);
    ck_assert(e.change == row->change);
    diff_explanation_release(&e);
    comparison_free(c);
    profile_free(a);
    profile_free(b);
}

static const struct wanted callers[] = {
    /* Exclusive samples count for the innermost caller, inclusive ones for the
     * outermost. */
    {"10 a!x;a!f;a!y;a!f", "30 a!x;a!f;a!y;a!f", "f", false,
     DIFF_FROM_CALLERS, "called from y 10 30 20\n"},
    {"10 a!x;a!f;a!y;a!f", "30 a!x;a!f;a!y;a!f", "f", true,
     DIFF_FROM_CALLERS, "called from x 10 30 20\n"},
    /* Recursion is not a caller. */
    {"10 a!x;a!f;a!f;a!f", "30 a!x;a!f;a!f;a!f", "f", false,
     DIFF_FROM_CALLERS, "called from x 10 30 20\n"},
    {"10 a!x;a!f;a!f;a!g", "30 a!x;a!f;a!f;a!g", "f", true,
     DIFF_FROM_CALLERS, "called from x 10 30 20\n"},
    {"10 a!f", "30 a!f", "f", false, DIFF_FROM_CALLERS, "outermost 10 30 20\n"},
    {"10 a!f;a!f", "30 a!f;a!f", "f", false, DIFF_FROM_CALLERS,
     "outermost 10 30 20\n"},
    {"10 a!f;a!g", "30 a!f;a!g", "f", true, DIFF_FROM_CALLERS,
     "outermost 10 30 20\n"},
    {"10 a!f;a!x;a!f", "30 a!f;a!x;a!f", "f", true, DIFF_FROM_CALLERS,
     "outermost 10 30 20\n"},
    /* Only its own samples are of an exclusive count. */
    {"10 a!x;a!f|5 a!x;a!f;a!g", "30 a!x;a!f|9 a!x;a!f;a!g", "f", false,
     DIFF_FROM_CALLERS, "called from x 10 30 20\n"},
    {"10 a!x;a!f|5 a!x;a!f;a!g", "30 a!x;a!f|9 a!x;a!f;a!g", "f", true,
     DIFF_FROM_CALLERS, "called from x 15 39 24\n"},
    /* An inlined function was called by the one it is in. */
    {"10 a!x;a!f<a!o", "30 a!x;a!f<a!o", "f", false, DIFF_FROM_CALLERS,
     "called from o 10 30 20\n"},
    {"10 a!x;a!f<a!o", "30 a!x;a!f<a!o", "o", true, DIFF_FROM_CALLERS,
     "called from x 10 30 20\n"},
};

static const struct wanted inside[] = {
    {"10 a!x;a!f|5 a!x;a!f;a!g|7 a!x", "30 a!x;a!f|9 a!x;a!f;a!g|7 a!x", "f",
     true, DIFF_INSIDE, "own code 10 30 20\ncalls g 5 9 4\n"},
    /* What the innermost of its calls was in. */
    {"10 a!f;a!g;a!f;a!h;a!g", "30 a!f;a!g;a!f;a!h;a!g", "f", true,
     DIFF_INSIDE, "calls h 10 30 20\n"},
    {"10 a!f;a!g;a!f", "30 a!f;a!g;a!f", "f", true, DIFF_INSIDE,
     "own code 10 30 20\n"},
    {"10 a!g<a!f;a!h", "30 a!g<a!f;a!h", "f", true, DIFF_INSIDE,
     "calls g 10 30 20\n"},
};

/* How many parts come within a tenth, and what the others are. */
static const struct wanted parts[] = {
    /* As large as one another: own code before callees, then by name. */
    {"1 a!f;a!h|1 a!f;a!g|1 a!f", "4 a!f;a!h|4 a!f;a!g|4 a!f", "f", true,
     DIFF_INSIDE, "own code 1 4 3\ncalls g 1 4 3\ncalls h 1 4 3\n"},
    /* The sign does not count, the size does. */
    {"1 a!f;a!g|60 a!f;a!h", "31 a!f;a!g|10 a!f;a!h", "f", true, DIFF_INSIDE,
     "calls h 60 10 -50\ncalls g 1 31 30\n"},
    /* The first is not within a tenth: 91 of 100 are. */
    {"1 a!f;a!g|1 a!f;a!h|1 a!f;a!i", "92 a!f;a!g|6 a!f;a!h|5 a!f;a!i", "f",
     true, DIFF_INSIDE, "calls g 1 92 91\nother edges 2 11 9 of 2\n"},
    {"1 a!f;a!g|1 a!f;a!h|1 a!f;a!i", "91 a!f;a!g|7 a!f;a!h|5 a!f;a!i", "f",
     true, DIFF_INSIDE, "calls g 1 91 90\nother edges 2 12 10 of 2\n"},
    {"1 a!f;a!g|1 a!f;a!h|1 a!f;a!i|1 a!f;a!j",
     "90 a!f;a!g|7 a!f;a!h|4 a!f;a!i|3 a!f;a!j", "f", true, DIFF_INSIDE,
     "calls g 1 90 89\ncalls h 1 7 6\nother edges 2 7 5 of 2\n"},
    /* A rest of one is that one. */
    {"1 a!f;a!g|1 a!f;a!h", "98 a!f;a!g|4 a!f;a!h", "f", true, DIFF_INSIDE,
     "calls g 1 98 97\ncalls h 1 4 3\n"},
    /* Without a change one part will do. */
    {"5 a!f;a!g|5 a!f;a!h|5 a!f;a!i", "5 a!f;a!g|5 a!f;a!h|5 a!f;a!i", "f",
     true, DIFF_INSIDE, "calls g 5 5 0\nother edges 10 10 0 of 2\n"},
};

#define EIGHT(n)                                                               \
    n " a!f;a!a|" n " a!f;a!b|" n " a!f;a!c|" n " a!f;a!d|" n " a!f;a!e|" n    \
      " a!f;a!g|" n " a!f;a!h|" n " a!f;a!i"
#define EIGHT_PARTS                                                            \
    "calls a 1 9 8\ncalls b 1 9 8\ncalls c 1 9 8\ncalls d 1 9 8\n"             \
    "calls e 1 9 8\ncalls g 1 9 8\ncalls h 1 9 8\ncalls i 1 9 8\n"

/* Eight at most are named, a ninth is not of a rest. */
static const struct wanted most[] = {
    {EIGHT("1"), EIGHT("9"), "f", true, DIFF_INSIDE, EIGHT_PARTS},
    {EIGHT("1") "|1 a!f;a!j", EIGHT("9") "|9 a!f;a!j", "f", true, DIFF_INSIDE,
     EIGHT_PARTS "calls j 1 9 8\n"},
    {EIGHT("1") "|1 a!f;a!j|1 a!f;a!k", EIGHT("9") "|9 a!f;a!j|9 a!f;a!k",
     "f", true, DIFF_INSIDE, EIGHT_PARTS "other edges 2 18 16 of 2\n"},
};

static void check_all(const struct wanted *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        check(&list[i]);
}

TEST(callers_are_told_apart)
{
    check_all(callers, COUNT(callers));
}

TEST(own_code_and_callees_are_told_apart)
{
    check_all(inside, COUNT(inside));
}

TEST(few_parts_make_the_change)
{
    check_all(parts, COUNT(parts));
    check_all(most, COUNT(most));
}
