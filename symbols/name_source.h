/*
 * name_source - one way to find out what code is called.
 *
 *     static uint32_t subject(const struct profile *p,
 *                             const struct location *l)
 *     {
 *         return l->method == NO_ID ? l->module : NO_ID;
 *     }
 *     static void ask(void *opened, const struct asked *a, struct answer *r)
 *     {
 *         const char *name = look_up(opened, asked_code(a));
 *
 *         if (name)
 *             r->frames[r->count++] = (struct debug_frame){.function = name};
 *         r->origin = "my.names";
 *     }
 *     const struct name_source my_names = {
 *         .subject = subject, .begin = begin, .ask = ask, .end = end};
 *
 * A new source is a file with such a row, and its name in the table below. It
 * reports what it found. Only naming.c writes into the profile, in order of
 * subject and address. A location that one source named is not asked about
 * again.
 */
#ifndef TOPFN_NAME_SOURCE_H
#define TOPFN_NAME_SOURCE_H

#include "engine/model/profile.h"
#include "symbols/debug.h"

struct naming_log;
struct naming_options;
struct places;

/* The table, in the order of asking. */
#define NAME_SOURCES(ROW)                                                      \
    ROW(saved_names_source)   /* the recorder's own word comes first */        \
    ROW(symbols_bin_source)   /* in the container */                           \
    ROW(debug_files_source)   /* also finds out why there is no name */        \
    ROW(kernel_names_source)  /* of Linux, by its own list */                  \
    ROW(precompiled_source)   /* .NET code that no debug file describes */     \
    ROW(mapped_code_source)   /* the same, where images are known */           \
    ROW(managed_lines_source) /* of methods, also of those just found */

/* A location without frames, as the profile has it. */
struct asked {
    uint32_t location;
    uint32_t module;  /* image that it lies in, or NO_ID */
    uint32_t method;  /* NO_ID; else it has the method's name already */
    uint64_t address; /* RVA in `module`; else offset in `method`; else the
                         virtual address */
    uint8_t kind;     /* enum code_kind */
    uint8_t cause;    /* enum name_cause */
    bool caller;      /* its role in stacks: it called another one */
    bool returns;     /* the address is one that a call returns to */
};

/* All questions to a source about one subject. */
struct asked_about {
    uint32_t subject;
    const uint32_t *locations; /* in order of their ids */
    size_t count;
    /* The modules that are the same file (module_twins.h), in order, for a
     * source that asks files (`by_file`). The first is the subject. */
    const uint32_t *modules;
    size_t module_count;
    bool left_out; /* it is one of too many of its name without an identity */
};

/*
 * Tells whether an address is one that a call returns to. A caller's is; what
 * was interrupted stands where the processor stopped, but for the code of a
 * runtime that stops its threads at calls (profile_leaves_return).
 *
 * This is the one place that decides it, by the role of the location.
 */
static inline bool asked_is_return(const struct profile *p,
                                   const struct location *l)
{
    return l->caller || (!code_is_native(l->kind) && profile_leaves_return(p));
}

static inline struct asked asked_of(const struct profile *p, uint32_t location)
{
    const struct location *l = &p->locations.data[location];

    return (struct asked){
        .location = location,
        .module = l->module,
        .method = l->method,
        .address = l->address,
        .kind = l->kind,
        .cause = l->cause,
        .caller = l->caller,
        .returns = asked_is_return(p, l),
    };
}

/* An address of the code that ran: a call that is the last of its function
 * returns to the next one, so the byte before is looked up. */
static inline uint64_t asked_code(const struct asked *a)
{
    return a->address - (a->returns && a->address);
}

/* While a profile is being named. */
struct naming {
    const struct profile *p;
    const struct places *places;
    struct naming_log *log; /* may be NULL */
    struct profile *noted;  /* for the functions below only */
    bool again;             /* sources have told their warnings */
};

/* From `begin` and `end` only: a warning of the profile; something in its
 * containers was of use; a module's names are without inlined calls. */
void naming_warn(const struct naming *n, const char *warning);
void naming_used(const struct naming *n, const char *path);
void naming_without_inlined(const struct naming *n, uint32_t module);

/* A method that the trace did not describe. The same pointer means the same
 * method, until `close`. */
struct code_method {
    uint32_t process;
    uint64_t start, size; /* of images in memory; else RVA */
    uint32_t module;      /* the managed module; NO_ID: it is called */
    const char *assembly; /* so ("System.Linq") */
    const char *space, *name, *signature, *full_name;
    uint32_t token;
};

/* Facts about a whole subject; empty when `open` gets it. */
struct subject_facts {
    /* Why the source knows nothing of it, for all its locations. Read when
     * `open` returns NULL. */
    enum name_cause cause;
    /* The maker of the modules, as their image says; 0: unknown. `by_file`. */
    uint32_t maker;
    struct strings *strings; /* of `maker` */
    uint64_t bytes; /* of the files that tell; 0: not known */
};

/* The answer about one location; empty when `ask` gets it. */
struct answer {
    /* Innermost first. A single frame without a function is a line of code
     * that keeps its method's name, or has none. Strings live until `close`. */
    size_t count;
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    /* The address where the code of the last frame begins, in the form of the
     * location's address; 0: not known. */
    uint64_t start;
    const struct code_method *method; /* that holds the address; or NULL */
    enum name_cause cause; /* why there is none; CAUSE_NONE: not known */
    /* The origin of the names of the module's code, for people. The first one
     * of a module is kept. NULL: not told. */
    const char *origin;
};

/* `subject` and `ask` are needed; the others may be NULL. */
struct name_source {
    bool for_databases; /* needs nothing that only a trace has */
    bool by_file;       /* subjects are modules, and their files are asked */
    /* The subject of a location, mostly the module whose file would
     * know; NO_ID: this source is not asked about it. */
    uint32_t (*subject)(const struct profile *p, const struct location *l);
    /* Opens what serves for all subjects; gets all that will be asked, by
     * subject. NULL: the source has nothing to say. */
    void *(*begin)(const struct naming *n, const struct asked_about *asked,
                   size_t count);
    /* Opens what it has of one subject; called by any thread, while others
     * have other subjects open. NULL: it knows nothing of the subject. */
    void *(*open)(void *state, const struct asked_about *about,
                  struct subject_facts *facts);
    /* In order of address. `opened` is what `open` gave, else `begin`. */
    void (*ask)(void *opened, const struct asked *asked, struct answer *answer);
    void (*close)(void *opened);
    void (*end)(void *state, const struct naming *n);
};

#define DECLARE_SOURCE(source) extern const struct name_source source;
NAME_SOURCES(DECLARE_SOURCE)
#undef DECLARE_SOURCE

/* name_profile with other sources; the list ends with NULL. */
void name_from(const struct name_source *const *sources, struct profile *p,
               const struct naming_options *options, struct naming_log *log);

#endif
