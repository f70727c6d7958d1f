/*
 * export - profiles as other tools read them, and the table of these formats.
 *
 *     const struct export_kind *kind = export_kind_find("pprof");
 *     kind->write(&subject, out);
 *
 * `topfn export --to KIND`. A kind is one file with a `const struct
 * export_kind` and a word in EXPORTS. It writes the selected samples and no
 * others: what a format counts adds up to the selection. Output is written as
 * it is made; memory grows with distinct stacks, not with samples.
 *
 * Functions go by their labels, which no two of them share, and code without
 * names by its module, so that a table made by the other tool
 * has the rows that `topfn top` has.
 */
#ifndef TOPFN_REPORT_EXPORT_H
#define TOPFN_REPORT_EXPORT_H

#include "report/report.h"

/* Every format, as help lists them. */
#define EXPORTS(ROW)                                                           \
    ROW(pprof)                                                                 \
    ROW(otlp)                                                                  \
    ROW(speedscope)                                                            \
    ROW(firefox)                                                               \
    ROW(cpuprofile)                                                            \
    ROW(callgrind)                                                             \
    ROW(collapsed)

enum { EXPORT_ENDINGS = 3 };

struct export_kind {
    const char *name;
    const char *help;                    /* what opens it */
    const char *endings[EXPORT_ENDINGS]; /* of files; the last is NULL */
    bool binary;                         /* nothing for a terminal */
    bool times;                          /* needs the times of samples */
    bool owners;    /* takes --with-process, --with-thread */
    bool whole;     /* takes whole samples or times alone */
    bool few_units; /* has none but bytes and times: others are lost */
    bool styles;    /* takes --with-module and what else is of names */
    /* About how long a sample is, and a frame where each stack is written. */
    uint8_t sample_bytes, frame_bytes;
    report_writer *write;
};

#define DECLARE_EXPORT(name) extern const struct export_kind name##_export;
EXPORTS(DECLARE_EXPORT)
#undef DECLARE_EXPORT

/* Ends with NULL. */
extern const struct export_kind *const export_kinds[];

/* NULL: no format of this name. */
const struct export_kind *export_kind_find(const char *name);

/* About how many bytes the samples take; of formats that count stacks 0. */
uint64_t export_size(const struct export_kind *kind, const struct profile *p,
                     const struct selection *sel);

/* By how a file is called; NULL: as none of them. `path` may be NULL. */
const struct export_kind *export_kind_of_file(const char *path);

#endif
