/*
 * spool - recordings that wait in a folder to be sent.
 *
 * A recording is a database, HASH.topfn, and what was said of it, HASH.said.
 * Both appear whole, the database last.
 *
 *     if (spool_keep(folder, profile, &recording, &err)) ...
 *     struct recordings waiting = {0};
 *     spool_list(folder, &waiting);
 *     struct spooled s;
 *     if (!spool_read(waiting.paths.data[0], &s, &err))
 *         ... s.recording ...
 */
#ifndef TOPFN_SPOOL_CLI_H
#define TOPFN_SPOOL_CLI_H

#include "cli/load/recordings.h"
#include "engine/fleet/batch.h"

enum err_code spool_keep(const char *folder, const struct profile *p,
                         const struct fleet_recording *recording,
                         struct err *err);

/* The databases in it, in order; none where there is no such folder. */
void spool_list(const char *folder, struct recordings *waiting);

/* What was said of a database: as it was kept. */
struct spooled {
    struct fleet_recording recording;
    struct arena arena;
};

enum err_code spool_read(const char *database, struct spooled *s,
                         struct err *err);
void spooled_release(struct spooled *s);

/* Both files. */
void spool_remove(const char *database);

#endif
