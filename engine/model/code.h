/*
 * code - what runs: modules, methods, and the addresses in them.
 *
 * A location is one distinct code address in one role: a caller stands behind
 * its call, the innermost address of a stack is where execution stopped. It
 * lies in a module (an image file, or a managed assembly), in a method that a
 * runtime described, in both (precompiled code), or in neither.
 *
 * Every enum has a table of words. Code that shows all members walks it, so
 * that a new member is shown everywhere:
 *
 *     for (unsigned i = CAUSE_NONE + 1; i < CAUSE_KINDS; i++)
 *         puts(name_cause_name((enum name_cause)i));
 */
#ifndef TOPFN_CODE_H
#define TOPFN_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/base/hex.h"
#include "engine/base/reader.h"
#include "engine/base/vec.h"

/* The kind of compiler that made a piece of code, as far as a trace tells. */
enum code_kind {
    CODE_UNKNOWN,
    CODE_NATIVE,
    CODE_MANAGED,
    CODE_SCRIPT,
    CODE_KERNEL,
    CODE_KINDS /* how many */
};

const char *code_kind_name(enum code_kind kind); /* "native", "managed" */

/* Made by a compiler, ahead of time. */
static inline bool code_is_native(enum code_kind kind)
{
    return kind == CODE_NATIVE || kind == CODE_KERNEL;
}

/* Why code has no function name. */
enum name_cause {
    CAUSE_NONE,       /* it has one */
    CAUSE_NO_IMAGE,   /* no image and no method held the address then */
    CAUSE_NO_SYMBOLS, /* the image is known, but no debug file of it */
    CAUSE_HYPERCALL,  /* the hypervisor's call page: shown under that name */
    CAUSE_NO_STACK,   /* the sample has no stack and no address */
    CAUSE_NO_RUNDOWN, /* the runtime was not asked to list its methods */
    CAUSE_CUT_OFF,    /* it would have listed them after the recording's end */
    CAUSE_UNLOADED,   /* code of a module unloaded since, as far as known */
    CAUSE_MISMATCH,   /* there is a debug file, of another build */
    CAUSE_BROKEN,     /* there is a debug file, which cannot be read */
    CAUSE_OUTSIDE,    /* the debug file has nothing at the address */
    CAUSE_FREED,      /* a method was there, which the runtime had freed */
    CAUSE_KINDS
};

const char *name_cause_name(enum name_cause cause);   /* "no_image", ... */
const char *name_cause_phrase(enum name_cause cause); /* "no image", ... */

/* The tiers in which a runtime compiles a method: its own numbers, and the
 * words of --tier and of the database. */
enum { CODE_TIERS = 8 };

enum code_tier {
    TIER_UNKNOWN,
    TIER_PRECOMPILED, /* in an image: no tier of the runtime's says so */
    TIER_MINOPTS,
    TIER_OPTIMIZED,
    TIER_0,
    TIER_1,
    TIER_OSR,
    TIER_WORDS /* how many */
};

/* The runtime's word: "QuickJitted", "OptimizedTier1"; "" for 0, where the
 * trace does not say, and for numbers that are no tier. */
const char *code_tier_name(unsigned tier);

/* The same as one of ours: what is instrumented counts as what it will be
 * without. */
enum code_tier code_tier_of(unsigned tier);

/* "tier0"; NULL behind the last. */
const char *code_tier_word(int tier);

/* A debug file must match it: symbols/pdb/format.md, symbols/pe/format.md
 * and symbols/elf/format.md, section 2 of each. */
struct identity {
    uint8_t guid[16]; /* PDB GUID as stored in the file */
    uint32_t age;
    uint32_t pdb_name; /* string; "" = no PDB identity known */
    uint32_t timestamp, image_size; /* PE; both 0 when unknown */
    uint8_t build_id[32];
    uint8_t build_id_size; /* ELF; 0 when unknown */
};

/* True if both have the same build ID, or none. */
static inline bool identity_same_build(const struct identity *a,
                                       const struct identity *b)
{
    return a->build_id_size == b->build_id_size &&
           !memcmp(a->build_id, b->build_id, b->build_id_size);
}

/* The file that was mapped, as far as a trace tells. */
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
    /* Its maker, as far as the trace or the image at hand says: company and
     * product of a file, "PublicKeyToken=..." of an assembly; "" when
     * unknown. */
    uint32_t maker;
    uint32_t symbols; /* string: where names of its code came from, or "" */
    bool without_inlined; /* these lack calls that were inlined, as files that
                             tell of them are not at hand */
};

/* A range of memory that held a module. */
struct mapping {
    uint32_t process; /* NO_ID: kernel space, every process */
    uint32_t module;
    uint64_t base, size;
    uint64_t rva; /* address in the module that lies at base: 0 for a whole
                     image, else that of the mapped segment */
    int64_t from, to;
};

/* Code that was compiled at run time or ahead of it, or a script's, as its
 * runtime described it. Only methods that were sampled are kept. */
struct method {
    uint64_t start, size;
    int64_t from, to;
    uint32_t process;
    uint32_t space; /* string: "System.DateTime", or "" */
    uint32_t name;  /* "GetDatePart" */
    uint32_t signature;
    uint32_t full_name; /* "System.DateTime.GetDatePart(int32)" */
    uint32_t module;    /* the managed module, or NO_ID */
    uint32_t token;
    uint64_t method_id, module_id; /* the runtime's own handles; 0 unknown */
    uint8_t tier; /* engine/attribution/clr-events.md, section 2 */
};

/* Every method has one; `code` is 1 + the index of the rest in methods.code, or
 * 0: the method is a name alone. */
struct method_name {
    uint32_t full_name, module, code;
};

struct methods {
    struct method_name *data;
    size_t len, cap;
    VEC(struct method) code;
};

/* The new one's id. */
uint32_t methods_add(struct methods *methods, const struct method *method);

struct method methods_get(const struct methods *methods, uint32_t id);

void methods_set_name(struct methods *methods, uint32_t id, uint32_t full_name);

void methods_release(struct methods *methods);

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

/* The text by which debuggers and symbol servers identify an image. For ELF it
 * is the build ID in lower case; for PE the time stamp in eight digits, then
 * the size: "5F3A1B2C30000". */
enum { CODE_ID_SIZE = HEX_SIZE(sizeof(((struct identity *)NULL)->build_id)) };

/* "" where neither is known. */
void code_id_text(const struct identity *id, char text[CODE_ID_SIZE]);

/* The day on which a Windows file was built, "2015-07-24", by its time stamp.
 * False: the stamp is no such time; reproducible builds have a hash there. */
enum { FILE_DATE_SIZE = 11 };
bool file_date(uint32_t timestamp, char text[FILE_DATE_SIZE]);

/* The identity of a PE image, even if it has a build ID. */
void code_id_of_pe(const struct identity *id, char text[CODE_ID_SIZE]);

/* The build id of Go's own linker is a text of four hashes,
 * "HASH/HASH/HASH/HASH". Its beginning becomes the identity. False: it is none
 * of these, as the "redacted" of a build system, which every program has. */
bool code_id_take_go(struct identity *id, struct bytes text);

/* Reads the GUID of a PDB, as it is stored, and its age, as our exports to
 * pprof write them: 33 to 39 digits, which no build id has. False: it is none.
 */
bool code_id_read_pdb(struct identity *id, const char *text, size_t n);

/* Reads a text of `n` digits into the identity; leaves it if the text is none.
 * 9 to 15 digits are the identity of PE: no build id has five to seven bytes.
 * Go's text is read as it is, and from its digits. */
void code_id_read(struct identity *id, const char *text, size_t n);

#endif
