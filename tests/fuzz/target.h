/* What every fuzz target defines, and nothing else (replay.c). */
#ifndef TOPFN_TESTS_FUZZ_TARGET_H
#define TOPFN_TESTS_FUZZ_TARGET_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
