/*
 * follow - bytes that come through a pipe while they are read.
 *
 *     struct follow *f = follow_open("-", flush, out, &err);
 *     while (follow_wait(f, at + 8))
 *         at += use(follow_bytes(f) + at);
 *     follow_close(f);
 *
 * The bytes never move. Before it waits for more, it calls `idle`, which may
 * print the events so far.
 */
#ifndef TOPFN_EVENTS_FOLLOW_H
#define TOPFN_EVENTS_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"

struct follow;

/* "-" is standard input. NULL: it cannot be opened. */
struct follow *follow_open(const char *path, void (*idle)(void *context),
                           void *context, struct err *err);
void follow_close(struct follow *follow);

const uint8_t *follow_bytes(const struct follow *follow);
size_t follow_size(const struct follow *follow);

/* Waits until there are `size` bytes. Returns false if the input ended before. */
bool follow_wait(struct follow *follow, size_t size);

#endif
