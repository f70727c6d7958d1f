/* The statements of the language that scenario.h describes. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/scenario_impl.h"

enum { MAX_WORDS = 256 };

/* One line cut into words. Every word is used once; words that stay unused are
 * a mistake. A mistake goes to scenario_error, and the call returns something
 * harmless. */
struct line {
    struct scenario *s;
    int number;
    char *words[MAX_WORDS];
    bool used[MAX_WORDS];
    int count;
};

char *scenario_keep(struct scenario *s, const char *text, size_t n)
{
    char *copy = strndup(text, n);

    if (!copy)
        abort();
    *VEC_ADD(&s->strings) = copy;
    return copy;
}

static void line_cut(struct line *l, const char *text, size_t n)
{
    const char *end = text + n;

    while (text < end && l->count < MAX_WORDS) {
        const char *from;
        while (text < end && strchr(" \t\r", *text))
            text++;
        if (text == end || *text == '#')
            return;
        if (*text == '"') {
            for (from = ++text; text < end && *text != '"';)
                text++;
        } else {
            for (from = text; text < end && !strchr(" \t\r", *text);)
                text++;
        }
        l->words[l->count++] = scenario_keep(l->s, from,
                                             (size_t)(text - from));
        text += text < end && *text == '"';
    }
}

static void line_complain(struct line *l, const char *what, const char *word)
{
    scenario_fail(l->s, l->number, "%s '%s'", what, word);
}

/* The word at a fixed place. */
static char *line_word(struct line *l, int i)
{
    if (i >= l->count) {
        line_complain(l, "too short:", l->words[0]);
        return l->words[0];
    }
    l->used[i] = true;
    return l->words[i];
}

static bool line_flag(struct line *l, const char *name)
{
    for (int i = 1; i < l->count; i++)
        if (!l->used[i] && strcmp(l->words[i], name) == 0)
            return l->used[i] = true;
    return false;
}

/* The word after name, or NULL. */
static char *line_value(struct line *l, const char *name)
{
    for (int i = 1; i + 1 < l->count; i++)
        if (!l->used[i] && strcmp(l->words[i], name) == 0) {
            l->used[i] = l->used[i + 1] = true;
            return l->words[i + 1];
        }
    return NULL;
}

static char *line_need(struct line *l, const char *name)
{
    char *v = line_value(l, name);

    if (!v)
        line_complain(l, "missing", name);
    return v ? v : l->words[0];
}

static uint64_t line_to_number(struct line *l, const char *text)
{
    char *end;
    uint64_t v = strtoull(text, &end, 0);

    if (end == text || *end)
        line_complain(l, "not a number:", text);
    return v;
}

static uint64_t line_number(struct line *l, const char *name, uint64_t otherwise)
{
    const char *v = line_value(l, name);

    return v ? line_to_number(l, v) : otherwise;
}

/* Decimal arithmetic: 10.1ms is exactly 10 100 000. */
bool scenario_time(const char *text, int64_t *out)
{
    static const struct { const char *name; int64_t ns; } units[] = {
        { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 }
    };
    int64_t whole = 0, part = 0, scale = 1;
    const char *p = text;

    for (; *p >= '0' && *p <= '9'; p++)
        whole = whole * 10 + (*p - '0');
    if (p == text)
        return false;
    if (*p == '.')
        for (p++; *p >= '0' && *p <= '9' && scale < 1000000000; p++) {
            part = part * 10 + (*p - '0');
            scale *= 10;
        }
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (strcmp(p, units[i].name) == 0) {
            *out = whole * units[i].ns + part * units[i].ns / scale;
            return true;
        }
    return false;
}

static int64_t line_time(struct line *l, const char *name, int64_t otherwise)
{
    const char *v = line_value(l, name);
    int64_t t = otherwise;

    if (v && !scenario_time(v, &t))
        line_complain(l, "not a time (10.5ms):", v);
    return t;
}

static int64_t line_need_time(struct line *l, const char *name)
{
    int64_t t = line_time(l, name, NEVER);

    if (t == NEVER)
        line_complain(l, "missing", name);
    return t == NEVER ? 0 : t;
}

/* ---- statements ---- */

/* The place of an alias among named items; the last one wins. */
#define FIND(v, text, found)                                       \
    do {                                                           \
        (found) = -1;                                              \
        for (size_t i_ = 0; i_ < (v).count; i_++)                  \
            if (strcmp((v).items[i_].alias, (text)) == 0)          \
                (found) = (int)i_;                                 \
    } while (0)

static int process_of(struct line *l, const char *alias)
{
    int found;

    FIND(l->s->processes, alias, found);
    if (found < 0)
        line_complain(l, "no process", alias);
    return found < 0 ? 0 : found;
}

static int stack_of(struct line *l, const char *name)
{
    const char *alias = line_value(l, name);
    int found;

    if (!alias)
        return -1;
    FIND(l->s->stacks, alias, found);
    if (found < 0)
        line_complain(l, "no stack", alias);
    return found;
}

static void read_process(struct line *l)
{
    struct process p = { .alias = line_word(l, 1) };

    p.pid = (uint32_t)line_to_number(l, line_need(l, "pid"));
    p.name = line_need(l, "name");
    p.command = line_value(l, "command");
    p.start = line_time(l, "start", FROM_START);
    p.end = line_time(l, "end", NEVER);
    p.version = (unsigned)line_number(l, "version", 4);
    p.wow64 = line_flag(l, "wow64");
    p.dcend_only = line_flag(l, "dcend-only");
    *VEC_ADD(&l->s->processes) = p;
}

static void read_thread(struct line *l)
{
    struct thread t = { .alias = line_word(l, 1) };
    const struct process *p;

    t.process = process_of(l, line_need(l, "in"));
    p = &l->s->processes.items[t.process];
    t.tid = (uint32_t)line_to_number(l, line_need(l, "tid"));
    t.start = line_time(l, "start", p->start);
    t.end = line_time(l, "end", p->end);
    t.name = line_value(l, "name");
    t.version = (unsigned)line_number(l, "version", 3);
    t.dcend_only = line_flag(l, "dcend-only");
    *VEC_ADD(&l->s->threads) = t;
}

static void read_image(struct line *l)
{
    struct image i = { .process = KERNEL };
    const char *where = line_need(l, "in");

    if (strcmp(where, "kernel") != 0)
        i.process = process_of(l, where);
    i.base = line_to_number(l, line_need(l, "base"));
    i.size = line_to_number(l, line_need(l, "size"));
    i.name = line_need(l, "name");
    i.pdb = line_value(l, "pdb");
    i.guid = line_value(l, "guid");
    if (i.guid && !etl_guid_parse(i.guid, NULL))
        line_complain(l, "no GUID", i.guid);
    i.age = (unsigned)line_number(l, "age", 1);
    i.stamp = (uint32_t)line_number(l, "stamp", 0x5F000000u + i.size);
    i.load = line_time(l, "load", FROM_START);
    i.unload = line_time(l, "unload", NEVER);
    i.version = (unsigned)line_number(l, "version", 2);
    i.dcend_only = line_flag(l, "dcend-only");
    if (i.process != KERNEL && i.load == FROM_START)
        i.load = l->s->processes.items[i.process].start;
    *VEC_ADD(&l->s->images) = i;
}

static enum method_kind method_kind(struct line *l)
{
    const char *kind = line_value(l, "kind");

    if (!kind || strcmp(kind, "clr") == 0)
        return METHOD_CLR;
    if (strcmp(kind, "clr2") == 0)
        return METHOD_CLR2;
    if (strcmp(kind, "script") != 0)
        line_complain(l, "no method kind", kind);
    return METHOD_SCRIPT;
}

static void read_method(struct line *l)
{
    struct method m = { .alias = line_word(l, 1) };

    m.process = process_of(l, line_need(l, "in"));
    m.start = line_to_number(l, line_need(l, "at"));
    m.size = line_to_number(l, line_need(l, "size"));
    m.class_name = line_value(l, "class");
    m.name = line_need(l, "name");
    m.signature = line_value(l, "signature");
    m.load = line_time(l, "load", FROM_START);
    m.unload = line_time(l, "unload", NEVER);
    m.tier = (unsigned)line_number(l, "tier", 0);
    m.version = (unsigned)line_number(l, "version", 1);
    m.kind = method_kind(l);
    m.dcstart = line_flag(l, "dcstart");
    m.no_rundown = line_flag(l, "no-rundown");
    m.url = line_value(l, "url");
    m.module = line_value(l, "module");
    m.with_stack = line_flag(l, "with-stack");
    m.has_map = line_value(l, "map");
    m.map_version = (unsigned)line_number(l, "map", 0);
    m.pdb = line_value(l, "pdb");
    m.guid = line_value(l, "guid");
    if (m.guid && !etl_guid_parse(m.guid, NULL))
        line_complain(l, "no GUID", m.guid);
    *VEC_ADD(&l->s->methods) = m;
}

static void add_frame(struct stack *k, size_t *room, char *frame)
{
    k->frames = scenario_grow(k->frames, &k->count, room,
                              sizeof(*k->frames));
    k->frames[k->count - 1] = frame;
}

static void read_stack(struct line *l)
{
    struct stack k = { .alias = line_word(l, 1) };
    size_t room = 0;

    for (int i = 2; i < l->count; i++) {
        char *frame = line_word(l, i);
        int from = -1;
        if (strncmp(frame, "use:", 4) != 0) {
            add_frame(&k, &room, frame);
            continue;
        }
        FIND(l->s->stacks, frame + 4, from);
        if (from < 0) {
            line_complain(l, "no stack", frame + 4);
            continue;
        }
        for (size_t f = 0; f < l->s->stacks.items[from].count; f++)
            add_frame(&k, &room, l->s->stacks.items[from].frames[f]);
    }
    if (k.count == 0 || k.count > MAX_FRAMES)
        line_complain(l, "needs 1 to 192 frames: stack", k.alias);
    *VEC_ADD(&l->s->stacks) = k;
}

static enum via via_of(struct line *l)
{
    const char *via = line_value(l, "via");

    if (!via || strcmp(via, "inline") == 0)
        return VIA_INLINE;
    if (strcmp(via, "lost") == 0)
        return VIA_LOST;
    if (strcmp(via, "keys") != 0)
        line_complain(l, "via inline, keys or lost, not", via);
    return VIA_KEYS;
}

static unsigned cpu_of(struct line *l, const char *name, unsigned otherwise)
{
    unsigned cpu = (unsigned)line_number(l, name, otherwise);

    if (cpu >= 64)
        line_complain(l, "cpu 0 to 63:", name);
    if (cpu >= l->s->options.cpus)
        l->s->options.cpus = cpu + 1;
    return cpu;
}

static struct shot shot_of(struct line *l)
{
    struct shot h = { .line = l->number };

    FIND(l->s->threads, line_word(l, 1), h.thread);
    if (h.thread < 0) {
        line_complain(l, "no thread", l->words[1]);
        h.thread = 0;
    }
    h.fault = strcmp(l->words[0], "fault") == 0;
    h.cpu = cpu_of(l, "cpu", 0);
    h.at = line_need_time(l, "at");
    h.user = stack_of(l, "user");
    h.kernel = stack_of(l, "kernel");
    h.via = via_of(l);
    h.late = line_time(l, "late", NEVER);
    h.late_cpu = cpu_of(l, "on", h.cpu);
    h.shared = line_flag(l, "shared");
    h.bits = (line_flag(l, "dpc") ? 1u : 0u) | (line_flag(l, "isr") ? 2u : 0u);
    h.ip = line_value(l, "no-stack");
    return h;
}

static void read_shot(struct line *l)
{
    struct shot h = shot_of(l);
    uint64_t repeat = line_number(l, "repeat", 1);
    int64_t every = line_time(l, "every", 0);

    if (!h.ip == (h.user < 0 && h.kernel < 0))
        line_complain(l, "either stacks or no-stack:", l->words[1]);
    for (uint64_t i = 0; i < repeat; i++) {
        *VEC_ADD(&l->s->shots) = h;
        h.at += every;
        if (h.late != NEVER)
            h.late += every;
    }
}

static void read_idle(struct line *l)
{
    struct idle i = { .cpu = cpu_of(l, "cpu", 0),
                      .at = line_need_time(l, "at") };
    uint64_t repeat = line_number(l, "repeat", 1);
    int64_t every = line_time(l, "every", 0);

    for (uint64_t k = 0; k < repeat; k++) {
        *VEC_ADD(&l->s->idles) = i;
        i.at += every;
    }
}

static void read_lost(struct line *l)
{
    l->s->options.events_lost = (uint32_t)line_number(l, "events", 0);
    l->s->options.buffers_lost = (uint32_t)line_number(l, "buffers", 0);
}

static void read_evict(struct line *l)
{
    *VEC_ADD(&l->s->evictions) = line_need_time(l, "at");
}

static void read_option(struct line *l)
{
    const char *name = line_word(l, 1), *v = line_word(l, 2);

    if (!scenario_option(l->s, name, v))
        line_complain(l, "bad option", name);
}

static const struct statement {
    const char *name;
    void (*read)(struct line *l);
} statements[] = {
    { "option", read_option }, { "lost", read_lost },
    { "process", read_process }, { "thread", read_thread },
    { "image", read_image },   { "method", read_method },
    { "stack", read_stack },   { "sample", read_shot },
    { "fault", read_shot },    { "idle", read_idle },
    { "evict", read_evict }
};

void scenario_read_line(struct scenario *s, int number, const char *text,
                        size_t n)
{
    struct line l = { .s = s, .number = number };
    const struct statement *found = NULL;

    line_cut(&l, text, n);
    if (l.count == 0)
        return;
    l.used[0] = true;
    for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++)
        if (strcmp(statements[i].name, l.words[0]) == 0)
            found = &statements[i];
    if (!found) {
        line_complain(&l, "no such statement:", l.words[0]);
        return;
    }
    found->read(&l);
    for (int i = 0; i < l.count; i++)
        if (!l.used[i])
            line_complain(&l, "not understood:", l.words[i]);
}
