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
 * Statements name tables of the fleet's database. Answers are complete or
 * errors: the server sends nothing before it has all. They come as RowBinary,
 * and are as untrusted as a file.
 */
#ifndef TOPFN_FLEET_CLIENT_H
#define TOPFN_FLEET_CLIENT_H

#include "engine/base/reader.h"
#include "engine/base/vec.h"
#include "engine/fleet/address.h"
#include "engine/fleet/tables.h"

/* Who asks; an address may say the user, too. */
struct fleet_access {
    const char *user;     /* NULL: the server's default */
    const char *password; /* NULL: none */
    /* PEM file of who may vouch for servers; NULL: the system's. To live as
     * long as the fleet. */
    const char *authorities;
};

struct fleet {
    struct fleet_address address;
    struct http *http;
    char *user_header, *password_header; /* NULL: none */
    const char *authorities;             /* NULL: the system's */
    /* Whether what failed last may well succeed later: the server was not to
     * be reached, or had no room, and did not say no. */
    bool may_recover;
};

struct answer {
    VEC(uint8_t) bytes;
};

/* Numbers that a statement calls `ids`. */
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

/* A statement without an answer. */
enum err_code fleet_tell(struct fleet *f, const char *sql, struct err *err);

/* Rows of a table, sent compressed. All of them are there, or who knows how
 * many when that fails. */
enum err_code fleet_insert(struct fleet *f, enum fleet_table_id table,
                           const void *rows, size_t n, struct err *err);

/* Whether the database has tables of this version: ERR_NOT_FOUND when it has
 * none, ERR_UNSUPPORTED when they are of another. */
enum err_code fleet_check(struct fleet *f, struct err *err);

/* Makes what is missing; the database is the address's. */
enum err_code fleet_create(struct fleet *f, struct fleet_layout layout,
                           struct err *err);

#endif
