/* Writes the recording of nettrace_scenario.h: for test data, and large ones
 * to measure with. */
#include <stdio.h>
#include <string.h>

#include "tests/support/nettrace_scenario.h"

int main(int argc, char **argv)
{
    struct nettrace_writer *w;
    unsigned long version = argc == 5 ? strtoul(argv[1], NULL, 10) : 0;
    bool waiting = argc == 3 && !strcmp(argv[1], "waiting");
    FILE *file;
    bool done;

    if (!waiting && (version < 3 || version > 6)) {
        fputs("usage: mknettrace 3|4|5|6 plain|compressed ROUNDS FILE\n"
              "       mknettrace waiting FILE\n",
              stderr);
        return 64;
    }
    w = waiting ? nettrace_waiting()
                : nettrace_scenario((unsigned)version,
                                    !strcmp(argv[2], "compressed"),
                                    (unsigned)strtoul(argv[3], NULL, 10));
    file = fopen(argv[argc - 1], "wb");
    done = file && fwrite(w->out.data, 1, w->out.len, file) == w->out.len;
    if (file && fclose(file))
        done = false;
    if (!done)
        perror(argv[argc - 1]);
    nettrace_writer_free(w);
    return done ? 0 : 73;
}
