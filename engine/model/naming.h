/*
 * model/naming - what is written into a profile while its code gets names.
 *
 *     method = methods_add(&p->methods, &m);
 *     profile_set_method(p, location, method);
 *     profile_set_symbols(p, module, "/srv/bin/Shop.dll");
 *
 * Sources of names report what they found (symbols/name_source.h); these
 * functions, profile_set_frames and profile_set_line alone write it. Before
 * profile_finish only.
 */
#ifndef TOPFN_MODEL_NAMING_H
#define TOPFN_MODEL_NAMING_H

#include "engine/model/profile.h"

/* The managed module of that name ("System.Linq"), added if there is none. */
uint32_t profile_managed_module(struct profile *p, const char *text);

/* A location of which only the address was known, or the image, lies in a
 * method. */
void profile_set_method(struct profile *p, uint32_t location, uint32_t method);

/* What a location's name says of its code. */
void profile_set_kind(struct profile *p, uint32_t location,
                      enum code_kind kind);

/* Another spelling of the name that a method has. */
void profile_set_method_name(struct profile *p, uint32_t method,
                             const char *full_name);

/* Gives each function of the frames set so far the name that `rename` returns
 * for its own. Functions that get the same name become one. */
void profile_rename_functions(struct profile *p,
                              uint32_t (*rename)(void *context, uint32_t name),
                              void *context);

/* An address where a named function's code begins; the lowest of several
 * stays, and 0 says nothing. */
void profile_set_start(struct profile *p, uint32_t function, uint64_t start);

/* Why a location has no name, once its debug file was looked for. A cause
 * that was known before and says more stays. */
void profile_set_cause(struct profile *p, uint32_t location,
                       enum name_cause cause);

/* Where names of a module's code came from. The first to name it stays. */
void profile_set_symbols(struct profile *p, uint32_t module,
                         const char *origin);

#endif
