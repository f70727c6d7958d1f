/*
 * signal_return - the code that handlers of signals return to.
 *
 *     if (is_signal_return(code, DEBUG_X64))
 *         ... nothing called it: its first byte is where it is ...
 *
 * The kernel puts its address on the stack as if it had called the handler.
 * It is known by what it is, as unwinders know it (libgcc's, gdb's): of names
 * there are many, and libraries seldom have them.
 */
#ifndef TOPFN_SIGNAL_RETURN_H
#define TOPFN_SIGNAL_RETURN_H

#include <stdbool.h>

#include "engine/base/reader.h"
#include "symbols/debug.h"

/* `code` from the address on. */
bool is_signal_return(struct bytes code, enum debug_machine machine);

#endif
