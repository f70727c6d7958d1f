#include "tests/support/opened.h"

#include <stdio.h>
#include <stdlib.h>

struct profile *opened_profile(const char *path,
                               const struct read_options *options)
{
    struct err err = {0};
    struct profile *p =
        recording_take(recording_open(&path, 1, options, &err));

    if (!p) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    profile_finish(p);
    return p;
}
