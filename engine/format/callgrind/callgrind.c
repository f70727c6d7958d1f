/*
 * Profiles of Valgrind's callgrind and cachegrind, and of programs that write
 * the same text (Xdebug, KCachegrind's converters). format.md tells the lines,
 * call_graph.h what becomes of calls.
 */
#include <string.h>

#include "engine/attribution/named_code.h"
#include "engine/base/text.h"
#include "engine/base/text_line.h"
#include "engine/format/callgrind/call_graph.h"
#include "engine/format/named.h"
#include "engine/model/profile.h"

/* Functions, files and objects have numbers of their own each. */
enum name_kind { NAME_FUNCTION, NAME_FILE, NAME_OBJECT, NAME_KINDS };

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

enum { COLUMNS_MOST = 2, LOOKED_AT = 64 * 1024 };

struct callgrind {
    struct profile *p;
    struct named_code code;
    struct call_graph graph; /* of the part that is read */
    struct graph_flaws flaws;
    struct map functions;         /* of the part: (object and file, name) */
    struct map names[NAME_KINDS]; /* (number): a string */
    const char *wanted;           /* the event; NULL: the first */
    uint32_t event;               /* its name, a string; 0: none stated yet */
    uint64_t factor;              /* what its costs are multiplied by */
    size_t event_column; /* which of the costs it is; NO_ID: not in this part */
    size_t columns;      /* of a position */
    size_t line_column;  /* NO_ID: positions have no lines */
    uint64_t position[COLUMNS_MOST], cost; /* of the line before */
    uint32_t object, file, function;       /* the current ones */
    uint32_t called_object, called_file;   /* NO_ID: as the caller's */
    uint32_t called;                       /* a function; NO_ID: none */
    bool calls; /* the next line has the cost of calls */
    bool has_calls;
    uint32_t command; /* a string: the program's name */
    uint32_t pid, tid;
    uint64_t stated, own; /* sums of all parts: as stated, and of lines */
    bool states;          /* each part so far stated one */
    uint64_t lines;       /* with costs */
};

/* ---- names and numbers ---- */

/* "12", "+3" and "-3" from the last one, "*" for the same. */
static bool take_relative(struct text_line *l, uint64_t *last)
{
    bool more = line_take(l, "+"), less = !more && line_take(l, "-");
    uint64_t n = 0;

    if (!more && !less && line_take(l, "*"))
        return true;
    if (!line_number(l, &n))
        return false;
    *last = more ? *last + n : less ? *last - n : n;
    return true;
}

static uint32_t string_of(struct callgrind *f, struct text_line text)
{
    if (text.end - text.at == 3 && !memcmp(text.at, "???", 3))
        return 0;
    return strings_add(f->p->strings, text.at, (size_t)(text.end - text.at));
}

/* "(1) main" gives the name a number, "(1)" is that name from then on. */
static uint32_t take_name(struct callgrind *f, struct text_line l,
                          enum name_kind kind)
{
    struct text_line whole = l;
    uint32_t known;
    uint64_t n;

    if (!line_take(&l, "(") || !line_number(&l, &n) || !line_take(&l, ")"))
        return string_of(f, whole);
    line_skip_blanks(&l);
    if (l.at < l.end)
        map_set(&f->names[kind], n, 0, string_of(f, l));
    known = map_get(&f->names[kind], n, 0);
    if (known == MAP_NONE) {
        f->p->quality.malformed++;
        return 0;
    }
    return known;
}

static uint32_t function_of(struct callgrind *f, uint32_t name, uint32_t object,
                            uint32_t file)
{
    uint32_t fresh = mem_next_id(f->graph.functions.len);
    uint32_t id =
        map_add(&f->functions, (uint64_t)object << 32 | file, name, fresh);

    if (id == fresh)
        *vec_add(&f->graph.functions) =
            (struct named_frame){.name = name, .module = object, .file = file};
    return id;
}

/* Takes a line that names something. False: it is none. */
static bool take_name_line(struct callgrind *f, struct text_line l)
{
    if (line_take(&l, "fn=")) {
        f->function =
            function_of(f, take_name(f, l, NAME_FUNCTION), f->object, f->file);
    } else if (line_take(&l, "fl=") || line_take(&l, "fi=") ||
               line_take(&l, "fe=")) {
        f->file = take_name(f, l, NAME_FILE);
    } else if (line_take(&l, "ob=")) {
        f->object = take_name(f, l, NAME_OBJECT);
    } else if (line_take(&l, "cfn=")) {
        f->called = function_of(
            f, take_name(f, l, NAME_FUNCTION),
            f->called_object == NO_ID ? f->object : f->called_object,
            f->called_file == NO_ID ? f->file : f->called_file);
    } else if (line_take(&l, "cfl=") || line_take(&l, "cfi=")) {
        f->called_file = take_name(f, l, NAME_FILE);
    } else if (line_take(&l, "cob=")) {
        f->called_object = take_name(f, l, NAME_OBJECT);
    } else {
        return line_take(&l, "jfi=") || line_take(&l, "jfn=") ||
               line_take(&l, "jump=") || line_take(&l, "jcnd=");
    }
    return true;
}

/* ---- costs ---- */

static void add_cost(struct callgrind *f, uint64_t cost)
{
    uint64_t line = f->line_column == NO_ID ? 0 : f->position[f->line_column];
    struct line_cost c = {
        .function = f->function,
        .callee = f->calls ? f->called : NO_ID,
        .file = line ? f->file : f->graph.functions.data[f->function].file,
        .line = line < UINT32_MAX ? (uint32_t)line : 0,
        .cost = cost};
    struct line_cost *last = f->graph.costs.len
                                 ? &f->graph.costs.data[f->graph.costs.len - 1]
                                 : NULL;

    if (!f->calls && __builtin_add_overflow(f->own, cost, &f->own))
        f->own = UINT64_MAX;
    /* Instructions of one line follow each other. */
    if (last && last->function == c.function && last->callee == c.callee &&
        last->file == c.file && last->line == c.line &&
        !__builtin_add_overflow(last->cost, cost, &last->cost))
        return;
    if (cost || c.callee != NO_ID)
        *vec_add(&f->graph.costs) = c;
}

/* A position, and a cost for each event; those at the end may be missing. */
static bool take_cost_line(struct callgrind *f, struct text_line l)
{
    uint64_t cost = 0, n;

    for (size_t i = 0; i < f->columns; i++) {
        if (!take_relative(&l, &f->position[i]))
            return false;
        line_skip_blanks(&l);
    }
    for (size_t i = 0; l.at < l.end; i++) {
        n = f->cost;
        if (!take_relative(&l, &n))
            return false;
        line_skip_blanks(&l);
        if (i == f->event_column)
            cost = f->cost = n;
    }
    if (__builtin_mul_overflow(cost, f->factor, &cost))
        return false;
    if (f->function == NO_ID || (f->calls && f->called == NO_ID))
        f->p->quality.malformed++;
    else
        add_cost(f, cost);
    if (f->calls) {
        f->calls = false;
        f->called = f->called_file = f->called_object = NO_ID;
    }
    f->lines++;
    return true;
}

/* ---- parts ---- */

/* Turns what was read of a part into samples. */
static void finish_part(struct callgrind *f, uint64_t size)
{
    uint32_t thread;

    if (f->graph.costs.len) {
        thread = named_thread(
            &f->code, named_process(&f->code, f->pid, f->command), f->tid, 0);
        call_graph_stacks(&f->graph, &f->code, thread, size, &f->flaws);
    }
    f->graph.functions.len = f->graph.costs.len = 0;
    map_release(&f->functions);
    f->function = f->called = f->called_file = f->called_object = NO_ID;
    f->calls = false;
    f->object = f->file = 0;
}

/* "Time_(10ns)", as Xdebug writes it, counts 10 nanoseconds each. */
static void set_event(struct callgrind *f, const char *name)
{
    static const char *const units[][2] = {
        {"Ir", "instructions"}, {"Dr", "reads"}, {"Dw", "writes"}};
    const char *open = strstr(name, "_("), *unit = name;
    struct text_line l;
    char *inner = NULL, *word = NULL;

    for (size_t i = 0; i < COUNT(units); i++)
        if (!strcmp(name, units[i][0]))
            unit = units[i][1];
    if (open && text_ends(name, ")")) {
        word = text_copy(name, (size_t)(open - name));
        inner = text_copy(open + 2, strlen(open + 2) - 1);
        l = (struct text_line){inner, inner + strlen(inner)};
        if (!line_number(&l, &f->factor) || !f->factor) {
            l.at = inner;
            f->factor = 1;
        }
        if (l.at < l.end)
            unit = l.at;
    }
    profile_set_metric_word(f->p, word ? word : name);
    if (strcmp(unit, "samples") != 0)
        profile_set_unit(f->p, unit, 0);
    free(word);
    free(inner);
}

/* The events of a part, of which one is read. */
static void take_events(struct callgrind *f, struct text_line l)
{
    bool first = !f->event;
    struct out *others = out_memory();

    f->event_column = NO_ID;
    for (size_t i = 0;; i++) {
        struct text_line word = line_word(&l);
        uint32_t name = string_of(f, word);
        const char *text = strings_get(f->p->strings, name);

        if (word.at == word.end)
            break;
        if (!f->event && (!f->wanted || !strcmp(text, f->wanted)))
            f->event = name;
        if (name == f->event && f->event_column == NO_ID)
            f->event_column = i;
        else
            out_also(others, text, 0);
    }
    if (first && f->event) {
        set_event(f, strings_get(f->p->strings, f->event));
        profile_also_recorded(f->p, others);
    }
    out_close(others, NULL);
}

static void take_positions(struct callgrind *f, struct text_line l)
{
    f->columns = 0;
    f->line_column = NO_ID;
    while (f->columns < COLUMNS_MOST) {
        struct text_line word = line_word(&l);

        if (word.at == word.end)
            break;
        if (line_take(&word, "line"))
            f->line_column = f->columns;
        f->columns++;
    }
}

/* The program of a command line, without its folder. */
static void take_command(struct callgrind *f, struct text_line l)
{
    struct text_line word = line_word(&l);

    for (const char *c = word.at; c < word.end; c++)
        if (*c == '/' && c + 1 < word.end)
            word.at = c + 1;
    f->command = string_of(f, word);
}

static uint32_t small_number(struct text_line l, uint32_t otherwise)
{
    uint64_t n;

    line_skip_blanks(&l);
    return line_number(&l, &n) && n < NO_PID ? (uint32_t)n : otherwise;
}

/* The total of a part that its lines have to add up to. */
static void take_total(struct callgrind *f, struct text_line l)
{
    uint64_t n = 0;

    for (size_t i = 0; i <= f->event_column; i++) {
        line_skip_blanks(&l);
        if (!line_number(&l, &n)) {
            if (!i)
                return;
            n = 0;
            break;
        }
    }
    f->states = true;
    if (f->event_column == NO_ID || __builtin_mul_overflow(n, f->factor, &n) ||
        __builtin_add_overflow(f->stated, n, &f->stated))
        f->states = false;
}

/* Takes a line of a head. False: it is none. A new part begins with "part:",
 * or with the events of one that has no number. */
static bool take_head_line(struct callgrind *f, struct text_line l,
                           uint64_t size)
{
    static const char *const others[] = {
        "version:", "desc:", "event:", "summary:", "#"};

    if (line_take(&l, "events:")) {
        if (f->graph.costs.len)
            finish_part(f, size);
        take_events(f, l);
    } else if (line_take(&l, "part:")) {
        finish_part(f, size);
        f->tid = 0;
    } else if (line_take(&l, "thread:")) {
        f->tid = small_number(l, 0);
    } else if (line_take(&l, "pid:")) {
        f->pid = small_number(l, NO_PID);
    } else if (line_take(&l, "cmd:")) {
        take_command(f, l);
    } else if (line_take(&l, "positions:")) {
        take_positions(f, l);
    } else if (line_take(&l, "totals:")) {
        take_total(f, l);
    } else if (line_take(&l, "creator:")) {
        line_skip_blanks(&l);
        profile_fact(f->p, "recorder", "%.*s",
                     l.end - l.at < 80 ? (int)(l.end - l.at) : 80, l.at);
    } else {
        for (size_t i = 0; i < COUNT(others); i++)
            if (line_take(&l, others[i]))
                return true;
        return false;
    }
    return true;
}

/* ---- the file ---- */

static void read_lines(struct callgrind *f, const struct entry *e)
{
    const char *start = (const char *)e->data, *end = start + e->size;
    const char *at = start;

    while (at < end && !f->code.full) {
        const char *line = at;
        struct text_line l = line_next(&at, end);

        if (l.at == l.end)
            continue;
        if (strchr("0123456789+-*", *l.at) && *l.at) {
            if (take_cost_line(f, l))
                continue;
        } else if (line_take(&l, "calls=")) {
            f->calls = f->has_calls = true;
            continue;
        } else if (take_name_line(f, l) || take_head_line(f, l, e->size)) {
            continue;
        }
        profile_skip(f->p, e->name, (uint64_t)(line - start),
                     (uint64_t)(at - line), "not a line of callgrind");
    }
    finish_part(f, e->size);
}

/* Says in which ways the samples differ from the file. */
static void say_flaws(struct callgrind *f)
{
    const struct graph_flaws *flaws = &f->flaws;

    if (f->has_calls)
        profile_warn(f->p,
                     "callgrind counts calls, not stacks: costs of functions, "
                     "lines and calls are exact, longer stacks are estimated");
    else
        profile_warn(f->p, "the file has no calls: inclusive costs are those "
                           "of the functions alone");
    if (flaws->circles)
        profile_warn(f->p, "inclusive costs of functions that call each other "
                           "in a circle are estimated, too");
    if (flaws->lowered || flaws->overflow)
        profile_warn(f->p, "some calls cost more than what they called: "
                           "inclusive costs leave the difference out");
    if (flaws->lone)
        profile_warn(f->p, "too many stacks: some costs have no callers");
    if (f->states && f->stated != f->own)
        profile_warn(f->p,
                     "the file states a total of %llu, its lines add up to "
                     "%llu",
                     (unsigned long long)f->stated, (unsigned long long)f->own);
}

static enum err_code callgrind_read(const struct entry *e, size_t count,
                                    const struct read_options *options,
                                    struct observations *seen, struct err *err)
{
    struct profile *p = seen->profile;
    struct callgrind f = {.p = p,
                          .code = named_code_from(p, e),
                          .wanted = options->event,
                          .factor = 1,
                          .event_column = NO_ID,
                          .columns = 1,
                          .pid = NO_PID,
                          .function = NO_ID,
                          .called = NO_ID,
                          .called_file = NO_ID,
                          .called_object = NO_ID};
    enum err_code code = ERR_NONE;

    (void)count;
    read_lines(&f, e);
    profile_count_event(p, "cost line", f.lines);
    if (!f.event && f.wanted)
        code =
            err_set(err, ERR_USAGE, "%s: no event \"%s\"; topfn info lists all",
                    e->name, f.wanted);
    else if (!f.event)
        code = err_set(err, ERR_CORRUPT, "%s: no event is stated", e->name);
    else
        say_flaws(&f);
    named_code_end(&f.code, "times, addresses, losses");
    call_graph_release(&f.graph);
    map_release(&f.functions);
    for (size_t i = 0; i < NAME_KINDS; i++)
        map_release(&f.names[i]);
    return code;
}

/* A head that states events, and behind it a line that names a function, a file
 * or an object. */
static enum format_probe callgrind_probe(const uint8_t *data, size_t size)
{
    static const char *const heads[] = {
        "#",     "version:", "creator:",   "pid:",     "cmd:",   "part:",
        "desc:", "thread:",  "positions:", "summary:", "event:", "totals:"};
    static const char *const names[] = {"fl=", "fn=", "ob="};
    const char *at = (const char *)data;
    const char *end = at + (size < LOOKED_AT ? size : LOOKED_AT);
    bool events = false;

    while (at < end) {
        struct text_line l = line_next(&at, end);
        bool head = l.at == l.end;

        if (line_take(&l, "events:"))
            events = head = true;
        for (size_t i = 0; !head && i < COUNT(heads); i++)
            head = line_take(&l, heads[i]);
        if (head)
            continue;
        for (size_t i = 0; events && i < COUNT(names); i++)
            if (line_take(&l, names[i]))
                return PROBE_YES;
        return PROBE_NO;
    }
    return PROBE_NO;
}

const struct trace_format callgrind_format = {
    .name = "callgrind",
    .summary = "callgrind or cachegrind profile",
    .named = true,
    .chooses_events = true,
    .alone = true,
    .probe = callgrind_probe,
    .read = callgrind_read,
};
