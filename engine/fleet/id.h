/*
 * id - things known by what is in them.
 *
 *     uint64_t id = fleet_id(FLEET_STACKS, bytes, n);
 *     char hash[FLEET_HASH_SIZE];
 *     if (!fleet_hash_file("app.etl", hash, &err)) ...
 *
 * SHA-256. Of rows its first 64 bits, which are never 0: among ten million
 * different stacks two are taken for one with a chance of 3 in a million.
 */
#ifndef TOPFN_FLEET_ID_H
#define TOPFN_FLEET_ID_H

#include <stddef.h>
#include <stdint.h>

#include "engine/base/err.h"
#include "engine/fleet/tables.h"

enum { FLEET_HASH_SIZE = 65 }; /* hexadecimal digits, terminated */

/* Of a row of this table, as it is sent, without its id. */
uint64_t fleet_id(enum fleet_table_id table, const void *row, size_t n);

/* Of a file's bytes. */
enum err_code fleet_hash_file(const char *path, char hash[FLEET_HASH_SIZE],
                              struct err *err);

#endif
