/*
 * named_code - for formats that tell names instead of addresses.
 *
 *     struct named_code n = named_code_of(p);
 *     uint32_t thread = named_thread(&n, named_process(&n, 1, app), 1, 0);
 *     struct named_frame f = named_frame_of(&n, "app.exe!Run", 11);
 *     struct named_stack stack = {0};
 *     stack = named_push(&n, stack, named_location(&n, &f));
 *     named_sample(&n, &(struct named_sample){0, thread, stack.whole, 1});
 *     named_code_end(&n, "threads, times");
 *
 * Fills the profile itself: nothing is left to attribute. Every function is a
 * method without an address, so that nobody takes a made-up one for code.
 *
 * Names and paths keep their first 4 KiB, names of threads, processes and
 * modules 256 bytes. All keep only 256 bytes if too many rows share long ones.
 *
 * Stacks come as trees or as lists, and deeper ones than STACK_DEEPEST keep
 * between half of that and all of their innermost frames, inlined ones among
 * them.
 */
#ifndef TOPFN_NAMED_CODE_H
#define TOPFN_NAMED_CODE_H

#include "engine/base/budget.h"
#include "engine/base/err.h"
#include "engine/base/json_read.h"
#include "engine/container/container.h"
#include "engine/model/profile.h"

struct named_frame {
    uint32_t name, module, file; /* strings of the profile; module, file: ""
                                    where there is none */
    uint32_t line;               /* 0 unknown */
    uint8_t kind;                /* enum code_kind */
    bool inlined;                /* into the frame outside of it */
};

/* A stack of a tree: all of it but what is too deep, and the part from the
 * last turn on, with which deeper ones begin. Zero is the empty one. */
struct named_stack {
    uint32_t whole, part;
    uint32_t frames; /* since the last turn */
    bool turned;
    bool cut; /* it turned more than once, so that outer frames are gone */
};

struct named_sample {
    int64_t time;
    uint32_t thread, stack;
    uint64_t weight;
    uint32_t value; /* string: see struct sample */
    bool idle;
    uint8_t end; /* enum stack_end, where the format tells it */
};

struct named_code {
    struct profile *profile;
    VEC(uint32_t) methods; /* by function; NO_ID: not yet */
    struct map modules;    /* by path, a string */
    struct map processes, threads; /* of named_thread_of, by ids and names */
    VEC(uint32_t) plain;   /* by function, its location without a place */
    struct map locations;  /* (function, file, line) */
    struct map inlined;    /* (location, function and place) */
    struct budget inlined_frames; /* in all of them: each has those below it */
    struct budget long_texts;     /* bytes of them in all rows */
    uint64_t samples;      /* how many there were */
    uint32_t decimals;     /* of the weights so far */
    uint64_t negative;     /* values that were left out */
    uint64_t too_large;    /* others that were */
    uint64_t deep;         /* stacks that were too deep */
    VEC(bool) cut_stacks;  /* by stack, as far as it goes: it is one of them */
    struct map cut;        /* (text that was too long, most) to its beginning */
    uint64_t most;         /* that the profile may cost; 0: any amount */
    bool full;             /* it does: samples are left out from then on */
};

struct named_code named_code_of(struct profile *p);

/* The same for an entry, whose size limits what the profile may cost
 * (profile_cost), as a stack may be named by two bytes. When it is `full`, the
 * rest need not be read. */
struct named_code named_code_from(struct profile *p, const struct entry *e);

/* Names and paths are strings of the profile: a text that many share is gone
 * through once, where it is read. */
uint32_t named_process(struct named_code *n, uint32_t pid, uint32_t name);
uint32_t named_thread(struct named_code *n, uint32_t process, uint32_t tid,
                      uint32_t name);

/* The thread of these ids and names, added with its process if new. */
struct named_thread_ids {
    uint32_t pid, tid;        /* NO_PID: the file does not say */
    uint32_t process, thread; /* their names, strings */
};
uint32_t named_thread_of(struct named_code *n,
                         const struct named_thread_ids *ids);

/* An id that a file has as a number: NO_PID if it has more than 32 bits. */
static inline uint32_t named_id(uint64_t number)
{
    return number < NO_PID ? (uint32_t)number : NO_PID;
}

/* The number that a short text of digits is; NO_PID if it is none. */
uint64_t named_number(struct bytes text);

/* The module of that path, added if new: its id. */
uint32_t named_module(struct named_code *n, uint32_t path);

/* From "name", "module!name" and marks of kind behind it: "_[k]". */
struct named_frame named_frame_of(struct named_code *n, const char *text,
                                  size_t len);

/* One location for equal frames. A name that stands for code without one
 * ("[no symbols]" in a module) makes a location without a name. */
uint32_t named_location(struct named_code *n, const struct named_frame *frame);

/* A new location at an address in a module (NO_ID: none; 0: no address),
 * with inlined functions, innermost first; with none, without a name. */
uint32_t named_location_at(struct named_code *n, uint32_t module,
                           uint64_t address, const struct named_frame *frames,
                           size_t count);

/* The location that `base` is with a frame inlined into its innermost one.
 * NO_ID: it has no name to be inlined into. */
uint32_t named_location_on(struct named_code *n, uint32_t base,
                           const struct named_frame *frame);

/* A location on top of a stack. */
struct named_stack named_push(struct named_code *n, struct named_stack on,
                              uint32_t location);

/* The stack of locations that stand innermost first. */
struct named_stack named_stack_of(struct named_code *n,
                                  const uint32_t *locations, size_t count);

/* A stack whose frames come outermost first, and what is inlined behind what it
 * is inlined into. Zero is the empty one. */
struct named_stack_top {
    struct named_stack below, stack; /* without and with the last location */
    uint32_t location;
};

void named_push_frame(struct named_code *n, struct named_stack_top *top,
                      const struct named_frame *frame);

/* Samples may come in any order; weights of 0 are left out. A stack of no
 * locations becomes one of the function "[no stack]". */
void named_sample(struct named_code *n, const struct named_sample *sample);

/* For formats whose times count from some zero of the recorder: counts them
 * from the first sample on. Returns where that was; *length becomes the time
 * up to the last one. */
int64_t named_begin_with_first(struct named_code *n, int64_t *length);

/* The weight of a sample that follows, for a number with a fraction: `value` is
 * the difference of numbers of about `size`. Weights so far get as many
 * decimals as it has. 0 of a negative one and of one that no weight can hold:
 * both are counted. */
uint64_t named_weight(struct named_code *n, double value, double size);

/* The same for `value` / 10^`decimals`, a number read as text. */
uint64_t named_decimal(struct named_code *n, uint64_t value, uint32_t decimals);

/* A value below 0, as a difference of two profiles has them, is left out. */
void named_negative(struct named_code *n);

/* Completes the samples and releases all else. Call when the metric and its
 * unit are stated. `unsaid` lists what the format cannot store, for the header
 * of reports: "threads, times". */
void named_code_end(struct named_code *n, const char *unsaid);

/* Reads a text of JSON, mostly that of the entry, and calls `read` for its
 * root, which fills the profile up to named_code_end. Nothing behind the damage
 * is read. It is noted, or refused if no sample precedes it. */
enum err_code named_read_json(
    struct named_code *n, const struct entry *e, struct bytes text,
    enum err_code (*read)(void *file, struct json_value root, struct err *err),
    void *file, struct err *err);

#endif
