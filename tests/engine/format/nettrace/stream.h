/*
 * stream - a stream in memory to a finished profile, for the tests here.
 */
#ifndef TOPFN_TESTS_NETTRACE_STREAM_H
#define TOPFN_TESTS_NETTRACE_STREAM_H

#include <string.h>

#include "engine/analysis/rank.h"
#include "engine/format/nettrace/nettrace.h"
#include "engine/input/recording.h"
#include "tests/support/nettrace_scenario.h"
#include "tests/support/profile_check.h"
#include "tests/support/suite.h"

/* NULL and a message when nothing could be read. */
static inline struct profile *read_bytes(const uint8_t *data, size_t size,
                                         const struct read_options *options,
                                         struct err *err)
{
    const struct read_options none = {0};
    struct entry entry = {.name = "test", .data = data, .size = size};
    struct profile *p = profile_new();

    ck_assert_int_eq(nettrace_format.probe(data, size), PROBE_YES);
    if (recording_read(&nettrace_format, &entry, 1, options ? options : &none,
                       p, err)) {
        profile_free(p);
        return NULL;
    }
    profile_finish(p);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    return p;
}

/* Frees the writer. */
static inline struct profile *read_stream(struct nettrace_writer *w,
                                          const struct read_options *options)
{
    struct err err = {0};
    struct profile *p = read_bytes(w->out.data, w->out.len, options, &err);

    ck_assert_msg(p, "%s", err.message);
    nettrace_writer_free(w);
    return p;
}

/* "name module exclusive inclusive" of a function; 0 0 when it is absent. */
static inline void assert_function(const struct profile *p, const char *name,
                                   const char *module, uint64_t exclusive,
                                   uint64_t inclusive)
{
    struct selection *sel = selection_new(p, NULL);
    struct ranking *r =
        ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);
    uint64_t got[2] = {0};

    for (size_t i = 0; i < r->len; i++) {
        if (strcmp(r->rows[i].name, name) || strcmp(r->rows[i].module, module))
            continue;
        got[0] += r->rows[i].exclusive;
        got[1] += r->rows[i].inclusive;
    }
    ck_assert_msg(got[0] == exclusive && got[1] == inclusive,
                  "%s!%s: %llu %llu", module, name,
                  (unsigned long long)got[0], (unsigned long long)got[1]);
    ranking_free(r);
    selection_free(sel);
}

static inline const char *warning(const struct profile *p, size_t i)
{
    return i < p->quality.warnings.len
               ? strings_get(p->strings, p->quality.warnings.data[i])
               : "";
}

#endif
