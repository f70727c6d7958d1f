/*
 * fleet_stand_in - in place of a fleet's server: what it was told, and answers
 * that a test has made.
 *
 *     struct fleet_stand_in *s = fleet_stand_in_start();
 *     struct out *rows = out_memory();
 *
 *     row_u64(rows, 2);
 *     fleet_stand_in_reply(s, "SELECT toUInt64(version)", rows);
 *     ... fleet_open(fleet_stand_in_address(s), ...) ...
 *     ck_assert_str_eq(fleet_stand_in_told(s, 0)->sql, "SELECT ...");
 *     fleet_stand_in_stop(s);
 *
 * A statement gets the first answer that is left of those for its beginning,
 * the last of them again and again, and none where there is no answer to it.
 */
#ifndef TOPFN_TESTS_FLEET_STAND_IN_H
#define TOPFN_TESTS_FLEET_STAND_IN_H

#include <stdint.h>

#include "engine/base/out.h"

struct fleet_told {
    const char *sql;
    const char *settings; /* "a=1&b=2", but for the statement */
    const char *head;     /* the request's first line and headers */
    const char *rows;     /* as they were before they were packed */
    size_t size;
    uint64_t ids[8]; /* the first of those that came along */
    size_t id_count;
};

struct fleet_stand_in;

struct fleet_stand_in *fleet_stand_in_start(void);
void fleet_stand_in_stop(struct fleet_stand_in *s);

/* "clickhouse://127.0.0.1:40000/fleet" */
const char *fleet_stand_in_address(const struct fleet_stand_in *s);

/* Closes `rows`; NULL: an empty answer. */
void fleet_stand_in_reply(struct fleet_stand_in *s, const char *beginning,
                          struct out *rows);
void fleet_stand_in_fail(struct fleet_stand_in *s, const char *beginning,
                         unsigned status, const char *complaint);
/* Status 500, and this text. */
void fleet_stand_in_refuse(struct fleet_stand_in *s, const char *beginning,
                           const char *complaint);

/* Statements so far, and what the nth was, until the next comes. NULL: there
 * is none. */
size_t fleet_stand_in_count(struct fleet_stand_in *s);
const struct fleet_told *fleet_stand_in_told(struct fleet_stand_in *s,
                                             size_t n);
/* The first that begins so, or NULL. */
const struct fleet_told *fleet_stand_in_find(struct fleet_stand_in *s,
                                             const char *beginning);

#endif
