/*
 * profile - what every format is read into and every report is made from.
 *
 * Columns and 32-bit ids, not object webs. An id is an index into the vector
 * of that name; NO_ID stands for "none". Names are ids of `strings`. Times
 * are int64 nanoseconds since the trace's start.
 *
 * Life of a profile: a format reader fills it through observations.h; symbols
 * may name locations; profile_finish gives every location its frames; from then
 * on it is only read, by the database (store.h) and the reports.
 *
 *     stack  = chain of locations, outermost first: (parent stack, location)
 *     location = one distinct code address in one role; resolved once. The role
 *                belongs to its use in a stack: a caller stands behind its
 *                call, what was interrupted stands where it stopped
 *     frame    = what it turned out to be; inlining gives one location several
 *     function = (module name, function name): what reports rank
 *
 * Invariants after profile_finish, checked when a database is opened:
 *   - every id is in range or, where the comment allows it, NO_ID;
 *   - a stack's parent has a smaller id, so stacks can be walked in order;
 *   - stack 0 of a tree is the empty stack and no sample has it;
 *   - samples are sorted by time;
 *   - every location has at least one frame, the outermost function last.
 */
#ifndef TOPFN_PROFILE_H
#define TOPFN_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/map.h"
#include "engine/base/strings.h"
#include "engine/base/vec.h"
#include "engine/model/code_kind.h"
#include "engine/model/il_map.h"
#include "engine/model/labels.h"
#include "engine/model/methods.h"
#include "engine/model/metric.h"
#include "engine/model/name_cause.h"
#include "engine/model/preorder.h"
#include "engine/model/saved_names.h"
#include "engine/model/stack_end.h"

#define NO_ID UINT32_MAX

/* Of a process whose id the trace does not tell. */
#define NO_PID UINT32_MAX

/* Open ends of a life or of a range's validity. */
#define TIME_MIN INT64_MIN
#define TIME_MAX INT64_MAX

/* A life under one name, not an id: a pid can be used twice, and a process that
 * changes its name has a row for each that was sampled, of the same times. */
struct process {
    uint32_t pid, parent_pid;
    int64_t start, end; /* TIME_MIN/TIME_MAX: before or after the trace */
    uint32_t name;      /* "orders.exe"; "" when the trace does not say */
    uint32_t command_line;
};

struct thread {
    uint32_t tid;
    uint32_t process; /* id, always valid */
    int64_t start, end;
    uint32_t name;
};

/* What a debug file must match: symbols/pdb/format.md, symbols/pe/format.md
 * and symbols/elf/format.md, section 2 of each. */
struct identity {
    uint8_t guid[16]; /* PDB GUID as stored in the file */
    uint32_t age;
    uint32_t pdb_name; /* string; "" = no PDB identity known */
    uint32_t timestamp, image_size; /* PE; both 0 when unknown */
    uint8_t build_id[32];
    uint8_t build_id_size; /* ELF; 0 when unknown */
};

/* Of the file that was mapped, as far as a trace tells. */
struct file_stamp {
    uint64_t inode; /* 0 unknown */
    uint32_t major, minor; /* of its device */
};

struct module {
    uint32_t path; /* as a user of the traced machine would write it */
    uint32_t name; /* last part of the path, its case kept */
    bool managed;  /* a managed module (assembly), known by name only */
    bool by_file_offset; /* addresses in it are offsets in the (ELF) file */
    uint32_t area; /* what stands for the image of its methods' code where a
                      trace knows no images: "System.Linq.dll"; else "" */
    struct identity identity;
    struct file_stamp stamp; /* a database does not keep it */
    uint32_t version; /* file version, "" when unknown */
    /* Who made it, as far as the trace or the image at hand says: company and
     * product of a file, "PublicKeyToken=..." of an assembly; "" when
     * unknown. */
    uint32_t maker;
    uint32_t symbols; /* string: where names of its code came from, or "" */
    bool without_inlined; /* these lack calls that were inlined, as files that
                             tell of them are not at hand */
};

/* Where a module was in memory. */
struct mapping {
    uint32_t process; /* NO_ID: kernel space, every process */
    uint32_t module;
    uint64_t base, size;
    uint64_t rva; /* address in the module that lies at base: 0 for a whole
                     image, else that of the mapped segment */
    int64_t from, to;
};

struct location {
    uint64_t address; /* RVA in `module`; else offset in `method`; else the
                         virtual address */
    uint32_t module;  /* image that holds it, or NO_ID */
    uint32_t method;  /* method that holds it, or NO_ID; may be in an image
                         too: precompiled code */
    uint8_t kind;     /* enum code_kind */
    uint8_t cause;    /* enum name_cause */
    bool caller;      /* its role: `address` is where a call returns to */
};

/* Frames of location L: frames[frame_start[L] .. frame_start[L + 1]),
 * innermost first. */
struct frame {
    uint32_t function;
    uint32_t file; /* string, "" unknown */
    uint32_t line; /* 0 unknown */
    bool inlined;  /* into the next frame of the location */
};

struct function {
    uint32_t name;    /* "" for unnamed code: see profile_function_name */
    uint32_t module;  /* string: module that a report shows beside it */
    uint64_t address; /* RVA, or virtual address without module: of unnamed
                         code, what it is; of other code, the lowest at which
                         it begins, 0 not known */
    uint8_t kind;     /* enum code_kind */
    uint8_t cause;    /* enum name_cause of unnamed code */
};

/* Functions by what they are (functions.c). */
struct function_index {
    uint32_t *slots; /* id + 1; 0: free */
    size_t size, used;
    /* By method, where profile_finish makes one up for it: id + 1; 0: not
     * yet. */
    uint32_t *of_method;
};

struct stack {
    uint32_t parent;   /* the caller's stack; 0 for the outermost frame */
    uint32_t location; /* NO_ID only for stack 0 */
};

/* Distinct stacks by id, each behind its parent; stack 0 is the empty one. */
struct stack_table {
    struct stack *data;
    size_t len, cap;
    struct map ids; /* while it is filled */
};

/* For who goes from stack to stack, and from each to its callers: so many
 * stacks ahead, one is fetched with its callers, that mostly lie before it. */
enum { STACKS_SOON = 4 };

static inline void stacks_fetch(const struct stack_table *stacks,
                                uint32_t stack)
{
    enum { CALLERS = 32 };
    uint32_t n = stack < CALLERS ? stack : CALLERS;

    mem_fetch_lines(&stacks->data[stack - n], (n + 1) * sizeof(struct stack));
}

enum sample_flags {
    SAMPLE_IDLE = 1,      /* the idle thread with nothing to do */
    SAMPLE_DPC = 2,       /* interrupted a deferred procedure call */
    SAMPLE_ISR = 4,       /* interrupted an interrupt service routine */
    SAMPLE_USER_PART = 8, /* has frames of user mode: see stack_class */
    SAMPLE_KERNEL_PART = 16,
    SAMPLE_HAS_STACK = 32,
    SAMPLE_EXTERNAL = 64, /* a .NET thread in native code, or waiting */
    SAMPLE_MANAGED = 128, /* a .NET thread in managed code */
    /* Above them: enum stack_end (stack_end.h). */
    SAMPLE_FLAGS_ALL = 255 | STACK_END_BITS,
};

/* What is known of a sample's stack, from its flags. */
enum stack_class { STACK_FULL, STACK_USER, STACK_KERNEL, STACK_NONE };

/* What the samples count. */
struct recorded_metric {
    enum metric_id id;
    uint32_t word; /* string: that of the row, or the events' own name */
    uint32_t unit; /* string: what weights are, as the input says: "samples",
                      "bytes", "milliseconds", "objects" */
    uint32_t decimals; /* of a weight, which is a whole number: 1500 is 1.5
                          units where these are 3 */
};

/* What the weights of a profile add up to at most: a number that SQLite and
 * most other programs can hold. */
#define WEIGHTS_MOST ((uint64_t)INT64_MAX)

/* `weight` is at least 1 and counts samples of equal thread, stack and flags:
 * mostly 1 from a trace, more when one or a database is opened without times;
 * or what the metric's unit says: bytes, a time. `period` is how many events, of
 * those that were counted until one was sampled, it stands for; 0: not told.
 */
struct sample {
    int64_t time;
    uint32_t thread, stack; /* ids */
    uint64_t weight;
    uint64_t period;
    uint16_t cpu;
    uint16_t flags; /* enum sample_flags, with an enum stack_end */
};

/* Samples in columns of equal length, sorted by time. */
struct samples {
    size_t len, cap;
    int64_t *time;
    uint32_t *thread; /* id */
    uint32_t *stack;  /* id */
    uint64_t *weight; /* NULL: 1 each */
    uint64_t *period; /* NULL: not told, or the same for all */
    uint16_t *cpu;
    uint16_t *flags;
};

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

/* Frames of one part of a stack (kernel or user) that readers keep, the
 * innermost, and of a whole. A record of Linux holds 8,191 addresses; Windows
 * writes 192, .NET 100. Deeper ones are counted in the quality. Stacks of a
 * tree are bounded together, too (deep_stacks.h). */
enum { STACK_PART_DEEPEST = 8192, STACK_DEEPEST = 2 * STACK_PART_DEEPEST };

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

/* What a format's header says and no other field holds, for a person:
 * "sampling interval", "10,000,000 cycles". In the order of the header. */
struct trace_fact {
    uint32_t name, value; /* strings */
    uint32_t field;  /* string: the format's own name, "TotalSamples"; behind
                        it "[]" where a list has several; or "" */
    uint64_t number; /* the value of a number, or 0 and 1 */
    uint8_t type;    /* enum fact_type: how JSON writes the field */
    bool caveat; /* bounds what the samples can tell: "aborted samples" */
};

/* The fact of this name is what the format has no place for: "threads,
 * times". */
#define FACT_UNSAID "not in the format"

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
    /* Of a fleet's recordings that were added up: how many (0: no fleet), and
     * of how many machines, as far as they say. */
    uint64_t runs, hosts;
    /* Weights are numbers of samples that were added up, each of weight 1. */
    bool adds_up;
};

/* from <= time < to */
struct time_range {
    int64_t from, to;
};

struct profile {
    struct strings *strings;
    struct trace_info trace;
    struct quality quality;
    VEC(struct process) processes;
    VEC(struct thread) threads;
    VEC(struct module) modules;
    VEC(struct mapping) mappings;
    struct methods methods;
    VEC(struct location) locations;
    struct stack_table stacks;
    VEC(uint32_t) frame_start; /* locations.len + 1 after profile_finish */
    VEC(struct frame) frames;
    VEC(struct function) functions;
    struct samples samples;
    /* What a filter of stacks took out of them (analysis/algebra.h). */
    struct {
        uint64_t samples, idle;
    } left_out;
    size_t stacks_before; /* how many there were before it; 0: no such filter */
    /* Where a filter that goes by events keeps samples; in order of time and
     * apart from each other (events/between.h). */
    VEC(struct time_range) between;
    /* Indices used while it is filled. */
    struct map location_ids;
    struct function_index function_ids;
    /* What profile_set_frames got, until profile_finish. */
    VEC(struct frame) given;
    VEC(struct given_frames) given_of; /* by location, as far as it goes */
    /* Of methods, for source lines (symbols/managed/managed.h). */
    struct il_maps il_maps;
    struct labels *labels;  /* of functions, made when first asked for */
    struct preorder *order; /* of stacks, in the same way */
    struct saved_names saved; /* until profile_finish */
    /* Generated code is grouped with the module of its function, not as
     * [jit]: profile_location_module. */
    bool jit_in_modules;
    /* Stacks whose end is not known are chains of frame pointers, which leave
     * out callers (symbols/stack_ends.h). */
    bool frame_pointers;
    /* profile_finish leaves out functions of unnamed code that unnamed_fold
     * would take away again, and calls it (unnamed.h). */
    bool folds_unnamed;
    unsigned concurrency; /* threads that may work on it; 0: one per core */
};

/* given[start .. start + count); none where count is 0 */
struct given_frames {
    uint32_t start, count;
};

struct profile *profile_new(void);
void profile_free(struct profile *p);

/* The id of this location, stack or function, added if new. A location's
 * kind and cause are those of its first addition; an address that nothing
 * holds is one location for each cause. */
uint32_t profile_location(struct profile *p, const struct location *location);

uint32_t profile_stack(struct profile *p, uint32_t parent, uint32_t location);
uint32_t profile_function(struct profile *p, const struct function *function);

/* This one is added soon: fetches where it is looked up. */
void profile_function_soon(const struct profile *p,
                           const struct function *function);

/* So many more are added soon, at least one. */
void profile_expect_functions(struct profile *p, size_t n);

/* Forgets all; functions that are added from then on are new ones. */
void function_index_release(struct function_index *index);

/* Stacks outside a profile, with locations of one. */
void stack_table_init(struct stack_table *table);
void stack_table_release(struct stack_table *table);
uint32_t stack_table_add(struct stack_table *table, uint32_t parent,
                         uint32_t location);

/* About how many bytes a profile takes with what a report makes of it. */
uint64_t profile_cost(const struct profile *p);

/* How many addresses the locations are, whatever their roles. */
size_t profile_addresses(const struct profile *p);

/* Names a location: `n` frames (at least one), innermost first. The first
 * who names a location is right. Before profile_finish only. */
void profile_set_frames(struct profile *p, uint32_t location,
                        const struct frame *frames, size_t n);
bool profile_has_frames(const struct profile *p, uint32_t location);

/* Those frames, until the next location is named; NULL and 0: none. */
const struct frame *profile_given(const struct profile *p, uint32_t location,
                                  uint32_t *n);

/* The same for a location that has none: those of another one, if any. */
void profile_share_frames(struct profile *p, uint32_t location, uint32_t other);

/* The source line of a location that keeps its method's name. */
void profile_set_line(struct profile *p, uint32_t location, uint32_t file,
                      uint32_t line);

/* Appends a sample. */
void profile_sample(struct profile *p, const struct sample *sample);

/* The one of a number; its weight is 1 and its period 0 where no sample has
 * another. */
struct sample profile_sample_at(const struct profile *p, size_t i);

/* The same for all samples at once, whose columns are taken over: the profile
 * has none yet. They are put in order of time. */
void profile_take_samples(struct profile *p, const struct samples *samples);

/* Puts samples in order of time (stable), for readers whose input is not. */
void profile_sort_samples(struct profile *p);

/* Gives the samples a column of weights, 1 each, if they have none. */
void profile_begin_weights(struct profile *p);

/* Call with the weights of all samples, which may be NULL: makes `n` smaller,
 * and warns, when they add up to more than WEIGHTS_MOST. */
void profile_fit_weights(struct profile *p, const uint64_t *weight, size_t *n);

/* Makes the periods of samples their weights, and the events that they stand
 * for what the profile counts; false when samples have none. */
bool profile_weigh_by_period(struct profile *p);

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

/* Marks what a container holds under this name as used. */
void profile_content_used(struct profile *p, const char *name);

/* Adds to the count of events called `name`. */
void profile_count_event(struct profile *p, const char *name, uint64_t n);

/* Gives every location frames: methods by their full name, the rest unnamed
 * (cause stated). Call when everything is in; a finished profile stays as it
 * is. */
void profile_finish(struct profile *p);

/* The function a location is when nobody named it better. */
struct function profile_plain_function(struct profile *p, uint32_t location);

/* The other way: locations without a name, and those that have only the name
 * of their method, may be named again, then profile_finish once more. A
 * profile that is not finished stays as it is. */
void profile_reopen(struct profile *p);

/* What a person reads for a function: its name, `0x1a2b` addresses as
 * "module!+0x1a2b" or "0x7ff...". Writes to `text`, terminated; returns the
 * pointer to print, which may be the string table's own. */
enum { FUNCTION_NAME_SIZE = 320 };
const char *profile_function_name(const struct profile *p, uint32_t function,
                                  char text[FUNCTION_NAME_SIZE]);

/* The same for one location: "module!+0x1a2b", "Name+0x1a", "0x7ff...". */
const char *profile_location_name(const struct profile *p, uint32_t location,
                                  char text[FUNCTION_NAME_SIZE]);

/* The function of a location's innermost frame, once the profile is
 * finished. */
static inline uint32_t profile_innermost(const struct profile *p,
                                         size_t location)
{
    return p->frames.data[p->frame_start.data[location]].function;
}

/* The image or code area a location lies in or, with jit_in_modules, what the
 * function of generated code is said to be in: "clr.dll", "[jit]", "[script]",
 * "[unknown]". Of a finished profile. */
const char *profile_location_module(const struct profile *p,
                                    uint32_t location);

/* What stands for a module where code has none: "[jit]", "[script]". */
const char *profile_code_area(const struct profile *p,
                              const struct location *l);

/* States the metric, by its id or, for events and in a database, by its
 * word. Weights have the unit of its row until profile_set_unit is called. */
void profile_set_metric(struct profile *p, enum metric_id id);
void profile_set_metric_word(struct profile *p, const char *word);
void profile_set_unit(struct profile *p, const char *unit, uint32_t decimals);

/* Its row, and its word: "" where no metric was stated. */
const struct metric *profile_metric(const struct profile *p);
const char *profile_metric_word(const struct profile *p);

/* Of its row: whether the innermost address of a stack is one that a call
 * returns to. */
bool profile_leaves_return(const struct profile *p);

/* Where its times end. The duration is less if parts of the time in between
 * were not recorded. */
int64_t profile_end(const struct profile *p);

static inline enum stack_class stack_class(uint16_t sample_flags)
{
    if (!(sample_flags & SAMPLE_HAS_STACK))
        return STACK_NONE;
    if (!(sample_flags & SAMPLE_KERNEL_PART))
        return STACK_USER;
    return sample_flags & SAMPLE_USER_PART ? STACK_FULL : STACK_KERNEL;
}

#endif
