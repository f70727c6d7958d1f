/*
 * Code that a program made for itself, by the lists that runtimes write:
 * perf-PID.map and jit-PID.dump. They are looked for in the folder that was
 * given, else beside the recording, and then in /tmp of the machine that
 * recorded.
 *
 * A runtime maps its jitdump, for recorders to see: that mapping names the
 * file, which is often somewhere below ~/.debug/jit. It is opened at that path,
 * or at the same one below another ~/.debug, if its header has the number of
 * its name. In a container that is another one than the recorder's pid.
 *
 * A map has no times: of rows that share memory the later one is meant. A
 * jitdump has times, which count where the recording used the same clock.
 * Files in containers are a recording's own, and have none.
 * (format.md, section 8)
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/attribution/jit_name.h"
#include "engine/attribution/jitdump_records.h"
#include "engine/attribution/perf_map_rows.h"
#include "engine/base/text.h"
#include "engine/format/perfdata/generated.h"

enum { LONGEST_PATH = 4096 };

/* Rows count up from the earliest time there is, so that the later one is
 * the one that was there when samples were taken. */
struct listing {
    struct pd_reading *r;
    uint32_t pid;
    uint32_t number; /* in the names of its lists */
    int64_t order;
    bool has_dump;
    struct pd_code_frames *frames; /* wanted in place of names; or NULL */
};

static void tell_code(struct listing *l, uint64_t start, uint64_t size,
                      int64_t time, struct bytes name)
{
    struct pd_reading *r = l->r;
    struct observed_method fact = {
        .time = time,
        .event = SEEN_BEGIN,
        .pid = l->pid,
        .start = start,
        .size = (uint32_t)(size < UINT32_MAX ? size : UINT32_MAX),
        .method_id = start,
        .kind = CODE_MANAGED,
        .listed = true,
    };
    char *text =
        arena_strndup(&r->seen->kept, (const char *)name.data, name.len);

    if (!size || size > UINT64_MAX - start)
        return;
    if (jit_name_of_script(text, name.len))
        fact.kind = CODE_SCRIPT;
    fact.name =
        (struct text_slice){(const uint8_t *)text, (uint32_t)name.len, false};
    observe_method(r->seen, &fact);
}

/* ---- maps ---- */

/* A size of 0 reaches to the next row: the next one in the file, which
 * writers of such maps have in order. */
static void read_map(struct listing *l, const struct entry *e)
{
    struct perf_map_row row, next;
    size_t at = 0;
    bool more = perf_map_next(e->data, e->size, &at, &row);

    while (more) {
        more = perf_map_next(e->data, e->size, &at, &next);
        if (!row.size && more && next.start > row.start)
            row.size = next.start - row.start;
        tell_code(l, row.start, row.size, l->order++, row.name);
        row = next;
    }
}

/* ---- dumps ---- */

/* A record of the dump that loads code; others move it. */
struct jit_load {
    struct bytes name, frames;
};

/* Names of the code, or its unwind data where that is wanted: that stands in
 * front of the code. */
static void read_dump(struct listing *l, const struct entry *e)
{
    struct jitdump_records dump;
    struct jitdump_record record;
    struct jitdump_code code;
    struct map load_ids = {0}; /* by the index of code */
    VEC(struct jit_load) loads = {0};
    struct pd_code_frames *c = l->frames;
    struct bytes frames = {0};
    bool timed = pd_clock_is_monotonic(l->r);

    if (!jitdump_open(&dump, e->name, e->data, e->size, NULL))
        return;
    timed &= !dump.processor_clock;
    while (jitdump_next(&dump, &record)) {
        const struct jit_load *load;
        uint32_t id;

        if (c && record.id == JITDUMP_UNWINDING_INFO) {
            frames = jitdump_frames(&dump, &record);
            frames.data = arena_copy(&c->kept, frames.data, frames.len);
        }
        if (!jitdump_code(&dump, &record, &code))
            continue;
        if (record.id == JITDUMP_LOAD) {
            map_set(&load_ids, code.index, 0, mem_next_id(loads.len));
            *vec_add(&loads) = (struct jit_load){code.name, frames};
            frames.len = 0;
        }
        id = map_get(&load_ids, code.index, 0);
        load = id == MAP_NONE ? NULL : &loads.data[id];
        if (load && c)
            *vec_add(&c->pieces) = (struct pd_code_piece){
                .start = code.start,
                .size = code.size,
                .time = dump.processor_clock ? 0 : record.time,
                .frames = load->frames};
        else if (load && load->name.len)
            tell_code(l, code.start, code.size,
                      timed ? pd_time(l->r, record.time) : l->order++,
                      load->name);
    }
    map_release(&load_ids);
    vec_release(&loads);
}

/* ---- files ---- */

/* A file of another user, who is not the system's, could name this user's
 * functions where everybody can write, as in /tmp. perf believes no such
 * file. */
static bool can_believe(const struct container *c)
{
    const char *slash = strrchr(c->path, '/');
    char folder[LONGEST_PATH];
    struct stat st;

    snprintf(folder, sizeof(folder), "%.*s",
             slash ? (int)(slash + 1 - c->path) : 1, slash ? c->path : ".");
    return !c->owner || c->owner == geteuid() ||
           (!stat(folder, &st) && !(st.st_mode & S_IWOTH));
}

/* `marked`: only if it is a jitdump with the number of its name. */
static bool read_path(struct listing *l, const char *path, bool marked)
{
    struct container *c = container_open_file(path, NULL);
    bool believed = c && can_believe(c);
    const struct entry *e = believed ? c->entries : NULL;

    if (believed && c->count == 1 && !*e->inner &&
        !container_load(c, 0, NULL) &&
        (!marked || jitdump_pid(e->data, e->size) == l->number)) {
        l->has_dump |= jitdump_probe(e->data, e->size);
        if (jitdump_probe(e->data, e->size))
            read_dump(l, e);
        else if (!l->frames)
            read_map(l, e);
    }
    container_close(c);
    return believed;
}

static bool read_list(struct listing *l, const char *folder, const char *name)
{
    char path[LONGEST_PATH];
    int n = snprintf(path, sizeof(path), "%s/%s", folder, name);

    return n > 0 && n < LONGEST_PATH && read_path(l, path, false);
}

static bool read_folder(struct listing *l, const char *folder)
{
    char map[32], dump[32];
    bool found;

    snprintf(map, sizeof(map), "perf-%u.map", l->number);
    snprintf(dump, sizeof(dump), "jit-%u.dump", l->number);
    found = read_list(l, folder, map);
    return read_list(l, folder, dump) || found;
}

static bool read_beside(struct listing *l)
{
    const char *name = l->r->entry->name, *slash = strrchr(name, '/');
    size_t n = slash ? (size_t)(slash - name) : 0;
    char folder[LONGEST_PATH];

    if (*l->r->entry->inner || n >= LONGEST_PATH)
        return false;
    if (!slash)
        return read_folder(l, ".");
    memcpy(folder, name, n);
    folder[n] = 0;
    return read_folder(l, n ? folder : "/");
}

/* ---- the mapping of a jitdump ---- */

bool pd_is_jitdump(const char *path, uint32_t *number)
{
    const char *name = path_base_name(path);
    int end = 0;

    return sscanf(name, "jit-%9" SCNu32 ".dump%n", number, &end) == 1 && end &&
           !name[end];
}

/* Looks where the file was when it was recorded, and below perf's folder here.
 */
static void read_marked(struct listing *l, const char *path)
{
    static const char below[] = "/.debug/jit/";
    const char *folder = l->r->options->perf_folder;
    const char *tail = strstr(path, below);
    char other[LONGEST_PATH];
    int n;

    if (*path != '/' || strstr(path, "/../"))
        return;
    read_path(l, path, true);
    if (l->has_dump || !folder || !tail)
        return;
    n = snprintf(other, sizeof(other), "%s/jit/%s", folder,
                 tail + sizeof(below) - 1);
    if (n > 0 && n < LONGEST_PATH)
        read_path(l, other, true);
}

/* Another machine's /tmp has other programs' lists. False: a jitdump was
 * mapped, and nothing was found. */
static bool read_lists(struct listing *l, const char *jitdump)
{
    const struct read_options *o = l->r->options;
    bool found = false;

    if (*jitdump)
        pd_is_jitdump(jitdump, &l->number);
    for (size_t i = 0; i < o->symbol_folder_count && !found; i++)
        found = read_folder(l, o->symbol_folders[i]);
    found = found || read_beside(l) ||
            (pd_recorded_here(l->r) && read_folder(l, "/tmp"));
    if (*jitdump && !l->has_dump)
        read_marked(l, jitdump);
    return !*jitdump || l->has_dump || found;
}

void pd_read_generated(struct pd_reading *r, uint32_t pid, uint32_t jitdump)
{
    struct listing l = {
        .r = r, .pid = pid, .number = pid, .order = TIME_MIN + 1};

    if (!read_lists(&l, strings_get(r->strings, jitdump)) &&
        !r->missing_dumps++)
        r->missing_dump = jitdump;
}

/* ---- pieces of code ---- */

/* Reads the dump of a process when it is first asked for. */
static struct pd_code_process *code_process(struct pd_code_frames *c,
                                            struct pd_reading *r, uint32_t pid,
                                            uint32_t jitdump)
{
    uint32_t fresh = mem_next_id(c->processes.len);
    uint32_t id = map_add(&c->process_ids, pid, jitdump, fresh);
    struct pd_code_process process = {NO_ID, c->pieces.len, 0};

    if (id == fresh) {
        struct listing l = {.r = r, .pid = pid, .number = pid, .frames = c};

        read_lists(&l, strings_get(r->strings, jitdump));
        process.end = c->pieces.len;
        *vec_add(&c->processes) = process;
    }
    return &c->processes.data[id];
}

uint32_t pd_code_at(struct pd_code_frames *c, struct pd_reading *r,
                    uint32_t pid, uint32_t jitdump, uint64_t address,
                    uint64_t time)
{
    struct pd_code_process *p = code_process(c, r, pid, jitdump);
    bool timed = pd_clock_is_monotonic(r);
    uint32_t i;

    c->tree.most = SIZE_MAX; /* a piece is a record of the dump */
    for (; p->next < p->end; p->next++) {
        const struct pd_code_piece *piece = &c->pieces.data[p->next];

        if (timed && piece->time > time)
            break;
        p->root = pd_mapping_tree_set(&c->tree, p->root, 0, piece->start,
                                      piece->size, (uint32_t)p->next);
    }
    i = pd_mapping_tree_find(&c->tree, p->root, address);
    return i == NO_ID ? NO_ID : PD_CODE_FIRST + i;
}

/* Distances in it are as if it lay behind the code. */
void *pd_code_open(struct pd_code_frames *c, uint32_t piece,
                   const struct frame_rules_source *source)
{
    struct pd_code_piece *p = &c->pieces.data[piece - PD_CODE_FIRST];

    if (!p->sought && p->frames.len && source->open_code)
        p->opened = source->open_code(source->state, p->frames,
                                      p->start + ((p->size + 7) & ~7ull));
    p->sought = true;
    return p->opened;
}

void pd_code_frames_release(struct pd_code_frames *c,
                            const struct frame_rules_source *source)
{
    for (size_t i = 0; i < c->pieces.len; i++)
        if (c->pieces.data[i].opened)
            source->close(c->pieces.data[i].opened);
    vec_release(&c->pieces);
    vec_release(&c->processes);
    map_release(&c->process_ids);
    pd_mapping_tree_release(&c->tree);
    arena_release(&c->kept);
}
