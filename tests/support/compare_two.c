#include "tests/support/compare_two.h"

#include <string.h>

#include "tests/support/profile_builder.h"

static void add(struct comparison *c, const struct profile *p, bool after)
{
    c->inputs[c->count++] =
        (struct diff_input){p, selection_new(p, NULL), after};
}

struct comparison *compare_runs(const struct profile *const *before,
                                size_t befores,
                                const struct profile *const *after,
                                size_t afters,
                                const struct diff_options *options)
{
    struct comparison *c = mem_new(1, sizeof(*c));
    struct diff_options defaults = DIFF_DEFAULTS;

    for (size_t i = 0; i < befores; i++)
        add(c, before[i], false);
    for (size_t i = 0; i < afters; i++)
        add(c, after[i], true);
    c->diff = diff_new(c->inputs, c->count, options ? options : &defaults);
    return c;
}

struct comparison *compare_two(const struct profile *before,
                               const struct profile *after,
                               const struct diff_options *options)
{
    return compare_runs(&before, 1, &after, 1, options);
}

void comparison_free(struct comparison *c)
{
    diff_free(c->diff);
    for (size_t i = 0; i < c->count; i++)
        selection_free((struct selection *)c->inputs[i].sel);
    free(c);
}

const struct diff_row *comparison_row(const struct comparison *c,
                                      const char *name)
{
    for (size_t i = 0; i < c->diff->len; i++)
        if (!strcmp(c->diff->rows[i].name, name))
            return &c->diff->rows[i];
    return NULL;
}

struct profile *compared_stacks(const char *text)
{
    struct builder *b = builder_new("a.etl");
    uint32_t t = builder_thread(b, 1, "a", 1);

    while (*text) {
        char stack[256];
        size_t n = strcspn(text, "|");

        memcpy(stack, text, n);
        stack[n] = '\0';
        builder_samples(b, t, 200, stack);
        text += n + (text[n] == '|');
    }
    return builder_finish(b);
}
