/*
 * store - a profile as one SQLite file, and back.
 *
 * Written to a temporary name beside `path`, synced and renamed: a crash
 * leaves the old file or the new one. application_id and user_version
 * identify it. The tables and views are described in
 * man/topfn-database.5, store/schema.c and store/views.c. Reports from a
 * reopened profile give the same bytes as from the trace: every id and every
 * order is kept, only string ids are new. The same profile gives the same
 * file, byte by byte.
 */
#ifndef TOPFN_STORE_H
#define TOPFN_STORE_H

#include "engine/base/err.h"
#include "engine/base/out.h"
#include "engine/model/profile.h"

/* Writes a finished profile. */
enum err_code store_write(const struct profile *p, const char *path,
                          struct err *err);

/* Whether these first bytes of a file are a topfn database's. */
bool store_probe(const uint8_t *data, size_t size);

/* A finished profile, every value checked; NULL on failure. Without `times`
 * the samples are read as groups (sample_groups) whose time and cpu are 0:
 * much faster. The file is opened read-only, with SQLite's defences against
 * hostile schemas on. */
struct profile *store_read(const char *path, bool times, struct err *err);

/* Whether a file is a database whose tables and views are as topfn makes
 * them: what is asked of them by SQL then means what the manual says. Those
 * that somebody added are not looked at. */
enum err_code store_check(const char *path, struct err *err);

/* For who asks a database for raw events: it has none, says err, and which
 * traces it was made of. */
enum err_code store_refuse_events(const char *path, struct err *err);

/* The file's name for SQLite, which is told that nobody writes to it: it then
 * takes no lock and believes no journal that lies beside it. In memory, to be
 * closed. */
struct out *store_uri(const char *path);

#endif
