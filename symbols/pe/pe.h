/*
 * pe - a Windows image: what it is, and what it says about its functions.
 *
 *     struct pe pe;
 *     struct pe_codeview cv;
 *     if (!pe_open(&pe, "app.exe", data, size, &err) &&
 *         pe_codeview(&pe, &cv))
 *         look for cv.path, cv.guid, cv.age ...
 *
 * Nothing is allocated: all are views of the bytes, which must outlive it.
 * As a debug kind ("pe", pe/kind.c) an image names its exports. The file
 * format: format.md.
 */
#ifndef TOPFN_PE_H
#define TOPFN_PE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/reader.h"
#include "symbols/debug.h"
#include "symbols/elf/go_table.h"

/* Data directories. */
enum pe_directory {
    PE_EXPORT = 0,
    PE_RESOURCE = 2,
    PE_EXCEPTION = 3,
    PE_DEBUG = 6,
    PE_CLR = 14,
    PE_DIRECTORIES = 16
};

/* Machines, with the mark of another operating system than Windows taken
 * off. */
enum pe_machine {
    PE_X86 = 0x14C,
    PE_ARM = 0x1C4,
    PE_X64 = 0x8664,
    PE_ARM64 = 0xAA64
};

enum { PE_SECTION = 40 }; /* bytes of a section's header */

/* Flags of sections. */
#define PE_CAN_RUN   0x20000000u
#define PE_CAN_WRITE 0x80000000u

/* Types of debug directory entries. */
enum pe_debug_type {
    PE_CODEVIEW = 2,
    PE_REPRODUCIBLE = 16, /* the time stamp is a hash */
    PE_EMBEDDED_PORTABLE = 17
};

struct pe {
    const char *name;
    const uint8_t *data;
    size_t size;
    uint16_t machine;
    bool is_wide; /* PE32+ */
    uint64_t base;
    uint32_t timestamp, image_size, headers_size;
    const uint8_t *sections; /* headers, 40 bytes each, all there */
    uint32_t section_count;
    uint32_t sections_left_out;        /* of what the header says */
    uint32_t symbols_at, symbol_count; /* COFF symbols; both 0 without */
    struct {
        uint32_t rva, size;
    } directories[PE_DIRECTORIES];
};

/* The debug directory entry that names the image's PDB. */
struct pe_codeview {
    uint8_t guid[16];
    uint32_t age;   /* a portable PDB's identity ends with `stamp` */
    uint32_t stamp; /* of the debug directory's entry */
    bool is_portable;
    struct bytes path; /* as the linker wrote it */
};

/* The bytes of a debug directory's entry. */
struct pe_debug {
    uint32_t type, stamp;
    uint16_t minor;
    struct bytes data;
};

struct pe_range {
    uint32_t start, end; /* RVA */
};

/* A section as its header has it. */
struct pe_section {
    const char *name;   /* 8 bytes, not always terminated */
    uint32_t size, rva; /* in memory */
    uint32_t raw_size, raw_at;
    uint32_t flags;
};

bool pe_probe(const uint8_t *data, size_t size);
enum err_code pe_open(struct pe *pe, const char *name, const uint8_t *data,
                      size_t size, struct err *err);

/* Section `i` of section_count. */
struct pe_section pe_section(const struct pe *pe, uint32_t i);

enum debug_machine pe_debug_machine(const struct pe *pe);

/* Opens the image of a debug file and fills in its identity. */
enum err_code pe_debug_open(struct pe *pe, struct debug_file *file,
                            struct err *err);

/* The RVA of an offset in the file; false when it is of no section. */
bool pe_offset_to_rva(const struct pe *pe, uint64_t offset, uint32_t *rva);

/* Tells whether `size` bytes from an offset in the file are the whole pages
 * that hold one of its executable sections: as a loader maps it. */
bool pe_maps_code(const struct pe *pe, uint64_t offset, uint64_t size);

/* debug_kind.matches of every kind of PE: by time stamp and size, or by the
 * PDB that it names. */
bool pe_matches(struct debug_file *file, const struct wanted *wanted,
                const char **objection);

/* From an RVA to the end of what the file has of its section; empty when it
 * has nothing there. */
struct bytes pe_at(const struct pe *pe, uint32_t rva);

/* The same, of sections that are executable only. */
struct bytes pe_code_at(const struct pe *pe, uint64_t rva);

/* Entry `i` of the debug directory; false beyond the last. */
bool pe_debug_entry(const struct pe *pe, uint32_t i, struct pe_debug *entry);

/* A phrase that names the tables which could not be read, or NULL. */
const char *pe_flaw(const struct pe *pe);

/* The PDB of the native code; false when the image names none. */
bool pe_codeview(const struct pe *pe, struct pe_codeview *cv);

/* Tells whether one of the PDBs that the image names has this GUID. */
bool pe_names_pdb(const struct pe *pe, const uint8_t guid[16]);

/* pe/pdata.c: the function an address is in, by the unwind information: the
 * fragment, and where the whole function begins. */
struct pe_function {
    struct pe_range fragment;
    uint32_t start;
};

bool pe_function_at(const struct pe *pe, uint32_t rva,
                    struct pe_function *function);

/* Bounds of the leaf functions between functions with unwind information. False
 * where there is no such information. */
bool pe_gap_at(const struct pe *pe, uint32_t rva, struct pe_range *gap);

/* Tells whether one function may hold both addresses, by the unwind
 * information: false only when it is known that none does. */
bool pe_may_reach(const struct pe *pe, uint32_t from, uint32_t rva);

/* The maker that the image names, in UTF-16; empty where it does
 * not say. */
struct pe_maker {
    struct bytes company, product;
};

/* False where it says neither. */
bool pe_maker(const struct pe *pe, struct pe_maker *maker);

/* The section an address is in. */
bool pe_section_at(const struct pe *pe, uint32_t rva, struct pe_range *range);

#endif
