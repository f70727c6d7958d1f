/*
 * status - what the program's exit status means (sysexits.h).
 */
#ifndef TOPFN_STATUS_H
#define TOPFN_STATUS_H

#include "engine/base/err.h"

enum status {
    STATUS_OK = 0,
    STATUS_GATE_FAILED = 1,
    STATUS_GATE_INCONCLUSIVE = 2,
    STATUS_USAGE = 64,
    STATUS_BAD_INPUT = 65, /* the input is not what it claims */
    STATUS_NO_INPUT = 66,  /* no such input, or not readable */
    STATUS_BUG = 70,
    STATUS_NO_MEMORY = 71,
    STATUS_CANNOT_CREATE = 73,
    STATUS_CANNOT_WRITE = 74
};

/* For an error met while reading. */
enum status status_of_input(enum err_code code);

/* For an error met while writing. */
enum status status_of_output(enum err_code code);

#endif
