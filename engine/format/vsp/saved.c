/*
 * Sections of saved names (format.md, section 6). Tables may lie anywhere and
 * share bytes; a budget bounds what is read.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/bisect.h"
#include "engine/format/vsp/saved.h"
#include "engine/format/vsp/vsp.h"

enum {
    SECTIONS_AT = 14848,
    SECTION_SIZE = 80,
    MOST_SECTIONS = 48,
    POOL_AREAS = 128,
    PATH_BYTES = 520,
    CACHE_SIZE = 592,
    CACHE2_SIZE = 552,
};

/* A table of `count` entries of `size` bytes at a file offset; NULL when it
 * is empty, not all there or more than anybody would share. */
static const uint8_t *table_at(struct vsp_saved *s, uint64_t at, uint64_t count,
                               uint64_t size)
{
    if (!count)
        return NULL;
    if (at > s->size || count > (s->size - at) / size) {
        profile_warn(s->profile,
                     "%s: the table of saved names at 0x%llx is truncated",
                     s->name, (unsigned long long)at);
        return NULL;
    }
    if (count * size > s->budget) {
        profile_warn(s->profile, "%s: tables of saved names overlap", s->name);
        return NULL;
    }
    s->budget -= count * size;
    return s->data + at;
}

static bool is_section(const uint8_t *entry, const char *name)
{
    size_t n = strlen(name);

    for (size_t i = 0; i <= n; i++)
        if (entry[2 * i] != (uint8_t)name[i] || entry[2 * i + 1])
            return false;
    return true;
}

/* The bytes of a section; empty without one. */
static struct bytes find_section(const struct vsp_saved *s, const char *name)
{
    uint32_t n = load_u32(s->data + SECTIONS_AT);
    const uint8_t *entry = s->data + SECTIONS_AT + 8;

    for (uint32_t i = 0; i < n && i < MOST_SECTIONS;
         i++, entry += SECTION_SIZE) {
        uint64_t at = load_u64(entry + 64), size = load_u64(entry + 72);

        if (!is_section(entry, name))
            continue;
        if (at > s->size || size > s->size - at) {
            profile_warn(s->profile, "%s: the saved section %s is truncated",
                         s->name, name);
            break;
        }
        return (struct bytes){s->data + at, (size_t)size};
    }
    return (struct bytes){s->data, 0};
}

static void read_area(struct vsp_saved *s, uint64_t at, uint64_t size)
{
    const uint8_t *base = table_at(s, at, size, 1);
    struct reader r;

    if (!base)
        return;
    r = reader_of(s->name, base, (size_t)size, at, NULL);
    while (reader_more(&r)) {
        struct bytes text = reader_bytes(&r, reader_u32(&r));

        if (!r.failed)
            *vec_add(&s->pool) = text;
    }
}

/* The entries behind a count of 8 bytes. */
static size_t entry_count(const struct bytes *b, size_t size)
{
    uint64_t n;

    if (b->len < 8)
        return 0;
    n = load_u64(b->data);
    return n < (b->len - 8) / size ? (size_t)n : (b->len - 8) / size;
}

static uint32_t path_id(struct vsp_saved *s, struct bytes path)
{
    return strings_fold(s->paths,
                        strings_add_utf16(s->paths, path.data, path.len / 2));
}

static void read_cache(struct vsp_saved *s)
{
    struct bytes b = find_section(s, "SYMCACHE");
    size_t n = entry_count(&b, CACHE_SIZE);

    for (size_t i = 0; i < n; i++) {
        const uint8_t *e = b.data + 8 + i * CACHE_SIZE;
        struct saved_module m = {
            .path = vsp_text(e, PATH_BYTES),
            .mvid = e + 520,
            .image_size = load_u32(e + 536),
            .timestamp = load_u32(e + 540),
            .native_count = load_u64(e + 544),
            .managed_count = load_u64(e + 552),
            .native_at = load_u64(e + 568),
            .managed_at = load_u64(e + 576),
        };

        map_add(&s->by_path, path_id(s, m.path), 0, (uint32_t)s->modules.len);
        *vec_add(&s->modules) = m;
    }
}

static void read_cache2(struct vsp_saved *s)
{
    struct bytes b = find_section(s, "SYMCACHE2");
    size_t n = entry_count(&b, CACHE2_SIZE);

    for (size_t i = 0; i < n; i++) {
        const uint8_t *e = b.data + 8 + i * CACHE2_SIZE;
        struct bytes path = vsp_text(e, PATH_BYTES);
        uint32_t id =
            path.len ? map_get(&s->by_path, path_id(s, path), 0) : MAP_NONE;

        if (id == MAP_NONE)
            continue;
        s->modules.data[id].line_count = load_u64(e + 520);
        s->modules.data[id].line_at = load_u64(e + 528);
        s->modules.data[id].managed_line_count = load_u64(e + 536);
        s->modules.data[id].managed_line_at = load_u64(e + 544);
    }
}

struct bytes saved_text(const struct vsp_saved *s, int32_t ordinal)
{
    if (ordinal < 0 || (size_t)ordinal >= s->pool.len)
        return (struct bytes){s->data, 0};
    return s->pool.data[ordinal];
}

/* ---- managed code: read at once, as every method is looked up ---- */

enum { MANAGED_SIZE = 28, IL_LINE_SIZE = 28 };

/* Two halves of a key: 128 bits of version and 32 of token do not fit a map,
 * so the version is folded; `managed_matches` compares it. */
static uint64_t fold_mvid(const uint8_t *mvid)
{
    return load_u64(mvid) ^ (load_u64(mvid + 8) << 1 | mvid[15] >> 7);
}

static void read_managed(struct vsp_saved *s, uint32_t module)
{
    const struct saved_module *m = &s->modules.data[module];
    const uint8_t *e =
        table_at(s, m->managed_at, m->managed_count, MANAGED_SIZE);

    for (uint64_t i = 0; e && i < m->managed_count; i++, e += MANAGED_SIZE) {
        uint32_t fresh = (uint32_t)s->managed.len;
        struct saved_managed method = {
            .token = load_u32(e),
            .module = module,
            .name = saved_text(s, (int32_t)load_u32(e + 16)),
            .file = saved_text(s, (int32_t)load_u32(e + 24)),
        };

        if (method.name.len && map_add(&s->managed_ids, fold_mvid(m->mvid),
                                       method.token, fresh) == fresh)
            *vec_add(&s->managed) = method;
    }
}

static void read_il_lines(struct vsp_saved *s, uint32_t module)
{
    const struct saved_module *m = &s->modules.data[module];
    const uint8_t *e =
        table_at(s, m->managed_line_at, m->managed_line_count, IL_LINE_SIZE);

    for (uint64_t i = 0; e && i < m->managed_line_count; i++, e += IL_LINE_SIZE)
        *vec_add(&s->il_lines) = (struct saved_il_line){
            .module = module,
            .token = load_u32(e),
            .first = (int32_t)load_u32(e + 4),
            .last = (int32_t)load_u32(e + 8),
            .line = load_u32(e + 12),
        };
}

static int compare_il_lines(const void *a, const void *b)
{
    const struct saved_il_line *x = a, *y = b;

    if (x->module != y->module)
        return x->module < y->module ? -1 : 1;
    if (x->token != y->token)
        return x->token < y->token ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

struct vsp_saved *saved_read(const char *name, const uint8_t *data, size_t size,
                             struct profile *p)
{
    struct vsp_saved *s = mem_new(1, sizeof(*s));
    struct bytes pool;

    s->name = name;
    s->data = data;
    s->size = size;
    s->profile = p;
    s->budget = 2 * (uint64_t)size;
    s->paths = strings_new();
    pool = find_section(s, "SYMSTRPOOL");
    for (size_t i = 0; i < POOL_AREAS && (i + 1) * 16 <= pool.len; i++)
        read_area(s, load_u64(pool.data + 16 * i),
                  load_u64(pool.data + 16 * i + 8));
    read_cache(s);
    read_cache2(s);
    for (uint32_t i = 0; i < s->modules.len; i++) {
        read_managed(s, i);
        read_il_lines(s, i);
    }
    vec_sort(&s->il_lines, compare_il_lines);
    return s;
}

void saved_free(struct vsp_saved *s)
{
    for (size_t i = 0; i < s->modules.len; i++) {
        vec_release(&s->modules.data[i].functions);
        vec_release(&s->modules.data[i].addresses);
        vec_release(&s->modules.data[i].lines);
    }
    vec_release(&s->pool);
    vec_release(&s->modules);
    vec_release(&s->managed);
    vec_release(&s->il_lines);
    strings_free(s->paths);
    map_release(&s->by_path);
    map_release(&s->managed_ids);
    free(s);
}

bool saved_managed(const struct vsp_saved *s, const uint8_t *mvid,
                   uint32_t token, struct saved_managed *found)
{
    uint32_t id = map_get(&s->managed_ids, fold_mvid(mvid), token);

    if (id == MAP_NONE)
        return false;
    *found = s->managed.data[id];
    return !memcmp(s->modules.data[found->module].mvid, mvid, 16);
}

uint32_t saved_il_line_of(const struct vsp_saved *s, uint32_t module,
                          uint32_t token, int32_t il)
{
    struct saved_il_line key = {.module = module, .token = token, .first = il};
    size_t i;
    const struct saved_il_line *l;

    BISECT(i, s->il_lines.len,
           compare_il_lines(&s->il_lines.data[i], &key) <= 0);
    if (!i)
        return 0;
    l = &s->il_lines.data[i - 1];
    return l->module == module && l->token == token && il <= l->last ? l->line
                                                                     : 0;
}

/* ---- native code: tables of sampled modules only ---- */

enum { NATIVE_SIZE = 32, LINE_SIZE = 12 };

static int compare_native(const void *a, const void *b)
{
    const struct saved_native *x = a, *y = b;

    return (x->rva > y->rva) - (x->rva < y->rva);
}

static int compare_lines(const void *a, const void *b)
{
    const struct saved_line *x = a, *y = b;

    return (x->rva > y->rva) - (x->rva < y->rva);
}

static void load_natives(struct vsp_saved *s, struct saved_module *m)
{
    const uint8_t *e = table_at(s, m->native_at, m->native_count, NATIVE_SIZE);

    for (uint64_t i = 0; e && i < m->native_count; i++, e += NATIVE_SIZE) {
        struct saved_native n = {
            .rva = load_u32(e),
            .length = load_u32(e + 8),
            .line = (int32_t)load_u32(e + 16),
            .name = (int32_t)load_u32(e + 20),
            .file = (int32_t)load_u32(e + 24),
            .start = load_u32(e + 28),
        };

        if (n.rva == n.start)
            *vec_add(&m->functions) = n;
        else
            *vec_add(&m->addresses) = n;
    }
    vec_sort(&m->functions, compare_native);
    vec_sort(&m->addresses, compare_native);
}

static void load_lines(struct vsp_saved *s, struct saved_module *m)
{
    const uint8_t *e = table_at(s, m->line_at, m->line_count, LINE_SIZE);

    for (uint64_t i = 0; e && i < m->line_count; i++, e += LINE_SIZE)
        *vec_add(&m->lines) = (struct saved_line){load_u32(e), load_u32(e + 8)};
    vec_sort(&m->lines, compare_lines);
}

struct saved_module *saved_find(struct vsp_saved *s, const char *path,
                                uint32_t image_size, uint32_t timestamp)
{
    uint32_t id =
        strings_fold(s->paths, strings_add(s->paths, path, strlen(path)));
    uint32_t i = map_get(&s->by_path, id, 0);
    struct saved_module *m;

    if (i == MAP_NONE)
        return NULL;
    m = &s->modules.data[i];
    if (m->image_size != image_size || m->timestamp != timestamp)
        return NULL;
    if (!m->loaded) {
        m->loaded = true;
        load_natives(s, m);
        load_lines(s, m);
    }
    return m;
}

/* The last of `list` that is not above `rva`. */
static const struct saved_native *at_or_before(const struct saved_native *list,
                                               size_t n, uint32_t rva)
{
    size_t i;

    BISECT(i, n, list[i].rva <= rva);
    return i ? &list[i - 1] : NULL;
}

bool saved_native(struct vsp_saved *s, struct saved_module *m, uint32_t rva,
                  struct saved_native *found)
{
    const struct saved_native *a =
        at_or_before(m->addresses.data, m->addresses.len, rva);
    const struct saved_native *f =
        at_or_before(m->functions.data, m->functions.len, rva);

    if (a && a->rva == rva && saved_text(s, a->name).len)
        *found = *a;
    else if (f && (f->rva == rva || rva - f->rva < f->length) &&
             saved_text(s, f->name).len)
        *found = *f;
    else
        return false;
    return true;
}

uint32_t saved_line_of(const struct saved_module *m, uint32_t rva)
{
    struct saved_line key = {rva, 0}, *found;

    if (!m->lines.len)
        return 0;
    found =
        bsearch(&key, m->lines.data, m->lines.len, sizeof(key), compare_lines);
    return found ? found->line : 0;
}

/* ---- handed over in the profile ----
 *
 * Names are asked location by location once the profile is attributed. The
 * line of a call is looked up for the byte before the address that it returns
 * to. A native name is saved for the address itself. */

enum { MAP_ENTRY = 12 };

struct naming {
    const struct profile *p;
    struct vsp_saved *saved;
    VEC(struct vsp_method) recorded; /* by start */
    struct strings *text;            /* as UTF-8 */
    /* Made of the attributed profile when the first question comes. */
    uint64_t *bases;                   /* by module: where first mapped */
    struct saved_module **modules;     /* by module; NULL not saved */
    const struct vsp_method **methods; /* by method */
};

static const char *saved_utf8(struct naming *n, struct bytes b)
{
    return strings_get(n->text, strings_add_utf16(n->text, b.data, b.len / 2));
}

static bool find_native(struct naming *n, const struct location *l,
                        bool returns, struct saved_frame *frame)
{
    struct saved_module *m = n->modules[l->module];
    uint32_t rva = (uint32_t)l->address, line = 0;
    struct saved_native found;

    if (!m || l->address > UINT32_MAX ||
        !saved_native(n->saved, m, rva, &found))
        return false;
    if (returns && rva)
        line = saved_line_of(m, rva - 1);
    if (!line)
        line = saved_line_of(m, rva);
    *frame = (struct saved_frame){
        .function = saved_utf8(n, saved_text(n->saved, found.name)),
        .file = saved_utf8(n, saved_text(n->saved, found.file)),
        .line = line,
    };
    return true;
}

/* The IL offset of a native one; -1 where there is none. */
static int32_t il_offset(const struct vsp_method *m, uint64_t offset)
{
    for (uint32_t i = 0; i < m->map_entries; i++) {
        const uint8_t *e = m->map + (size_t)i * MAP_ENTRY;

        if (load_u32(e + 4) <= offset && offset < load_u32(e + 8))
            return (int32_t)load_u32(e);
    }
    return -1;
}

static uint64_t offset_in_method(const struct naming *n,
                                 const struct location *l)
{
    uint64_t start = methods_get(&n->p->methods, l->method).start;

    if (l->module == NO_ID)
        return l->address;
    return n->bases[l->module] + l->address - start;
}

static bool find_managed(struct naming *n, const struct location *l,
                         bool returns, struct saved_frame *frame)
{
    const struct vsp_method *m = n->methods[l->method];
    uint64_t offset = offset_in_method(n, l);
    struct saved_managed found;
    uint32_t line = 0;
    int32_t il;

    if (!m || !saved_managed(n->saved, m->mvid, m->token, &found))
        return false;
    il = il_offset(m, offset - (returns && offset));
    if (il >= 0)
        line = saved_il_line_of(n->saved, found.module, m->token, il);
    *frame =
        (struct saved_frame){.file = saved_utf8(n, found.file), .line = line};
    return true;
}

static const struct vsp_method *method_at(const struct naming *n,
                                          const struct method *m)
{
    const struct vsp_method *list = n->recorded.data;
    size_t i;

    BISECT(i, n->recorded.len, list[i].start < m->start);
    for (; i < n->recorded.len && list[i].start == m->start; i++)
        if (list[i].token == m->token && list[i].length == m->size)
            return &list[i];
    return NULL;
}

static void find_modules(struct naming *n)
{
    const struct profile *p = n->p;

    n->bases = mem_new(p->modules.len, sizeof(*n->bases));
    n->modules = mem_new(p->modules.len, sizeof(struct saved_module *));
    n->methods = mem_new(p->methods.len, sizeof(struct vsp_method *));
    for (size_t i = p->mappings.len; i-- > 0;)
        n->bases[p->mappings.data[i].module] = p->mappings.data[i].base;
    for (size_t i = 0; i < p->modules.len; i++) {
        const struct module *m = &p->modules.data[i];

        n->modules[i] =
            saved_find(n->saved, strings_get(p->strings, m->path),
                       m->identity.image_size, m->identity.timestamp);
    }
    for (uint32_t i = 0; i < p->methods.len; i++) {
        struct method m = methods_get(&p->methods, i);

        n->methods[i] = method_at(n, &m);
    }
}

static bool find_saved(void *state, uint32_t location, bool returns,
                       struct saved_frame *frame)
{
    struct naming *n = state;
    const struct location *l = &n->p->locations.data[location];

    if (!n->modules)
        find_modules(n);
    if (l->method != NO_ID)
        return find_managed(n, l, returns, frame);
    if (l->module != NO_ID)
        return find_native(n, l, returns, frame);
    /* The recorder's mark for a gap in a stack that it could not walk. */
    *frame = (struct saved_frame){.function = "[broken]"};
    return l->address == VSP_GAP;
}

static void release_saved(void *state)
{
    struct naming *n = state;

    saved_free(n->saved);
    vec_release(&n->recorded);
    strings_free(n->text);
    free(n->bases);
    free(n->modules);
    free(n->methods);
    free(n);
}

void vsp_names_hand_over(struct vsp_reading *r)
{
    struct profile *p = r->seen->profile;
    struct naming *n = mem_new(1, sizeof(*n));

    n->p = p;
    n->saved = r->saved;
    n->text = strings_new();
    vec_reserve(&n->recorded, r->methods.len);
    for (size_t i = 0; i < r->methods.len; i++)
        *vec_add(&n->recorded) = r->methods.data[i];
    r->saved = NULL;
    p->saved = (struct saved_names){n, "saved in the recording", find_saved,
                                    release_saved};
}
