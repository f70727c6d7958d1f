/*
 * counted_stacks - a profile of one thread, as one line of text.
 *
 *     struct profile *p = counted_stacks("200 a!main;a!work|5 a!main");
 *
 * Samples of stacks as profile_builder.h writes them, `|` between.
 */
#ifndef TOPFN_TESTS_COUNTED_STACKS_H
#define TOPFN_TESTS_COUNTED_STACKS_H

#include "engine/model/profile.h"

struct profile *counted_stacks(const char *text);

#endif
