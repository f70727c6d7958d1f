/*
 * nrbf - objects of a .NET BinaryFormatter stream (MS-NRBF), as data.
 *
 *     struct nrbf *n = nrbf_read("symbols.bin", data, size, &err);
 *     const struct nrbf_value *v =
 *         nrbf_member(n, nrbf_object(n, n->root), "_processes");
 *     ...
 *     nrbf_free(n);
 *
 * Nothing is constructed: a stream is a table of objects by id, and who asks
 * says which members it expects. References are followed one step at a time
 * by the caller, so circles do no harm. Text points into the input.
 */
#ifndef TOPFN_NRBF_H
#define TOPFN_NRBF_H

#include "engine/base/map.h"
#include "engine/base/reader.h"
#include "engine/base/vec.h"

enum nrbf_kind { NRBF_NULL, NRBF_NUMBER, NRBF_TEXT, NRBF_REFERENCE };

struct nrbf_value {
    enum nrbf_kind kind;
    uint32_t length; /* of text */
    union {
        uint64_t number;    /* sign-extended where signed */
        const char *text;   /* UTF-8, not terminated */
        uint32_t reference; /* object id */
    };
};

struct nrbf_member {
    struct bytes name;
    uint8_t type, primitive;
};

struct nrbf_class {
    uint32_t first, count; /* in `members` */
};

enum { NRBF_ARRAY = UINT32_MAX }; /* class of arrays */

/* Values [first, first + count). Strings are objects of one value. */
struct nrbf_object {
    uint32_t class_id; /* index, or NRBF_ARRAY */
    uint32_t first, count;
};

struct nrbf {
    uint32_t root; /* object id */
    VEC(struct nrbf_class) classes;
    VEC(struct nrbf_member) members;
    VEC(struct nrbf_object) objects;
    VEC(struct nrbf_value) values;
    struct map ids; /* object id -> index */
};

/* NULL when the stream is not one that Visual Studio writes. */
struct nrbf *nrbf_read(const char *name, const uint8_t *data, size_t size,
                       struct err *err);
void nrbf_free(struct nrbf *n);

/* NULL when there is no such object. */
const struct nrbf_object *nrbf_object(const struct nrbf *n, uint32_t id);

/* The object a value refers to; NULL for another value. */
const struct nrbf_object *nrbf_target(const struct nrbf *n,
                                      const struct nrbf_value *value);

/* A member by its name in the source: `<Name>k__BackingField` and
 * `<backing_store>Name` are found as "Name". NULL for none; so it is for a
 * NULL object. */
const struct nrbf_value *nrbf_member(const struct nrbf *n,
                                     const struct nrbf_object *object,
                                     const char *name);

/* Element `i` of an array; NULL beyond it or for no array. */
const struct nrbf_value *nrbf_element(const struct nrbf *n,
                                      const struct nrbf_object *array,
                                      uint32_t i);

/* A value that is a string, itself or by reference; else NULL data. */
struct bytes nrbf_text(const struct nrbf *n, const struct nrbf_value *value);

/* The number, `otherwise` for another value. */
uint64_t nrbf_number(const struct nrbf_value *value, uint64_t otherwise);

#endif
