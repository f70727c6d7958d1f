#include "symbols/find/online/answers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/strings.h"

struct claim {
    struct told told; /* first: a told is its claim */
    bool is_settled;
};

struct answers {
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t settled;
    struct strings *urls;
    VEC(struct claim *) list; /* by id of the url, which begins with 1 */
};

struct answers *answers_new(void)
{
    struct answers *answers = mem_new(1, sizeof(*answers));

    pthread_mutex_init(&answers->lock, NULL);
    pthread_cond_init(&answers->settled, NULL);
    answers->urls = strings_new();
    return answers;
}

void answers_free(struct answers *answers)
{
    for (size_t i = 0; i < answers->list.len; i++) {
        found_release(&answers->list.data[i]->told.found);
        free(answers->list.data[i]->told.kept);
        free(answers->list.data[i]);
    }
    vec_release(&answers->list);
    strings_free(answers->urls);
    pthread_cond_destroy(&answers->settled);
    pthread_mutex_destroy(&answers->lock);
    free(answers);
}

struct told *answers_claim(struct answers *answers, const char *url,
                           bool *is_first)
{
    struct claim *claim;
    uint32_t id;

    pthread_mutex_lock(&answers->lock);
    id = strings_add(answers->urls, url, strlen(url));
    *is_first = id > answers->list.len;
    if (*is_first)
        *vec_add(&answers->list) = mem_new(1, sizeof(*claim));
    claim = answers->list.data[id - 1];
    while (!*is_first && !claim->is_settled)
        pthread_cond_wait(&answers->settled, &answers->lock);
    pthread_mutex_unlock(&answers->lock);
    return &claim->told;
}

void answers_settle(struct answers *answers, struct told *told)
{
    pthread_mutex_lock(&answers->lock);
    ((struct claim *)told)->is_settled = true;
    pthread_cond_broadcast(&answers->settled);
    pthread_mutex_unlock(&answers->lock);
}
