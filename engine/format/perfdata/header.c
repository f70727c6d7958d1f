/*
 * The header of a file, in the byte order of the machine. A table of sections,
 * one for each feature, follows the records. In a pipe, descriptions and
 * features are records among the others. (format.md, sections 1 to 3)
 */
#include <string.h>

#include "engine/base/text.h"
#include "engine/format/perfdata/perfdata.h"

enum {
    PIPE_HEADER = 16,
    FILE_HEADER = 104,
    OLDEST_HEADER = 72, /* without features */
    SECTION = 16,
    ID = 8, /* of a counter */
    SMALLEST_ATTRIBUTES = 64,
};

struct section {
    uint64_t offset, size;
};

static struct section read_section(const struct pd_reading *r,
                                   struct reader *reader)
{
    uint64_t offset = reader_u64_in(reader, r->swapped);

    return (struct section){offset, reader_u64_in(reader, r->swapped)};
}

/* Opens the part of a section that the file has. */
static struct reader open_section(struct pd_reading *r, struct section s)
{
    uint64_t left = s.offset < r->size ? r->size - s.offset : 0;
    size_t n = (size_t)(s.size < left ? s.size : left);

    return reader_of(r->name, left ? r->data + s.offset : NULL, n, s.offset,
                     NULL);
}

/* ---- events ---- */

/* Flags are a bit field, which fills the number from its other end on a
 * big-endian machine. */
static uint64_t flags_of(const struct pd_reading *r, uint64_t flags)
{
    uint64_t reversed = 0;

    if (!r->swapped)
        return flags;
    for (unsigned i = 0; i < 64; i++)
        reversed |= (flags >> i & 1) << (63 - i);
    return reversed;
}

/*
 * perf_event_attr: u32 type, u32 size, u64 config, u64 period or frequency,
 * u64 sample_type, u64 read_format, u64 flags; at 72 u64 branch_sample_type,
 * u64 sample_regs_user, u32 sample_stack_user, i32 clock. Newer ones are
 * longer.
 */
static bool read_event(const struct pd_reading *r, struct reader *a,
                       struct pd_event *e)
{
    enum {
        INHERIT = 1,
        EXCLUDE_KERNEL = 5,
        FREQUENCY = 10,
        ENABLE_ON_EXEC = 12,
        SAMPLE_ID_ALL = 18,
        OWN_CLOCK = 25
    };
    enum { MONOTONIC = 1 };
    uint64_t flags;

    e->type = reader_u32_in(a, r->swapped);
    reader_skip(a, 4);
    e->config = reader_u64_in(a, r->swapped);
    e->period = reader_u64_in(a, r->swapped);
    e->sample_type = reader_u64_in(a, r->swapped);
    e->read_format = reader_u64_in(a, r->swapped);
    flags = flags_of(r, reader_u64_in(a, r->swapped));
    e->inherited = flags >> INHERIT & 1;
    e->user_only = flags >> EXCLUDE_KERNEL & 1;
    e->frequency = flags >> FREQUENCY & 1;
    e->starts_program = flags >> ENABLE_ON_EXEC & 1;
    e->sample_id_all = flags >> SAMPLE_ID_ALL & 1;
    if (a->failed)
        return false;
    reader_skip(a, 24);
    e->branch_type = reader_u64_in(a, r->swapped);
    e->user_registers = reader_u64_in(a, r->swapped);
    reader_skip(a, 4);
    e->monotonic =
        reader_u32_in(a, r->swapped) == MONOTONIC && (flags >> OWN_CLOCK & 1);
    reader_skip(a, 12);
    e->max_stack = reader_u16_in(a, r->swapped);
    return true; /* older ones end before that */
}

/* A bit that is not known adds something to a sample, which moves all behind
 * it. */
static void note_unknown_bit(struct pd_event *e, const char *field,
                             uint64_t bits, unsigned known)
{
    bits >>= known;
    if (!bits || e->unknown)
        return;
    e->unknown = field;
    e->unknown_bit = (uint8_t)(known + (unsigned)__builtin_ctzll(bits));
}

void pd_refuse_event(struct pd_reading *r, const struct pd_event *e)
{
    err_set(&r->refusal, ERR_UNSUPPORTED,
            "%s: samples have an unknown field (bit %u of %s): a newer "
            "recorder wrote them",
            r->name, e->unknown_bit, e->unknown);
}

void pd_read_attributes(struct pd_reading *r, struct reader *reader,
                        struct reader *ids)
{
    struct pd_event e = {0};
    uint32_t index = (uint32_t)r->events.len;

    reader->err = NULL;
    if (!read_event(r, reader, &e)) {
        pd_damage(r, reader->offset, reader->len, "description of an event");
        return;
    }
    note_unknown_bit(&e, "sample_type", e.sample_type, PD_SAMPLE_BITS);
    if (e.sample_type & PD_READ)
        note_unknown_bit(&e, "read_format", e.read_format, PD_READ_BITS);
    if (e.sample_type & PD_BRANCH_STACK)
        note_unknown_bit(&e, "branch_sample_type", e.branch_type,
                         PD_BRANCH_BITS);
    if (reader->len > PD_KNOWN_ATTRIBUTES)
        r->newest_attributes = (uint32_t)reader->len;
    pd_name_event(r, &e);
    r->untimed = (!index || r->untimed) && !(e.sample_type & PD_TIME);
    *vec_add(&r->events) = e;
    r->chose = false;
    while (reader_left(ids) >= ID)
        map_set(&r->event_ids, reader_u64_in(ids, r->swapped), 0, index);
}

static void read_events(struct pd_reading *r, struct section table,
                        uint64_t row_size)
{
    struct reader rows = open_section(r, table);

    if (row_size < SMALLEST_ATTRIBUTES + SECTION)
        row_size = 0;
    if (!row_size || rows.len < table.size)
        pd_damage(r, table.offset, 0, "the table of events is truncated");
    while (row_size && reader_left(&rows) >= row_size) {
        struct reader row = reader_sub(&rows, (size_t)row_size, "event");
        struct reader attributes =
            reader_sub(&row, (size_t)row_size - SECTION, "event");
        struct reader ids = open_section(r, read_section(r, &row));

        if (!budget_take(&r->ids_read, ids.len / ID)) {
            pd_damage(r, ids.offset, ids.len,
                      "counter ids that other events name, too");
            ids.len = 0;
        }
        pd_read_attributes(r, &attributes, &ids);
    }
}

/* ---- features ---- */

/* Reads the features behind the records: names of events and mapped files. */
static void read_features(struct pd_reading *r, const uint64_t bits[4])
{
    struct section table = {r->records_at + r->records_size,
                            (uint64_t)PD_FEATURES * SECTION};
    struct reader sections = open_section(r, table);

    for (unsigned i = 0; i < PD_FEATURES; i++) {
        enum { LAST = 33, SIMPLEPERF_LAST = 134 }; /* that are known */
        struct section s;
        struct reader body;

        if (!(bits[i / 64] >> i % 64 & 1))
            continue;
        if (i > LAST && (i < PD_SIMPLEPERF_FEATURES || i > SIMPLEPERF_LAST))
            profile_fact(r->profile, "unknown feature", "%u", i);
        s = read_section(r, &sections);
        if (sections.failed) {
            pd_damage(r, table.offset, 0,
                      "the description of the machine and of mapped files is "
                      "truncated");
            return;
        }
        body = open_section(r, s);
        pd_read_feature(r, i, &body);
    }
}

/* ---- the whole ---- */

static void place_records(struct pd_reading *r, struct section records)
{
    uint64_t left;

    if (records.offset > r->size)
        records.offset = r->size;
    left = r->size - records.offset;
    r->records_at = (size_t)records.offset;
    r->records_size = (size_t)(records.size < left ? records.size : left);
    if (!records.size) {
        r->records_size = (size_t)left;
        profile_warn(r->profile,
                     "%s: the recorder was killed before it had "
                     "finished the file",
                     r->name);
    } else if (records.size > left) {
        pd_damage(r, r->size, records.size - left, "the file is truncated");
    }
}

static void read_file_header(struct pd_reading *r, struct reader *h,
                             bool oldest)
{
    enum { HAS_HOSTNAME = 3 };
    uint64_t row_size = reader_u64_in(h, r->swapped), bits[4];
    struct section events = read_section(r, h);
    struct section records = read_section(r, h);
    bool wide, narrow;

    read_section(r, h);
    for (unsigned i = 0; i < 4; i++)
        bits[i] = reader_u64_in(h, r->swapped);
    /* The bits are words of 64 or 32 bits, as the recording machine has them,
     * which matters where it is big-endian. Every file has the machine's name.
     */
    wide = bits[0] >> HAS_HOSTNAME & 1;
    narrow = bits[0] >> (32 + HAS_HOSTNAME) & 1;
    for (unsigned i = 0; r->swapped && !wide && narrow && i < 4; i++)
        bits[i] = bits[i] >> 32 | bits[i] << 32;
    place_records(r, records);
    read_events(r, events, row_size);
    if (records.size && !oldest)
        read_features(r, bits);
}

bool pd_read_header(struct pd_reading *r, struct err *err)
{
    struct reader h = reader_of(r->name, r->data, r->size, 0, err);
    uint64_t size;
    uint8_t version;
    bool old;

    r->swapped = r->data[0] != 'P';
    version = r->data[r->swapped ? 0 : 7];
    old = r->data[4] == 'F';
    if (!old && version != '2') {
        err_set(err, ERR_UNSUPPORTED,
                "%s: offset 0x0: unknown version '%c' of perf.data; topfn "
                "reads version 2, and the PERFFILE format from before 2010",
                r->name, version > ' ' && version < 0x7F ? version : '?');
        return false;
    }
    reader_skip(&h, 8);
    size = reader_u64_in(&h, r->swapped);
    /* The first perf, of 2009 and 2010, did not tell its byte order. */
    if (old && size >> 32) {
        r->swapped = true;
        size = __builtin_bswap64(size);
    }
    r->pipe = size == PIPE_HEADER;
    if (r->pipe) {
        r->records_at = PIPE_HEADER;
        r->records_size = r->size - PIPE_HEADER;
        return true;
    }
    if (size < FILE_HEADER && !(old && size == OLDEST_HEADER)) {
        err_set(err, ERR_UNSUPPORTED,
                "%s: offset 0x8: invalid header size %llu", r->name,
                (unsigned long long)size);
        return false;
    }
    if (r->size < FILE_HEADER) {
        err_set(err, ERR_TRUNCATED, "%s: offset 0x%zx: header truncated",
                r->name, r->size);
        return false;
    }
    read_file_header(r, &h, size == OLDEST_HEADER);
    return true;
}

/* ---- what features say of the machine, of events and of mapped files ----
 *
 * A string is u32 size and that many bytes, filled up with NUL.
 * (format.md, section 3) */

enum feature {
    TRACING_DATA = 1,
    BUILD_ID,
    HOSTNAME,
    OS_RELEASE,
    VERSION,
    ARCH,
    CPUS,
    CPU_DESCRIPTION,
    CPU_ID,
    TOTAL_MEMORY,
    COMMAND_LINE,
    EVENTS,
    CPU_TOPOLOGY,
    AUXTRACE = 18,
    DIR_FORMAT = 24,
    COMPRESSED = 27,
    CLOCK_DATA = 29,
    SIMPLEPERF_FILE = PD_SIMPLEPERF_FEATURES,
    SIMPLEPERF_META_INFO,
    SIMPLEPERF_FILE2 = 132,
    SIMPLEPERF_INIT_MAP = 134,
};

static struct bytes read_string(const struct pd_reading *r, struct reader *f)
{
    uint32_t size = reader_u32_in(f, r->swapped);
    struct reader text = reader_sub(f, size, "string");

    return reader_cstr(&text);
}

static void add_fact(struct pd_reading *r, const char *name, struct bytes text)
{
    if (text.len)
        profile_fact(r->profile, name, "%.*s", (int)text.len,
                     (const char *)text.data);
}

/* ---- the machine ---- */

static void read_os(struct pd_reading *r, struct reader *f)
{
    struct bytes text = read_string(r, f);

    r->profile->trace.os = strings_addf(r->strings, "Linux %.*s", (int)text.len,
                                        (const char *)text.data);
}

static void read_arch(struct pd_reading *r, struct reader *f)
{
    struct bytes text = read_string(r, f);

    add_fact(r, "architecture", text);
    r->width_told = text.len;
    r->wide = text.len && memmem(text.data, text.len, "64", 2);
    r->machine = pd_machine_by_name(text);
    if (bytes_are(text, "s390x"))
        r->wide = true;
}

static void read_command_line(struct pd_reading *r, struct reader *f)
{
    uint32_t count = reader_u32_in(f, r->swapped);
    VEC(char) text = {0};

    while (count-- && reader_more(f)) {
        struct bytes part = read_string(r, f);

        if (text.len)
            *vec_add(&text) = ' ';
        for (size_t i = 0; i < part.len; i++)
            *vec_add(&text) = (char)part.data[i];
    }
    add_fact(r, "recorded by",
             (struct bytes){(const uint8_t *)text.data, text.len});
    vec_release(&text);
}

/* Groups of CPUs that share a package, and that share a core. */
static void read_topology(struct pd_reading *r, struct reader *f)
{
    uint32_t packages = reader_u32_in(f, r->swapped), cores;

    for (uint32_t i = 0; i < packages && reader_more(f); i++)
        read_string(r, f);
    cores = reader_u32_in(f, r->swapped);
    if (!f->failed)
        profile_fact(r->profile, "processor packages and cores", "%u, %u",
                     packages, cores);
}

/* ---- events ---- */

static void name_event(struct pd_reading *r, uint32_t index, uint32_t name)
{
    if (index >= r->events.len || !name)
        return;
    r->events.data[index].name = name;
    r->chose = false;
}

/* u32 count, u32 size of attributes; each: those, u32 number of ids, name,
 * u64 ids. In the order of the table. */
static void read_names(struct pd_reading *r, struct reader *f)
{
    uint32_t count = reader_u32_in(f, r->swapped);
    uint32_t size = reader_u32_in(f, r->swapped);

    for (uint32_t i = 0; i < count && reader_more(f); i++) {
        uint32_t ids, name;

        reader_skip(f, size);
        ids = reader_u32_in(f, r->swapped);
        name = pd_text(r, read_string(r, f));
        reader_skip(f, (size_t)ids * 8);
        if (!f->failed)
            name_event(r, i, name);
    }
}

/* EVENT_UPDATE: u64 what, u64 id of a counter; for 2 its name. */
void pd_update_event(struct pd_reading *r, struct reader *f)
{
    enum { NAME = 2 };
    uint64_t what = reader_u64_in(f, r->swapped);
    uint64_t id = reader_u64_in(f, r->swapped);

    if (what == NAME)
        name_event(r, map_get(&r->event_ids, id, 0),
                   pd_text(r, reader_cstr(f)));
}

/* ---- mapped files ---- */

/* 20 bytes build-id, u8 their number if `misc` says so, 3 unused, path. */
static void read_build_id(struct pd_reading *r, uint16_t misc, struct reader *f)
{
    enum { HAS_SIZE = 1 << 15, SIZE = 20 };
    struct pd_build_id id = {.size = SIZE};
    struct bytes bytes;
    uint8_t size;

    bytes = reader_bytes(f, SIZE);
    size = reader_u8(f);
    reader_skip(f, 3);
    if (f->failed)
        return;
    memcpy(id.bytes, bytes.data, SIZE);
    if ((misc & HAS_SIZE) && size && size < SIZE)
        id.size = size;
    id.path = pd_text(r, reader_cstr(f));
    map_set(&r->build_id_of, id.path, 0, mem_next_id(r->build_ids.len));
    *vec_add(&r->build_ids) = id;
}

/* Reads a build ID, which follows an i32 pid. */
void pd_read_build_id(struct pd_reading *r, uint16_t misc, struct reader *f)
{
    reader_skip(f, 4);
    read_build_id(r, misc, f);
}

/* Until Linux 2.6.34 there was no pid, so that what is read as the path lacks
 * the first four characters. The kernel is first. */
static bool lacks_pid(const struct reader *f)
{
    static const char path[] = "nel.kallsyms]";
    enum { PATH = 8 + 4 + 24 };

    return f->len >= PATH + sizeof(path) &&
           !memcmp(f->base + PATH, path, sizeof(path) - 1);
}

/* Records of their own: u32 type, u16 misc, u16 size with these 8. */
static void read_build_ids(struct pd_reading *r, struct reader *f)
{
    bool without_pid = lacks_pid(f);

    while (reader_more(f)) {
        struct reader body;
        uint16_t misc, size;

        reader_skip(f, 4);
        misc = reader_u16_in(f, r->swapped);
        size = reader_u16_in(f, r->swapped);
        if (size < 8)
            return;
        body = reader_sub(f, size - 8u, "build-id");
        if (!without_pid)
            reader_skip(&body, 4);
        read_build_id(r, misc, &body);
    }
}

void pd_read_feature(struct pd_reading *r, unsigned feature, struct reader *f)
{
    f->err = NULL; /* what is cut off is not said */
    switch (feature) {
    case HOSTNAME:
        r->profile->trace.machine = pd_text(r, read_string(r, f));
        break;
    case OS_RELEASE:
        read_os(r, f);
        break;
    case VERSION:
        add_fact(r, "perf version", read_string(r, f));
        break;
    case ARCH:
        read_arch(r, f);
        break;
    case CPUS:
        reader_skip(f, 4); /* how many there could be */
        r->profile->trace.cpus = reader_u32_in(f, r->swapped);
        break;
    case CPU_DESCRIPTION:
        add_fact(r, "processor", read_string(r, f));
        break;
    case TOTAL_MEMORY:
        profile_fact(r->profile, "memory", "%llu KiB",
                     (unsigned long long)reader_u64_in(f, r->swapped));
        break;
    case COMMAND_LINE:
        read_command_line(r, f);
        break;
    case CPU_TOPOLOGY:
        read_topology(r, f);
        break;
    case TRACING_DATA:
        pd_read_tracing_data(r, f);
        break;
    case BUILD_ID:
        read_build_ids(r, f);
        break;
    case EVENTS:
        read_names(r, f);
        break;
    case CLOCK_DATA:
        /* u32 version, u32 clock, u64 wall-clock time and u64 the recording's
         * clock at that moment. */
        reader_skip(f, 8);
        r->wall_clock = reader_u64_in(f, r->swapped);
        r->wall_clock_at = reader_u64_in(f, r->swapped);
        if (f->failed)
            r->wall_clock = 0;
        break;
    case SIMPLEPERF_FILE:
    case SIMPLEPERF_FILE2:
        pd_read_symbol_files(r, f, feature == SIMPLEPERF_FILE2);
        break;
    case COMPRESSED:
        reader_skip(f, 4);
        r->packing = reader_u32_in(f, r->swapped);
        break;
    case DIR_FORMAT:
        r->in_folder = true;
        if (!r->entry->part_count && !strcmp(path_base_name(r->name), "data"))
            profile_warn(r->profile,
                         "%s: one file of a folder that perf record wrote; "
                         "open the folder",
                         r->name);
        break;
    case SIMPLEPERF_INIT_MAP:
        pd_read_stream(r, (struct bytes){f->base, f->len}, f->offset);
        break;
    case SIMPLEPERF_META_INFO:
        pd_read_meta_info(r, f);
        break;
    }
}
