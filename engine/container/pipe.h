/*
 * pipe - what comes through a pipe, to be used as if it were a file.
 */
#ifndef TOPFN_PIPE_H
#define TOPFN_PIPE_H

#include "engine/container/spool.h"

/* Whether this is a pipe or a socket. */
bool is_pipe(int fd);

/* Reads to the end. Release the spool in any case. */
enum err_code pipe_read(int fd, const char *name, struct spool *spool,
                        struct err *err);

#endif
