#include "engine/analysis/match.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"
#include "engine/model/labels.h"

enum { LONGEST = 64 }; /* of names that are compared letter by letter */

/* Its arguments are the parentheses that the last closing one ends, unless
 * they are all there is. */
size_t match_bare_length(const char *name)
{
    const char *close = strrchr(name, ')'), *at = close;
    int depth = 0;

    if (!close)
        return strlen(name);
    do
        depth += (*at == ')') - (*at == '(');
    while (depth && at-- > name);
    return at > name ? (size_t)(at - name) : strlen(name);
}

static bool is_name(const char *wanted, const char *name)
{
    return !strcmp(wanted, name);
}

static bool is_bare_name(const char *wanted, const char *name)
{
    size_t n = match_bare_length(name);

    return strlen(wanted) == n && !memcmp(wanted, name, n);
}

static bool contains(const char *name, const char *part)
{
    size_t n = strlen(part);

    for (; *name; name++)
        if (ascii_same_n(name, part, n))
            return true;
    return false;
}

bool match_name(const char *wanted, const char *name)
{
    return strpbrk(wanted, "*?") ? glob_match(wanted, name)
                                 : contains(name, wanted);
}

static bool match_rule(size_t rule, const char *wanted, const char *name)
{
    static bool (*const rules[MATCH_RULES])(const char *, const char *) = {
        is_name, is_bare_name, match_name};

    return rules[rule](wanted, name);
}

/* By function, those that a rule finds. False: none. */
static bool find_by_rule(const struct profile *p, size_t rule,
                         const char *wanted, bool *found)
{
    char text[FUNCTION_NAME_SIZE];
    bool any = false;

    for (uint32_t i = 0; i < p->functions.len; i++) {
        found[i] =
            match_rule(rule, wanted, profile_function_name(p, i, text)) ||
            match_rule(rule, wanted, profile_label(p, i));
        any |= found[i];
    }
    return any;
}

/* Not all that has a name was sampled. */
struct ranking *match_labels(const struct profile *p,
                             const struct selection *sel, const char *name,
                             size_t limit)
{
    bool *found = mem_new(p->functions.len, sizeof(*found));
    struct ranking *r = NULL;

    for (size_t rule = 0; rule < MATCH_RULES && *name; rule++) {
        if (!find_by_rule(p, rule, name, found))
            continue;
        r = ranking_of(p, sel, found, limit);
        if (r->len)
            break;
        ranking_free(r);
        r = NULL;
    }
    free(found);
    return r;
}

/* Characters to change, add or drop (Levenshtein), case ignored. */
static unsigned distance(const char *a, size_t an, const char *b, size_t bn)
{
    unsigned row[LONGEST + 1];

    for (unsigned j = 0; j <= bn; j++)
        row[j] = j;
    for (unsigned i = 1; i <= an; i++) {
        unsigned diagonal = row[0];

        row[0] = i;
        for (unsigned j = 1; j <= bn; j++) {
            unsigned best =
                diagonal + (ascii_fold(a[i - 1]) != ascii_fold(b[j - 1]));

            diagonal = row[j];
            best = row[j] + 1 < best ? row[j] + 1 : best;
            row[j] = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
        }
    }
    return row[bn];
}

/* Labels of a profile, or the names of the rows where it is NULL. */
static const char *shown_name(const struct profile *p,
                              const struct rank_row *row)
{
    const char *label = p ? profile_label(p, row->id) : "";

    return *label ? label : row->name;
}

static size_t nearest_spelling(const struct profile *p,
                               const struct ranking *functions,
                               const char *name, const char **nearest,
                               size_t most)
{
    size_t n = strlen(name), count = 0;
    unsigned least = (unsigned)n / 3 + 1;

    for (size_t i = 0; n <= LONGEST && i < functions->len; i++) {
        const char *other = shown_name(p, &functions->rows[i]);
        size_t length = match_bare_length(other);
        unsigned d;

        if (length > LONGEST)
            continue;
        d = distance(name, n, other, length);
        if (d > least)
            continue;
        if (d < least)
            count = 0;
        least = d;
        if (count < most)
            nearest[count++] = other;
    }
    return count;
}

size_t match_nearest(const struct profile *p, const struct ranking *functions,
                     const char *name, const char **nearest, size_t most)
{
    size_t count = 0;

    for (size_t i = 0; i < functions->len && count < most; i++) {
        const char *other = shown_name(p, &functions->rows[i]);

        if (contains(other, name))
            nearest[count++] = other;
    }
    return count ? count : nearest_spelling(p, functions, name, nearest, most);
}
