/*
 * facts - what a format reader learned, before anything is attributed.
 *
 * Names come late in every format: modules and methods may be described
 * after every sample that needs them. So a reader reports facts as it meets
 * them, samples with raw addresses; facts_finish then works out lives of
 * processes and threads, resolves addresses by (process, time) and fills the
 * profile.
 *
 *     struct facts *facts = facts_new(profile);
 *     facts_process(facts, &(struct process_fact){...});
 *     uint32_t user = runs_add(&facts->runs, &run, print, true);
 *     facts_sample(facts, time, facts_thread_key(facts, tid, pid), cpu, 0,
 *                  user, 0);
 *     facts_finish(facts);
 *     facts_free(facts);
 *
 * Times are nanoseconds since the trace's start. Facts may come in any order
 * of time, except that samples come in theirs. Strings of facts are ids of
 * the profile's table; slices of method names must stay valid until
 * facts_finish, as only sampled methods are converted.
 */
#ifndef TOPFN_FACTS_H
#define TOPFN_FACTS_H

#include "engine/base/reader.h"
#include "engine/profile.h"
#include "engine/runs.h"

/* What an event says about a thing's life. */
enum fact_event {
    FACT_BEGIN,    /* began at this time */
    FACT_END,      /* ended at this time */
    FACT_AT_START, /* was there already when recording began */
    FACT_AT_STOP,  /* was there still when recording stopped */
};

struct process_fact {
    int64_t time;
    enum fact_event event;
    uint32_t pid, parent_pid;
    uint32_t name, command_line; /* strings */
};

struct thread_fact {
    int64_t time;
    enum fact_event event;
    uint32_t tid, pid;
    uint32_t name; /* string; "" keeps what is known */
};

/* A mapped image or part of one. `kernel`: in every process's space. Of
 * images that hold an address since the same time the smaller is meant. */
struct image_fact {
    int64_t time;
    enum fact_event event;
    uint32_t pid;
    bool kernel;
    uint64_t base, size;
    uint64_t rva;     /* address in the module of what lies at base */
    uint32_t module;  /* id in the profile; NO_ID: memory without an image */
    uint32_t symbols; /* set of symbols that the trace has for it; 0 none */
    bool jit;         /* code made at run time: its symbols tell the module */
};

/* Text as a file holds it, converted when needed. */
struct text_slice {
    const uint8_t *data;
    uint32_t len; /* bytes */
    bool utf16;   /* else UTF-8 */
};

struct method_fact {
    int64_t time;
    enum fact_event event;
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
};

/* An IL map: which code of a method's body came from which IL (clr/pair.h). */
struct il_map_fact {
    int64_t time;
    uint32_t pid;
    bool by_rejit;  /* the ids in the payload tell the body */
    uint64_t method_id;
    uint64_t start; /* of the body, if they do not; 0 unknown */
    const uint8_t *payload; /* checked; valid until facts_finish */
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
struct managed_module_fact {
    uint32_t pid;
    uint64_t module_id;
    uint32_t module; /* id in the profile, `managed` set */
};

/* A symbol that the trace itself gives, at its address in the processes
 * that map what it belongs to. Of several names of one range the plainest is
 * taken. */
struct symbol_fact {
    uint32_t set; /* as in image_fact */
    uint64_t start, size;
    struct text_slice name;
};

#define NO_PID UINT32_MAX

/* What a sample says of its thread. */
struct thread_key {
    uint32_t tid, pid; /* NO_PID: only the thread's history can tell */
};

struct facts {
    struct profile *profile;
    struct runs runs;
    VEC(uint32_t) inner; /* by sample: see facts_sample */
    VEC(struct thread_key) thread_keys;
    struct map thread_key_ids;
    VEC(struct process_fact) processes;
    VEC(struct thread_fact) threads;
    VEC(struct image_fact) images;
    VEC(struct method_fact) methods;
    VEC(struct il_map_fact) il_maps;
    struct map neighbour_ids;    /* (thread, pid) -> index, of clr/maps.c */
    VEC(struct clr_neighbour) neighbours;
    uint32_t last_neighbour;
    VEC(struct managed_module_fact) managed_modules;
    VEC(struct symbol_fact) symbols;
    uint32_t symbol_sets;        /* how many there are; set 0 is empty */
    struct strings *module_keys; /* paths and names in lower case */
    struct map folded_paths;     /* path -> in module_keys */
    struct map managed_names;    /* folded name -> the first one's spelling */
    struct map module_ids; /* (path and hash of identity, attempt) */
    uint64_t hypercall_page;     /* its address, or 0 */
    bool without_images; /* managed modules stand for their images */
    /* Images of a process that was there before the recording are listed some
     * time after its start: before that, too, they were where they are. */
    bool late_images;
    /* Of addresses in no image and no method: CAUSE_NONE for no_image, else
     * what is to blame; and until when a managed module, now unloaded, may
     * have held them (TIME_MIN: there was none). */
    enum name_cause unknown_cause;
    int64_t last_unload;
};

struct facts *facts_new(struct profile *profile);
void facts_free(struct facts *facts);

void facts_process(struct facts *facts, const struct process_fact *fact);
void facts_thread(struct facts *facts, const struct thread_fact *fact);
void facts_image(struct facts *facts, const struct image_fact *fact);
void facts_method(struct facts *facts, const struct method_fact *fact);
void facts_il_map(struct facts *facts, const struct il_map_fact *fact);
void facts_managed_module(struct facts *facts,
                          const struct managed_module_fact *fact);

void facts_symbol(struct facts *facts, const struct symbol_fact *fact);

/* A new set of symbols. */
uint32_t facts_symbol_set(struct facts *facts);

/* The id of a module by path (without regard to case) and identity, added
 * if new. Its name becomes the last part of the path if it has none. Names
 * of managed modules that differ in case only are given one spelling. */
uint32_t facts_module(struct facts *facts, const struct module *module);

uint32_t facts_thread_key(struct facts *facts, uint32_t tid, uint32_t pid);

/*
 * A stack has two parts, both ids of runs or 0: the outer one, which is the
 * user part or the whole stack, and the inner one on top of it. The inner
 * one is the kernel part; or, with PART_LEAF, the sampled address alone,
 * standing in for a part that was not recorded.
 *
 * Until facts_finish, the profile's samples hold thread keys in place of
 * threads, outer parts in place of stacks, and `inner` the inner parts. A
 * reader may change all three there.
 */
#define PART_LEAF (1u << 30)

void facts_sample(struct facts *facts, int64_t time, uint32_t thread_key,
                  uint16_t cpu, uint8_t flags, uint32_t outer, uint32_t inner);

/* Attributes every sample. Call once. */
void facts_finish(struct facts *facts);

/* The part behind the last separator of either kind. */
const char *path_base_name(const char *path);

/* Whether an address lies in kernel space, on a machine with pointers of
 * `pointer_size` bytes (0: unknown, taken as 8). */
static inline bool is_kernel_address(uint64_t address, uint32_t pointer_size)
{
    if (pointer_size == 4)
        return address >= 0x80000000u;
    return address >= 0xFFFF000000000000u;
}

#endif
