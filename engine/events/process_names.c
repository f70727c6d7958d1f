/*
 * Names of processes for events: from the events of the kernel (Process,
 * Image), of the Linux recorder (Universal.System) and of EventPipe
 * (ProcessInfo).
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/bisect.h"
#include "engine/base/text.h"
#include "engine/events/schema.h"
#include "engine/events/trace_impl.h"

static const char *const asked[] = {
    "Process",       "Image/DCStart", "Image/Load",   "ExistingProcess",
    "ProcessCreate", "ProcessInfo",   "ProcessStart",
};

/* The text of a field of the event; NULL: it has none. To be freed. */
static char *field_text(const struct event *e, const char *name)
{
    struct event_decoder d = event_decode(e);
    struct event_value v;
    struct out *text;
    char *copy;
    size_t n;

    while (event_next_field(&d, &v)) {
        if (!v.field->name || strcmp(v.field->name, name) != 0)
            continue;
        text = out_memory();
        event_value_text(text, &d, &v);
        copy = text_copy(out_text(text, &n), strlen(out_text(text, NULL)));
        out_close(text, NULL);
        return copy;
    }
    return NULL;
}

/* The process that the event is about, which its payload may say. */
static uint32_t subject_of(const struct event *e)
{
    char *text = field_text(e, "ProcessID");
    uint32_t pid = text ? (uint32_t)strtoul(text, NULL, 0) : e->pid;

    free(text);
    return pid;
}

static void add_process(struct event_trace *t, const struct event *e,
                        uint32_t pid, const char *name, size_t n,
                        const char *path)
{
    bool begins = !strcmp(e->kind->type_name, "Start") ||
                  !strcmp(e->kind->name, "ProcessCreate");

    if (!n)
        return;
    *vec_add(&t->processes) = (struct event_process){
        .pid = pid,
        .from = begins ? e->time : INT64_MIN,
        .name = arena_strndup(&t->arena, name, n),
        .path = path ? arena_strndup(&t->arena, path, strlen(path)) : "",
    };
}

/* The path of the program among the images of its process. */
static void take_image(struct event_trace *t, const struct event *e)
{
    char *path = field_text(e, "FileName");
    uint32_t pid = subject_of(e);

    for (size_t i = t->processes.len; path && i > 0; i--) {
        struct event_process *p = &t->processes.data[i - 1];

        if (p->pid != pid)
            continue;
        if (!*p->path && ascii_same(path_base_name(path), p->name))
            p->path = arena_strndup(&t->arena, path, strlen(path));
        break;
    }
    free(path);
}

/* "/srv/app/Orders --fast": the program is the first word. */
static void take_command(struct event_trace *t, const struct event *e)
{
    char *command = field_text(e, "CommandLine");
    const char *name;

    if (!command)
        return;
    command[strcspn(command, " ")] = '\0';
    name = path_base_name(command);
    add_process(t, e, e->pid, name, strlen(name), command);
    free(command);
}

static void take_process_event(struct event_trace *t, const struct event *e)
{
    char *name;

    if (!strcmp(e->kind->name, "Image")) {
        take_image(t, e);
    } else if (!strcmp(e->kind->name, "ProcessInfo")) {
        take_command(t, e);
    } else if ((name = field_text(e, "ImageFileName")) ||
               (name = field_text(e, "ImageName"))) {
        const char *base = path_base_name(name);

        add_process(t, e, subject_of(e), base, strlen(base),
                    base > name ? name : NULL);
        free(name);
    } else if ((name = field_text(e, "Name"))) {
        add_process(t, e, e->pid, name, strlen(name), NULL);
        free(name);
    }
}

static int by_pid(const void *x, const void *y)
{
    const struct event_process *a = x, *b = y;

    if (a->pid != b->pid)
        return a->pid < b->pid ? -1 : 1;
    return (a->from > b->from) - (a->from < b->from);
}

static void find_event_processes(struct event_trace *t)
{
    struct event_options options = {
        .events = {asked, sizeof(asked) / sizeof(asked[0])},
        .no_subjects = true,
    };
    struct event_cursor *c = event_cursor_new(t, &options);
    const struct event *e;

    while ((e = event_next(c)))
        take_process_event(t, e);
    event_cursor_free(c);
    vec_sort(&t->processes, by_pid);
    t->named = true;
}

const struct event_process *event_process_at(struct event_trace *t,
                                             uint32_t pid, int64_t time)
{
    const struct event_process *list;
    size_t first, next;

    if (t->follow || pid == EVENT_UNKNOWN)
        return NULL;
    if (!t->named)
        find_event_processes(t);
    list = t->processes.data;
    BISECT(first, t->processes.len, list[first].pid < pid);
    BISECT(next, t->processes.len,
           list[next].pid < pid ||
               (list[next].pid == pid && list[next].from <= time));
    if (next > first)
        return &list[next - 1];
    return first < t->processes.len && list[first].pid == pid ? &list[first]
                                                              : NULL;
}
