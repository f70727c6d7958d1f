/*
 * debug - a file that can name addresses of one image.
 *
 *     struct debug_file *file = debug_open("app.pdb", data, size, &err);
 *     if (identity matches ...)
 *         n = debug_frames(file, rva, frames, DEBUG_FRAMES_MAX);
 *     debug_close(file);
 *
 * A new debug format is one folder or file with one `const struct debug_kind`
 * and a row in DEBUG_KINDS. A special trait of a format is a member of its
 * kind: nobody else asks which kind a file is of. Kinds never learn where the
 * bytes came from and never open another file themselves.
 *
 * Bytes stay the caller's and must outlive the file. Opening reads as little
 * as it can; look-ups are cheap when addresses come sorted. One file may be
 * used by one thread at a time.
 */
#ifndef TOPFN_DEBUG_H
#define TOPFN_DEBUG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/reader.h"
#include "engine/model/profile.h"

/* The file that is looked for. debug_kind.matches tells whether another file
 * is the one. */

struct places;

enum wanted_kind {
    WANTED_PDB,
    WANTED_PE,
    WANTED_ASSEMBLY,  /* an image that names the PDB with this GUID */
    WANTED_ELF,       /* the image, with its code */
    WANTED_ELF_NAMES, /* a file of its build-id with symbols or DWARF */
    WANTED_ELF_DWARF  /* one with DWARF: symbols are known */
};

struct wanted {
    enum wanted_kind kind;
    const char *name;      /* base name, see path_last_part */
    char key[96];          /* folder of its own in a symbol store; "" none */
    char portable_key[96]; /* that of a portable PDB, whose GUID is enough:
                              traces do not have its stamp; "" none */
    struct identity identity;
    /* For a file that an image without a build-id names. */
    bool has_crc;
    uint32_t crc; /* of all its bytes; found_file.c compares it */
    bool alone;   /* nothing else is looked for: a file given is meant for it,
                     whatever its name */
    bool by_name; /* the trace tells no identity, so that a file of this name
                     has to do: its build is not proved */
    const struct places *places; /* also of the files that it refers to */
};

/* The frames of one address, innermost first. Strings belong to the file and
 * live until debug_close; names are as stored (decorated): demangle.h makes
 * them readable. */
struct debug_frame {
    const char *function; /* never empty; NULL in a single frame that is a
                             line of code whose function has no name */
    const char *file;     /* as stored; NULL unknown */
    uint32_t line;        /* 0 unknown */
    bool inlined;         /* into the next frame */
    /* The address where the name begins, if it is only the nearest name below
     * and its end is not known: the image may know better. Otherwise 0. */
    uint64_t nearest;
};

enum { DEBUG_FRAMES_MAX = 64 };

/* Code from `start` up to, but without, `end`; RVA. */
struct debug_range {
    uint64_t start, end;
};

/* Machines whose code can be read. */
enum debug_machine { DEBUG_NO_MACHINE, DEBUG_X86, DEBUG_X64, DEBUG_ARM64 };

/* The part of an image's code that a file can name. */
enum debug_names {
    NAMES_NONE,    /* nothing: it has lines of methods */
    NAMES_EXPORTS, /* little more than what other images may call */
    NAMES_ALL
};

/* Images of which system the files of a kind are, or belong to. */
enum debug_image { NO_IMAGE, IMAGE_PE, IMAGE_ELF };

struct debug_file;
struct elf_finder;
struct wanted;

struct debug_kind {
    const char *name; /* "pdb", "elf" */
    bool (*probe)(const uint8_t *data, size_t size);
    enum err_code (*open)(struct debug_file *file, struct err *err);
    /* Fills at most `max` frames and returns their number; 0 when the file
     * does not cover the address. `rva` is relative to the image's base; for
     * ELF, the file's own virtual address less its first segment's page. */
    size_t (*frames)(struct debug_file *file, uint64_t rva,
                     struct debug_frame *frames, size_t max);
    void (*close)(struct debug_file *file);
    /* Bounds of the function at an address, or of the part of it that is
     * there; false when they are not known. NULL: they never are. */
    bool (*range)(struct debug_file *file, uint64_t rva,
                  struct debug_range *range);
    /* The image's bytes from an address to the end of their section; empty
     * when the file does not have them. NULL: it never has. */
    struct bytes (*code)(struct debug_file *file, uint64_t rva);
    enum debug_image image;
    /* Tells whether this is the file wanted, by what it says it is;
     * `objection` is why it is of no use all the same, or stays NULL. NULL:
     * files of this kind are given, never looked for. */
    bool (*matches)(struct debug_file *file, const struct wanted *wanted,
                    const char **objection);
    /* NULL: NAMES_ALL. */
    enum debug_names (*names)(struct debug_file *file);
    /* The RVA of an address as a profile has it: as linked, or an offset in
     * the file. False: it is of no code. NULL: they are the same. */
    bool (*rva)(const struct debug_file *file, uint64_t address,
                bool by_file_offset, uint64_t *rva);
    /* A part that could not be unpacked or read so far, though the file
     * is of use without: a phrase that begins with the part. NULL: nothing. */
    const char *(*flaw)(const struct debug_file *file);
    /* Sets the finder of other files that it refers to (elf.h); NULL: none. */
    void (*set_finder)(struct debug_file *file,
                       const struct elf_finder *finder);
};

struct debug_file {
    const struct debug_kind *kind;
    const char *name; /* for messages; the caller's */
    const uint8_t *data;
    size_t size;
    struct identity identity; /* what the file says it belongs to */
    uint32_t built; /* Windows image: Unix time; 0 unknown */
    enum debug_machine machine;
    void *state; /* the kind's own */
};

/* NULL when no kind knows the bytes (ERR_UNSUPPORTED) or the file is broken
 * beyond use. */
struct debug_file *debug_open(const char *name, const uint8_t *data,
                              size_t size, struct err *err);
size_t debug_frames(struct debug_file *file, uint64_t rva,
                    struct debug_frame *frames, size_t max);
bool debug_range(struct debug_file *file, uint64_t rva,
                 struct debug_range *range);
struct bytes debug_code(struct debug_file *file, uint64_t rva);
bool debug_matches(struct debug_file *file, const struct wanted *wanted,
                   const char **objection);
enum debug_names debug_names(struct debug_file *file);
bool debug_rva(const struct debug_file *file, uint64_t address,
               bool by_file_offset, uint64_t *rva);
const char *debug_flaw(const struct debug_file *file);
void debug_close(struct debug_file *file);

/* The table of debug formats. A kind that only looks at the shape of the bytes
 * stands behind those with a magic number. */

#define DEBUG_KINDS(ROW)                                                       \
    ROW(pdb_kind)                                                              \
    ROW(portable_kind)                                                         \
    ROW(pe_dwarf_kind) /* before pe_kind, which takes every PE */              \
    ROW(r2r_kind)      /* likewise */                                          \
    ROW(pe_kind)                                                               \
    ROW(elf_debug_kind)                                                        \
    ROW(jitdump_kind)                                                          \
    ROW(perf_map_debug_kind) /* text without a magic number */

#define DECLARE_KIND(kind) extern const struct debug_kind kind;
DEBUG_KINDS(DECLARE_KIND)
#undef DECLARE_KIND

#endif
