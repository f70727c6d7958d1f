/*
 * stack_ends - whether stacks of addresses reached their root, as far as the
 * modules tell in which they end.
 *
 *     stack_ends_attribute(p);
 *
 * Before anything is named: names prove more roots (model/stacks.h).
 */
#ifndef TOPFN_STACK_ENDS_H
#define TOPFN_STACK_ENDS_H

#include "engine/model/profile.h"

/* Samples have their flags and stacks. One whose end is known keeps it. */
void stack_ends_attribute(struct profile *p);

#endif
