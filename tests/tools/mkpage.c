/* Writes the page of a profile that is made by hand: for tests in a browser
 * (tests/page). */
#include <stdio.h>
#include <string.h>

#include "report/report.h"
#include "tests/support/page_profiles.h"

static int save(const char *path, struct profile *p)
{
    struct report_options options = REPORT_DEFAULTS;
    struct selection *sel = selection_new(p, NULL);
    struct subject subject = {.options = &options, .p = p, .sel = sel};
    FILE *file = fopen(path, "wb");
    struct out *out = file ? out_stream(file) : NULL;
    bool done = false;

    if (out) {
        page_report.write[FORMAT_TEXT](&subject, out);
        done = out_close(out, NULL);
    }
    if (file && fclose(file))
        done = false;
    selection_free(sel);
    profile_free(p);
    return done ? 0 : 73;
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "hostile"))
        return save(argv[2], hostile_page_profile());
    if (argc == 5 && !strcmp(argv[1], "large"))
        return save(argv[4],
                    large_page_profile((uint32_t)strtoul(argv[2], NULL, 10),
                                       (uint32_t)strtoul(argv[3], NULL, 10)));
    if (argc == 5 && !strcmp(argv[1], "processes"))
        return save(argv[4], many_processes_page_profile(
                                 (uint32_t)strtoul(argv[2], NULL, 10),
                                 (uint32_t)strtoul(argv[3], NULL, 10)));
    fputs("usage: mkpage hostile FILE\n"
          "       mkpage large STACKS SAMPLES FILE\n"
          "       mkpage processes PROCESSES SAMPLES FILE\n",
          stderr);
    return 64;
}
