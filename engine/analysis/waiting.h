/*
 * waiting - which samples of threads are of threads that wait.
 *
 *     waiting_mark(p);                      before algebra_apply
 *     filter.waits = WAITS_LEFT_OUT;
 *     sel = selection_new(p, &filter);
 *
 * A sampler of wall-clock time samples threads that wait as often as threads
 * that run. A sample waits if its leaf function only waits (model/waits.h), or
 * if its thread is parked: all samples of the thread are in native code, and
 * they have one and the same call stack.
 */
#ifndef TOPFN_WAITING_H
#define TOPFN_WAITING_H

#include "engine/model/profile.h"

/* Marks samples with SAMPLE_WAITS and counts p->parked_threads. Call when names
 * are known and stacks are as recorded; does nothing where samples are not of
 * wall-clock time. */
void waiting_mark(struct profile *p);

/* Folds the frames that every wait has ("schedule", "KiSwapThread") into the
 * first frame that says why the thread waits, in samples of thread time. Call
 * when names are known. */
void waiting_fold(struct profile *p);

#endif
