/*
 * client - one server of a fleet, asked over HTTP.
 *
 *     struct fleet *f = fleet_open("clickhouse://host/fleet", &access, &err);
 *     struct answer a = {0};
 *     if (!fleet_ask(f, "SELECT id, name FROM processes", NULL, &a, &err))
 *         read(fleet_reader(f, &a, &err));
 *     fleet_answer_release(&a);
 *     fleet_close(f);
 *
 * Statements name tables of the fleet's database. The server sends nothing
 * before it has the whole answer, so that an answer is complete or an error.
 * It comes as RowBinary (clickhouse.h) and is as untrusted as a file.
 */
#ifndef TOPFN_FLEET_CLIENT_H
#define TOPFN_FLEET_CLIENT_H

#include "engine/base/arena.h"
#include "engine/base/reader.h"
#include "engine/base/vec.h"
#include "engine/fleet/tables.h"

/*
 *     clickhouse://[user@]host[:port]/database[?condition]
 *
 * clickhouses:// asks over TLS. The ports are 8123 and 8443 unless given. The
 * condition is that of where.h.
 */
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

/* A password is refused, as others see command lines; such an address must not
 * be printed either. */
bool fleet_address_has_password(const char *text);
#define FLEET_PASSWORD_REFUSED                                                 \
    "put the password into the variable TOPFN_CLICKHOUSE_PASSWORD, not on "    \
    "the command line"

/* ERR_USAGE when it is none, or has a password. */
enum err_code fleet_address_read(struct fleet_address *address,
                                 const char *text, struct err *err);
void fleet_address_release(struct fleet_address *address);

/* Strings must live as long as the fleet. An address may name the user, too. */
struct fleet_access {
    const char *user;        /* NULL: the server's default */
    const char *password;    /* NULL: none */
    const char *authorities; /* PEM file of those who may vouch for servers;
                                NULL: the system's */
};

struct fleet {
    struct fleet_address address;
    struct http *http;
    const char *authorities;
};

struct answer {
    VEC(uint8_t) bytes;
};

/* Numbers that are sent with a statement, as its table `ids`. */
struct fleet_ids {
    VEC(uint64_t) all;
};

/* Nothing is asked yet. */
struct fleet *fleet_open(const char *address,
                         const struct fleet_access *access, struct err *err);
void fleet_close(struct fleet *f);

/* `ids` may be NULL. */
enum err_code fleet_ask(struct fleet *f, const char *sql,
                        const struct fleet_ids *ids, struct answer *answer,
                        struct err *err);
struct reader fleet_reader(const struct fleet *f, const struct answer *answer,
                           struct err *err);
void fleet_answer_release(struct answer *answer);

/* Adds rows to a table. After a failure some of them may be there. */
enum err_code fleet_insert(struct fleet *f, enum fleet_table_id table,
                           const void *rows, size_t n, struct err *err);

/* ERR_NOT_FOUND when the database has no tables, ERR_UNSUPPORTED when they are
 * of another version. */
enum err_code fleet_check(struct fleet *f, struct err *err);

/* Makes the database of the address and what is missing of its tables;
 * `cluster` may be NULL (tables.h). */
enum err_code fleet_create(struct fleet *f, const char *cluster,
                           struct err *err);

#endif
