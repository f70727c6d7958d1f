#include "tests/support/truth.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "engine/base/ascii.h"
#include "engine/rank.h"

struct comparison {
    const struct profile *p;
    struct selection *sel;
    json_t *json;
    unsigned wrong;
};

static void differ(struct comparison *c, const char *what, const char *name,
                   uint64_t have, uint64_t want)
{
    if (have == want)
        return;
    c->wrong++;
    printf("%s %s: %llu, should be %llu\n", what, name,
           (unsigned long long)have, (unsigned long long)want);

}

static uint64_t number(const json_t *object, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

static void compare_number(struct comparison *c, const json_t *object,
                           const char *key, uint64_t have)
{
    if (json_is_integer(json_object_get(object, key)))
        differ(c, key, "", have, number(object, key));
}

static void compare_stacks(struct comparison *c)
{
    const json_t *stacks = json_object_get(c->json, "stacks");
    const uint64_t *n = c->sel->by_class;

    compare_number(c, stacks, "full", n[STACK_FULL]);
    compare_number(c, stacks, "user_only", n[STACK_USER]);
    compare_number(c, stacks, "kernel_only", n[STACK_KERNEL]);
    compare_number(c, stacks, "none", n[STACK_NONE]);
}

/* Rows of one name: a method in an image and outside are one method, and one
 * pid may have been two processes. */
static void sum_rows(const struct ranking *r, const char *name, uint32_t pid,
                     uint32_t tid, struct rank_row *sum)
{
    *sum = (struct rank_row){0};
    for (size_t i = 0; i < r->len; i++) {
        const struct rank_row *row = &r->rows[i];

        if (name ? !ascii_same(row->name, name)
                 : row->pid != pid || row->tid != tid)
            continue;
        sum->exclusive += row->exclusive;
        sum->inclusive += row->inclusive;
    }
}

static void compare_rows(struct comparison *c, const char *list,
                         const char *key, enum rank_by by)
{
    const json_t *rows = json_object_get(c->json, list), *row;
    struct ranking *r = ranking_new(c->p, c->sel, by, SORT_EXCLUSIVE);
    size_t i;

    json_array_foreach((json_t *)(uintptr_t)rows, i, row) {
        const char *name = json_string_value(json_object_get(row, key));
        struct rank_row sum;

        sum_rows(r, name, 0, 0, &sum);
        differ(c, list, name, sum.exclusive, number(row, "exclusive"));
        if (json_object_get(row, "inclusive"))
            differ(c, list, name, sum.inclusive, number(row, "inclusive"));
    }
    ranking_free(r);
}

static void compare_lives(struct comparison *c, const char *list,
                          enum rank_by by)
{
    const json_t *rows = json_object_get(c->json, list), *row;
    struct ranking *r = ranking_new(c->p, c->sel, by, SORT_EXCLUSIVE);
    uint64_t total = 0;
    size_t i;

    json_array_foreach((json_t *)(uintptr_t)rows, i, row) {
        struct rank_row sum;
        char name[40];

        snprintf(name, sizeof(name), "%llu/%llu",
                 (unsigned long long)number(row, "pid"),
                 (unsigned long long)number(row, "tid"));
        sum_rows(r, NULL, (uint32_t)number(row, "pid"),
                 (uint32_t)number(row, "tid"), &sum);
        differ(c, list, name, sum.exclusive, number(row, "samples"));
        total += number(row, "samples");
    }
    if (json_is_array(rows))
        differ(c, list, "in all", c->sel->samples, total);
    ranking_free(r);
}

unsigned truth_differences(const struct profile *p, const char *json_path)
{
    json_error_t error;
    struct comparison c = {
        .p = p,
        .sel = selection_new(p, NULL),
        .json = json_load_file(json_path, 0, &error),
    };

    if (!c.json) {
        printf("%s: %s\n", json_path, error.text);
        c.wrong++;
    }
    compare_number(&c, c.json, "samples_nonidle", c.sel->samples);
    compare_number(&c, c.json, "samples_total", c.sel->samples + c.sel->idle);
    compare_number(&c, c.json, "lost_events", p->quality.lost_events);
    compare_stacks(&c);
    compare_lives(&c, "processes", RANK_PROCESS);
    compare_lives(&c, "threads", RANK_THREAD);
    compare_rows(&c, "by_module", "module", RANK_MODULE);
    compare_rows(&c, "by_method", "name", RANK_FUNCTION);
    compare_rows(&c, "by_frame", "frame", RANK_ADDRESS);
    json_decref(c.json);
    selection_free(c.sel);
    return c.wrong;
}
