#include "engine/format/firefox/frames.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/bisect.h"
#include "engine/model/profile.h"

struct table_read table_of(struct json_value table, const char *by)
{
    struct json_value data = json_member(table, "data");
    struct table_read t = {.table = table};

    if (json_is_object(json_member(table, "schema")) && json_is_array(data)) {
        t.data = data;
        t.len = json_length(data);
    } else {
        t.len = json_length(json_member(table, by));
    }
    return t;
}

struct column_read column_of(const struct table_read *t, const char *name)
{
    struct json_value schema = json_member(t->table, "schema");
    struct column_read c = {0};

    if (!json_is_there(t->data)) {
        c.values = json_member(t->table, name);
        return c;
    }
    c.at = (size_t)json_get_number(schema, name, SIZE_MAX);
    if (c.at != SIZE_MAX)
        c.rows = t->data;
    return c;
}

bool table_has(const struct table_read *t, const char *column)
{
    struct column_read c = column_of(t, column);

    return json_is_there(json_is_there(t->data) ? c.rows : c.values);
}

struct json_value column_at(const struct column_read *c, size_t row)
{
    return json_is_there(c->rows)
               ? json_element(json_element(c->rows, row), c->at)
               : json_element(c->values, row);
}

uint64_t column_number(const struct column_read *c, size_t row, uint64_t none)
{
    return json_whole_of(column_at(c, row), none);
}

uint64_t table_number(const struct table_read *t, const char *column,
                      uint64_t row)
{
    struct column_read c = column_of(t, column);

    return column_number(&c, (size_t)row, UINT64_MAX);
}

/* The same for a column that counts only with a flag. */
static uint64_t table_flagged(const struct table_read *t, const char *column,
                              uint64_t row, uint64_t flag)
{
    uint64_t flags =
        table_has(t, "flags") ? table_number(t, "flags", row) : flag;

    return flags & flag ? table_number(t, column, row) : UINT64_MAX;
}

/* Bits of the columns `flags`. */
enum {
    FRAME_IS_INLINED = 1 << 0,
    FRAME_HAS_ADDRESS = 1 << 1, /* and the library it is in */
    FRAME_HAS_CATEGORY = 1 << 2,
    FRAME_HAS_LINE = 1 << 4,
    FUNC_HAS_RESOURCE = 1 << 2,
    FUNC_HAS_SOURCE = 1 << 3,
};

/* ---- tables ---- */

static struct json_value either(struct json_value a, struct json_value b,
                                const char *key)
{
    struct json_value own = json_member(a, key);

    return json_is_there(own) ? own : json_member(b, key);
}

static uint32_t text_string(struct firefox_frames *f, const char *text)
{
    return strings_add(f->p->strings, text, strlen(text));
}

static bool is_number(const char *name)
{
    return name[0] == '0' && name[1] == 'x' &&
           !name[2 + strspn(name + 2, "0123456789abcdefABCDEF")];
}

/* The text that a column's number stands for; NULL if there is none. */
static struct firefox_text *text_at(struct firefox_frames *f,
                                    const struct table_read *table,
                                    const char *column, uint64_t row)
{
    uint64_t i = table_number(table, column, row);
    struct firefox_text *known;
    const char *text;

    if (i >= json_length(f->tables.strings))
        return NULL;
    known = &f->texts[i];
    if (known->known)
        return known;
    text = json_text_of(json_element(f->tables.strings, (size_t)i));
    text = text ? text : "";
    *known = (struct firefox_text){
        .frame = named_frame_of(f->code, text, strlen(text)),
        .text = text_string(f, text),
        .is_number = is_number(text),
        .known = true,
    };
    return known;
}

/* Empty if there is none. */
static struct firefox_text text_of(struct firefox_frames *f,
                                   const struct table_read *table,
                                   const char *column, uint64_t row)
{
    const struct firefox_text *known = text_at(f, table, column, row);

    return known ? *known : (struct firefox_text){.text = 0};
}

/* ---- locations ---- */

/* The text without ":LINE" or ":LINE:COLUMN" at its end; its length if it has
 * neither. */
static size_t without_place(const char *text, size_t len)
{
    size_t end = len;

    for (int i = 0; i < 2; i++) {
        size_t at = end;

        while (at && text[at - 1] >= '0' && text[at - 1] <= '9')
            at--;
        if (at == end || at < 2 || text[at - 1] != ':')
            break;
        end = at - 1;
    }
    return end;
}

/* A script may be loaded by another, "loader.js -> b.js": the last one counts.
 */
static uint32_t script_file(struct firefox_frames *f, const char *text,
                            size_t len)
{
    const char *from;

    while ((from = memmem(text, len, " -> ", 4))) {
        len -= (size_t)(from - text) + 4;
        text = from + 4;
    }
    return strings_add(f->p->strings, text, len);
}

/* The length without "[5]" at the end, a row of the table of sources that
 * Gecko has from version 32 on. */
static size_t without_source(const char *text, size_t len, size_t *row)
{
    size_t at = len;

    *row = SIZE_MAX;
    if (!len || text[len - 1] != ']')
        return len;
    for (at--; at && text[at - 1] >= '0' && text[at - 1] <= '9';)
        at--;
    if (at + 1 == len || at < 2 || text[at - 1] != '[' || text[at - 2] != ')')
        return len;
    *row = (size_t)strtoull(text + at, NULL, 10);
    return at - 1;
}

static uint32_t source_file(struct firefox_frames *f, size_t row)
{
    struct table_read table =
        table_of(json_member(f->process, "sources"), "filename");
    struct column_read files = column_of(&table, "filename");
    const char *text = json_text_of(column_at(&files, row));

    return text_string(f, text ? text : "");
}

/* "run (https://a.org/b.js:12:3)", "run (in libxul.so)"; without a name the
 * script's own code: "https://a.org/b.js:12". The script's name may be in the
 * table of sources only: "run (:12:3)[5]". */
static struct named_frame frame_at(struct firefox_frames *f, const char *text)
{
    size_t row, len = without_source(text, strlen(text), &row);
    size_t begin = 0, end = len;
    const char *open = strstr(text, " (");
    struct named_frame frame;

    if (open && open > text && text[len - 1] == ')') {
        begin = (size_t)(open - text) + 2;
        end--;
    }
    if (begin && !strncmp(text + begin, "in ", 3)) {
        frame = named_frame_of(f->code, text, begin - 2);
        frame.module =
            strings_add(f->p->strings, text + begin + 3, end - begin - 3);
        return frame;
    }
    end = row != SIZE_MAX && begin && text[begin] == ':'
              ? begin
              : begin + without_place(text + begin, end - begin);
    if (text[end] != ':' || (!begin && !strstr(text, "://")))
        return named_frame_of(f->code, text, len);
    frame = named_frame_of(f->code, text, begin ? begin - 2 : end);
    frame.file = begin == end ? source_file(f, row)
                              : script_file(f, text + begin, end - begin);
    frame.kind = CODE_SCRIPT;
    if (!begin)
        frame.name = frame.file;
    if (!frame.module)
        frame.module = frame.file;
    return frame;
}

/* ---- libraries ---- */

/* Numbers of 4, 2 and 2 bytes and 8 bytes, as a PDB stores them. */
static bool set_guid(struct identity *id, const char *breakpad)
{
    static const uint8_t order[16] = {3, 2, 1,  0,  5,  4,  7,  6,
                                      8, 9, 10, 11, 12, 13, 14, 15};
    uint8_t guid[16];

    if (!hex_bytes(breakpad, sizeof(guid), guid))
        return false;
    for (size_t i = 0; i < sizeof(guid); i++)
        id->guid[i] = guid[order[i]];
    for (breakpad += 2 * sizeof(guid); hex_digit(*breakpad) >= 0; breakpad++)
        id->age = id->age << 4 | (uint32_t)hex_digit(*breakpad);
    return true;
}

static void set_identity(struct firefox_frames *f, struct module *m,
                         struct json_value lib)
{
    const char *code = json_get_text(lib, "codeId");
    const char *pdb = json_get_text(lib, "debugName");
    size_t n = strlen(pdb);
    struct identity *id = &m->identity;

    if (n > 4 && !strcmp(pdb + n - 4, ".pdb")) {
        if (set_guid(id, json_get_text(lib, "breakpadId")))
            id->pdb_name = text_string(f, pdb);
    } else {
        code_id_read(id, code, strlen(code));
    }
}

/* The module of a library; NO_ID: there is none of that number. */
static uint32_t library_module(struct firefox_frames *f, uint64_t i)
{
    struct json_value lib = json_element(f->libs, (size_t)i);
    const char *path = json_get_text(lib, "path");

    if (!json_is_there(lib))
        return NO_ID;
    if (f->libraries[i] == NO_ID) {
        f->libraries[i] = named_module(
            f->code, text_string(f, *path ? path : json_get_text(lib, "name")));
        set_identity(f, &f->p->modules.data[f->libraries[i]], lib);
    }
    return f->libraries[i];
}

/* Gecko's addresses are those in memory: its list of libraries says where
 * each was. */
static void locate(struct firefox_frames *f, uint64_t address,
                   struct firefox_frame *frame)
{
    const struct firefox_range *range;
    size_t i;

    BISECT(i, f->ranges.len, f->ranges.data[i].start <= address);
    range = i ? &f->ranges.data[i - 1] : NULL;
    if (!range || address >= range->end)
        return;
    frame->module = library_module(f, range->library);
    frame->address = address - range->start + range->offset;
}

/* Reads a frame's text of its own. */
static void read_location(struct firefox_frames *f, uint64_t row,
                          struct firefox_frame *frame)
{
    struct firefox_text *known = text_at(f, &f->tables.frames, "location", row);

    if (!known)
        return;
    if (!known->is_location) {
        known->location = frame_at(f, strings_get(f->p->strings, known->text));
        known->is_location = true;
    }
    frame->at = known->location;
    frame->unnamed = known->is_number;
    if (known->is_number)
        locate(f, strtoull(strings_get(f->p->strings, known->text), NULL, 16),
               frame);
}

/* ---- frames ---- */

static uint8_t category_kind(const struct firefox_frames *f, uint64_t category)
{
    static const struct {
        const char *name;
        uint8_t kind;
    } kinds[] = {{"JavaScript", CODE_SCRIPT}, {"Script", CODE_SCRIPT},
                 {"Kernel", CODE_KERNEL},     {"Managed", CODE_MANAGED},
                 {"Native", CODE_NATIVE},     {"User", CODE_NATIVE}};
    const char *name =
        json_get_text(json_element(f->categories, (size_t)category), "name");

    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (!strcmp(kinds[i].name, name))
            return kinds[i].kind;
    return CODE_UNKNOWN;
}

/* Versions before 70 have the library in the table of resources. */
static void read_function(struct firefox_frames *f, uint64_t function,
                          uint64_t row, struct firefox_frame *frame)
{
    const struct firefox_tables *t = &f->tables;
    struct firefox_text name = text_of(f, &t->functions, "name", function);
    uint64_t resource =
        table_flagged(&t->functions, "resource", function, FUNC_HAS_RESOURCE);
    uint64_t source =
        table_flagged(&t->functions, "source", function, FUNC_HAS_SOURCE);
    uint64_t lib =
        table_has(&t->frames, "lib")
            ? table_flagged(&t->frames, "lib", row, FRAME_HAS_ADDRESS)
            : table_number(&t->resources, "lib", resource);

    frame->at = name.frame;
    frame->at.file = source == UINT64_MAX
                         ? text_of(f, &t->functions, "fileName", function).text
                         : text_of(f, &t->sources, "filename", source).text;
    frame->unnamed = name.is_number;
    frame->module = library_module(f, lib);
    if (resource != UINT64_MAX)
        frame->at.module = text_of(f, &t->resources, "name", resource).text;
    if (frame->module != NO_ID &&
        (!frame->at.module ||
         f->p->modules.data[frame->module].name == frame->at.module))
        frame->at.module = f->p->modules.data[frame->module].path;
}

struct firefox_frame firefox_frame(struct firefox_frames *f, uint64_t row)
{
    const struct firefox_tables *t = &f->tables;
    struct firefox_frame frame = {.module = NO_ID};
    uint64_t function = table_number(&t->frames, "func", row);
    uint64_t line = table_flagged(&t->frames, "line", row, FRAME_HAS_LINE);
    uint64_t address =
        table_flagged(&t->frames, "address", row, FRAME_HAS_ADDRESS);
    uint64_t depth = table_number(&t->frames, "inlineDepth", row);
    uint8_t kind = category_kind(
        f, table_flagged(&t->frames, "category", row, FRAME_HAS_CATEGORY));

    if (function != UINT64_MAX) {
        read_function(f, function, row, &frame);
        frame.at.kind = kind;
    } else {
        read_location(f, row, &frame);
        if (frame.at.kind == CODE_UNKNOWN)
            frame.at.kind = kind;
    }
    frame.at.line = line < UINT32_MAX ? (uint32_t)line : 0;
    if (address != UINT64_MAX)
        frame.address = address;
    frame.inlined = depth != UINT64_MAX && depth > 0;
    if (table_has(&t->frames, "flags"))
        frame.inlined =
            table_number(&t->frames, "flags", row) & FRAME_IS_INLINED;
    return frame;
}

const char *firefox_missing_column(const struct firefox_frames *f)
{
    const struct firefox_tables *t = &f->tables;

    if (!table_has(&t->stacks, "frame"))
        return "stackTable has no column \"frame\"";
    if (!table_has(&t->stacks, "prefix") &&
        !table_has(&t->stacks, "prefixOffset"))
        return "stackTable has no column \"prefix\" or \"prefixOffset\"";
    if (table_has(&t->frames, "location"))
        return NULL;
    if (!table_has(&t->frames, "func"))
        return "frameTable has no column \"func\" or \"location\"";
    return table_has(&t->functions, "name")
               ? NULL
               : "funcTable has no column \"name\"";
}

/* ---- what they are of ---- */

static int by_start(const void *x, const void *y)
{
    const struct firefox_range *a = x, *b = y;

    return (a->start > b->start) - (a->start < b->start);
}

static void open_libraries(struct firefox_frames *f, struct json_value libs)
{
    size_t n = json_length(libs);

    f->ranges.len = 0;
    for (size_t i = 0; i < n; i++) {
        struct json_value lib = json_element(libs, i);
        struct firefox_range range = {
            .start = json_get_number(lib, "start", 0),
            .end = json_get_number(lib, "end", 0),
            .offset = json_get_number(lib, "offset", 0),
            .library = i,
        };

        if (range.start < range.end)
            *vec_add(&f->ranges) = range;
    }
    vec_sort(&f->ranges, by_start);

    f->libs = libs;
    free(f->libraries);
    f->libraries = mem_new(n, sizeof(*f->libraries));
    for (size_t i = 0; i < n; i++)
        f->libraries[i] = NO_ID;
}

void firefox_frames_of(struct firefox_frames *f, struct json_value process)
{
    f->process = process;
    f->categories = json_member(json_member(process, "meta"), "categories");
    open_libraries(f, json_member(process, "libs"));
}

/* Before version 41 every thread has its own list of libraries. */
void firefox_frames_in(struct firefox_frames *f, struct json_value thread)
{
    struct json_value libs = either(thread, f->process, "libs");
    struct json_value shared;
    struct firefox_tables *t;

    if (!json_is_same(libs, f->libs))
        open_libraries(f, libs);
    shared = json_member(f->process, "shared");
    t = &f->tables;
    t->strings = either(thread, shared, "stringTable");
    if (!json_is_array(t->strings))
        t->strings = either(thread, shared, "stringArray");
    t->stacks = table_of(either(thread, shared, "stackTable"), "frame");
    t->frames = table_of(either(thread, shared, "frameTable"), "func");
    t->functions = table_of(either(thread, shared, "funcTable"), "name");
    t->resources = table_of(either(thread, shared, "resourceTable"), "name");
    t->sources = table_of(either(thread, shared, "sources"), "filename");
    if (f->texts && json_is_same(f->shared_strings, t->strings))
        return; /* those of a table that all threads share are kept */
    free(f->texts);
    f->texts = mem_new(json_length(t->strings), sizeof(*f->texts));
    f->shared_strings = t->strings;
}

void firefox_frames_release(struct firefox_frames *f)
{
    free(f->texts);
    free(f->libraries);
    vec_release(&f->ranges);
}
