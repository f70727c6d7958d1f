/*
 * nettrace_walk - the events of nettrace files, one after the other.
 *
 *     nettrace_walk_sink(walk);            // before the file is opened
 *     while (nettrace_walk_next(cursor))
 *         use(&cursor->event);
 *
 * A file is read block by block. Events wait in a heap until no earlier one
 * can come any more: up to one that is marked as sorted, or to a sequence
 * point, behind which stacks and threads have other numbers. Files without
 * such marks are given block by block.
 */
#ifndef TOPFN_EVENTS_NETTRACE_WALK_H
#define TOPFN_EVENTS_NETTRACE_WALK_H

#include "engine/events/trace_impl.h"
#include "engine/format/nettrace/nettrace.h"

/* An event that waits; its stack is copied where it is asked for. */
struct waiting {
    int64_t time;
    uint64_t order;
    struct nt_event event;
    uint32_t kind;
    uint32_t pid, tid;
    size_t stack;   /* in walk->stacks */
    uint32_t depth; /* of it */
    bool has_labels;
    struct nt_labels labels;
};

/* Of one file. */
struct nettrace_walk {
    struct event_cursor *cursor;
    struct nt_file file;
    struct nt_recording recording;
    struct nt_sink sink;
    struct read_options options;
    size_t pos;
    uint32_t index; /* of the file */
    VEC(struct waiting) heap;
    int64_t ready; /* events before this time can be given */
    bool all_ready, done, opened;
    uint64_t order;
    VEC(const struct known_kind *) kinds; /* by the file's kind; NULL: new */
    VEC(uint64_t) stacks;
};

/* What event_cursor.state is. */
struct nettrace_walks {
    struct nettrace_walk *list;
    size_t count;
    VEC(uint64_t) stack;
};

/* What the reader of the file tells goes to the walk, by its cursor's options.
 */
struct nt_sink nettrace_walk_sink(struct nettrace_walk *w);

/* Of an event of which the file's kind is known, at least. */
const struct known_kind *nettrace_walk_kind(struct nettrace_walk *w,
                                            const struct waiting *e);

/* Fills in the cursor's event with the next one; false at the end. */
bool nettrace_walk_next(struct event_cursor *c);

#endif
