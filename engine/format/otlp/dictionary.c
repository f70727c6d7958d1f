#include "engine/format/otlp/dictionary.h"

#include <string.h>

#include "engine/base/text.h"
#include "engine/model/profile.h"

enum { MOST_INLINED = 64 };

enum dictionary_field {
    MAPPING_TABLE = 1,
    LOCATION_TABLE,
    FUNCTION_TABLE,
    LINK_TABLE,
    STRING_TABLE,
    ATTRIBUTE_TABLE,
    STACK_TABLE,
};

void otlp_dictionary_note(struct otlp_dictionary *d, struct reader part)
{
    struct otlp_table *const tables[] = {
        [MAPPING_TABLE] = &d->mappings,     [LOCATION_TABLE] = &d->locations,
        [FUNCTION_TABLE] = &d->functions,   [STRING_TABLE] = &d->strings,
        [ATTRIBUTE_TABLE] = &d->attributes, [STACK_TABLE] = &d->stacks,
    };
    struct wire_field field;

    while (wire_next(&part, &field)) {
        if (field.number > STACK_TABLE || !field.is_message)
            d->unknown_fields = true;
        else if (field.number == LINK_TABLE)
            d->links++;
        else
            *vec_add(&tables[field.number]->rows) = (struct otlp_row){
                .bytes = {field.message.base, field.message.len}};
    }
    if (part.failed)
        d->code->profile->quality.malformed++;
}

void otlp_note_row(struct otlp_table *table, struct reader row)
{
    struct otlp_row noted = {.bytes = {row.base, row.len}};
    struct wire_field field;
    uint64_t id = 0;

    while (!id && wire_next(&row, &field))
        id = field.number == 1 ? field.value : 0;
    map_add(&table->ids, id, 0, (uint32_t)table->rows.len);
    *vec_add(&table->rows) = noted;
}

void otlp_dictionary_release(struct otlp_dictionary *d)
{
    struct otlp_table *const tables[] = {&d->mappings,   &d->locations,
                                         &d->functions,  &d->strings,
                                         &d->attributes, &d->stacks};

    for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
        vec_release(&tables[i]->rows);
        map_release(&tables[i]->ids);
    }
    vec_release(&d->read_mappings);
    vec_release(&d->read_functions);
    vec_release(&d->read_attributes);
    vec_release(&d->path);
    map_release(&d->path_bases);
}

static struct reader reader_of_row(struct bytes bytes)
{
    return reader_of("", bytes.data, bytes.len, 0, NULL);
}

/* NULL: the table has none of that number, or of that id. */
static struct otlp_row *row_at(const struct otlp_table *table, uint64_t index)
{
    if (table->ids.used)
        index = map_get(&table->ids, index, 0);
    return index < table->rows.len ? &table->rows.data[index] : NULL;
}

/* Reads the numbers of a row. Returns those of OTLP's fields. */
enum { NUMBERS = 8 };

static const uint64_t *read_numbers(const struct otlp_dictionary *d,
                                    struct bytes row, uint64_t values[NUMBERS])
{
    memset(values, 0, NUMBERS * sizeof(*values));
    wire_numbers(reader_of_row(row), values, NUMBERS);
    return values + d->of_pprof;
}

/* ---- strings and attributes ---- */

static uint32_t add_text(struct otlp_dictionary *d, struct bytes text)
{
    return strings_add(d->code->profile->strings, (const char *)text.data,
                       text.len);
}

struct bytes otlp_text(const struct otlp_dictionary *d, uint64_t index)
{
    const struct otlp_row *row = row_at(&d->strings, index);

    return row ? row->bytes : (struct bytes){(const uint8_t *)"", 0};
}

uint32_t otlp_string(struct otlp_dictionary *d, uint64_t index)
{
    struct otlp_row *row = row_at(&d->strings, index);

    if (!row)
        return 0;
    if (!row->value)
        row->value = add_text(d, row->bytes) + 1;
    return row->value - 1;
}

struct otlp_type otlp_read_type(struct reader r)
{
    uint64_t values[3] = {0};

    wire_numbers(r, values, 3);
    return (struct otlp_type){values[1], values[2]};
}

static uint8_t key_kind(const struct profile *p, uint32_t key)
{
    static const struct {
        const char *key;
        uint8_t kind;
    } keys[] = {
        {"process.pid", OTLP_PID},
        {"process.executable.name", OTLP_PROCESS},
        {"process.executable.path", OTLP_PROCESS_PATH},
        {"service.name", OTLP_SERVICE},
        {"thread.id", OTLP_TID},
        {"thread.name", OTLP_THREAD},
        {"profile.frame.type", OTLP_FRAME_TYPE},
        {"process.executable.build_id.gnu", OTLP_BUILD_ID},
    };
    const char *text = strings_get(p->strings, key);

    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
        if (!strcmp(text, keys[i].key))
            return keys[i].kind;
    return OTLP_OTHER;
}

/* An AnyValue: a text, or a number. Lists and fractions are left out. */
static void read_value(struct otlp_dictionary *d, struct reader r,
                       struct otlp_attribute *a)
{
    enum { STRING_VALUE = 1, INT_VALUE = 3, STRING_INDEX = 8 };
    struct wire_field field;

    while (wire_next(&r, &field)) {
        if (field.number == STRING_VALUE && field.is_message) {
            struct bytes text = {field.message.base, field.message.len};

            a->text = add_text(d, text);
            a->number = named_number(text);
        } else if (field.number == STRING_INDEX && !field.is_message) {
            a->text = otlp_string(d, field.value);
        } else if (field.number == INT_VALUE && !field.is_message) {
            a->number = field.value;
        }
    }
}

/* Once for each path, as very many resources may name a long one. */
static uint32_t base_of_path(struct otlp_dictionary *d, uint32_t path)
{
    struct strings *strings = d->code->profile->strings;
    uint32_t base = map_get(&d->path_bases, path, 0);
    const char *text;

    if (base != MAP_NONE)
        return base;
    text = path_base_name(strings_get(strings, path));
    base = strings_add(strings, text, strlen(text));
    map_set(&d->path_bases, path, 0, base);
    return base;
}

/* Field 1 is the number of the key in the table, and the key itself in a
 * resource, where field 3 may be its number. */
static struct otlp_attribute read_attribute(struct otlp_dictionary *d,
                                            struct reader r)
{
    enum { KEY = 1, VALUE, KEY_INDEX };
    struct otlp_attribute a = {.number = NO_PID};
    bool of_table = false;
    struct wire_field field;

    while (wire_next(&r, &field)) {
        if (field.number == KEY && !field.is_message)
            of_table = true;
        if (field.number == KEY && field.is_message)
            a.key = add_text(
                d, (struct bytes){field.message.base, field.message.len});
        else if (field.number == VALUE && field.is_message)
            read_value(d, field.message, &a);
        else if (field.number == KEY ||
                 (field.number == KEY_INDEX && !of_table && !a.key))
            a.key = otlp_string(d, field.value);
    }
    a.kind = key_kind(d->code->profile, a.key);
    if (a.kind == OTLP_PROCESS_PATH)
        a.base = base_of_path(d, a.text);
    return a;
}

const struct otlp_attribute *otlp_attribute(struct otlp_dictionary *d,
                                            uint64_t index)
{
    struct otlp_row *row = row_at(&d->attributes, index);

    if (!row)
        return NULL;
    if (!row->value) {
        struct otlp_attribute a = read_attribute(d, reader_of_row(row->bytes));

        *vec_add(&d->read_attributes) = a;
        row->value = (uint32_t)d->read_attributes.len;
    }
    return &d->read_attributes.data[row->value - 1];
}

struct otlp_attribute otlp_own_attribute(struct otlp_dictionary *d,
                                         struct reader part)
{
    return read_attribute(d, part);
}

/* ---- code: read when a stack first refers to it ---- */

/* The first build id says what the module is; several mappings may be of one
 * module. */
static void take_identity(struct otlp_dictionary *d, struct module *module,
                          struct wire_field field)
{
    const struct otlp_attribute *a;
    uint64_t index;

    while (wire_number(&field, &index)) {
        a = otlp_attribute(d, index);
        if (!a || a->kind != OTLP_BUILD_ID)
            continue;
        module->by_file_offset = true;
        if (!module->identity.build_id_size)
            code_id_read(&module->identity,
                         strings_get(d->code->profile->strings, a->text),
                         strings_len(d->code->profile->strings, a->text));
    }
}

/* The identity in a mapping of pprof is a text. A PDB is taken to have the name
 * of its image, as linkers call it. */
static void read_text_id(struct otlp_dictionary *d, struct module *module,
                         struct bytes id)
{
    struct strings *strings = d->code->profile->strings;
    const char *text = (const char *)id.data;
    const char *image, *dot;

    if (module->identity.build_id_size || module->identity.timestamp ||
        module->identity.pdb_name)
        return;
    if (!code_id_read_pdb(&module->identity, text, id.len)) {
        code_id_read(&module->identity, text, id.len);
        return;
    }
    image = path_base_name(strings_get(strings, module->path));
    dot = strrchr(image, '.');
    module->identity.pdb_name =
        strings_addf(strings, "%.*s.pdb",
                     (int)(dot ? (size_t)(dot - image) : strlen(image)), image);
}

static struct otlp_mapping read_mapping(struct otlp_dictionary *d,
                                        struct bytes bytes)
{
    enum { MEMORY_START = 1, FILE_OFFSET = 3, FILENAME, ATTRIBUTES };
    struct profile *p = d->code->profile;
    uint64_t values[NUMBERS];
    const uint64_t *of = read_numbers(d, bytes, values);
    uint32_t path = otlp_string(d, of[FILENAME]);
    struct otlp_mapping m = {
        .module = NO_ID, .start = of[MEMORY_START], .offset = of[FILE_OFFSET]};
    struct reader r = reader_of_row(bytes);
    struct wire_field field;
    struct module *module;

    if (!path)
        return m;
    m.module = named_module(d->code, path);
    module = &p->modules.data[m.module];
    /* A mapping from nowhere near the beginning of a file is the kernel's. */
    module->by_file_offset |=
        *strings_get(p->strings, path) == '/' && m.offset < (uint64_t)1 << 48;
    if (d->of_pprof)
        read_text_id(d, module, otlp_text(d, of[ATTRIBUTES]));
    while (!d->of_pprof && wire_next(&r, &field))
        if (field.number == ATTRIBUTES)
            take_identity(d, module, field);
    return m;
}

/* Returns the mapping of a row; valid until the next one is read. */
static const struct otlp_mapping *mapping_of(struct otlp_dictionary *d,
                                             struct otlp_row *row)
{
    if (!row->value) {
        struct otlp_mapping m = read_mapping(d, row->bytes);

        *vec_add(&d->read_mappings) = m;
        row->value = (uint32_t)d->read_mappings.len;
    }
    return &d->read_mappings.data[row->value - 1];
}

void otlp_read_mappings(struct otlp_dictionary *d)
{
    for (size_t i = 0; i < d->mappings.rows.len; i++)
        mapping_of(d, &d->mappings.rows.data[i]);
}

static struct otlp_function function_at(struct otlp_dictionary *d,
                                        uint64_t index)
{
    enum { NAME = 1, SYSTEM_NAME, FILENAME };
    struct otlp_row *row = row_at(&d->functions, index);
    struct otlp_function f = {0};
    uint64_t values[NUMBERS];
    const uint64_t *of;

    if (!row)
        return f;
    if (row->value)
        return d->read_functions.data[row->value - 1];
    of = read_numbers(d, row->bytes, values);
    f.name = otlp_string(d, of[NAME]);
    if (!f.name)
        f.name = otlp_string(d, of[SYSTEM_NAME]);
    f.file = otlp_string(d, of[FILENAME]);
    *vec_add(&d->read_functions) = f;
    row->value = (uint32_t)d->read_functions.len;
    return f;
}

static struct named_frame read_line(struct otlp_dictionary *d, struct reader r)
{
    enum { FUNCTION_INDEX = 1, LINE, FIELDS };
    uint64_t values[FIELDS] = {0};
    struct otlp_function f;

    wire_numbers(r, values, FIELDS);
    f = function_at(d, values[FUNCTION_INDEX]);
    return (struct named_frame){
        .name = f.name,
        .file = f.file,
        .line = values[LINE] < UINT32_MAX ? (uint32_t)values[LINE] : 0};
}

/* By the attribute "profile.frame.type" of semantic conventions. */
static uint8_t frame_kind(struct otlp_dictionary *d, struct wire_field field)
{
    static const struct {
        const char *type;
        uint8_t kind;
    } types[] = {
        {"kernel", CODE_KERNEL},  {"native", CODE_NATIVE},
        {"go", CODE_NATIVE},      {"rust", CODE_NATIVE},
        {"jvm", CODE_MANAGED},    {"dotnet", CODE_MANAGED},
        {"cpython", CODE_SCRIPT}, {"perl", CODE_SCRIPT},
        {"php", CODE_SCRIPT},     {"phpjit", CODE_SCRIPT},
        {"ruby", CODE_SCRIPT},    {"v8js", CODE_SCRIPT},
        {"lua", CODE_SCRIPT},     {"luajit", CODE_SCRIPT},
    };
    const struct otlp_attribute *a;
    uint64_t index;
    uint8_t kind = CODE_UNKNOWN;

    while (wire_number(&field, &index)) {
        a = otlp_attribute(d, index);
        for (size_t i = 0; a && a->kind == OTLP_FRAME_TYPE &&
                           i < sizeof(types) / sizeof(*types);
             i++)
            if (!strcmp(strings_get(d->code->profile->strings, a->text),
                        types[i].type))
                kind = types[i].kind;
    }
    return kind;
}

/* Adds a location to the profile. An address in a file is kept, so that names
 * can be looked for. */
static uint32_t add_location(struct otlp_dictionary *d, struct bytes bytes)
{
    enum { MAPPING_INDEX = 1, ADDRESS, LINES, ATTRIBUTES };
    struct reader r = reader_of_row(bytes);
    struct named_frame frames[MOST_INLINED] = {{0}};
    uint64_t index = 0, address = 0;
    uint8_t kind = CODE_UNKNOWN;
    size_t count = 0;
    struct wire_field field;
    struct otlp_row *row;
    const struct otlp_mapping *m;
    uint32_t module, path;

    while (wire_next(&r, &field)) {
        field.number -= d->of_pprof;
        if (field.number == MAPPING_INDEX)
            index = field.value;
        else if (field.number == ADDRESS)
            address = field.value;
        else if (field.number == LINES && field.is_message &&
                 count < MOST_INLINED)
            frames[count++] = read_line(d, field.message);
        else if (field.number == ATTRIBUTES && !d->of_pprof)
            kind = frame_kind(d, field);
    }
    row = index ? row_at(&d->mappings, index) : NULL; /* 0: no mapping */
    m = row ? mapping_of(d, row) : NULL;
    module = m ? m->module : NO_ID;
    path = module == NO_ID ? 0 : d->code->profile->modules.data[module].path;
    count += !count; /* a frame without a name, for its kind */
    for (size_t i = 0; i < count; i++) {
        frames[i].module = path;
        frames[i].kind = kind;
    }
    d->knows_addresses |= address && (module != NO_ID || d->of_pprof);
    if (m && address >= m->start)
        address += m->offset - m->start;
    return named_location_at(d->code, module, address, frames, count);
}

uint32_t otlp_location(struct otlp_dictionary *d, uint64_t index)
{
    struct otlp_row *row = row_at(&d->locations, index);

    if (!row)
        return NO_ID;
    if (!row->value)
        row->value = add_location(d, row->bytes) + 1;
    return row->value - 1;
}

/* Its locations stand innermost first. */
static uint32_t read_stack(struct otlp_dictionary *d, struct bytes bytes)
{
    struct reader r = reader_of_row(bytes);
    struct wire_field field;
    uint64_t index;

    d->path.len = 0;
    while (wire_next(&r, &field))
        while (field.number == 1 && wire_number(&field, &index)) {
            uint32_t location = otlp_location(d, index);

            if (location == NO_ID)
                d->code->profile->quality.malformed++;
            else
                *vec_add(&d->path) = location;
        }
    return named_stack_of(d->code, d->path.data, d->path.len).whole;
}

bool otlp_stack(struct otlp_dictionary *d, uint64_t index, uint32_t *stack)
{
    struct otlp_row *row = row_at(&d->stacks, index);

    if (!row)
        return false;
    if (!row->value)
        row->value = read_stack(d, row->bytes) + 1;
    *stack = row->value - 1;
    return true;
}
