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
 *     }
 *     const struct name_source my_names = {.subject = subject, .ask = ask,
 *                                          .begin = begin, .origin = origin};
 *
 * A new source is a file with such a row and its name in the table below. It
 * reports what it found; the profile is written by naming.c alone, through
 * the model, in order of subject and address. What is named by one source the
 * next is not asked about.
 */
#ifndef TOPFN_NAME_SOURCE_H
#define TOPFN_NAME_SOURCE_H

#include "symbols/asked.h"
#include "symbols/debug.h"

struct naming_log;
struct naming_options;
struct places;

/* The table, in the order of asking. */
#define NAME_SOURCES(ROW)                                                      \
    ROW(saved_names_source)   /* the recorder's own word comes first */        \
    ROW(symbols_bin_source)   /* what the container holds */                   \
    ROW(debug_files_source)   /* they also find out why there is no name */    \
    ROW(kernel_names_source)  /* of Linux, by its own list */                  \
    ROW(precompiled_source)   /* what no debug file is of */                   \
    ROW(mapped_code_source)   /* the same, where images are known */           \
    ROW(managed_lines_source) /* of methods, those just found among them */

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

/* A method that the trace did not describe. The same address means the same
 * method, until `close`. */
struct code_method {
    uint32_t process;
    uint64_t start, size; /* of images in memory; else RVA */
    uint32_t module;      /* the managed module; NO_ID: it is called */
    const char *assembly; /* so ("System.Linq") */
    const char *space, *name, *signature, *full_name;
    uint32_t token;
};

/* What a source says of one location; all empty when it knows nothing. */
struct answer {
    /* Innermost first. A single one without a function is the line of code
     * that keeps its method's name, or has none. Strings live until `close`. */
    size_t count;
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    /* Where the code of the last frame begins, as the location's address is
     * meant; 0: not known. */
    uint64_t start;
    const struct code_method *method; /* that holds the address; or NULL */
    enum name_cause cause; /* why there is none; CAUSE_NONE: not known */
};

/* Callbacks that may be NULL say so. */
struct name_source {
    bool for_databases; /* needs nothing that only a trace has */
    /* What `begin` gave does not depend on what is asked: it serves until the
     * profile is named. */
    bool lasting;
    /* Whether there is anything it could know of such a profile; NULL: there
     * may be. */
    bool (*serves)(const struct naming *n);
    /* What is asked about a location, mostly the module whose file would
     * know; NO_ID: this source is not. */
    uint32_t (*subject)(const struct profile *p, const struct location *l);
    /* With all that will be asked, by subject. NULL: the source has nothing to
     * say. */
    void *(*begin)(const struct naming *n, const struct asked_about *asked,
                   size_t count);
    /* What it has of one subject; by any thread, while others have other
     * subjects open. NULL: what `begin` gave serves for all. */
    void *(*open)(void *state, const struct asked_about *about);
    /* False: it has nothing for the subject, whose locations are not asked
     * about then; why, goes for all of them. NULL: it may have. */
    bool (*knows)(void *opened, enum name_cause *cause);
    /* Of one subject in order of address. */
    void (*ask)(void *opened, const struct asked *asked, struct answer *answer);
    /* Where the names of a module's code come from, as people read it; once
     * for a module that got any. */
    const char *(*origin)(void *opened, uint32_t module);
    /* Who made the module that is the subject, as its image says, as an id of
     * `strings`; 0: it does not. NULL: no source for that. */
    uint32_t (*maker)(void *opened, struct strings *strings);
    void (*close)(void *opened);                      /* NULL */
    void (*end)(void *state, const struct naming *n); /* NULL */
};

#define DECLARE_SOURCE(source) extern const struct name_source source;
NAME_SOURCES(DECLARE_SOURCE)
#undef DECLARE_SOURCE

/* name_profile with other sources; the list ends with NULL. */
void name_from(const struct name_source *const *sources, struct profile *p,
               const struct naming_options *options, struct naming_log *log);

#endif
