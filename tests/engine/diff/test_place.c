/* Code without names, of builds that have nothing else in common, is paired
 * by its module, by who calls it most and by whom it calls most. */
#include "engine/diff/pair.h"

#include "tests/support/cells.h"
#include "tests/support/compare_two.h"
#include "tests/support/counted_stacks.h"
#include "tests/support/suite.h"

/* Of "200 a!main;c!+0x10|100 a!main", in a build with this time stamp. */
static struct profile *build(uint32_t timestamp, const char *text)
{
    struct profile *p = counted_stacks(text);

    for (size_t i = 0; i < p->modules.len; i++)
        p->modules.data[i].identity.timestamp = timestamp;
    return p;
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted lines of "c!+0x20 200 200 call-tree position" for all but the rows
 * that both sides write alike. */
static char *printed(const struct diff *d)
{
    static char text[2000];
    char *lines[32] = {NULL};
    size_t n = 0;

    *text = '\0';
    for (size_t i = 0; i < d->len; i++) {
        const struct diff_row *row = &d->rows[i];
        char line[100];

        if (row->rule == DIFF_EXACT && row->samples[0] && row->samples[1])
            continue;
        snprintf(line, sizeof(line), "%s %llu %llu %s", row->name,
                 (unsigned long long)row->samples[0],
                 (unsigned long long)row->samples[1],
                 diff_rule_name((enum diff_rule)row->rule));
        lines[n++] = strdup(line);
    }
    qsort(lines, n, sizeof(*lines), compare_lines);
    for (size_t i = 0; i < n; i++) {
        strcat(strcat(text, i ? "|" : ""), lines[i]);
        free(lines[i]);
    }
    return text;
}

static void check(const struct cells *row)
{
    struct diff_options o = DIFF_DEFAULTS;
    struct profile *a = build(1, row->cell[0]);
    struct profile *b = build(2, row->cell[1]);
    struct comparison *c;

    o.inclusive = true;
    c = compare_two(a, b, &o);
    cells_expect(row, 2, printed(c->diff));
    comparison_free(c);
    profile_free(a);
    profile_free(b);
}

TEST(places_are_paired)
{
    cells_each("tests/engine/diff/places.cells", "places", check);
}

/* Nine that differ in nothing but this, met in the other order on the other
 * side: each as often on both. */
enum told_by { BY_CALLER, BY_CALLEE, BY_MODULE, TOLD_BY };

static struct profile *nine(uint32_t stamp, enum told_by by, bool backwards)
{
    char text[1000] = "";
    size_t n = 0;

    for (unsigned i = 0; i < 9; i++) {
        unsigned which = backwards ? 8 - i : i;

        n += (size_t)snprintf(
            text + n, sizeof(text) - n, "%s%u a!main%u;c%u!+0x%x;a!leaf%u",
            i ? "|" : "", which + 1, by == BY_CALLER ? which : 0,
            by == BY_MODULE ? which : 0, stamp * 0x100 + which,
            by == BY_CALLEE ? which : 0);
    }
    return build(stamp, text);
}

TEST(many_are_told_apart)
{
    for (int by = 0; by < TOLD_BY; by++) {
        struct diff_options o = DIFF_DEFAULTS;
        struct profile *a = nine(1, (enum told_by)by, false);
        struct profile *b = nine(2, (enum told_by)by, true);
        struct comparison *c;
        size_t paired = 0;

        o.inclusive = true;
        c = compare_two(a, b, &o);
        for (size_t k = 0; k < c->diff->len; k++) {
            const struct diff_row *row = &c->diff->rows[k];

            ck_assert_msg(row->samples[0] == row->samples[1], "%s", row->name);
            paired += row->rule == DIFF_POSITION;
        }
        ck_assert_uint_eq(paired, 9);
        comparison_free(c);
        profile_free(a);
        profile_free(b);
    }
}

/* From both ends of a chain, one of each in a round. */
TEST(chains_are_solved_from_their_ends)
{
    for (unsigned length = 1; length <= 10; length++) {
        char text[2][300] = {"5 a!main", "5 a!main"};
        struct diff_options o = DIFF_DEFAULTS;
        struct profile *a, *b;
        struct comparison *c;
        size_t paired = 0;

        for (unsigned i = 0; i < length; i++) {
            sprintf(text[0] + strlen(text[0]), ";c!+0x%x", 0x100 + i);
            sprintf(text[1] + strlen(text[1]), ";c!+0x%x", 0x200 + i);
        }
        a = build(1, strcat(text[0], ";a!leaf"));
        b = build(2, strcat(text[1], ";a!leaf"));
        o.inclusive = true;
        c = compare_two(a, b, &o);
        for (size_t i = 0; i < c->diff->len; i++)
            paired += c->diff->rows[i].rule == DIFF_POSITION;
        ck_assert_msg(paired == (length < 9 ? length : 8), "%zu of %u", paired,
                      length);
        comparison_free(c);
        profile_free(a);
        profile_free(b);
    }
}

/* Calls of all runs of a side count together. */
TEST(runs_are_of_one_side)
{
    struct profile *a[2] = {build(1, "3 a!x;c!+0x10|2 a!y;c!+0x10"),
                            build(1, "1 a!x;c!+0x10|3 a!y;c!+0x10")};
    struct profile *b[2] = {build(2, "1 a!x|2 a!y;c!+0x20"),
                            build(2, "1 a!y;c!+0x20")};
    struct comparison *c =
        compare_runs((const struct profile *const *)a, 2,
                     (const struct profile *const *)b, 2, NULL);

    ck_assert_str_eq(printed(c->diff),
                     "c!+0x20 9 3 call-tree position|x 0 1 exact");
    comparison_free(c);
    for (int i = 0; i < 2; i++) {
        profile_free(a[i]);
        profile_free(b[i]);
    }
}
