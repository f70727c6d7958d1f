#include "symbols/elf/go_table.h"

#include <string.h>

enum {
    ENTRY = 4,          /* bytes of numbers that the versions share */
    STEPS_USUAL = 2048, /* through lists of values, of one look-up */
    STEPS_FREE = 4 << 20,
    MOST_NAME = 4096,
};

/* Columns of a function behind its address. */
enum { NAME_AT = 0, FILES_AT = 4, LINES_AT = 5, LISTS_AT = 6, UNIT_AT = 7 };

#define NONE UINT32_MAX

static struct reader reader_from(const struct go_table *t, uint64_t at)
{
    struct reader all =
        reader_of(".gopclntab", t->all.data, t->all.len, 0, NULL);

    return reader_at(&all, at, "table of functions");
}

static uint32_t u32_at(const struct go_table *t, uint64_t at)
{
    struct reader r = reader_from(t, at);

    return reader_u32_in(&r, t->swapped);
}

static uint64_t word_at(const struct go_table *t, uint64_t at, unsigned size)
{
    struct reader r = reader_from(t, at);

    return size == 8 ? reader_u64_in(&r, t->swapped)
                     : reader_u32_in(&r, t->swapped);
}

static bool version_of(uint32_t magic, enum go_table_version *version)
{
    static const uint32_t magics[] = {
        [GO_1_2] = 0xFFFFFFFB,
        [GO_1_16] = 0xFFFFFFFA,
        [GO_1_18] = 0xFFFFFFF0,
        [GO_1_20] = 0xFFFFFFF1,
    };

    for (unsigned i = 0; i < sizeof(magics) / sizeof(*magics); i++)
        if (magics[i] == magic) {
            *version = (enum go_table_version)i;
            return true;
        }
    return false;
}

/* Bytes of an address in the list of functions and of what it leads to. */
static unsigned entry_size(const struct go_table *t)
{
    return t->version >= GO_1_18 ? ENTRY : t->pointer;
}

static uint64_t item(uint64_t at, unsigned index, unsigned size)
{
    return at + (uint64_t)index * size;
}

static void read_offsets(struct go_table *t)
{
    enum { HEADER = 8 };
    unsigned size = t->pointer;
    uint64_t at = HEADER + size;

    if (t->version == GO_1_2) {
        t->functions = at;
        t->files = u32_at(t, at + (2 * t->count + 1) * size);
        return;
    }
    at += size; /* the number of files */
    if (t->version >= GO_1_18) {
        t->text = word_at(t, at, size);
        at += size;
    }
    t->names = word_at(t, at, size);
    t->units = word_at(t, at + size, size);
    t->files = word_at(t, item(at, 2, size), size);
    t->values = word_at(t, item(at, 3, size), size);
    t->functions = word_at(t, item(at, 4, size), size);
}

bool go_table_open(struct go_table *t, struct bytes bytes, bool swapped)
{
    struct reader r = reader_of(".gopclntab", bytes.data, bytes.len, 0, NULL);
    uint64_t room;

    *t = (struct go_table){.all = bytes,
                           .swapped = swapped,
                           .steps = budget_of(bytes.len, 2, STEPS_FREE)};
    if (!version_of(reader_u32_in(&r, swapped), &t->version) || reader_u16(&r))
        return false;
    t->quantum = reader_u8(&r);
    t->pointer = reader_u8(&r);
    if (r.failed || (t->pointer != 4 && t->pointer != 8) ||
        (t->quantum != 1 && t->quantum != 2 && t->quantum != 4))
        return false;
    t->count = word_at(t, r.pos, t->pointer);
    room = bytes.len / 2 / entry_size(t);
    if (!t->count || t->count > room)
        return false;
    read_offsets(t);
    return t->functions < bytes.len &&
           (t->version == GO_1_2 ||
            (t->names < t->units && t->units <= t->files &&
             t->files <= t->values && t->values < t->functions));
}

/* ---- functions ---- */

/* The address where a function begins; of number `count`, where all end. */
static uint64_t start_of(const struct go_table *t, uint64_t i)
{
    unsigned size = entry_size(t);
    uint64_t start = word_at(t, t->functions + 2 * i * size, size);

    return t->version >= GO_1_18 ? t->text + start : start;
}

/* ---- where it is ---- */

enum { WORD = 8, RELA = 3 * WORD, MOST_TRIES = 8 };

static struct bytes data_at(const struct go_program *p, uint64_t address)
{
    for (size_t i = 0; i < p->sections.len; i++) {
        const struct go_section *s = &p->sections.data[i];
        uint64_t at = address - s->address;

        if (at < s->bytes.len)
            return (struct bytes){s->bytes.data + at,
                                  s->bytes.len - (size_t)at};
    }
    return (struct bytes){0};
}

/* Addresses in a program that can lie anywhere are relocations, that of the
 * address as linked: where there is one for `address`, or one that gives
 * `value`. */
static bool find_relocation(const struct go_program *p, const uint64_t *address,
                            uint64_t *value)
{
    for (size_t i = 0; i < p->sections.len; i++) {
        const struct go_section *s = &p->sections.data[i];

        if (s->kind != GO_RELOCATIONS)
            continue;
        for (size_t at = 0; at + RELA <= s->bytes.len; at += RELA) {
            const uint8_t *rela = s->bytes.data + at;
            uint64_t where = load_u64_in(rela, p->swapped);
            uint64_t addend = load_u64_in(rela + WORD + WORD, p->swapped);

            if (address ? where != *address : addend != *value)
                continue;
            *value = address ? addend : where;
            return true;
        }
    }
    return false;
}

/* The word at an address; 0: none. */
static uint64_t program_word(const struct go_program *p, uint64_t address)
{
    struct bytes data = data_at(p, address);
    uint64_t value = data.len < WORD ? 0 : load_u64_in(data.data, p->swapped);

    if (!value)
        find_relocation(p, &address, &value);
    return value;
}

/* Finds a word of this value in data, or a relocation to it. */
static bool find_word(const struct go_program *p, uint64_t value,
                      uint64_t *address)
{
    for (size_t i = 0; i < p->sections.len; i++) {
        const struct go_section *s = &p->sections.data[i];

        for (size_t at = 0; s->kind == GO_DATA && at + WORD <= s->bytes.len;
             at += WORD)
            if (load_u64_in(s->bytes.data + at, p->swapped) == value) {
                *address = s->address + at;
                return true;
            }
    }
    *address = value;
    return find_relocation(p, NULL, address);
}

/* The runtime has a description of its program that says where code and trees
 * of inlined calls are. It has no symbol in a stripped file, but begins with
 * the address of the table, which nothing else does. These are words of it. */
enum { NAMES = 1, TEXT = 22, TEXT_END = 23, TREES = 38, TREES_1_20 = 40 };

bool go_table_place(struct go_table *t, uint64_t address,
                    const struct go_program *p)
{
    uint64_t module, text, trees;

    if (t->version < GO_1_18 || t->pointer != WORD ||
        !find_word(p, address, &module) ||
        program_word(p, item(module, NAMES, WORD)) != address + t->names)
        return false;
    text = program_word(p, item(module, TEXT, WORD));
    if (!text || text >= program_word(p, item(module, TEXT_END, WORD)))
        return false;
    trees = t->version >= GO_1_20 ? TREES_1_20 : TREES;
    t->text = text;
    t->inlined = data_at(p, program_word(p, module + trees * WORD));
    return true;
}

/* Without the runtime's description, which is not known of all versions, its
 * functions must at least begin in code. */
static bool begins_in_code(const struct go_table *t, const struct go_program *p)
{
    for (size_t i = 0; i < p->sections.len; i++) {
        const struct go_section *s = &p->sections.data[i];

        if (s->kind == GO_CODE && start_of(t, 0) - s->address < s->bytes.len)
            return true;
    }
    return false;
}

bool go_table_find(struct go_table *t, const struct go_section *s,
                   const struct go_program *p, unsigned *tries)
{
    for (size_t at = 0; at + WORD < s->bytes.len && *tries < MOST_TRIES;
         at += WORD) {
        struct bytes rest = {s->bytes.data + at, s->bytes.len - at};
        struct reader r = reader_of("", rest.data, rest.len, 0, NULL);

        /* Few words are like any version's first. */
        if (reader_u32_in(&r, p->swapped) < 0xFFFFFFF0 ||
            !go_table_open(t, rest, p->swapped))
            continue;
        if (go_table_place(t, s->address + at, p) || begins_in_code(t, p))
            return true;
        ++*tries;
    }
    return false;
}

/* The one that holds the address, or `count`. */
static uint64_t find_function(const struct go_table *t, uint64_t address)
{
    uint64_t low = 0, high = t->count;

    if (address < start_of(t, 0) || address >= start_of(t, t->count))
        return t->count;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;

        if (start_of(t, middle) <= address)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct go_function {
    uint64_t start;
    uint64_t at; /* its description */
};

/* Reads one of the columns of 4 bytes that follow the address. */
static uint64_t column(const struct go_table *t, const struct go_function *f,
                       unsigned i)
{
    return f->at + entry_size(t) + i * (uint64_t)ENTRY;
}

static const char *string_at(const struct go_table *t, uint64_t at)
{
    struct reader r = reader_from(t, at);
    struct bytes text = reader_cstr(&r);

    /* It ends with a NUL, not with the table. */
    if (!text.len || text.len > MOST_NAME ||
        text.data + text.len == t->all.data + t->all.len)
        return NULL;
    return (const char *)text.data;
}

/* ---- values by address ---- */

/* Bytes of seven bits each; a difference has its sign in its lowest bit, and 0
 * behind the first ends the list. */
static bool value_at(struct go_table *t, const struct go_function *f,
                     uint32_t list, uint64_t address, int64_t *value)
{
    struct reader r = reader_from(t, t->values + list);
    uint64_t at = f->start, sum = UINT64_MAX; /* -1: it may wrap around */

    *value = -1;
    if (!list)
        return false;
    for (bool first = true; reader_more(&r) && budget_take(&t->steps, 1);
         first = false) {
        uint64_t step = reader_uleb(&r);

        if (!step && !first)
            return false;
        sum += step & 1 ? ~(step >> 1) : step >> 1;
        *value = (int64_t)sum;
        at += reader_uleb(&r) * t->quantum;
        if (!r.failed && address < at)
            return *value >= 0;
    }
    return false;
}

static const char *file_at(struct go_table *t, const struct go_function *f,
                           uint64_t address)
{
    uint64_t unit;
    uint32_t file;
    int64_t i;

    if (!value_at(t, f, u32_at(t, column(t, f, FILES_AT)), address, &i) ||
        i > UINT32_MAX)
        return NULL;
    if (t->version == GO_1_2) {
        file = u32_at(t, t->files + (uint64_t)i * ENTRY);
        return file ? string_at(t, file) : NULL;
    }
    unit = u32_at(t, column(t, f, UNIT_AT));
    file = u32_at(t, t->units + (unit + (uint64_t)i) * ENTRY);
    return file == NONE ? NULL : string_at(t, t->files + file);
}

static void fill_place(struct go_table *t, const struct go_function *f,
                       uint64_t address, struct debug_frame *frame)
{
    int64_t line;

    frame->file = file_at(t, f, address);
    if (value_at(t, f, u32_at(t, column(t, f, LINES_AT)), address, &line) &&
        line <= UINT32_MAX)
        frame->line = (uint32_t)line;
}

/* ---- inlined calls ---- */

/* A call that was inlined: what is called, and an address of its caller. */
struct go_call {
    const char *name;
    uint64_t caller;
};

/* The lists of a function, behind its columns: from addresses to values, then
 * what else it has. */
struct go_lists {
    uint64_t at;
    uint32_t lists, others;
};

enum { CALL_LIST = 2, CALL_TREE = 3 };

static struct go_lists lists_of(const struct go_table *t,
                                const struct go_function *f)
{
    enum { BYTES = 4 }; /* the last of them counts what else it has */
    static const unsigned columns[] = {
        [GO_1_2] = 7, [GO_1_16] = 8, [GO_1_18] = 8, [GO_1_20] = 9};
    uint64_t at = column(t, f, columns[t->version]);
    struct reader r = reader_from(t, at + BYTES - 1);

    return (struct go_lists){
        .at = at + BYTES,
        .lists = u32_at(t, column(t, f, LISTS_AT)),
        .others = reader_u8(&r),
    };
}

/* The node of the tree of calls that an address is of; false: the function's
 * own code. */
static bool node_at(struct go_table *t, const struct go_function *f,
                    uint64_t address, int64_t *node)
{
    struct go_lists l = lists_of(t, f);

    return t->version != GO_1_2 && l.lists > CALL_LIST &&
           value_at(t, f, u32_at(t, item(l.at, CALL_LIST, ENTRY)), address,
                    node);
}

/* Finds where the tree of a function begins in `inlined`. Before 1.18 it is an
 * address. */
static bool find_tree(const struct go_table *t, const struct go_function *f,
                      uint64_t *tree)
{
    struct go_lists l = lists_of(t, f);
    uint64_t at = l.at + (uint64_t)l.lists * ENTRY;

    if (l.others <= CALL_TREE || !t->inlined.len)
        return false;
    if (t->version >= GO_1_18) {
        *tree = u32_at(t, item(at, CALL_TREE, ENTRY));
        return *tree != NONE;
    }
    at += (t->pointer - at % t->pointer) % t->pointer;
    *tree = word_at(t, item(at, CALL_TREE, t->pointer), t->pointer) - t->trees;
    return true;
}

static bool call_of(const struct go_table *t, const struct go_function *f,
                    int64_t node, struct go_call *call)
{
    /* Bytes of a node, and where it has the name; then comes the caller. */
    bool is_new = t->version >= GO_1_20;
    unsigned size = is_new ? 16 : 20, name = is_new ? 4 : 12;
    struct reader all =
        reader_of("inlined calls", t->inlined.data, t->inlined.len, 0, NULL);
    struct reader r;
    uint64_t tree;

    if (node > UINT16_MAX || !find_tree(t, f, &tree))
        return false;
    r = reader_at(&all, tree + (uint64_t)node * size + name, "inlined call");
    call->name = string_at(t, t->names + reader_u32_in(&r, t->swapped));
    call->caller = f->start + reader_u32_in(&r, t->swapped);
    return !r.failed && call->name;
}

/* The place of inlined code with an unknown caller is not the function's. */
size_t go_table_frames(struct go_table *t, uint64_t address,
                       struct debug_frame *frames, size_t max)
{
    uint64_t i = find_function(t, address);
    struct go_function f;
    struct go_call call;
    size_t n = 0;
    int64_t node;
    bool own = true;
    unsigned size;
    uint64_t at;

    if (i == t->count || !max)
        return 0;
    size = entry_size(t);
    at = word_at(t, t->functions + (2 * i + 1) * size, size);
    if (t->version >= GO_1_16)
        at += t->functions;
    f = (struct go_function){start_of(t, i), at};
    budget_question(&t->steps, STEPS_USUAL);
    while (own && node_at(t, &f, address, &node)) {
        own = n + 1 < max && call_of(t, &f, node, &call);
        if (own) {
            frames[n] =
                (struct debug_frame){.function = call.name, .inlined = true};
            fill_place(t, &f, address, &frames[n++]);
            address = call.caller;
        }
    }
    frames[n] = (struct debug_frame){
        .function = string_at(t, t->names + u32_at(t, column(t, &f, NAME_AT)))};
    if (own)
        fill_place(t, &f, address, &frames[n]);
    return frames[n].function ? n + 1 : 0;
}

bool go_table_range(const struct go_table *t, uint64_t address,
                    struct debug_range *range)
{
    uint64_t i = find_function(t, address);

    if (i == t->count)
        return false;
    *range = (struct debug_range){start_of(t, i), start_of(t, i + 1)};
    return range->start < range->end;
}
