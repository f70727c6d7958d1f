/*
 * budget - how much work or memory a stranger's file may ask for.
 *
 *     struct budget b = budget_of(file_size, 2, 16 << 20);
 *     if (!budget_take(&b, bytes_of_the_name))
 *         leave it out; b.cut tells the caller to say so
 *
 * A few bytes that many records name are read again for each of them. If
 * answers cannot be remembered, the work is taken from a budget that the file's
 * size gives. The caller leaves out or shortens what it could not take, and
 * tells the person at the end.
 *
 * Where a file answers many questions, an honest one does little work for each:
 * `budget_question` makes that much free, so that the questions of a long
 * recording never use the budget up.
 *
 * unpacking.h has the budget of packed bytes.
 */
#ifndef TOPFN_BUDGET_H
#define TOPFN_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct budget {
    uint64_t left;
    uint64_t usual; /* what the question at hand may still take for nothing */
    bool cut;       /* something was refused */
};

static inline struct budget budget_of(uint64_t size, uint64_t ratio,
                                      uint64_t least)
{
    bool huge = ratio && size > (UINT64_MAX - least) / ratio;

    return (struct budget){.left = huge ? UINT64_MAX : least + size * ratio};
}

/* A question begins, whose first `usual` units are free. */
static inline void budget_question(struct budget *b, uint64_t usual)
{
    b->usual = usual;
}

/* Takes `n` more units; false, and nothing taken, if they are not there. */
static inline bool budget_take(struct budget *b, uint64_t n)
{
    uint64_t beyond = n > b->usual ? n - b->usual : 0;

    if (beyond > b->left) {
        b->cut = true;
        return false;
    }
    b->usual -= n - beyond;
    b->left -= beyond;
    return true;
}

#endif
