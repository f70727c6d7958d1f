/*
 * shared_search - the search for files of modules that are the same file
 * (module_twins.h): it is done once for all of them.
 *
 *     struct search { struct shared_search shared; ... };  // of each module
 *     shared_search_join(&s->shared, &first->shared);      // in their order
 *     ...                                                  // by any thread:
 *     if (shared_search_begin(&s->shared, find, context)) {
 *         ask the files of s->shared.used;
 *         if (shared_search_is_last(&s->shared))
 *             close the files of s->shared.used;
 *     }
 *     shared_search_end(&s->shared);
 *
 * One module at a time has the files, between begin and end.
 */
#ifndef TOPFN_SHARED_SEARCH_H
#define TOPFN_SHARED_SEARCH_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct shared_search {
    struct shared_search *first; /* of those that share; NULL: not joined */
    struct shared_search *next;  /* behind it; or NULL */
    struct shared_search *used;  /* whose files it has; NULL: none has any */
    /* What the first has for all of them. */
    pthread_mutex_t turn;
    struct shared_search *last;
    size_t count, left;           /* how many; and have not begun yet */
    struct shared_search *holder; /* who found files; or NULL */
    bool is_sought;
};

void shared_search_join(struct shared_search *s, struct shared_search *first);

/* Waits for its turn. The first of them calls `find` for each, in order, until
 * one has files: twins may have other names. False: none has. */
bool shared_search_begin(struct shared_search *s,
                         bool (*find)(void *context, struct shared_search *s),
                         void *context);
bool shared_search_is_last(const struct shared_search *s);
void shared_search_end(struct shared_search *s);
void shared_search_release(struct shared_search *s);

#endif
