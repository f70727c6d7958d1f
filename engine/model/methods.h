/*
 * methods - JIT-compiled, precompiled or script code that was described.
 *
 *     uint32_t id = methods_add(&p->methods, &(struct method){
 *         .start = 0x7FFF10001000, .size = 64, .from = TIME_MIN,
 *         .to = TIME_MAX, .name = name, .full_name = name, .module = NO_ID});
 *     puts(strings_get(p->strings, methods_get(&p->methods, id).full_name));
 *
 * Formats that tell names instead of addresses have a method for each, of
 * which nothing else is known: such a one takes a fifth of the memory.
 */
#ifndef TOPFN_METHODS_H
#define TOPFN_METHODS_H

#include <stdint.h>

#include "engine/base/vec.h"

/* Only those that were sampled are kept. */
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

/* What every method has; `code` is that of the others, and 1, or 0: the method
 * is a name alone. */
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

#endif
