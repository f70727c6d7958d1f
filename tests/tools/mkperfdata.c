/* Writes the recording of perfdata_writer.h, for test data. */
#include <stdio.h>
#include <string.h>

#include "tests/support/perfdata_writer.h"

static const struct {
    const char *name;
    unsigned flag;
} flags[] = {
    {"big", PERFDATA_BIG},
    {"pipe", PERFDATA_PIPE},
    {"packed", PERFDATA_PACKED},
    {"killed", PERFDATA_KILLED},
};

int main(int argc, char **argv)
{
    struct perfdata_writer w;
    unsigned how = 0;
    FILE *file = argc > 1 ? fopen(argv[argc - 1], "wb") : NULL;

    if (!file) {
        fputs("usage: mkperfdata [waits] [big] [pipe] [packed] [killed] FILE\n",
              stderr);
        return 64;
    }
    for (int i = 1; i < argc - 1; i++)
        for (size_t k = 0; k < sizeof(flags) / sizeof(flags[0]); k++)
            if (!strcmp(argv[i], flags[k].name))
                how |= flags[k].flag;
    if (!strcmp(argv[1], "waits"))
        perfdata_waits(&w, how);
    else
        perfdata_shop(&w, how);
    fwrite(w.file.data, 1, w.file.len, file);
    perfdata_free(&w);
    return fclose(file) ? 73 : 0;
}
