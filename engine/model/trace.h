/*
 * trace - what a trace says of itself, and what of it could not be read.
 */
#ifndef TOPFN_TRACE_H
#define TOPFN_TRACE_H

#include "engine/base/vec.h"
#include "engine/model/metric.h"

struct profile;

/* Bytes of an input that could not be used, and why. */
struct skipped {
    uint32_t file; /* string */
    uint64_t offset, size;
    uint32_t reason; /* string */
};

struct event_count {
    uint32_t name; /* string: "PerfInfo/Sample", "Image/Load" */
    uint64_t count;
};

struct quality {
    uint64_t lost_events, lost_buffers; /* as the recorder states them; and
                                           files of it that are missing */
    uint64_t skipped_bytes;
    VEC(struct skipped) skipped; /* the first SKIPPED_KEPT of them */
    uint64_t skipped_ranges;     /* all of them */
    uint64_t malformed; /* records of a known kind that did not decode */
    uint64_t undefined_keys; /* stack keys without a definition */
    uint64_t event_stacks;   /* stacks of other events than samples */
    uint64_t cut_stacks; /* distinct ones deeper than we keep: see below */
    uint64_t negative_values; /* of a difference of two profiles: left out */
    VEC(uint32_t) warnings;    /* strings, each a sentence */
};

enum { SKIPPED_KEPT = 100, CONTENTS_KEPT = 1000 };

/* One thing inside a container (.zip, .diagsession, ...). */
struct trace_content {
    uint32_t name; /* string: "a.vspx!symbols.bin" */
    uint32_t kind; /* string: "trace", "symbols", "other" */
    uint64_t size; /* bytes once unpacked */
    bool used;
    uint32_t note; /* string: what decided, or what was wrong; or "" */
};

enum fact_type { FACT_TEXT, FACT_NUMBER, FACT_FLAG };

/* A fact from a format's header that no other field holds, for a person:
 * "sampling interval", "10,000,000 cycles". In the order of the header. */
struct trace_fact {
    uint32_t name, value; /* strings */
    uint32_t field;  /* string: the format's own name, "TotalSamples"; behind
                        it "[]" where a list has several; or "" */
    uint64_t number; /* the value of a number, or 0 and 1 */
    uint8_t type;    /* enum fact_type: how JSON writes the field */
    bool caveat; /* bounds what the samples can tell: "aborted samples" */
};

/* This fact lists what the format has no place for: "threads, times". */
#define FACT_UNSAID "not in the format"

/* The recorder sampled the processes that it was told to, and no others: the
 * share of CPU time is theirs, and the processors may have been busier. */
#define FACT_SAMPLED     "sampled"
#define SAMPLED_SOME     "only the processes that were chosen"

/* This fact lists what --event can count instead of the samples that were read:
 * "allocation 3,196, exception 54". */
#define FACT_ALSO "also recorded (--event)"

/* One of the profiles that were joined (merge.h): the part of time that is
 * its. Their counts differ as those of separate runs do. */
struct trace_input {
    uint32_t name; /* string: its file */
    int64_t from, to;
};

struct trace_info {
    VEC(uint32_t) files;  /* strings: paths as given */
    uint32_t format;      /* string: "etl", "nettrace", ... */
    struct recorded_metric metric;
    uint32_t period_of;   /* string: of which event samples have periods */
    int64_t interval_ns;  /* 0 unknown */
    int64_t start_unix_ns; /* of time 0; 0 unknown */
    int64_t duration_ns;  /* the last event's time */
    uint32_t cpus;        /* 0 unknown */
    uint32_t pointer_size;
    uint32_t os;      /* string: "Windows 6.2 build 9200" */
    uint32_t machine; /* string: computer name, or "" */
    uint64_t events;
    uint64_t idle_not_kept; /* idle samples that are only counted */
    VEC(struct event_count) event_counts; /* by name */
    VEC(struct trace_fact) facts;
    VEC(struct trace_content) contents; /* the first CONTENTS_KEPT a file */
    VEC(struct trace_input) inputs; /* in order of time; empty: not joined */
    /* Number of recordings whose samples were added up into this profile (0:
     * it is of one recording), and of machines they name. */
    uint64_t recordings, hosts;
    /* A weight is a number of samples that were added up, each of weight 1. */
    bool adds_up;
};

/* Notes a byte range that could not be used; adjacent ranges of one reason
 * are one. */
void profile_skip(struct profile *p, const char *file, uint64_t offset,
                  uint64_t size, const char *reason);

void profile_warn(struct profile *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void profile_fact(struct profile *p, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a number, which JSON has as such, and for yes or no. */
void profile_number(struct profile *p, const char *name, uint64_t number,
                    const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void profile_flag(struct profile *p, const char *name, bool is);

/* Gives the fact added last the name that its format has for it. */
void profile_fact_field(struct profile *p, const char *field);

/* The facts of these names are numbers: garbage collections of all processes,
 * and nanoseconds for which their threads stood still. */
#define FACT_COLLECTIONS "garbage collections"
#define FACT_PAUSED      "paused by garbage collections"

/* Methods of .NET that were compiled, and nanoseconds that took. */
#define FACT_COMPILED  "methods compiled"
#define FACT_COMPILING "time to compile methods"

/* The facts of these names are nanoseconds: the lifetimes of threads, which
 * have the four others as their parts (thread_states.h). */
#define FACT_LIFETIMES "thread lifetimes"

/* Appends ", exception 54" to a list for FACT_ALSO; count 0: not known. */
void out_also(struct out *list, const char *event, uint64_t count);

/* States that fact, unless the list is empty. */
void profile_also_recorded(struct profile *p, struct out *list);

/* Finds a fact by its name; NULL: there is none. */
const struct trace_fact *profile_fact_named(const struct profile *p,
                                            const char *name);

/* Marks what a container holds under this name as used. */
void profile_content_used(struct profile *p, const char *name);

/* Adds to the count of events called `name`. */
void profile_count_event(struct profile *p, const char *name, uint64_t n);

#endif
