#include "cli/terminal/output.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/mem.h"

struct output {
    struct out *out;
    FILE *stream;
    const char *path;
    bool renames;  /* from unfinished[] to path */
    size_t screen; /* lines; longer texts go to a pager. 0: none does */
};

static enum colour_choice colours = COLOUR_NEVER;
static bool may_page;

void output_dress(enum colour_choice choice)
{
    colours = choice;
    may_page = true;
}

/* The only temporary file, for the signal handler, which removes it. */
static char unfinished[PATH_MAX];

void output_abandon(void)
{
    if (unfinished[0])
        unlink(unfinished);
}

bool output_same_file(const char *a, const char *b)
{
    struct stat first, second;

    return !stat(a, &first) && !stat(b, &second) &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

bool output_is_input(const char *path, const char *const *files, size_t count)
{
    for (size_t i = 0; path && i < count; i++) {
        if (output_same_file(path, files[i])) {
            say("%s is an input; name another file with -o", path);
            return true;
        }
    }
    return false;
}

static enum err_code cannot(struct err *err, enum err_code code,
                            const char *verb, const char *path)
{
    mem_check_errno();
    return err_set(err, code, "%s: cannot %s: %s", path, verb, strerror(errno));
}

static FILE *open_temporary(const char *path, struct err *err)
{
    int n = snprintf(unfinished, sizeof(unfinished), "%s.XXXXXX", path);
    FILE *stream = NULL;
    int fd = -1;

    if (n < 0 || (size_t)n >= sizeof(unfinished))
        errno = ENAMETOOLONG;
    else
        fd = mkstemp(unfinished);
    if (fd >= 0) {
        /* A file that is replaced keeps its permissions; another has those of
         * one that is created under its own name. */
        mode_t mask = umask(0);
        struct stat old;

        umask(mask);
        (void)!fchmod(fd, stat(path, &old) ? 0666 & ~mask
                                           : old.st_mode & 07777);
        stream = fdopen(fd, "wb");
    }
    if (!stream) {
        cannot(err, ERR_NOT_FOUND, "create", path);
        if (fd >= 0) {
            close(fd);
            output_abandon();
        }
        unfinished[0] = '\0';
    }
    return stream;
}

static bool is_written_through(const char *path)
{
    struct stat st;

    return !lstat(path, &st) && !S_ISREG(st.st_mode);
}

static FILE *open_stream(struct output *output, struct err *err)
{
    FILE *stream;

    if (!output->path || !strcmp(output->path, "-")) {
        output->path = NULL;
        return stdout;
    }
    if (!is_written_through(output->path)) {
        output->renames = true;
        return open_temporary(output->path, err);
    }
    stream = fopen(output->path, "wb");
    if (!stream)
        cannot(err, ERR_NOT_FOUND, "create", output->path);
    return stream;
}

struct output *output_open(const char *path, struct err *err)
{
    struct output *output = mem_new(1, sizeof(*output));

    output->path = path;
    output->stream = open_stream(output, err);
    if (!output->stream) {
        free(output);
        return NULL;
    }
    if (output->stream == stdout && may_page && terminal_find(STDOUT_FILENO).there)
        output->screen = terminal_find(STDOUT_FILENO).lines;
    output->out = output->screen ? out_memory() : out_stream(output->stream);
    out_colours(output->out,
                output->stream == stdout && terminal_takes_colours(colours));
    return output;
}

struct out *output_out(struct output *output)
{
    return output->out;
}

static enum err_code finish(struct output *output, bool written,
                            struct err *err)
{
    if (!output->path)
        return written ? ERR_NONE : err->code;
    if (written && output->renames && fsync(fileno(output->stream)))
        written = false, cannot(err, ERR_IO, "write", output->path);
    if (fclose(output->stream) && written)
        written = false, cannot(err, ERR_IO, "write", output->path);
    if (written && output->renames && rename(unfinished, output->path))
        written = false, cannot(err, ERR_IO, "write", output->path);
    if (!written)
        output_abandon();
    unfinished[0] = '\0';
    return err->code;
}

static size_t count_lines(const char *text, size_t n)
{
    size_t lines = 0;

    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    return lines;
}

/* Shows the collected text, by a pager if it is longer than the screen. */
static bool show(struct output *output, struct err *err)
{
    struct out *collected = output->out, *stream;
    size_t n;
    const char *text = out_text(collected, &n);
    bool written = true;

    if (count_lines(text, n) + hints_lines() < output->screen ||
        !terminal_page(text, n)) {
        stream = out_stream(output->stream);
        out_bytes(stream, text, n);
        written = out_close(stream, err);
    }
    out_close(collected, NULL);
    return written;
}

enum err_code output_close(struct output *output, struct err *err)
{
    bool written =
        output->screen ? show(output, err) : out_close(output->out, err);
    enum err_code code = finish(output, written, err);

    free(output);
    return code;
}

bool report_is_possible(const struct report *r, const struct options *o)
{
    struct out *out;
    int last;

    if (r->for_file && (!o->output || !strcmp(o->output, "-")) &&
        isatty(STDOUT_FILENO)) {
        say("%s is not for a terminal; name a file with -o", r->name);
        return false;
    }
    if (r->write[o->report.format])
        return true;
    out = out_memory();
    /* "text", "text or json", "text, json or csv" */
    last = FORMATS;
    while (last && !r->write[last - 1])
        last--;
    for (int i = 0; i < last; i++) {
        if (!r->write[i])
            continue;
        if (i)
            out_str(out, i == last - 1 ? " or " : ", ");
        out_str(out, format_name(i));
    }
    say("%s writes %s", r->name, out_text(out, NULL));
    out_close(out, NULL);
    return false;
}

enum status print_to(const char *path, report_writer *write,
                     const struct subject *subject)
{
    struct err err = {0};
    struct output *output = output_open(path, &err);

    if (output) {
        write(subject, output_out(output));
        output_close(output, &err);
    }
    if (err.code)
        say("%s", err.message);
    return status_of_output(err.code);
}

enum status print_report(const struct report *report,
                         const struct subject *subject, const struct options *o)
{
    return print_to(o->output, report->write[o->report.format], subject);
}
