/*
 * perf_text - samples as `perf script` prints them.
 *
 *     struct perf_text text = {.file = popen("perf script ...", "r")};
 *     struct perf_sample *s = calloc(1, sizeof(*s));
 *     while (perf_text_next(&text, s))
 *         compare(s);
 *
 * For -F comm,tid,time,period,event,ip,sym,dso; lines of inlined functions
 * are left out. It shares nothing with the reader of such text that topfn has.
 */
#ifndef TOPFN_TESTS_PERF_TEXT_H
#define TOPFN_TESTS_PERF_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct perf_frame {
    uint64_t address; /* an offset in the file, else where it is */
    char file[256];
};

struct perf_sample {
    uint32_t tid;
    uint64_t us; /* time */
    char event[100];
    struct perf_frame frames[1200]; /* the innermost first */
    size_t count;
};

struct perf_text {
    FILE *file;
    bool has_line; /* the first of a sample, not taken yet */
    char line[4096];
};

/* False at the end, or when a stack has no end. */
bool perf_text_next(struct perf_text *text, struct perf_sample *sample);

#endif
