/*
 * jit_name - names that the .NET runtime gives its code in perf maps.
 *
 *     int32 [Orders] Orders.Sorting`1[System.Int32]::Quick(!0[])[QuickJitted]
 *     ^type  ^module  ^class                          ^method     ^tier
 *
 * becomes module "Orders", method "Orders.Sorting`1[System.Int32].Quick(!0[])".
 * Comments that hold addresses, and so differ from run to run, are left out.
 */
#ifndef TOPFN_JIT_NAME_H
#define TOPFN_JIT_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/vec.h"

struct jit_name {
    const char *module; /* in the text that was parsed */
    size_t module_len;
    VEC(char) method;
    uint8_t tier; /* 0 unknown .. 7, as jit_name.c has them */
};

/* False, and nothing to release, when the text is not of that form. */
bool jit_name_parse(struct jit_name *name, const char *text, size_t n);
void jit_name_release(struct jit_name *name);

#endif
