/*
 * program - topfn as a person runs it.
 *
 *     struct program_run run;
 *     program_run(&run, "top testdata/etl/mixer.etl", NULL);
 *     ck_assert_int_eq(run.status, 0);
 *     puts(run.out);
 *     program_release(&run);
 *
 * The program is the one that was built with the test. Arguments are read by
 * the shell.
 */
#ifndef TOPFN_TESTS_PROGRAM_H
#define TOPFN_TESTS_PROGRAM_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

struct program_run {
    int status; /* exit status; of a signal, its number and 128 */
    char *out, *err;
};

/* `before` runs in the child, before anything of the program; or NULL. */
void program_run(struct program_run *run, const char *arguments,
                 void (*before)(void));
void program_release(struct program_run *run);

/* Reads the next line of a list of commands and answers, without its end and
 * without comments (#). Returns false at the end of the file. */
bool program_script_line(FILE *file, char *line, size_t room);

/* Its path. */
void program_find(char path[PATH_MAX]);

#endif
