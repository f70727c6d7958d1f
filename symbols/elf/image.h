/*
 * image - where things are in an ELF file: sections, segments, notes.
 *
 *     struct elf_image image;
 *     if (!elf_image_open(&image, "libc.so.6", data, size, &err)) {
 *         struct bytes text = elf_bytes(&image, elf_find(&image, ".text"));
 *         ...
 *     }
 *     elf_image_close(&image);
 *
 * libelf decodes headers of either class and byte order; bytes of a section
 * are checked against the file here, and unpacked when first asked for
 * (SHF_COMPRESSED with zlib or zstd, and the older .zdebug_ sections). Names
 * point into the file; unpacked bytes live until elf_image_close.
 */
#ifndef TOPFN_ELF_IMAGE_H
#define TOPFN_ELF_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/base/reader.h"
#include "engine/base/unpacking.h"
#include "engine/base/vec.h"

struct elf_section {
    const char *name; /* of a .zdebug_ section: .debug_ */
    uint32_t type, link, info;
    uint64_t flags, address, offset;
    uint64_t file_size; /* bytes in the file, or in memory for SHT_NOBITS */
    uint64_t entry_size;
    bool old_packed; /* .zdebug_ */
    bool loaded;
    struct bytes bytes; /* once loaded; of a damaged section none */
    bool owned;         /* unpacked */
};

struct elf_segment {
    uint32_t type, flags;
    uint64_t offset, address, file_size;
};

struct elf_image {
    const char *name; /* the caller's */
    const uint8_t *data;
    size_t size;
    void *elf; /* libelf's */
    uint16_t type, machine;
    bool wide; /* 64-bit */
    bool big_endian;
    uint64_t base; /* page of the first PT_LOAD, of a kernel the first in its
                      half of memory; `.text` of a relocatable file, whose
                      sections are far apart: what RVA 0 means */
    VEC(struct elf_section) sections;
    VEC(struct elf_segment) segments;
    struct unpack_budget unpacked;
    struct err flaw; /* the first section that did not unpack */
};

/* Linked for the upper half of memory, where kernels are. */
bool elf_is_kernel(const struct elf_image *image);

bool elf_probe(const uint8_t *data, size_t size);

/* Must be closed even after a failure. */
enum err_code elf_image_open(struct elf_image *image, const char *name,
                             const uint8_t *data, size_t size, struct err *err);
void elf_image_close(struct elf_image *image);

/* The first section of that name, or NULL. */
struct elf_section *elf_find(struct elf_image *image, const char *name);

/* Tells whether `n` bytes from `at` are in the file. */
bool elf_is_inside(const struct elf_image *image, uint64_t at, uint64_t n);

/* The stored bytes, packed or not; nothing if they are not all there. */
struct bytes elf_stored_bytes(const struct elf_image *image,
                              const struct elf_section *section);

/* The unpacked bytes of a section; nothing for NULL, for SHT_NOBITS and
 * where the section reaches beyond the file, nor where it does not unpack,
 * which is noted as a flaw. */
struct bytes elf_bytes(struct elf_image *image, struct elf_section *section);

bool elf_is_packed(const struct elf_section *section);

/* Notes that a section did not unpack, unless one before it did not. */
void elf_note_flaw(struct elf_image *image, const char *section,
                   const struct err *err);

/* The descriptor of the note NT_GNU_BUILD_ID; empty when there is none. */
struct bytes elf_build_id(struct elf_image *image);
/* The text of Go's own note (engine/model/code.h). */
struct bytes elf_go_build_id(struct elf_image *image);
struct bytes elf_note_build_id(struct bytes notes, bool big_endian);

/* Finds the address that file offset `offset` is linked to; an executable
 * segment is preferred. False if no segment holds it. */
bool elf_address_of(const struct elf_image *image, uint64_t offset,
                    uint64_t *address);

/* The code from `address` as linked to the end of its section; empty where the
 * file has none, as a separate debug file. */
struct bytes elf_code_at(const struct elf_image *image, uint64_t address);
bool elf_holds_code(const struct elf_image *image);

#endif
