/*
 * net_recording - a real .NET recording, about to get its names.
 *
 *     struct places places;
 *     struct profile *p = net_recording_open("net10-reuse", "dotnet", &places);
 *     name_profile(p, &(struct naming_options){.places = &places}, NULL);
 *     net_recording_finish(p, &places);
 */
#ifndef TOPFN_TESTS_NET_RECORDING_H
#define TOPFN_TESTS_NET_RECORDING_H

#include "engine/model/profile.h"
#include "symbols/find/places.h"

/* nettrace/RECORDING.nettrace of the folder of traces; its places are
 * symbols/SYMBOLS there. */
struct profile *net_recording_open(const char *recording, const char *symbols,
                                   struct places *places);
void net_recording_finish(struct profile *p, struct places *places);

#endif
