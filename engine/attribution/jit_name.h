/*
 * jit_name - names that the .NET runtime gives its code in perf maps.
 *
 *     int32 [Orders] Orders.Sorting`1[System.Int32]::Quick(!0[])[QuickJitted]
 *     ^type  ^module  ^class                          ^method     ^tier
 *
 * becomes module "Orders", method "Orders.Sorting`1[System.Int32].Quick(!0[])".
 * Comments that hold addresses, and so differ from run to run, are left out.
 *
 * V8's "JS:*fib /srv/app.js:1:13" becomes the method "fib /srv/app.js:1:13"
 * without a module: the mark before the name is its tier (~ interpreted,
 * ^ baseline, + and * optimized), so that all of them are one function. The
 * unnamed "JS:~ /srv/app.js:1:1" is "(anonymous) /srv/app.js:1:1".
 */
#ifndef TOPFN_JIT_NAME_H
#define TOPFN_JIT_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/vec.h"

struct jit_name {
    const char *module; /* in the text that was parsed; or NULL */
    size_t module_len;
    VEC(char) method;
    uint8_t tier; /* engine/model/code.h */
};

/* A name that V8 gives a function of a script; NULL: it is none, else where
 * the function's own name begins. */
const char *jit_name_of_script(const char *text, size_t n);

/* False, and nothing to release, when the text is not of that form. */
bool jit_name_parse(struct jit_name *name, const char *text, size_t n);
void jit_name_release(struct jit_name *name);

#endif
