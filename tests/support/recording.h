/*
 * recording - a real .NET recording, about to get its names.
 *
 *     struct places places;
 *     struct profile *p = recording_open("net10-reuse", "dotnet", &places);
 *     lines_from_files(p, &places, NULL);
 *     recording_finish(p, &places);
 */
#ifndef TOPFN_TESTS_RECORDING_H
#define TOPFN_TESTS_RECORDING_H

#include "engine/profile.h"
#include "symbols/find/places.h"

/* nettrace/RECORDING.nettrace of the folder of traces; its places are
 * symbols/SYMBOLS there. */
struct profile *recording_open(const char *recording, const char *symbols,
                               struct places *places);
void recording_finish(struct profile *p, struct places *places);

#endif
