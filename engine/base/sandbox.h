/*
 * sandbox - what this process may do while it reads bytes of strangers.
 *
 *     sandbox_enter(&(struct sandbox){.replaces = true});
 *
 * Bytes that got hold of a parser could do no more than read files and write
 * where something is open for writing: from then on the system refuses to open
 * a file for writing or to change one by its name, to start a program, to make
 * a connection, and to reach into or signal another process. Linux has seccomp
 * filters for it; elsewhere nothing is refused. A refused call fails with
 * EPERM.
 *
 * Enter it before there are threads. There is no way out.
 */
#ifndef TOPFN_SANDBOX_H
#define TOPFN_SANDBOX_H

#include <stdbool.h>

/* Each member allows what would be refused without it. */
struct sandbox {
    bool network;  /* connections */
    bool replaces; /* rename and unlink: a file is written (newfile.h) */
    bool creates;  /* files and folders, by any name; `replaces`, too */
    bool forks;    /* signals to other processes: the filter is for children of
                      this one as well, which may abort */
};

/* False where the system has no such filters, or allows none in its
 * container: nothing is refused then. */
bool sandbox_enter(const struct sandbox *allowed);

#endif
