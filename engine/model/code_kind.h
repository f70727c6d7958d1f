/*
 * code_kind - what made a piece of code, as far as a trace tells.
 */
#ifndef TOPFN_CODE_KIND_H
#define TOPFN_CODE_KIND_H

#include <stdbool.h>

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

#endif
