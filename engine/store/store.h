/*
 * store - a profile as one SQLite file, and back.
 *
 * The file is written under a temporary name beside `path`, synced and
 * renamed: a crash leaves the old file or the new one. application_id and
 * user_version identify it. man/topfn-database.5, store/schema.c and
 * store/views.c describe the tables and views. Reports from a reopened profile
 * give the same bytes as from the trace: ids and orders are kept, except ids
 * of strings. The same profile gives the same file, byte by byte.
 */
#ifndef TOPFN_STORE_H
#define TOPFN_STORE_H

#include "engine/base/err.h"
#include "engine/base/newfile.h"
#include "engine/base/out.h"
#include "engine/model/profile.h"

/* Writes a finished profile. */
enum err_code store_write(const struct profile *p, const char *path,
                          struct err *err);
/* The same to a file that was created, which it publishes or discards. Opens
 * nothing. */
enum err_code store_write_to(const struct profile *p, struct new_file *file,
                             struct err *err);

/* True if these first bytes of a file are a topfn database's. */
bool store_probe(const uint8_t *data, size_t size);

/* A finished profile, every value checked; NULL on failure. Without `times`
 * the samples are read as groups (sample_groups) without time and cpu:
 * much faster. The file is opened read-only, with SQLite's defences against
 * hostile schemas on. */
struct profile *store_read(const char *path, bool times, struct err *err);

/* Checks that all tables and views of topfn are in the file as topfn makes
 * them, so that SQL queries mean what the manual says. Tables and views that
 * somebody added are ignored. */
enum err_code store_check(const char *path, struct err *err);

/* Sets err: a database stores no raw events. The message names the traces it
 * was made of. */
enum err_code store_refuse_events(const char *path, struct err *err);

/* The URI that opens the file as immutable: SQLite then takes no lock and
 * ignores any journal beside the file. The caller closes it. */
struct out *store_uri(const char *path);

#endif
