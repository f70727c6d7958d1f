/*
 * address - a server, its database, and a condition on recordings.
 *
 *     clickhouse://[user@]host[:port]/database[?condition]
 *
 * clickhouses:// asks over TLS. The ports are 8123 and 8443 unless given. The
 * condition behind the question mark is that of where.h.
 *
 *     struct fleet_address a;
 *     if (fleet_is_address(text) && !fleet_address_read(&a, text, &err))
 *         fleet_address_release(&a);
 */
#ifndef TOPFN_FLEET_ADDRESS_H
#define TOPFN_FLEET_ADDRESS_H

#include <stdbool.h>

#include "engine/base/arena.h"
#include "engine/base/err.h"

struct fleet_address {
    const char *text;     /* without the condition */
    const char *url;      /* "http://host:8123/" */
    const char *database; /* never empty */
    const char *user;     /* NULL: not said */
    const char *where;    /* NULL: all recordings */
    struct arena arena;
};

/* True if a name on a command line is such an address and no file. */
bool fleet_is_address(const char *text);

/* ERR_USAGE when it is none. A password is refused: command lines are seen by
 * others. */
enum err_code fleet_address_read(struct fleet_address *address,
                                 const char *text, struct err *err);
void fleet_address_release(struct fleet_address *address);

#endif
