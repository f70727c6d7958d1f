/*
 * target - a fuzz target: what it does with any bytes.
 *
 *     FUZZ(zip) { ... data, size ...; return 0; }
 *
 * All targets are one program, BUILD/fuzz. It has a name for each, fuzz_zip,
 * and runs the one that it is called by.
 */
#ifndef TOPFN_TESTS_FUZZ_TARGET_H
#define TOPFN_TESTS_FUZZ_TARGET_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct fuzz_target {
    const char *name;
    int (*run)(const uint8_t *data, size_t size);
    struct fuzz_target *next;
};

/* Called before main, by the macro below. */
void fuzz_add(struct fuzz_target *target);

#define FUZZ(name)                                                             \
    static int fuzz_##name(const uint8_t *data, size_t size);                  \
    __attribute__((constructor)) static void add_##name(void)                  \
    {                                                                          \
        static struct fuzz_target target = {#name, fuzz_##name, NULL};         \
        fuzz_add(&target);                                                     \
    }                                                                          \
    static int fuzz_##name(const uint8_t *data, size_t size)

/* libFuzzer calls these, and so does replay.c. */
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
