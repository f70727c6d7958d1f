#include "symbols/shared_search.h"

void shared_search_join(struct shared_search *s, struct shared_search *first)
{
    s->first = first;
    if (s == first)
        pthread_mutex_init(&s->turn, NULL);
    else
        first->last->next = s;
    first->last = s;
    first->count++;
    first->left++;
}

bool shared_search_begin(struct shared_search *s,
                         bool (*find)(void *context, struct shared_search *s),
                         void *context)
{
    struct shared_search *first = s->first;

    pthread_mutex_lock(&first->turn);
    for (struct shared_search *t = first; t && !first->is_sought; t = t->next)
        if (find(context, t)) {
            first->holder = t;
            break;
        }
    first->is_sought = true;
    first->left--;
    s->used = first->holder;
    return s->used;
}

bool shared_search_is_last(const struct shared_search *s)
{
    return !s->first->left;
}

void shared_search_end(struct shared_search *s)
{
    pthread_mutex_unlock(&s->first->turn);
}

void shared_search_release(struct shared_search *s)
{
    if (s->first == s)
        pthread_mutex_destroy(&s->turn);
}
