#include "tests/support/program.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/mem.h"

/* BUILD/topfn beside BUILD/test-ROOM */
void program_find(char path[PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 8);
    char *name;

    if (n < 0)
        abort();
    path[n] = '\0';
    name = strrchr(path, '/');
    if (!name)
        abort();
    strcpy(name, "/topfn");
}

static char *read_all(FILE *file)
{
    long size = ftell(file);
    char *text = mem_new((size_t)size + 1, 1);

    rewind(file);
    if (fread(text, 1, (size_t)size, file) != (size_t)size)
        abort();
    return text;
}

static _Noreturn void become(const char *arguments, FILE *out, FILE *err,
                             void (*before)(void))
{
    char path[PATH_MAX], command[PATH_MAX + 4096];

    program_find(path);
    snprintf(command, sizeof(command), "exec '%s' %s", path, arguments);
    if (dup2(fileno(out), 1) < 0 || dup2(fileno(err), 2) < 0)
        abort();
    if (before)
        before();
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

void program_run(struct program_run *run, const char *arguments,
                 void (*before)(void))
{
    FILE *out = tmpfile(), *err = tmpfile();
    int status = 0;
    pid_t child;

    if (!out || !err)
        abort();
    child = fork();
    if (!child)
        become(arguments, out, err, before);
    if (child < 0 || waitpid(child, &status, 0) != child)
        abort();
    run->status =
        WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    fseek(out, 0, SEEK_END);
    fseek(err, 0, SEEK_END);
    run->out = read_all(out);
    run->err = read_all(err);
    fclose(out);
    fclose(err);
}

void program_release(struct program_run *run)
{
    free(run->out);
    free(run->err);
}

bool program_script_line(FILE *file, char *line, size_t room)
{
    do {
        if (!fgets(line, (int)room, file))
            return false;
        line[strcspn(line, "\n")] = '\0';
    } while (*line == '#');
    return true;
}
