/*
 * Published listings of real traces (NAME.baseline.txt), which another decoder
 * printed:
 *
 *   EVENT 2,942.306: solar_system/PrimitiveTypesTest PID=...; TID=...;
 *     PName=...; ProceNum=2; DataLen=78; string_type=Mercury; ...
 *   COUNT solar_system/PrimitiveTypesTest:5
 *
 * and, of nettrace files, the count and the first event of every kind. Every
 * EVENT has to be found at its time, under its name, on its CPU, with its
 * length; every COUNT has to be equal, except for events that the listing
 * leaves out on purpose or names differently. The process, the thread and every
 * field of these events have to be equal, or listing_fields.h explains the
 * difference.
 */
#include <dirent.h>
#include <math.h>
#include <unistd.h>

#include "engine/base/vec.h"
#include "engine/events/schema.h"
#include "engine/input/trace_events.h"
#include "tests/support/listing_fields.h"
#include "tests/support/suite.h"

/* Counts that differ: the listing does not count samples of idle processors
 * and helpers of the JIT; of two events it takes the provider from a schema
 * that was embedded; and two it has no name for. */
static const char *const differing[] = {
    "Windows Kernel/PerfInfo/Sample",
    "Microsoft-Windows-DotNETRuntime/Method/LoadVerbose",
    "MSNT_SystemTrace/Image/KernelBase",
    "MSNT_SystemTrace/SystemConfig/Platform",
    "Microsoft-Windows-DotNETRuntime/GC",
};

struct met {
    char name[160];
    int64_t us; /* rounded, as listings are */
    uint32_t cpu, size, pid, tid;
    struct listing_fields fields;
};

typedef VEC(struct met) mets;

static mets read_events(const char *path)
{
    const char *paths[] = {path};
    struct event_options all = {.unordered = true};
    struct err err = {0};
    struct event_trace *trace = event_trace_open(paths, 1, &err);
    const struct event *e;
    struct event_cursor *c;
    mets list = {0};

    ck_assert_msg(trace != NULL, "%s", err.message);
    c = event_cursor_new(trace, &all);
    while ((e = event_next(c))) {
        struct met *m = vec_add(&list);

        snprintf(m->name, sizeof(m->name), "%s/%s", e->kind->provider,
                 e->kind->full_name);
        m->us = (e->time + 500) / 1000;
        m->cpu = e->cpu;
        m->size = e->size;
        m->pid = e->pid;
        m->tid = e->tid;
        m->fields = listing_fields_of(e);
    }
    event_cursor_free(c);
    event_trace_close(trace);
    return list;
}

static int compare_met(const void *a, const void *b)
{
    return strcmp(((const struct met *)a)->name, ((const struct met *)b)->name);
}

/* The first of that name; they are sorted. */
static size_t first_of(const mets *list, const char *name)
{
    size_t low = 0, high = list->len;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (strcmp(list->data[mid].name, name) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static uint64_t count_of(const mets *list, const char *name)
{
    size_t first = first_of(list, name), i = first;

    while (i < list->len && !strcmp(list->data[i].name, name))
        i++;
    return i - first;
}

static double number(const char *text)
{
    char plain[64];
    size_t n = 0;

    for (; (*text >= '0' && *text <= '9') || strchr(",.-", *text); text++)
        if (*text != ',' && n + 1 < sizeof(plain))
            plain[n++] = *text;
    plain[n] = '\0';
    return strtod(plain, NULL);
}

enum { ANY = UINT32_MAX };

/* What the listing says of an event. */
struct listed {
    const char *name;
    double ms;
    uint32_t cpu, size; /* or ANY */
    const char *pid, *tid;
    const char *fields; /* "a=b; c=d; " or, as XML, "a=\"b\" c=\"d\"" */
};

/* The fields of the listed event as they are here, of the event among those
 * at its place in time that fits best; false: there is none. */
static bool is_met(const mets *list, const struct listed *l,
                   struct listing_count *best)
{
    int64_t us = llround(l->ms * 1000);
    bool found = false;

    for (size_t i = first_of(list, l->name);
         i < list->len && !strcmp(list->data[i].name, l->name); i++) {
        const struct met *m = &list->data[i];
        struct listing_count count = {.fields = 0};

        if (llabs(m->us - us) > 1 || (l->cpu != ANY && m->cpu != l->cpu) ||
            (l->size != ANY && m->size != l->size))
            continue;
        listing_number(&count, l->name, "PID", l->pid, m->pid);
        listing_number(&count, l->name, "TID", l->tid, m->tid);
        listing_compare(&count, l->name, l->fields, &m->fields);
        if (!found || count.different < best->different)
            *best = count;
        found = true;
    }
    return found;
}

struct result {
    unsigned events, met, counts, same;
    struct listing_count fields;
};

static void try_listed(struct result *r, const mets *list,
                       const struct listed *l)
{
    struct listing_count count = {.fields = 0};

    if (is_met(list, l, &count)) {
        r->met++;
        r->fields.fields += count.fields;
        r->fields.same += count.same;
        r->fields.explained += count.explained;
        r->fields.different += count.different;
        if (count.different)
            printf("%s at %.3f: %s\n", l->name, l->ms, count.first);
    } else {
        printf("not met: %s at %.3f\n", l->name, l->ms);
    }
}

static void try_event(struct result *r, const mets *list, char *line)
{
    char *name = strstr(line, ": "), *pid = strstr(line, " PID=");
    const char *cpu = strstr(line, "ProceNum="), *size = strstr(line, "DataLen=");

    if (!name || !pid || !cpu || !size)
        return;
    *pid = '\0';
    r->events++;
    try_listed(r, list,
               &(struct listed){
                   .name = name + 2,
                   .ms = number(line + 6),
                   .cpu = (uint32_t)number(cpu + 9),
                   .size = (uint32_t)number(size + 8),
                   .pid = pid + 5,
                   .tid = strstr(pid + 1, "TID=") + 4,
                   .fields = strstr(size, "; ") ? strstr(size, "; ") + 2 : "",
               });
}

/* <Event MSec= "3.5" PID="1" PName="" TID="2" EventName="" a="b"/> */
static void try_first(struct result *r, const mets *list, const char *name,
                      char *xml)
{
    char *ms = strstr(xml, "MSec="), *pid = strstr(xml, " PID=\"");
    char *tid = strstr(xml, " TID=\"");

    if (!ms || !pid || !tid)
        return;
    r->events++;
    try_listed(r, list,
               &(struct listed){
                   .name = name,
                   .ms = number(strchr(ms, '"') + 1),
                   .cpu = ANY,
                   .size = ANY,
                   .pid = pid + 6,
                   .tid = tid + 6,
                   .fields = tid + 1,
               });
}

static bool may_differ(const char *name)
{
    for (size_t i = 0; i < COUNT(differing); i++)
        if (!strcmp(differing[i], name))
            return true;
    return false;
}

static void try_count(struct result *r, const mets *list, const char *name,
                      uint64_t count)
{
    r->counts++;
    if (count_of(list, name) == count || may_differ(name))
        r->same++;
    else
        printf("%s: %llu in the listing, %llu here\n", name,
               (unsigned long long)count,
               (unsigned long long)count_of(list, name));
}

static void try_line(struct result *r, const mets *list, char *line)
{
    char *comma;

    if (!strncmp(line, "\357\273\277", 3))
        line += 3;
    if (!strncmp(line, "EVENT ", 6)) {
        try_event(r, list, line);
    } else if (!strncmp(line, "COUNT ", 6)) {
        char *colon = strrchr(line, ':');

        *colon = '\0';
        try_count(r, list, line + 6, (uint64_t)number(colon + 1));
    } else if ((comma = strstr(line, ", ")) && strstr(comma, "<Event")) {
        *comma = '\0';
        try_count(r, list, line, (uint64_t)number(comma + 2));
        try_first(r, list, line, strstr(comma + 1, "<Event"));
    }
}

static void try_listing(const char *trace, const char *listing)
{
    FILE *file = fopen(listing, "r");
    mets list = read_events(trace);
    struct result r = {0};
    char *line = NULL;
    size_t room = 0;

    ck_assert(file && list.len);
    qsort(list.data, list.len, sizeof(*list.data), compare_met);
    while (getline(&line, &room, file) > 0) {
        line[strcspn(line, "\r\n")] = '\0';
        try_line(&r, &list, line);
    }
    printf("%s: events %u of %u, counts %u of %u, fields %u: %u equal, %u "
           "explained\n",
           listing, r.met, r.events, r.same, r.counts, r.fields.fields,
           r.fields.same, r.fields.explained);
    fflush(stdout);
    ck_assert_uint_eq(r.fields.different, 0);
    ck_assert_uint_gt(r.counts, 0);
    /* The listing takes the provider of two events from a schema that was
     * embedded when the log was merged, and has no name for one of them. */
    ck_assert_uint_le(r.events - r.met, 2);
    ck_assert_uint_eq(r.same, r.counts);
    free(line);
    for (size_t i = 0; i < list.len; i++)
        listing_fields_release(&list.data[i].fields);
    vec_release(&list);
    fclose(file);
}

/* The trace beside "a.baseline.txt" is a.etl, beside "a.nettrace.baseline.txt"
 * a.nettrace, perhaps in an archive; to be freed. NULL: it is not there. */
static char *trace_of(const char *folder, const char *name)
{
    static const char *const ends[] = {"", ".etl", ".zip", ".etl.zip"};

    for (size_t i = 0; i < COUNT(ends); i++) {
        char *path = traces_path(folder, name, ends[i]);

        if (!access(path, R_OK))
            return path;
        free(path);
    }
    return NULL;
}

static void try_folder(const char *name)
{
    char *folder = traces_path(name, "", "");
    DIR *dir = opendir(folder);
    struct dirent *entry;

    if (!dir)
        suite_skip(1, "real traces: TOPFN_TRACES is not there");
    while (dir && (entry = readdir(dir))) {
        char *end = strstr(entry->d_name, ".baseline.txt");
        char *listing, *trace;

        if (!end)
            continue;
        listing = traces_path(name, entry->d_name, "");
        *end = '\0';
        trace = trace_of(name, entry->d_name);
        if (trace)
            try_listing(trace, listing);
        free(listing);
        free(trace);
    }
    if (dir)
        closedir(dir);
    free(folder);
}

TEST(etl_listings)
{
    try_folder("etl");
}

TEST(nettrace_listings)
{
    try_folder("nettrace");
}
