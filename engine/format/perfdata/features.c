/*
 * What the recorder says of the machine, of events and of mapped files. A
 * string is u32 size and that many bytes, filled up with NUL.
 * (format.md, section 3)
 */
#include "engine/format/perfdata/perfdata.h"

#include <string.h>

#include "engine/base/text.h"

enum feature {
    BUILD_ID = 2,
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

    r->profile->trace.os = strings_addf(r->strings, "Linux %.*s",
                                        (int)text.len,
                                        (const char *)text.data);
}

static void read_arch(struct pd_reading *r, struct reader *f)
{
    struct bytes text = read_string(r, f);

    add_fact(r, "architecture", text);
    r->width_told = text.len;
    r->wide = text.len && memmem(text.data, text.len, "64", 2);
    r->machine = pd_machine_by_name(text.data, text.len);
    if (text.len == 5 && !memcmp(text.data, "s390x", 5))
        r->wide = true;
}

static void read_cpus(struct pd_reading *r, struct reader *f)
{
    reader_skip(f, 4); /* how many there could be */
    r->profile->trace.cpus = reader_u32_in(f, r->swapped);
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

/* u32 version, u32 clock, u64 wall-clock time and u64 the recording's clock
 * at that moment. */
static void read_clock(struct pd_reading *r, struct reader *f)
{
    reader_skip(f, 8);
    r->wall_clock = reader_u64_in(f, r->swapped);
    r->wall_clock_at = reader_u64_in(f, r->swapped);
    if (f->failed)
        r->wall_clock = 0;
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
static void read_build_id(struct pd_reading *r, uint16_t misc,
                          struct reader *f)
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

/* Behind an i32 pid. */
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

bool pd_feature_is_known(unsigned feature)
{
    enum { LAST = 33, SIMPLEPERF_LAST = SIMPLEPERF_INIT_MAP };

    return feature <= LAST ||
           (feature >= PD_SIMPLEPERF_FEATURES && feature <= SIMPLEPERF_LAST);
}

void pd_read_feature(struct pd_reading *r, unsigned feature, struct reader *f)
{
    f->err = NULL; /* what is cut off is not said */
    switch (feature) {
    case BUILD_ID:
        read_build_ids(r, f);
        break;
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
        read_cpus(r, f);
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
    case EVENTS:
        read_names(r, f);
        break;
    case CPU_TOPOLOGY:
        read_topology(r, f);
        break;
    case CLOCK_DATA:
        read_clock(r, f);
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
        if (!r->entry->part_count &&
            !strcmp(path_base_name(r->name), "data"))
            profile_warn(r->profile, "%s: perf record wrote a folder, of which "
                         "this is one file; name the folder", r->name);
        break;
    case SIMPLEPERF_INIT_MAP:
        pd_read_stream(r, (struct bytes){f->base, f->len}, f->offset);
        break;
    case SIMPLEPERF_META_INFO:
        pd_read_meta_info(r, f);
        break;
    }
}
