/*
 * answer: the numbers a correct reader must report for a made trace, counted
 * from the script that made it and never from the trace.
 *
 *     struct answer *a = answer_new();
 *     uint32_t process = answer_process(a, 1200, "ledger.exe");
 *     uint32_t thread = answer_thread(a, 1200, 4100);
 *     uint32_t leaf = answer_frame(a, "ledger.exe!+0x10", "ledger.exe");
 *     answer_sample(a, process, thread, ANSWER_USER_ONLY, &leaf, 1);
 *     answer_write(a, stdout);
 *
 * Output: one fact a line, fields parted by tabs, lines in byte order:
 *     total     samples | idle | events_lost | buffers_lost   N
 *     stacks    full | user_only | kernel_only | none         N
 *     process   PID  NAME                                     N
 *     thread    PID  TID                                      N
 *     module    NAME  EXCLUSIVE  INCLUSIVE
 *     function  NAME  EXCLUSIVE  INCLUSIVE
 * full is a kernel and a user part.  Idle samples are in no other number.
 * Inclusive counts a name once per sample.  Things that no sample touched have
 * no line, and equal names share one.
 *
 * Ids are valid in their answer only; strings are copied.
 */
#ifndef TESTS_SUPPORT_ANSWER_H
#define TESTS_SUPPORT_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum answer_stack {
    ANSWER_FULL,
    ANSWER_USER_ONLY,
    ANSWER_KERNEL_ONLY,
    ANSWER_NONE
};

struct answer;

struct answer *answer_new(void);
void answer_free(struct answer *a);

uint32_t answer_process(struct answer *a, uint32_t pid, const char *name);
uint32_t answer_thread(struct answer *a, uint32_t pid, uint32_t tid);
/* What an address on a stack means to the reader. */
uint32_t answer_frame(struct answer *a, const char *function,
                      const char *module);

/* frames[0] is the leaf; a sample without stack has one, its IP. */
void answer_sample(struct answer *a, uint32_t process, uint32_t thread,
                   enum answer_stack stack, const uint32_t *frames, size_t n);
void answer_idle(struct answer *a, uint64_t samples);
void answer_lost(struct answer *a, uint64_t events, uint64_t buffers);

/* False if the file could not be written. */
bool answer_write(const struct answer *a, FILE *file);

#endif
