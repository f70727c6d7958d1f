/*
 * symbols.bin: what Visual Studio 2013 to 2017 looked up for the sampled
 * addresses of the user's own programs, as serialised objects (format.md,
 * section 2). Keys are sampled addresses, not ranges: other addresses have no
 * name here.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"
#include "symbols/find/places.h"
#include "symbols/saved/nrbf.h"
#include "symbols/saved/symbols_bin.h"

enum cached {
    NEAREST_SYMBOL,
    FUNCTION_NAME,
    SOURCE_FILE,
    LINE_NUMBER,
    IS_INLINED,
    CACHED_KINDS
};

struct symbols_bin {
    struct strings *strings;
    struct map values;  /* (RVA, table) -> value */
    struct map modules; /* module -> the number of its tables */
    uint32_t tables;
    /* While it is filled. */
    const struct nrbf *n;
    const struct nrbf_object *pool; /* array of strings */
    uint32_t pool_size;
};

/* ---- dictionaries ---- */

struct pairs {
    const struct nrbf *n;
    const struct nrbf_object *array;
    uint32_t next;
    const struct nrbf_value *key, *value;
};

static struct pairs pairs_of(const struct nrbf *n,
                             const struct nrbf_object *owner,
                             const char *member)
{
    const struct nrbf_object *dictionary =
        nrbf_target(n, nrbf_member(n, owner, member));

    return (struct pairs){
        .n = n,
        .array = nrbf_target(n, nrbf_member(n, dictionary, "KeyValuePairs")),
    };
}

static bool next_pair(struct pairs *p)
{
    const struct nrbf_value *element = nrbf_element(p->n, p->array, p->next++);
    const struct nrbf_object *pair;

    if (!element)
        return false;
    pair = nrbf_target(p->n, element);
    p->key = nrbf_member(p->n, pair, "key");
    p->value = nrbf_member(p->n, pair, "value");
    return true;
}

/* ---- reading ---- */

static uint32_t intern(struct symbols_bin *c, struct bytes text)
{
    return text.data
               ? strings_add(c->strings, (const char *)text.data, text.len)
               : 0;
}

/* A value of a table as a number: strings as their id, 0 for nothing. */
static uint32_t value_of(struct symbols_bin *c, const struct nrbf_value *v,
                         enum cached kind)
{
    uint64_t number = nrbf_number(v, UINT64_MAX);

    switch (kind) {
    case FUNCTION_NAME:
        if (number >= c->pool_size)
            return 0;
        return intern(
            c, nrbf_text(c->n, nrbf_element(c->n, c->pool, (uint32_t)number)));
    case SOURCE_FILE:
        return intern(c, nrbf_text(c->n, nrbf_member(c->n, nrbf_target(c->n, v),
                                                     "FileName")));
    default:
        return number < MAP_NONE ? (uint32_t)number : 0;
    }
}

static void read_module(struct symbols_bin *c, const struct nrbf_object *module,
                        uint32_t table)
{
    static const char *const names[CACHED_KINDS] = {
        [NEAREST_SYMBOL] = "_nearestSymbols",
        [FUNCTION_NAME] = "_functionNames",
        [SOURCE_FILE] = "_sourceFileInfos",
        [LINE_NUMBER] = "_lineNumbers",
        [IS_INLINED] = "_isInlined",
    };

    for (uint32_t kind = 0; kind < CACHED_KINDS; kind++) {
        struct pairs p = pairs_of(c->n, module, names[kind]);

        while (next_pair(&p)) {
            uint64_t rva = nrbf_number(p.key, UINT64_MAX);

            /* If a key comes twice, the first counts. */
            if (rva <= UINT32_MAX)
                map_add(&c->values, rva, table * CACHED_KINDS + kind,
                        value_of(c, p.value, kind));
        }
    }
}

/* The image that lay there, or NO_ID. */
static uint32_t find_module(const struct profile *p, uint32_t pid,
                            uint64_t base)
{
    for (size_t i = 0; i < p->mappings.len; i++) {
        const struct mapping *m = &p->mappings.data[i];

        if (m->base == base && m->process != NO_ID &&
            p->processes.data[m->process].pid == pid)
            return m->module;
    }
    return NO_ID;
}

/* An image may be cached for several processes: their tables are joined. */
enum { MOST_MODULES = 4096 };

static void read_process(struct symbols_bin *c, const struct profile *p,
                         uint32_t pid, const struct nrbf_object *process)
{
    struct pairs pairs = pairs_of(c->n, process, "_nativeModules");

    while (c->tables < MOST_MODULES && next_pair(&pairs)) {
        const struct nrbf_object *info = nrbf_target(c->n, pairs.key);
        uint64_t base = nrbf_number(nrbf_member(c->n, info, "AddressBase"), 0);
        uint32_t module = base ? find_module(p, pid, base) : NO_ID, table;

        if (module == NO_ID)
            continue;
        table = map_add(&c->modules, module, 0, c->tables);
        c->tables += table == c->tables;
        read_module(c, nrbf_target(c->n, pairs.value), table);
    }
}

static void read_cache(struct symbols_bin *c, const struct profile *p)
{
    const struct nrbf *n = c->n;
    const struct nrbf_object *root = nrbf_object(n, n->root);
    const struct nrbf_object *list = nrbf_target(
        n,
        nrbf_member(n, nrbf_target(n, nrbf_member(n, root, "_cachedStrings")),
                    "_strings"));
    struct pairs processes = pairs_of(n, root, "_processes");

    c->pool = nrbf_target(n, nrbf_member(n, list, "_items"));
    c->pool_size = (uint32_t)nrbf_number(nrbf_member(n, list, "_size"), 0);
    for (unsigned i = 0; i < MOST_MODULES && next_pair(&processes); i++)
        read_process(c, p, (uint32_t)nrbf_number(processes.key, UINT32_MAX),
                     nrbf_target(n, processes.value));
}

/* ---- answering ---- */

static uint32_t cached(const struct symbols_bin *c, uint32_t table,
                       enum cached kind, uint64_t rva)
{
    uint32_t value = map_get(&c->values, rva, table * CACHED_KINDS + kind);

    return value == MAP_NONE ? 0 : value;
}

static const char *string_or_null(const struct symbols_bin *c, uint32_t id)
{
    return id ? strings_get(c->strings, id) : NULL;
}

/* Also where the function begins, as an RVA. False when it does not know the
 * address. Strings live until it is closed; any thread may ask. */
static bool symbols_bin_find(const struct symbols_bin *c, const struct asked *a,
                      struct debug_frame *frame, uint64_t *start)
{
    uint32_t table = map_get(&c->modules, a->module, 0), name, line = 0;
    uint32_t function;

    if (table == MAP_NONE)
        return false;
    function =
        map_get(&c->values, a->address, table * CACHED_KINDS + NEAREST_SYMBOL);
    if (function == MAP_NONE)
        return false;
    name = cached(c, table, FUNCTION_NAME, function);
    if (!name)
        return false;
    line = cached(c, table, LINE_NUMBER, asked_code(a));
    if (!line)
        line = cached(c, table, LINE_NUMBER, a->address);
    *frame = (struct debug_frame){
        .function = strings_get(c->strings, name),
        .file = string_or_null(c, cached(c, table, SOURCE_FILE, function)),
        .line = line,
        .inlined = cached(c, table, IS_INLINED, a->address),
    };
    *start = function;
    return true;
}

void symbols_bin_close(struct symbols_bin *c)
{
    strings_free(c->strings);
    map_release(&c->values);
    map_release(&c->modules);
    free(c);
}

struct symbols_bin *symbols_bin_open(const char *name, const uint8_t *data,
                                     size_t size, const struct profile *p,
                                     struct err *err)
{
    struct nrbf *n = nrbf_read(name, data, size, err);
    struct symbols_bin *c;

    if (!n)
        return NULL;
    c = mem_new(1, sizeof(*c));
    c->strings = strings_new();
    c->n = n;
    read_cache(c, p);
    nrbf_free(n);
    c->n = NULL;
    c->pool = NULL;
    return c;
}

/* ---- as a source ---- */

/* The files beside the traces in their containers, in order. */
struct caches {
    VEC(struct symbols_bin *) list;
};

static uint32_t subject(const struct profile *p, const struct location *l)
{
    (void)p;
    return l->method == NO_ID ? l->module : NO_ID;
}

static bool is_symbols_bin(const struct entry *e)
{
    return e->kind == ENTRY_SYMBOLS &&
           ascii_same(path_base_name(e->inner), "symbols.bin");
}

static void open_entry(struct caches *caches, const struct naming *n, size_t i)
{
    struct inside *inside = n->places->inside;
    const struct entry *e = inside_entry(inside, i);
    struct symbols_bin *c = NULL;
    struct err err = {0};

    if (!inside_load(inside, i, &err))
        c = symbols_bin_open(e->name, e->data, e->size, n->p, &err);
    if (!c) {
        naming_warn(n, err.message);
        return;
    }
    *vec_add(&caches->list) = c;
    naming_used(n, e->name);
}

static void *begin(const struct naming *n, const struct asked_about *asked,
                   size_t count)
{
    struct caches *caches = mem_new(1, sizeof(*caches));

    (void)asked, (void)count;
    for (size_t i = 0; i < inside_count(n->places->inside); i++)
        if (is_symbols_bin(inside_entry(n->places->inside, i)))
            open_entry(caches, n, i);
    if (caches->list.len)
        return caches;
    free(caches);
    return NULL;
}

static void ask(void *opened, const struct asked *asked, struct answer *answer)
{
    const struct caches *caches = opened;

    for (size_t i = 0; i < caches->list.len && !answer->count; i++)
        answer->count = symbols_bin_find(caches->list.data[i], asked,
                                         &answer->frames[0], &answer->start);
    answer->origin = "symbols.bin, found inside the container";
}

static void end(void *state, const struct naming *n)
{
    struct caches *caches = state;

    (void)n;
    for (size_t i = 0; i < caches->list.len; i++)
        symbols_bin_close(caches->list.data[i]);
    vec_release(&caches->list);
    free(caches);
}

const struct name_source symbols_bin_source = {
    .subject = subject,
    .begin = begin,
    .ask = ask,
    .end = end,
};
