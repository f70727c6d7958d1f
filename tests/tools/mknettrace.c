/* Writes the recording of nettrace_scenario.h: for test data, and large ones
 * to measure with. */
#include <stdio.h>
#include <string.h>

#include "tests/support/code_scenario.h"
#include "tests/support/lines_scenario.h"
#include "tests/support/nettrace_scenario.h"

static int save(const char *path, const byte_vec *bytes)
{
    FILE *file = fopen(path, "wb");
    bool done = file && fwrite(bytes->data, 1, bytes->len, file) == bytes->len;

    if (file && fclose(file))
        done = false;
    if (!done)
        perror(path);
    return done ? 0 : 73;
}

static int save_stream(const char *path, struct nettrace_writer *w)
{
    int status = save(path, &w->out);

    nettrace_writer_free(w);
    return status;
}

/* A recording of one name, or the PDB or assembly of one. */
static int save_named(const char *name, const char *path)
{
    byte_vec file = {0};
    int status;

    if (!strcmp(name, "waiting"))
        return save_stream(path, nettrace_waiting());
    if (!strcmp(name, "runtime"))
        return save_stream(path, nettrace_runtime());
    if (!strcmp(name, "lines"))
        return save_stream(path, lines_recording());
    if (!strcmp(name, "code"))
        return save_stream(path, code_recording());
    if (!strcmp(name, "lines-pdb"))
        lines_pdb(&file, 0x5EED);
    else if (!strcmp(name, "other-pdb"))
        lines_other_pdb(&file);
    else if (!strcmp(name, "code-assembly"))
        code_assembly(&file, false);
    else if (!strcmp(name, "lines-assembly"))
        code_assembly(&file, true);
    else
        return 64;
    status = save(path, &file);
    vec_release(&file);
    return status;
}

int main(int argc, char **argv)
{
    unsigned long version = argc == 5 ? strtoul(argv[1], NULL, 10) : 0;
    int status = 64;

    if (argc == 3)
        status = save_named(argv[1], argv[2]);
    else if (version >= 3 && version <= 6)
        status = save_stream(
            argv[4], nettrace_scenario((unsigned)version,
                                       !strcmp(argv[2], "compressed"),
                                       (unsigned)strtoul(argv[3], NULL, 10)));
    if (status == 64)
        fputs("usage: mknettrace 3|4|5|6 plain|compressed ROUNDS FILE\n"
              "       mknettrace waiting|runtime|lines|code FILE\n"
              "       mknettrace lines-pdb|other-pdb|lines-assembly|"
              "code-assembly FILE\n",
              stderr);
    return status;
}
