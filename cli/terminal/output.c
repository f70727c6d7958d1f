#include "cli/terminal/output.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/mem.h"
#include "engine/base/newfile.h"

/* A file that can be written, with nothing in it yet. */
struct prepared {
    const char *path; /* NULL: stdout */
    FILE *stream;
    bool renames;     /* `file` gets the path's name */
    struct new_file file;
};

enum { PREPARED_MOST = 4 };

static struct prepared prepared[PREPARED_MOST];
static size_t prepared_count;

struct output {
    struct out *out;
    struct prepared to;
    size_t screen; /* lines; longer texts go to a pager. 0: none does */
};

static enum colour_choice colours = COLOUR_NEVER;
static bool may_page;

void output_dress(enum colour_choice choice)
{
    colours = choice;
    may_page = true;
}

static uint64_t most_bytes;

void output_limit(uint64_t most)
{
    most_bytes = most;
}

static void refuse_more(void)
{
    bool mib = most_bytes >= 1 << 20;

    say("the output is longer than %llu %s; --max-output SIZE allows more, 0 "
        "any length",
        (unsigned long long)(mib ? most_bytes >> 20 : most_bytes),
        mib ? "MiB" : "bytes");
    new_file_abandon();
    exit(STATUS_CANNOT_WRITE);
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

/* ---- outputs that are made before anything is read ---- */

static bool is_written_through(const char *path)
{
    struct stat st;

    return !lstat(path, &st) && !S_ISREG(st.st_mode);
}

/* Nothing is lost before there is something to write. */
static FILE *open_through(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

    return fd < 0 ? NULL : fdopen(fd, "wb");
}

static bool is_stdout(const char *path)
{
    return !path || !strcmp(path, "-");
}

static bool is_paged(void)
{
    return may_page && terminal_find(STDOUT_FILENO).there;
}

bool output_prepare(const char *path, struct err *err)
{
    struct prepared p = {.path = path};

    if (is_stdout(path)) {
        if (is_paged())
            (void)terminal_pager_prepare();
        return true;
    }
    assert(prepared_count < PREPARED_MOST);
    if (is_written_through(path))
        p.stream = open_through(path);
    else if (!new_file_create(&p.file, path, NULL))
        p.renames = true, p.stream = new_file_stream(&p.file);
    if (!p.stream) {
        cannot(err, ERR_NOT_FOUND, "create", path);
        if (p.renames)
            new_file_discard(&p.file);
        return false;
    }
    prepared[prepared_count++] = p;
    return true;
}

void outputs_forget(void)
{
    terminal_pager_end();
    while (prepared_count) {
        struct prepared *p = &prepared[--prepared_count];

        fclose(p->stream);
        if (p->renames)
            new_file_discard(&p->file);
    }
}

/* Takes the output that was prepared for the path, or prepares it now. */
static bool take_prepared(struct output *output, const char *path,
                          struct err *err)
{
    size_t i = 0;

    while (i < prepared_count && strcmp(prepared[i].path, path) != 0)
        i++;
    if (i == prepared_count && !output_prepare(path, err))
        return false;
    output->to = prepared[i];
    prepared[i] = prepared[--prepared_count];
    if (!output->to.renames)
        (void)!ftruncate(fileno(output->to.stream), 0);
    return true;
}

/* ---- opening and closing ---- */

struct output *output_open(const char *path, struct err *err)
{
    struct output *output = mem_new(1, sizeof(*output));

    if (is_stdout(path)) {
        output->to.stream = stdout;
    } else if (!take_prepared(output, path, err)) {
        free(output);
        return NULL;
    }
    if (output->to.stream == stdout && is_paged())
        output->screen = terminal_find(STDOUT_FILENO).lines;
    output->out = output->screen ? out_memory() : out_stream(output->to.stream);
    if (most_bytes)
        out_limit(output->out, most_bytes, refuse_more);
    out_colours(output->out,
                output->to.stream == stdout && terminal_takes_colours(colours));
    return output;
}

struct out *output_out(struct output *output)
{
    return output->out;
}

static enum err_code finish(struct output *output, bool written,
                            struct err *err)
{
    struct prepared *to = &output->to;

    if (!to->path)
        return written ? ERR_NONE : err->code;
    if (fclose(to->stream) && written)
        written = false, cannot(err, ERR_IO, "write", to->path);
    if (to->renames && !written)
        new_file_discard(&to->file);
    else if (to->renames && new_file_publish(&to->file, NULL))
        cannot(err, ERR_IO, "write", to->path);
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
        stream = out_stream(output->to.stream);
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
    return say_output_error(&err);
}

enum status print_report(const struct report *report,
                         const struct subject *subject, const struct options *o)
{
    return print_to(o->output, report->write[o->report.format], subject);
}
