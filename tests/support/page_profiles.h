/*
 * page_profiles - profiles that a page must stand: large ones, and names that
 * want to be more than names.
 */
#ifndef TOPFN_PAGE_PROFILES_H
#define TOPFN_PAGE_PROFILES_H

#include "engine/model/profile.h"

/* About so many distinct stacks in `samples` samples of 16 threads. */
struct profile *large_page_profile(uint32_t stacks, uint32_t samples);

/* A build, whose processes have few names. */
struct profile *many_processes_page_profile(uint32_t processes,
                                            uint32_t samples);

/* Names of scripts, quotes, marks that turn text around, 10,000 letters, and
 * one with a NUL in it. */
struct profile *hostile_page_profile(void);

#endif
