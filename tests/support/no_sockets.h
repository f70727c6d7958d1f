/*
 * no_sockets - a guard under which making a socket is deadly.
 *
 *     if (!no_sockets_possible())
 *         skip...
 *     if (!fork())
 *         no_sockets(), execl(...);   // dies of SIGSYS if it makes one
 *
 * It needs no privileges, cannot be taken off, and lasts through exec.
 */
#ifndef TOPFN_TESTS_NO_SOCKETS_H
#define TOPFN_TESTS_NO_SOCKETS_H

#include <stdbool.h>

/* False where the kernel has no such filters. */
bool no_sockets_possible(void);
void no_sockets(void);

#endif
