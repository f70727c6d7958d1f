/*
 * Tables of samples that `xctrace export` writes from a recording of
 * Instruments, as XML. format.md tells what is in them.
 */
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/attribution/named_code.h"
#include "engine/base/budget.h"
#include "engine/base/text_line.h"
#include "engine/format/named.h"
#include "engine/model/profile.h"

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

/* Elements of real tables nest 6 deep. expat keeps memory for each open one. */
enum { DEEPEST = 32 };

/* The elements that are read, by name. */
enum part {
    OTHER,
    SCHEMA,
    NODE,
    ROW,
    TIME,
    THREAD,
    TID,
    PROCESS,
    PID,
    STATE,
    WEIGHT,
    STACK,
    FRAME,
    BINARY,
    SOURCE,
    PATH,
    PARTS
};

static const struct {
    const char *name;
    enum part part;
} elements[] = {
    {"frame", FRAME},
    {"binary", BINARY},
    {"row", ROW},
    {"sample-time", TIME},
    {"thread", THREAD},
    {"tid", TID},
    {"process", PROCESS},
    {"pid", PID},
    {"thread-state", STATE},
    {"weight", WEIGHT},
    {"cycle-weight", WEIGHT},
    {"pmc-event", WEIGHT},
    {"backtrace", STACK},
    {"tagged-backtrace", STACK},
    {"source", SOURCE},
    {"path", PATH},
    {"node", NODE},
    {"schema", SCHEMA},
};

/* The tables that are read, by the name of their schema. */
static const struct table {
    const char *schema, *metric, *unit;
} tables[] = {
    {"time-profile", "cpu-time", "nanoseconds"},
    {"cpu-profile", "period:cycles", "cycles"},
    {"counters-profile", "pmc", "events"},
};

/* The value of an element. Unused members are 0. */
struct value {
    uint64_t number; /* text; load address; line; thread: pid and tid */
    uint32_t name;   /* string: of a thread, process, file */
    uint32_t other;  /* location, stack; thread: its process's name */
};

struct element {
    enum part part;
    uint64_t id; /* 0: none */
    struct value value;
};

struct xctrace {
    struct profile *p;
    struct named_code code;
    XML_Parser parser;
    const char *wanted;        /* by --event; NULL: the first that is known */
    const struct table *table; /* the one that is read; NULL: none yet */
    struct out *others;        /* known tables that are not read */
    bool noted[COUNT(tables)]; /* of these */
    char unknown[64];          /* the first schema that is not known */
    bool reading;              /* the node at hand is of that table */
    struct element open[DEEPEST];
    size_t depth;
    VEC(char) text;           /* of the innermost element */
    struct map ids;           /* (id, part) to its value */
    VEC(struct value) values; /* of elements with an id */
    VEC(uint32_t) stack;      /* locations, innermost first */
    /* The last value of each part in the row or element at hand, which is made
     * of them when it ends. */
    struct value last[PARTS];
    uint64_t samples;
};

/* ---- values of elements ---- */

static uint64_t number_of(const char *text, size_t size)
{
    struct text_line l = {text, text + size};
    uint64_t n = 0;

    line_skip_blanks(&l);
    return line_number(&l, &n) ? n : 0;
}

static const char *xml_attribute(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (!strcmp(attributes[0], name))
            return attributes[1];
    return NULL;
}

static uint64_t xml_number(const char **attributes, const char *name)
{
    const char *text = xml_attribute(attributes, name);

    return text ? number_of(text, strlen(text)) : 0;
}

static uint32_t add_text(struct xctrace *f, const char *text)
{
    return text ? strings_add(f->p->strings, text, strlen(text)) : 0;
}

/* "java (23369)" without the id. */
static uint32_t process_name(struct xctrace *f, const char *format)
{
    const char *id = format ? strrchr(format, '(') : NULL;

    if (!id || id == format || id[-1] != ' ')
        return add_text(f, format);
    return strings_add(f->p->strings, format, (size_t)(id - 1 - format));
}

/* "Main Thread  0xe7716 (java, pid: 23369)" up to the id, which newer versions
 * put into brackets. */
static uint32_t thread_name(struct xctrace *f, const struct value *thread)
{
    const char *text = strings_get(f->p->strings, thread->name), *end;
    char id[24];

    snprintf(id, sizeof(id), "0x%x", (uint32_t)thread->number);
    end = strstr(text, id);
    if (!end)
        return thread->name;
    while (end > text && (end[-1] == ' ' || end[-1] == '('))
        end--;
    return strings_add(f->p->strings, text, (size_t)(end - text));
}

/* The UUID is the build ID, without its hyphens. */
static void read_module(struct xctrace *f, uint32_t path, const char *uuid)
{
    char digits[CODE_ID_SIZE];
    uint32_t id = path ? named_module(&f->code, path) : NO_ID;
    size_t n = 0;

    if (id == NO_ID)
        return;
    for (; uuid && *uuid && n < sizeof(digits); uuid++)
        if (*uuid != '-')
            digits[n++] = *uuid;
    f->p->modules.data[id].by_file_offset =
        *strings_get(f->p->strings, path) == '/';
    code_id_read(&f->p->modules.data[id].identity, digits, n);
}

/* Instruments names code without a symbol by its address. The upper half of
 * the address space is the kernel's. */
static uint32_t location_of(struct xctrace *f, const struct value *frame)
{
    const struct value *binary = &f->last[BINARY], *source = &f->last[SOURCE];
    uint64_t address = frame->number;
    uint32_t module =
        binary->name ? named_module(&f->code, binary->name) : NO_ID;
    struct named_frame named = {
        .name = frame->name,
        .module = binary->name,
        .file = source->name,
        .line = source->number < UINT32_MAX ? (uint32_t)source->number : 0,
        .kind = address >> 63 ? CODE_KERNEL : CODE_UNKNOWN};
    bool unnamed = !strncmp(strings_get(f->p->strings, frame->name), "0x", 2);

    if (address >= binary->number)
        address -= binary->number;
    return named_location_at(&f->code, module, address, unnamed ? NULL : &named,
                             !unnamed);
}

/* ---- tables and rows ---- */

/* The node holds the table of this schema. A file may have several of one. */
static void begin_table(struct xctrace *f, const char *schema)
{
    const struct table *table = NULL;

    for (size_t i = 0; schema && i < COUNT(tables); i++)
        if (!strcmp(schema, tables[i].schema))
            table = &tables[i];
    if (!table) {
        if (schema && !*f->unknown)
            snprintf(f->unknown, sizeof(f->unknown), "%s", schema);
        return;
    }
    if (!f->table && (!f->wanted || !strcmp(schema, f->wanted))) {
        f->table = table;
        profile_set_metric_word(f->p, table->metric);
        profile_set_unit(f->p, table->unit, 0);
        profile_fact(f->p, "table of Instruments", "%s", table->schema);
    }
    f->reading = table == f->table;
    if (!f->reading && !f->noted[table - tables])
        out_also(f->others, table->schema, 0);
    f->noted[table - tables] = true;
}

static void finish_row(struct xctrace *f)
{
    const struct value *v = f->last;
    const struct value *thread = &v[THREAD], *process = &v[PROCESS];
    struct named_thread_ids ids = {.pid = (uint32_t)(thread->number >> 32),
                                   .tid = (uint32_t)thread->number,
                                   .process = thread->other,
                                   .thread = thread->name};
    int64_t time = v[TIME].number < INT64_MAX ? (int64_t)v[TIME].number : 0;

    if (!f->reading)
        return;
    if (ids.pid == NO_PID) {
        ids.pid = (uint32_t)process->number;
        ids.process = process->name;
    }
    if (time > f->p->trace.duration_ns)
        f->p->trace.duration_ns = time;
    named_sample(&f->code, &(struct named_sample){
                               .time = time,
                               .thread = named_thread_of(&f->code, &ids),
                               .stack = v[STACK].other,
                               .weight = v[WEIGHT].number,
                               .idle = v[STATE].number != 0});
    f->samples++;
    if (!v[WEIGHT].number)
        f->p->quality.malformed++;
    if (f->code.full)
        XML_StopParser(f->parser, XML_FALSE);
}

/* ---- elements ---- */

/* Forgets the values of parts that an element before this one had. */
static void begin_value(struct xctrace *f, struct element *e,
                        const char **attributes)
{
    static const struct value none, no_id = {.number = NO_PID};
    struct value *last = f->last;

    switch (e->part) {
    case SCHEMA:
        begin_table(f, xml_attribute(attributes, "name"));
        break;
    case ROW:
        memset(last, 0, sizeof(f->last));
        last[PROCESS] = no_id;
        last[THREAD].number = UINT64_MAX;
        break;
    case PROCESS:
        last[PID] = no_id;
        e->value.name = process_name(f, xml_attribute(attributes, "fmt"));
        break;
    case THREAD:
        last[TID] = last[PROCESS] = no_id;
        e->value.name = add_text(f, xml_attribute(attributes, "fmt"));
        break;
    case STACK:
        last[STACK] = none;
        f->stack.len = 0;
        break;
    case FRAME:
        last[BINARY] = last[SOURCE] = none;
        e->value.name = add_text(f, xml_attribute(attributes, "name"));
        e->value.number = xml_number(attributes, "addr");
        break;
    case BINARY:
        e->value.name = add_text(f, xml_attribute(attributes, "path"));
        if (!e->value.name)
            e->value.name = add_text(f, xml_attribute(attributes, "name"));
        e->value.number = xml_number(attributes, "load-addr");
        read_module(f, e->value.name, xml_attribute(attributes, "UUID"));
        break;
    case SOURCE:
        last[PATH] = none;
        e->value.number = xml_number(attributes, "line");
        break;
    default:
        break;
    }
}

static void finish_value(struct xctrace *f, struct element *e)
{
    const char *text = f->text.data ? f->text.data : ""; /* none so far */
    size_t size = f->text.len;
    struct value *v = &e->value;

    switch (e->part) {
    case NODE:
        f->reading = false;
        break;
    case ROW:
        finish_row(f);
        break;
    case TIME:
    case TID:
    case PID:
    case WEIGHT:
        v->number = number_of(text, size);
        break;
    case STATE: /* threads that wait are sampled on request */
        v->number = size != 7 || memcmp(text, "Running", 7) != 0;
        break;
    case PATH:
        v->name = strings_add(f->p->strings, text, size);
        break;
    case PROCESS:
        v->number = named_id(f->last[PID].number);
        break;
    case THREAD:
        v->number =
            f->last[PROCESS].number << 32 | named_id(f->last[TID].number);
        v->other = f->last[PROCESS].name;
        v->name = thread_name(f, v);
        break;
    case FRAME:
        v->other = location_of(f, v);
        break;
    case STACK: /* a tagged one may hold a plain one */
        v->other =
            f->stack.len
                ? named_stack_of(&f->code, f->stack.data, f->stack.len).whole
                : f->last[STACK].other;
        f->stack.len = 0;
        break;
    case SOURCE:
        v->name = f->last[PATH].name;
        break;
    default:
        break;
    }
}

static void take_value(struct xctrace *f, enum part part, const struct value *v)
{
    f->last[part] = *v;
    if (part == FRAME)
        *vec_add(&f->stack) = v->other;
}

static void take_reference(struct xctrace *f, enum part part, uint64_t id)
{
    uint32_t at = map_get(&f->ids, id, part);

    if (at == MAP_NONE)
        f->p->quality.malformed++;
    else
        take_value(f, part, &f->values.data[at]);
}

static void XMLCALL start_element(void *context, const char *name,
                                  const char **attributes)
{
    struct xctrace *f = context;
    struct element *e = &f->open[f->depth];

    if (f->depth == DEEPEST) {
        XML_StopParser(f->parser, XML_FALSE);
        return;
    }
    f->depth++;
    f->text.len = 0;
    *e = (struct element){.id = xml_number(attributes, "id")};
    for (size_t i = 0; i < COUNT(elements); i++)
        if (!strcmp(name, elements[i].name))
            e->part = elements[i].part;
    if (e->part && xml_attribute(attributes, "ref")) {
        take_reference(f, e->part, xml_number(attributes, "ref"));
        e->part = OTHER;
    }
    begin_value(f, e, attributes);
}

static void XMLCALL end_element(void *context, const char *name)
{
    struct xctrace *f = context;
    struct element *e = &f->open[--f->depth];
    uint32_t at = mem_next_id(f->values.len);

    (void)name;
    finish_value(f, e);
    f->text.len = 0;
    if (!e->part)
        return;
    take_value(f, e->part, &e->value);
    if (!e->id)
        return;
    map_set(&f->ids, e->id, e->part, at);
    *vec_add(&f->values) = e->value;
}

static void XMLCALL take_text(void *context, const char *text, int size)
{
    struct xctrace *f = context;

    for (int i = 0; i < size && f->depth && f->open[f->depth - 1].part; i++)
        *vec_add(&f->text) = text[i];
}

/* Without a document type there are no entities to multiply or to fetch. */
static void XMLCALL refuse_doctype(void *context, const char *name,
                                   const char *system_id, const char *public_id,
                                   int internal)
{
    struct xctrace *f = context;

    (void)name, (void)system_id, (void)public_id, (void)internal;
    XML_StopParser(f->parser, XML_FALSE);
}

/* ---- memory of expat, which keeps every name ---- */

/* Its functions for memory have no context: the budget of the file that this
 * thread reads. */
static _Thread_local struct budget xml_memory;

static void *xml_malloc(size_t n)
{
    return budget_take(&xml_memory, n) ? malloc(n) : NULL;
}

static void *xml_realloc(void *old, size_t n)
{
    return budget_take(&xml_memory, n) ? realloc(old, n) : NULL;
}

/* ---- the file ---- */

/* True if all of the file was read, or as much as a profile may cost. */
static bool parse(struct xctrace *f, const struct entry *e)
{
    /* expat copies each piece, and begins anew with a long word or tag that
     * does not end in it. It takes the size as an int. */
    enum { PIECES = 8, LEAST = 1 << 20, MOST = 1 << 30 };
    enum XML_Status status = XML_STATUS_OK;
    size_t size, piece = e->size / PIECES;

    piece = piece < LEAST ? LEAST : piece < MOST ? piece : MOST;
    XML_SetUserData(f->parser, f);
    XML_SetElementHandler(f->parser, start_element, end_element);
    XML_SetCharacterDataHandler(f->parser, take_text);
    XML_SetStartDoctypeDeclHandler(f->parser, refuse_doctype);
    for (size_t at = 0; status == XML_STATUS_OK && at < e->size; at += size) {
        size = e->size - at < piece ? e->size - at : piece;
        status = XML_Parse(f->parser, (const char *)e->data + at, (int)size,
                           at + size == e->size);
    }
    if (XML_GetErrorCode(f->parser) == XML_ERROR_NO_MEMORY && !xml_memory.cut)
        mem_exhausted(e->size);
    return status == XML_STATUS_OK || f->code.full;
}

/* Damage behind samples is noted, and they are kept. */
static enum err_code judge(struct xctrace *f, const struct entry *e, bool whole,
                           struct err *err)
{
    int64_t index = XML_GetCurrentByteIndex(f->parser);
    uint64_t at = index < 0 ? e->size : (uint64_t)index;
    const char *cause = xml_memory.cut
                            ? "more names than a file of its size may have"
                        : at < e->size ? "damaged XML"
                                       : "its end is missing";

    if (f->samples && !whole)
        profile_skip(f->p, e->name, at, e->size - at, cause);
    if (f->table && (whole || f->samples))
        return ERR_NONE;
    if (!whole)
        return err_set(err, ERR_CORRUPT, "%s: damaged XML at offset %llu",
                       e->name, (unsigned long long)at);
    if (f->wanted)
        return err_set(err, ERR_USAGE,
                       "%s: has no table \"%s\"; topfn reads time-profile, "
                       "cpu-profile and counters-profile",
                       e->name, f->wanted);
    if (*f->unknown)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s: a table \"%s\" of Instruments, which is not read; "
                       "export \"time-profile\", \"cpu-profile\" or "
                       "\"counters-profile\"",
                       e->name, f->unknown);
    return err_set(err, ERR_UNSUPPORTED,
                   "%s: has no table: the --xpath of 'xctrace export' found "
                   "none",
                   e->name);
}

static enum err_code xctrace_read(const struct entry *e, size_t count,
                                  const struct read_options *options,
                                  struct observations *seen, struct err *err)
{
    struct xctrace f = {.p = seen->profile,
                        .code = named_code_from(seen->profile, e),
                        .wanted = options->event};
    static const XML_Memory_Handling_Suite memory = {xml_malloc, xml_realloc,
                                                     free};
    enum err_code code;

    (void)count;
    xml_memory = budget_of(e->size, 2, 16 << 20);
    f.parser = XML_ParserCreate_MM(NULL, &memory, NULL);
    if (!f.parser)
        mem_exhausted(1);
    f.others = out_memory();
    code = judge(&f, e, parse(&f, e), err);
    profile_also_recorded(f.p, f.others);
    profile_count_event(f.p, "sample", f.samples);
    named_code_end(&f.code, "losses");
    XML_ParserFree(f.parser);
    out_close(f.others, NULL);
    map_release(&f.ids);
    vec_release(&f.values);
    vec_release(&f.stack);
    vec_release(&f.text);
    return code;
}

static enum format_probe xctrace_probe(const uint8_t *data, size_t size)
{
    static const char root[] = "<trace-query-result";
    enum { NEAR = 4096 };

    return size && *data == '<' &&
                   memmem(data, size < NEAR ? size : NEAR, root,
                          sizeof(root) - 1)
               ? PROBE_YES
               : PROBE_NO;
}

const struct trace_format xctrace_format = {
    .name = "xctrace",
    .summary = "table of Instruments",
    .how_to_record =
        "xctrace record --template 'Time Profiler', then xctrace export "
        "--xpath '//table[@schema=\"time-profile\"]'",
    .named = true,
    .chooses_events = true,
    .alone = true,
    .probe = xctrace_probe,
    .read = xctrace_read,
};
