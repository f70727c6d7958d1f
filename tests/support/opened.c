#include "tests/support/opened.h"

#include <stdio.h>
#include <stdlib.h>

static struct profile *opened(const char *path,
                              const struct read_options *options, bool folded)
{
    struct err err = {0};
    struct profile *p =
        recording_take(recording_open(&path, 1, options, &err));

    if (!p) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    p->folds_unnamed = folded;
    profile_finish(p);
    return p;
}

struct profile *opened_profile(const char *path,
                               const struct read_options *options)
{
    return opened(path, options, false);
}

struct profile *opened_for_people(const char *path,
                                  const struct read_options *options)
{
    return opened(path, options, true);
}
