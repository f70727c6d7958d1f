/*
 * assembly_writer - makes precompiled .NET assemblies.
 *
 *     static const uint8_t plain[] = {0x20, 0, 0x01};  // instance void  ()
 *     static const struct assembly_method methods[] = {
 *         {"Add", plain, sizeof(plain), 2},            // two pieces of code
 *     };
 *     static const struct assembly_type types[] = {{"Shop", "Cart", 0, 1}};
 *     struct assembly a = {.types = types, .type_count = 1,
 *                          .methods = methods, .method_count = 1};
 *     assembly_write(&out, &a);
 *
 * An x64 image for Linux with one section. The pieces of code are
 * ASSEMBLY_PIECE bytes each, in the order of methods and instances, the
 * first at ASSEMBLY_CODE; behind each is padding. Calls return to the
 * offsets ASSEMBLY_CALL and ASSEMBLY_SECOND_CALL of every piece, and nowhere
 * else.
 */
#ifndef TOPFN_TESTS_ASSEMBLY_WRITER_H
#define TOPFN_TESTS_ASSEMBLY_WRITER_H

#include "tests/support/nettrace_writer.h"

enum {
    ASSEMBLY_CODE = 0x10000,
    ASSEMBLY_PIECE = 0x40,
    ASSEMBLY_STRIDE = 0x50,
    ASSEMBLY_CALL = 0x15,
    ASSEMBLY_SECOND_CALL = 0x22,
};

struct assembly_method {
    const char *name;
    const uint8_t *signature;
    size_t signature_size;
    unsigned pieces; /* 0: no code of its own */
};

struct assembly_type {
    const char *space, *name;
    unsigned enclosing; /* row, from 1; 0: not nested */
    unsigned methods;   /* how many of the list are its own */
};

/* A type of another assembly and a member of it; the row is the same in
 * AssemblyRef, TypeRef and MemberRef. */
struct assembly_reference {
    const char *assembly, *space, *type, *member;
    const uint8_t *signature;
    size_t signature_size;
};

/* An instance of a generic method. */
struct assembly_instance {
    const uint8_t *signature; /* symbols/managed/r2r/format.md, section 4 */
    size_t size;
};

struct assembly {
    const uint8_t *guid; /* of its PDB; NULL: names none */
    const char *pdb;
    const byte_vec *embedded; /* a portable PDB that it contains, or NULL */
    const struct assembly_type *types;
    size_t type_count;
    const struct assembly_method *methods;
    size_t method_count;
    const struct assembly_reference *references;
    size_t reference_count;
    const struct assembly_instance *instances;
    size_t instance_count;
    /* Pieces behind all others: the hot ones they were split off from. */
    const uint32_t *cold;
    size_t cold_count;
    const uint8_t *build; /* 16 bytes, its MVID; NULL: no heap of GUIDs */
    const char *owner; /* of a component without code: the composite's file */
    /* A composite image: the types are those of its manifest, whose first
     * reference is its one component, of that build, which has the methods. */
    bool composite;
};

void assembly_write(byte_vec *to, const struct assembly *assembly);

#endif
