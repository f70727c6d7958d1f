/*
 * titles - what functions, modules and processes are called in reports.
 *
 *     puts(function_label(p, function, &arena)); // "Order.Total"
 *     puts(function_module(p, function));        // "Orders.dll"
 *     puts(process_title(p, process, &arena));   // "shop.exe (3644)"
 *
 * Never NULL. Texts that are made are kept by the arena, the others are the
 * profile's.
 */
#ifndef TOPFN_TITLES_H
#define TOPFN_TITLES_H

#include "engine/base/arena.h"
#include "engine/model/profile.h"

/* The function's name as profile_function_name gives it. */
const char *function_name(const struct profile *p, uint32_t function,
                          struct arena *arena);

/* Its label (labels.h), or its name where it has none. */
const char *function_label(const struct profile *p, uint32_t function,
                           struct arena *arena);

/* The module shown beside a function: "[unknown]" where it has none. */
const char *function_module(const struct profile *p, uint32_t function);

/* A process's name, "[unknown]" where the trace does not say. */
const char *process_label(const struct profile *p, uint32_t process);

/* With its id, as names do not tell processes apart: "app.exe (3644)",
 * "[unknown] (unknown)". */
const char *process_title(const struct profile *p, uint32_t process,
                          struct arena *arena);

#endif
