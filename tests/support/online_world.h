/*
 * online_world - a symbol server on the loopback, a store, and small limits.
 *
 *     struct online_world w;
 *     online_world_start(&w);
 *     online_world_page(&w, &w.wanted, NULL, &(struct http_page){...});
 *     struct found found = online_world_ask(&w, &w.wanted);
 *     ...
 *     found_release(&found);
 *     online_world_stop(&w);
 *
 * What is wanted is testdata/pdb/mixer.pdb.
 */
#ifndef TOPFN_TESTS_ONLINE_WORLD_H
#define TOPFN_TESTS_ONLINE_WORLD_H

#include "symbols/find/online/online.h"
#include "tests/support/debug_input.h"
#include "tests/support/http_server.h"
#include "tests/support/temp_folder.h"

struct online_world {
    char store[TEMP_FOLDER];
    struct http_server *server;
    struct online_limits limits; /* may be changed before the first ask */
    struct places places; /* the server alone, and the store */
    struct debug_input *pdb, *other; /* of the same name, another build */
    struct wanted wanted;
};

void online_world_start(struct online_world *w);
void online_world_stop(struct online_world *w);

/* The server has it at NAME/KEY/LAST; `last` NULL: NAME again. */
void online_world_page(struct online_world *w, const struct wanted *wanted,
                       const char *last, const struct http_page *page);
/* Of the servers only. */
struct found online_world_ask(struct online_world *w,
                              const struct wanted *wanted);

#endif
