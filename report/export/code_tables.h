/*
 * code_tables - the strings, functions and mappings that pprof and OTLP list.
 *
 *     struct code_tables t = code_tables_of(subject);
 *     number = code_function(&t, &frame);           // from 1 on
 *     for (size_t i = 0; i < t.functions.len; i++)
 *         write(t.functions.data[i]);
 *     code_tables_release(&t);
 *
 * Rows are added when something first refers to them, so locations are written
 * first, and what they refer to behind them.
 */
#ifndef TOPFN_REPORT_CODE_TABLES_H
#define TOPFN_REPORT_CODE_TABLES_H

#include "engine/base/arena.h"
#include "engine/model/profile.h"
#include "report/report.h"

/* A function in a file, as both formats have one file for each; and code of an
 * image whose functions are said to be in a module. */
struct code_pair {
    uint32_t a, b;
};

struct code_tables {
    const struct subject *s;
    const struct profile *p;
    struct strings *strings;         /* the string table */
    VEC(struct code_pair) functions; /* (function, file) */
    VEC(struct code_pair) mappings;  /* (module or NO_ID, what it is called) */
    struct map function_ids, mapping_ids;
    uint32_t *first_mapping; /* by module: in the profile, or NO_ID */
    struct arena scratch;
};

struct code_tables code_tables_of(const struct subject *s);
void code_tables_release(struct code_tables *t);

/* The first mapping is by profile.proto that of the main binary, which stands
 * for the whole: the image that the busiest process is called after. Adds it to
 * empty tables. */
void code_main_mapping(struct code_tables *t);

uint32_t code_text(struct code_tables *t, const char *text);

/* Their numbers, from 1 on; 0 of a location without a mapping. */
uint64_t code_function(struct code_tables *t, const struct frame *f);
uint64_t code_mapping(struct code_tables *t, uint32_t location);

/* Where a module was mapped first; NULL: the trace does not say. */
const struct mapping *code_mapped(const struct code_tables *t, uint32_t module);

/* In memory as its module was mapped first. */
uint64_t code_address(const struct code_tables *t, const struct location *l);

/* The type of the weights in the words that readers of both formats know,
 * "samples" or "cpu"; and its unit, which the caller frees. */
const char *code_sample_type(const struct profile *p, char **unit);

/* The type of the time that samples stand for: "cpu", "wall". */
const char *code_time_type(const struct profile *p);

#endif
