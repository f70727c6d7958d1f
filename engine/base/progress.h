/*
 * progress - how far a long piece of work has come.
 *
 * The engine calls progress_report; who installed the callback decides what
 * to show (the program: a bar on a terminal, after half a second). Workers
 * never call it.
 */
#ifndef TOPFN_PROGRESS_H
#define TOPFN_PROGRESS_H

#include <stdint.h>

struct progress {
    void (*show)(void *context, const char *what, uint64_t done,
                 uint64_t total);
    void *context;
};

/* `progress` may be NULL. */
static inline void progress_report(const struct progress *progress,
                                   const char *what, uint64_t done,
                                   uint64_t total)
{
    if (progress && progress->show)
        progress->show(progress->context, what, done, total);
}

#endif
