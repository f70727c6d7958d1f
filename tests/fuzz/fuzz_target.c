#include "tests/fuzz/target.h"

#include <stdio.h>

static struct fuzz_target *targets, *chosen;

void fuzz_add(struct fuzz_target *target)
{
    target->next = targets;
    targets = target;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *slash = strrchr((*argv)[0], '/');
    const char *name = slash ? slash + 1 : (*argv)[0];

    (void)argc;
    for (chosen = targets; chosen; chosen = chosen->next)
        if (!strncmp(name, "fuzz_", 5) && !strcmp(name + 5, chosen->name))
            return 0;
    fprintf(stderr, "%s: no such fuzz target\n", name);
    exit(2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return chosen->run(data, size);
}
