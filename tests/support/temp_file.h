/*
 * temp_file - bytes as a file with a name, for what opens paths.
 *
 *     char path[TEMP_PATH];
 *     temp_file(path, bytes, n);
 *     ...
 *     unlink(path);
 */
#ifndef TOPFN_TESTS_TEMP_FILE_H
#define TOPFN_TESTS_TEMP_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TEMP_PATH = 64 };

static inline void temp_file(char path[TEMP_PATH], const void *data, size_t n)
{
    int fd;

    snprintf(path, TEMP_PATH, "/tmp/topfn-test-XXXXXX");
    fd = mkstemp(path);
    if (fd < 0 || write(fd, data, n) != (ssize_t)n)
        abort();
    close(fd);
}

#endif
