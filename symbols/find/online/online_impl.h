/* Of symbols/online/ only. */
#ifndef TOPFN_ONLINE_IMPL_H
#define TOPFN_ONLINE_IMPL_H

#include <pthread.h>

#include "symbols/find/online/online.h"

struct online {
    struct online_limits limits;
    struct http *http;
    struct servers *servers;
    struct answers *answers;
    const struct progress *progress;
    pthread_t owner; /* who alone reports progress */
};

void online_show(const struct online *online, const char *what,
                 uint64_t done, uint64_t total);

#endif
