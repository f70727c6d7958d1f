/*
 * waits - methods of .NET and Java that do nothing but wait.
 *
 * A sampler of wall-clock time meets threads that wait as often as threads
 * that run, so such methods lead its lists without having cost anything:
 *
 *     if (measures_wall_clock(p) && only_waits(function_name))
 *         mark(row);
 *
 * The table names methods that wait for another thread, for time to pass, for
 * input, or for the runtime to let them go on after a suspension. It is about
 * methods by name; a method of one's own that calls one of them is not in it.
 */
#ifndef TOPFN_WAITS_H
#define TOPFN_WAITS_H

#include "engine/model/profile.h"

/* True if samples of this profile are of threads that run or wait. */
bool measures_wall_clock(const struct profile *p);

/* True if a function of this name is the operating system's way to give the
 * processor away, which every wait has. */
bool only_switches(const char *name);

/* True if a function of this name is the operating system's way to make a
 * thread ready, which every wakeup has. */
bool only_wakes(const char *name);

/* True if the kernel enters the handler of an interrupt by this function. */
bool enters_interrupt(const char *name);

/* The frame before the stack of an interrupt that ended a wait. */
#define WOKEN_BY_INTERRUPT "woken by an interrupt"

/* True if a method of this name only waits. Arguments after `(` are ignored. */
bool only_waits(const char *name);

#endif
