/*
 * observations - what a format reader learned, before anything is attributed.
 *
 * Names come late in every format: modules and methods may be described
 * after every sample that needs them. So a reader reports facts as it meets
 * them, samples with raw addresses; attribute then works out lives of
 * processes and threads, resolves addresses by (process, time) and fills the
 * profile.
 *
 *     struct observations *seen = observations_new(profile);
 *     observe_process(seen, &(struct observed_process){...});
 *     uint32_t user = callchains_add(&seen->callchains, &run, print, true);
 *     observe_sample(seen, &(struct observed_sample){.outer = user, ...});
 *     attribute(seen);
 *     observations_free(seen);
 *
 * Times are nanoseconds since the trace's start. Facts may come in any order
 * of time. Strings of facts are ids of the profile's table; slices of method
 * names must stay valid until attribute, as only sampled methods are
 * converted: they lie in the trace itself or in `kept`.
 *
 * A reader states here what its format says of the traced machine; nobody asks
 * later which format it was.
 */
#ifndef TOPFN_OBSERVATIONS_H
#define TOPFN_OBSERVATIONS_H

#include "engine/attribution/callchains.h"
#include "engine/attribution/event_naming.h"
#include "engine/base/arena.h"
#include "engine/base/reader.h"
#include "engine/model/profile.h"

/* A sample as a reader met it. A stack has two parts, both ids of callchains
 * or 0: the outer one, which is the user part or the whole stack, and the inner
 * one on top of it. The inner one is the kernel part; or, with `leaf`, the
 * sampled address alone, standing in for a part that was not recorded. */
struct observed_sample {
    int64_t time;
    uint32_t thread_key; /* observe_thread_key */
    uint32_t outer, inner;
    uint64_t weight; /* at least 1: see struct sample */
    uint64_t period; /* 0 not told */
    uint32_t value;  /* string: of a field; 0: none */
    uint16_t cpu;    /* or NO_CPU */
    uint32_t flags; /* enum sample_flags, with an enum stack_end; parts add
                       theirs when attributed */
    uint8_t leaf; /* 0 or 1 */
};

/* The part of a thing's life that an event tells. */
enum observed_event {
    SEEN_BEGIN,    /* began at this time */
    SEEN_END,      /* ended at this time */
    SEEN_AT_START, /* was there already when recording began */
    SEEN_AT_STOP,  /* was there still when recording stopped */
};

struct observed_process {
    int64_t time;
    enum observed_event event;
    uint32_t pid, parent_pid;
    uint32_t name, command_line; /* strings */
    bool renames; /* it is called `name` from now on; else it always was */
};

struct observed_thread {
    int64_t time;
    enum observed_event event;
    uint32_t tid, pid;
    uint32_t name; /* string: it is called so from now on; "": as before */
};

/* A mapped image or part of one. `kernel`: in every process's space. If two
 * images hold an address since the same time, the smaller one counts. */
struct observed_image {
    int64_t time;
    enum observed_event event;
    uint32_t pid;
    bool kernel;
    bool pages;       /* one of an image's mappings: hides of older ones what
                         it covers; else it takes the place of what began at
                         its base, whole */
    uint64_t base, size;
    uint64_t rva;     /* address in the module of what lies at base */
    uint32_t module;  /* id in the profile; NO_ID: memory without an image */
    uint32_t symbols; /* set of symbols that the trace has for it; 0 none */
    bool jit;         /* code made at run time: its symbols tell the module,
                         and lists of such code hold for it */
};

/* Text as a file holds it, converted when needed. */
struct text_slice {
    const uint8_t *data;
    uint32_t len; /* bytes */
    bool utf16;   /* else UTF-8 */
};

struct observed_method {
    int64_t time;
    enum observed_event event;
    uint32_t pid;
    uint64_t start;
    uint32_t size;
    uint64_t method_id, module_id; /* the runtime's own handles */
    uint64_t rejit_id; /* which of the method's bodies; 0 the first */
    struct text_slice space, name, signature;
    uint32_t token;
    uint8_t tier;
    uint8_t kind; /* CODE_MANAGED or CODE_SCRIPT */
    bool cold;    /* split off from the method's body */
    /* From a list beside the trace: `name` is all that is known, spelled as
     * the runtime spells names there (jit_name.h). Files mapped at the
     * address are the better answer. */
    bool listed;
};

/* An IL map: which code of a method came from which IL (clr_il_maps.c). */
struct observed_il_map {
    int64_t time;
    uint32_t pid;
    bool by_rejit;  /* the ids in the payload tell the body */
    uint64_t method_id;
    uint64_t start; /* of the body, if they do not; 0 unknown */
    const uint8_t *payload; /* checked; valid until attribute */
};

/* A thread's last method event, or rundown IL map without a version that
 * waits for its method. */
struct clr_neighbour {
    uint64_t thread;
    uint32_t pid;
    uint64_t method_id; /* 0: none */
    uint64_t start;
    uint32_t map; /* the one that waits, or NO_ID */
};

/* A managed module: gives methods of `module_id` in `pid` a module name. */
struct observed_managed_module {
    uint32_t pid;
    uint64_t module_id, assembly_id;
    uint32_t module; /* id in the profile, `managed` set */
};

/* A symbol that the trace itself gives, at its address in the processes that
 * map what it belongs to. The plainest of several names of one range is
 * used. */
struct observed_symbol {
    uint32_t set; /* as in observed_image */
    uint64_t start, size;
    bool unplaced; /* where its function begins is not known */
    struct text_slice name;
};

/* The thread that a sample names. */
struct thread_key {
    uint32_t tid, pid; /* NO_PID: only the thread's history can tell */
};

/* A step of a .NET garbage collection, by the id of its event (collections.c).
 */
struct observed_collection {
    int64_t time;
    uint64_t thread; /* that wrote it */
    uint32_t pid;
    uint32_t order;  /* as the events came */
    uint32_t number; /* of the collection that starts or ends */
    uint8_t id;
    uint8_t generation, reason, kind; /* of one that starts */
    uint64_t bytes, promoted;         /* of the heap */
};

/* The last time that a thread stopped the others, for no collection. */
struct observed_stop {
    int64_t time;
    bool open; /* they do not run yet */
};

/* The compiler begins a method, or its code is there (jit_times.c). */
struct observed_jit {
    int64_t time;
    uint64_t thread, method_id;
    uint32_t pid;
    uint8_t tier;
    bool starts;
};

/* A wakeup by a thread that may have waited itself. */
struct observed_wakeup {
    int64_t time;
    uint32_t before; /* number of the wakeup that ended the waker's own wait,
                        if that began after this one; 0: none */
    bool interrupt;  /* it was no thread: it interrupted one */
};

struct observations {
    struct profile *profile;
    struct event_naming *naming; /* for readers that count events */
    struct callchains callchains;
    struct arena kept; /* bytes that facts refer to */
    struct samples samples;
    VEC(struct thread_key) thread_keys;
    struct map thread_key_ids;
    VEC(struct observed_process) processes;
    VEC(struct observed_thread) threads;
    VEC(struct observed_image) images;
    VEC(struct observed_method) methods;
    VEC(struct observed_il_map) il_maps;
    VEC(struct observed_collection) collections;
    VEC(struct observed_stop) stops; /* by thread */
    struct map stop_ids;             /* (thread, pid) -> index */
    uint64_t stop_count, stopped_ns; /* those that ended */
    VEC(struct observed_jit) jits;
    struct map neighbour_ids;    /* (thread, pid) -> index, of clr_il_maps.c */
    VEC(struct clr_neighbour) neighbours;
    VEC(struct observed_managed_module) managed_modules;
    VEC(struct observed_symbol) symbols;
    uint32_t symbol_sets;        /* how many there are; set 0 is empty */
    struct strings *module_keys; /* paths and names in lower case */
    struct map folded_paths;     /* path -> in module_keys */
    struct map assembly_makers;  /* (assembly id, pid) -> string */
    struct map managed_names;    /* folded name -> the first one's spelling */
    struct map module_ids; /* (path and hash of identity, attempt) */
    uint64_t hypercall_page;     /* its address, or 0 */
    uint64_t kernel_from;        /* addresses from here on are kernel space */
    uint32_t deepest; /* frames of a part that the recorder writes at most; 0:
                         not known */
    /* Bits 1 << enum thread_state: samples are happenings from which the time
     * of threads is worked out, that in these states (thread_time.h). */
    uint8_t thread_states;
    VEC(struct observed_wakeup) wakeups; /* those that ended blocked time */
    bool late_switches; /* a switch-out is written when the thread is back */
    /* A chain of fewer addresses ends at its root; 0: the reader says it for each
     * sample, or nothing does. Samples that take the place of the reader's
     * (trace_format.h) need it. */
    uint32_t whole_below;
    /* Stacks may add this much to the profile's cost (profile_cost), because an
     * address that no other stack has may take 4 bytes of the file; 0: they may
     * add anything. */
    uint64_t most_cost;
    uint64_t unpacked; /* bytes of records that are packed within the file */
    bool untimed;                /* times are of use for their order alone */
    bool windows_pids;           /* processes 0 and 4 are Windows' own */
    bool without_images; /* managed modules stand for their images */
    /* Images of a process that was there before the recording are listed some
     * time after its start: before that, too, they were where they are. */
    bool late_images;
    /* The cause for addresses in no image and no method; CAUSE_NONE means
     * CAUSE_NO_IMAGE. Until `last_unload`, a managed module that was unloaded
     * later may have held them (TIME_MIN: none was). */
    enum name_cause unknown_cause;
    int64_t last_unload;
};

struct observations *observations_new(struct profile *profile);
void observations_free(struct observations *seen);

void observe_process(struct observations *seen,
                     const struct observed_process *fact);
void observe_thread(struct observations *seen,
                    const struct observed_thread *fact);
void observe_image(struct observations *seen,
                   const struct observed_image *fact);
void observe_method(struct observations *seen,
                    const struct observed_method *fact);
void observe_il_map(struct observations *seen,
                    const struct observed_il_map *fact);
void observe_managed_module(struct observations *seen,
                            const struct observed_managed_module *fact);

void observe_symbol(struct observations *seen,
                    const struct observed_symbol *fact);

/* A new set of symbols. */
uint32_t observe_symbol_set(struct observations *seen);

/* The id of a module by path (without regard to case) and identity, added
 * if new. Its name becomes the last part of the path if it has none. Names
 * of managed modules that differ in case only are given one spelling. */
uint32_t observe_module(struct observations *seen, const struct module *module);

uint32_t observe_thread_key(struct observations *seen, uint32_t tid,
                            uint32_t pid);

/* The most samples that are taken of a file of `size` bytes, for formats in
 * which a sample of a stack that was there before may have 2 bytes. In memory
 * it has 70 until a report is written. Real ones have 10 and more. */
static inline uint64_t samples_most(uint64_t size)
{
    enum { FREE = 1 << 18, BYTES_EACH = 8 };

    return FREE + size / BYTES_EACH;
}

void observe_sample(struct observations *seen,
                    const struct observed_sample *fact);

/* Observed samples lie in the columns of a profile's (model/samples.h), which
 * are handed on whole, as there are millions: from a reader that gathers its
 * own (observe_samples), and to the profile. Until they are attributed,
 * `thread` is the key of a thread and `stack` the outer part. */
void observed_samples_add(struct samples *samples,
                          const struct observed_sample *sample);
struct observed_sample observed_samples_get(const struct samples *samples,
                                            size_t index);

/* States by `whole_below` where the outer parts of all samples end. */
void observed_ends_state(const struct observations *seen,
                         struct samples *samples);

/* Takes over whole columns; no other samples are observed. */
void observe_samples(struct observations *seen, const struct samples *samples);

/* From observations to a profile, once (attribute.c): works out the lifetimes
 * of processes and threads and what lay where in every address space, and gives
 * every sample its thread and its stack of locations. The columns of observed
 * samples become those of the profile, in order of time. */
void attribute(struct observations *seen);

/* The first address of kernel space on a machine with pointers of
 * `pointer_size` bytes (0: unknown, taken as 8). It is `kernel_from` until a
 * reader knows better. */
static inline uint64_t kernel_space_start(uint32_t pointer_size)
{
    return pointer_size == 4 ? 0x80000000u : 0xFFFF000000000000u;
}

#endif
