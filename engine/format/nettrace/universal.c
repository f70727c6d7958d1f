/*
 * Universal.System: what the Linux recorder says of processes, of files mapped
 * into them and of symbols, whatever the metadata declares. The process is that
 * of the event's thread.
 *
 * The end of a symbol is its last byte. So is that of a mapping made while
 * recording, while older ones end where the next could begin: pages tell the
 * two apart. A symbol belongs to the mapping id, and so to every process that
 * inherited the mapping. (format.md, sections 5.9 and 8.1)
 */
#include <string.h>

#include "engine/base/hex.h"
#include "engine/base/text.h"
#include "engine/format/nettrace/nettrace.h"

/* ---- JSON on a mapped file ----
 *
 * It is one flat object of an ELF or a PE file. Any key but the type may be
 * missing, numbers come as numbers, decimal text or hexadecimal text with 0x,
 * and strings are not escaped: so this is no JSON reader, but looks for a key
 * and takes what stands behind it. (format.md, section 8.1) */

static const uint8_t *skip_spaces(const uint8_t *at, const uint8_t *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* The value of a key, without quotes; empty when there is none. */
static struct bytes value_of(struct bytes json, const char *key)
{
    const uint8_t *end = json.data + json.len, *at, *start;
    size_t n = strlen(key);

    if (!json.len)
        return (struct bytes){0};
    at = memmem(json.data, json.len, key, n);
    if (!at)
        return (struct bytes){0};
    at = skip_spaces(at + n, end);
    if (at == end || *at != ':')
        return (struct bytes){0};
    start = skip_spaces(at + 1, end);
    if (start < end && *start == '"') {
        start++;
        at = memchr(start, '"', (size_t)(end - start));
        return (struct bytes){start, (size_t)((at ? at : end) - start)};
    }
    at = start;
    while (at < end && *at != ',' && *at != '}')
        at++;
    return (struct bytes){start, (size_t)(at - start)};
}

/* False when it is not one. */
static bool number_of_value(struct bytes text, uint64_t *value)
{
    unsigned base = 10;
    size_t i = 0;

    if (text.len > 2 && text.data[0] == '0' && (text.data[1] | 0x20) == 'x') {
        base = 16;
        i = 2;
    }
    *value = 0;
    for (; i < text.len; i++) {
        int d = hex_digit(text.data[i]);

        if (d < 0 || d >= (int)base || *value > UINT64_MAX / base - 1)
            return false;
        *value = *value * base + (unsigned)d;
    }
    return text.len;
}

static uint32_t number32(struct bytes text)
{
    uint64_t value;

    return number_of_value(text, &value) ? (uint32_t)value : 0;
}

/* Pairs of hexadecimal digits; how many bytes that was. */
static uint8_t read_bytes(struct bytes text, uint8_t *out, size_t max)
{
    size_t n = text.len / 2 < max ? text.len / 2 : max;

    return hex_bytes((const char *)text.data, n, out) ? (uint8_t)n : 0;
}

static void parse_elf(struct nt_image_metadata *out, struct bytes json)
{
    out->identity.build_id_size =
        read_bytes(value_of(json, "\"build_id\""), out->identity.build_id,
                   sizeof(out->identity.build_id));
    out->has_segment =
        number_of_value(value_of(json, "\"p_vaddr\""), &out->segment_address) &&
        number_of_value(value_of(json, "\"p_offset\""), &out->segment_offset);
}

static void parse_pe(struct nt_image_metadata *out, struct bytes json,
                     struct strings *strings)
{
    struct identity *id = &out->identity;
    struct bytes name = value_of(json, "\"name\"");

    id->timestamp = number32(value_of(json, "\"date_time\""));
    if (!name.len || read_bytes(value_of(json, "\"signature\""), id->guid,
                                sizeof(id->guid)) != sizeof(id->guid))
        return;
    id->age = number32(value_of(json, "\"age\""));
    id->pdb_name = strings_add(strings, (const char *)name.data, name.len);
}

void nt_parse_image_metadata(struct nt_image_metadata *out, struct bytes json,
                             struct strings *strings)
{
    struct bytes type = value_of(json, "\"type\"");

    *out = (struct nt_image_metadata){0};
    if (bytes_are(type, "ELF"))
        parse_elf(out, json);
    else if (bytes_are(type, "PE"))
        parse_pe(out, json, strings);
}

/* ---- events ---- */

enum event_id {
    EXISTING_PROCESS,
    PROCESS_CREATE,
    PROCESS_EXIT,
    PROCESS_MAPPING,
    PROCESS_SYMBOL,
    PROCESS_MAPPING_METADATA,
};

enum { PAGE_MASK = 0xFFF };

/* A mapping, until its metadata is known. */
struct nt_mapping {
    uint64_t id, metadata;
    uint64_t start, size, file_offset;
    int64_t time;
    uint32_t pid;
    uint32_t path; /* string */
};

struct nt_universal {
    VEC(struct nt_mapping) mappings;
    VEC(struct nt_image_metadata) metadata;
    struct map metadata_ids;
    struct map symbol_sets; /* mapping id -> set */
};

static struct bytes short_string(struct reader *r)
{
    return reader_bytes(r, reader_u16(r));
}

static uint32_t add_string(struct nt_recording *rec, struct bytes b)
{
    return strings_add(rec->strings, (const char *)b.data, b.len);
}

static bool take_process(struct nt_file *f, enum observed_event event,
                         uint32_t pid, int64_t time, struct reader *r)
{
    struct observed_process fact = {.time = time, .event = event, .pid = pid};

    if (event != SEEN_END) {
        reader_uleb(r);
        fact.name = add_string(f->recording, short_string(r));
    }
    if (!r->failed)
        observe_process(f->recording->seen, &fact);
    return !r->failed;
}

static bool take_mapping(struct nt_file *f, uint32_t pid, int64_t time,
                         struct reader *r)
{
    struct nt_mapping m = {.pid = pid, .time = time};
    uint64_t end;

    m.id = reader_uleb(r);
    m.start = reader_uleb(r);
    end = reader_uleb(r);
    m.file_offset = reader_uleb(r);
    m.path = add_string(f->recording, short_string(r));
    m.metadata = reader_uleb(r);
    if (r->failed)
        return false;
    /* An unprivileged recorder sees the kernel as everything from 0 on. */
    if (end < m.start || (!m.start && end == UINT64_MAX))
        return true;
    m.size = end - m.start;
    if ((end & PAGE_MASK) == PAGE_MASK && m.start + m.size != UINT64_MAX)
        m.size++;
    *vec_add(&f->universal->mappings) = m;
    return true;
}

static uint32_t symbol_set(struct nt_file *f, uint64_t mapping)
{
    struct nt_universal *u = f->universal;
    uint32_t set = map_get(&u->symbol_sets, mapping, 0);

    if (set == MAP_NONE) {
        set = observe_symbol_set(f->recording->seen);
        map_set(&u->symbol_sets, mapping, 0, set);
    }
    return set;
}

static bool take_symbol(struct nt_file *f, struct reader *r)
{
    struct observed_symbol fact = {0};
    uint64_t mapping, end;
    struct bytes name;

    reader_uleb(r);
    mapping = reader_uleb(r);
    fact.start = reader_uleb(r);
    end = reader_uleb(r);
    name = short_string(r);
    if (r->failed)
        return false;
    if (end < fact.start || end - fact.start >= INT64_MAX || !name.len)
        return true;
    fact.size = end - fact.start + 1;
    fact.name = (struct text_slice){name.data, (uint32_t)name.len, false};
    fact.set = symbol_set(f, mapping);
    observe_symbol(f->recording->seen, &fact);
    return true;
}

static bool take_metadata(struct nt_file *f, struct reader *r)
{
    struct nt_universal *u = f->universal;
    uint64_t id = reader_uleb(r);
    struct bytes json = short_string(r);

    if (r->failed)
        return false;
    map_set(&u->metadata_ids, id, 0, mem_next_id(u->metadata.len));
    nt_parse_image_metadata(vec_add(&u->metadata), json, f->recording->strings);
    return true;
}

static bool take_universal_event(struct nt_file *f, uint32_t id, uint32_t pid,
                                 int64_t time, struct reader *r)
{
    switch (id) {
    case EXISTING_PROCESS:
        return take_process(f, SEEN_AT_START, pid, time, r);
    case PROCESS_CREATE:
        return take_process(f, SEEN_BEGIN, pid, time, r);
    case PROCESS_EXIT:
        return take_process(f, SEEN_END, pid, time, r);
    case PROCESS_MAPPING:
        return take_mapping(f, pid, time, r);
    case PROCESS_SYMBOL:
        return take_symbol(f, r);
    case PROCESS_MAPPING_METADATA:
        return take_metadata(f, r);
    }
    return true;
}

void nt_universal_event(struct nt_file *f, const struct nt_kind *kind,
                        uint32_t pid, int64_t time, struct reader *r)
{
    if (!f->universal)
        f->universal = mem_new(1, sizeof(*f->universal));
    if (!take_universal_event(f, kind->event_id, pid, time, r))
        f->recording->profile->quality.malformed++;
}

/* ---- when the file is read ---- */

/* The module, and the address in it that lies at the mapping's start. */
static uint32_t mapped_module(struct nt_file *f, const struct nt_mapping *m,
                              uint64_t *rva)
{
    struct nt_universal *u = f->universal;
    uint32_t at =
        m->metadata ? map_get(&u->metadata_ids, m->metadata, 0) : MAP_NONE;
    struct module module = {.path = m->path};

    *rva = m->file_offset;
    if (!m->path)
        return NO_ID;
    if (at != MAP_NONE) {
        const struct nt_image_metadata *meta = &u->metadata.data[at];

        module.identity = meta->identity;
        if (meta->has_segment)
            *rva += meta->segment_address - meta->segment_offset;
        module.by_file_offset = !meta->has_segment;
    }
    return observe_module(f->recording->seen, &module);
}

static void report_mapping(struct nt_file *f, const struct nt_mapping *m)
{
    struct nt_recording *rec = f->recording;
    uint32_t set = map_get(&f->universal->symbol_sets, m->id, 0);
    struct observed_image fact = {
        .time = m->time,
        .event = SEEN_BEGIN,
        .pid = m->pid,
        .pages = true,
        .base = m->start,
        .size = m->size,
        .symbols = set == MAP_NONE ? 0 : set,
    };

    fact.module = mapped_module(f, m, &fact.rva);
    /* The runtime puts the code it makes into such memory. */
    fact.jit =
        fact.module == NO_ID ||
        text_starts(strings_get(rec->strings, m->path), "/memfd:doublemapper");
    if (fact.module != NO_ID || fact.symbols)
        observe_image(rec->seen, &fact);
}

void nt_universal_finish(struct nt_file *f)
{
    struct nt_universal *u = f->universal;

    if (!u)
        return;
    for (size_t i = 0; i < u->mappings.len; i++)
        report_mapping(f, &u->mappings.data[i]);
    vec_release(&u->mappings);
    vec_release(&u->metadata);
    map_release(&u->metadata_ids);
    map_release(&u->symbol_sets);
    free(u);
    f->universal = NULL;
}
