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
#include "engine/model/code.h"
#include "engine/model/collections.h"
#include "engine/model/frames.h"
#include "engine/model/il_map.h"
#include "engine/model/labels.h"
#include "engine/model/metric.h"
#include "engine/model/samples.h"
#include "engine/model/stacks.h"
#include "engine/model/trace.h"

#define NO_ID UINT32_MAX

/* The id of a process whose id the trace does not tell. */
#define NO_PID UINT32_MAX

/* Formats without threads give their samples to a thread 0. The idle process 0
 * does have a thread 0. */
static inline bool is_thread_id(uint32_t pid, uint32_t tid)
{
    return tid || !pid;
}

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

/* from <= time < to */
struct time_range {
    int64_t from, to;
};

/* The stack of an event, by its place in the trace (events.h). */
struct event_stack_at {
    uint64_t place;
    uint32_t stack;
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
    /* Filled for SQL alone; sorted by place. */
    VEC(struct event_stack_at) event_stacks;
    VEC(struct collection) collections;
    /* Samples that a filter of stacks took out (analysis/algebra.h). */
    struct {
        uint64_t samples, idle;
    } left_out;
    size_t stacks_before; /* how many there were before it; 0: no such filter */
    uint32_t parked_threads; /* that wait by their stack (waiting.h) */
    /* Where a filter that goes by events keeps samples; in order of time and
     * apart from each other (events/between.h). */
    VEC(struct time_range) between;
    /* Indices used while it is filled. */
    struct map location_ids;
    struct map function_ids; /* (name and module), or (address, module) */
    /* Frames from profile_set_frames, until profile_finish. */
    VEC(struct frame) given;
    VEC(struct given_frames) given_of; /* by location, as far as it goes */
    /* IL maps of methods, for source lines (symbols/managed/managed_lines.c).
     */
    struct il_maps il_maps;
    struct labels *labels;  /* of functions, made when first asked for */
    struct saved_names saved; /* until profile_finish */
    /* Code is grouped with the module of its function, not as [jit]:
     * profile_location_module. */
    bool jit_in_modules;
    /* Stacks whose end is not known are chains of frame pointers, which leave
     * out callers (symbols/frame_images.h). */
    bool frame_pointers;
};

struct profile *profile_new(void);
void profile_free(struct profile *p);

/* The id of this location, stack or function, added if new. A location's
 * kind and cause are those of its first addition; an address that nothing
 * holds is one location for each cause. */
uint32_t profile_location(struct profile *p, const struct location *location);
uint32_t profile_stack(struct profile *p, uint32_t parent, uint32_t location);

/* The stack of the event there; 0: it has none, or they are not known. */
uint32_t profile_event_stack(const struct profile *p, uint64_t place);

/* About how many bytes a profile takes with what a report makes of it. */
uint64_t profile_cost(const struct profile *p);

/* The number of addresses among the locations, whatever their roles. */
size_t profile_addresses(const struct profile *p);

/* The text of a function for a person: its name, `0x1a2b` addresses as
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

/* The image or code area of a location: "clr.dll", "[jit]", "[script]",
 * "[unknown]". With jit_in_modules, the module of its innermost function, as
 * all reports show it. The profile must be finished. */
const char *profile_location_module(const struct profile *p,
                                    uint32_t location);

/* The word for a module where code has none: "[jit]", "[script]". */
const char *profile_code_area(const struct profile *p,
                              const struct location *l);

/* The path of its first file; "": it comes from none. */
static inline const char *profile_file(const struct profile *p)
{
    return p->trace.files.len ? strings_get(p->strings, p->trace.files.data[0])
                              : "";
}

/* The end of its times. The duration is less if parts of the time in between
 * were not recorded. */
int64_t profile_end(const struct profile *p);

#endif
