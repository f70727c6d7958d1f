/*
 * Mapped files and the kernel as modules. Addresses in a file are offsets in
 * it; those in the kernel count from the beginning of its code.
 * (format.md, section 7)
 */
#include <string.h>
#include <unistd.h>

#include "engine/base/text.h"
#include "engine/format/perfdata/perfdata.h"

bool pd_is_generated(const char *path)
{
    static const char *const prefixes[] = {
        "//anon", "[anon",   "/anon_hugepage", "anon_inode:", "[heap]",
        "[stack", "/memfd:", "/dev/zero",      "/SYSV",
    };

    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
        if (text_starts(path, prefixes[i]))
            return true;
    return !*path;
}

static void set_build_id(struct module *module, const uint8_t *bytes,
                         uint8_t size)
{
    memcpy(module->identity.build_id, bytes, size);
    module->identity.build_id_size = size;
}

/* The mapping knows it, or the list of files by their paths. */
static void find_build_id(const struct pd_reading *r,
                          const struct pd_mapping *m, uint32_t path,
                          struct module *module)
{
    uint32_t at = map_get(&r->build_id_of, path, 0);

    if (m->build_id_size)
        set_build_id(module, m->build_id, m->build_id_size);
    else if (at != MAP_NONE)
        set_build_id(module, r->build_ids.data[at].bytes,
                     r->build_ids.data[at].size);
}

bool pd_recorded_here(const struct pd_reading *r)
{
    char here[256] = "";
    uint32_t machine = r->profile->trace.machine;

    return machine && !gethostname(here, sizeof(here) - 1) &&
           !strcmp(here, strings_get(r->strings, machine));
}

/* Recorders leave build-ids out where they pack records, or write into a
 * pipe: the file itself tells, if it is the one that was mapped, or the kernel
 * that runs, if it is of that name. It is looked at once. */
static void identify(struct pd_reading *r, const struct pd_mapping *m,
                     uint32_t path)
{
    const struct frame_rules_source *files = r->options->frames;
    struct mapped_file file = {.path = strings_get(r->strings, path),
                               .major = m->major,
                               .minor = m->minor,
                               .inode = m->inode};
    struct identity identity = {.build_id_size = 0};
    struct pd_build_id id = {.path = path};

    if (m->kernel && !strcmp(file.path, PD_KERNEL_PATH))
        file.kernel = strings_get(r->strings, r->profile->trace.os);
    if (!files || !files->identify || (!m->inode && !file.kernel) ||
        !pd_recorded_here(r) || map_get(&r->identified, path, 0) != MAP_NONE)
        return;
    map_set(&r->identified, path, 0, 0);
    if (!files->identify(&file, &identity) ||
        identity.build_id_size > sizeof(id.bytes))
        return;
    id.size = identity.build_id_size;
    memcpy(id.bytes, identity.build_id, id.size);
    map_set(&r->build_id_of, id.path, 0, mem_next_id(r->build_ids.len));
    *vec_add(&r->build_ids) = id;
}

uint32_t pd_without_symbol(struct pd_reading *r, uint32_t path)
{
    const char *text = strings_get(r->strings, path);
    const char *close = *text == '[' ? strchr(text, ']') : NULL;

    return close ? strings_add(r->strings, text, (size_t)(close + 1 - text))
                 : path;
}

/* "/usr/bin/app (deleted)": replaced since. */
static uint32_t without_note(struct pd_reading *r, uint32_t path)
{
    static const char note[] = " (deleted)";
    const char *text = strings_get(r->strings, path);
    size_t n = strings_len(r->strings, path), tail = sizeof(note) - 1;

    return n > tail && !strcmp(text + n - tail, note)
               ? strings_add(r->strings, text, n - tail)
               : path;
}

bool pd_has_file_offsets(const char *path)
{
    return !pd_is_generated(path) || text_starts(path, "/memfd:");
}

/* Memory without a name is called as perf calls it. */
static uint32_t generated_module(struct pd_reading *r, uint32_t path)
{
    struct module module = {.path = without_note(r, path)};
    const char *text = strings_get(r->strings, path);

    if (!*text || text_starts(text, "//anon"))
        module.path = module.name = strings_add(r->strings, "[anon]", 6);
    return observe_module(r->seen, &module);
}

/* simpleperf writes code that a runtime made into files of its own, for which
 * it has these names. */
static uint32_t runtime_module(struct pd_reading *r, uint32_t path)
{
    const char *name = strstr(strings_get(r->strings, path), "zygote")
                           ? "[JIT zygote cache]"
                           : "[JIT app cache]";
    struct module module = {.path =
                                strings_add(r->strings, name, strlen(name))};

    module.name = module.path;
    return observe_module(r->seen, &module);
}

uint32_t pd_module(struct pd_reading *r, const struct pd_mapping *m)
{
    struct module module = {.path = m->path};

    if (m->generated)
        return runtime_module(r, m->path);

    if (!m->kernel && pd_is_generated(strings_get(r->strings, m->path)))
        return generated_module(r, m->path);
    if (m->kernel) {
        const char *base, *end;

        module.path = pd_without_symbol(r, m->path);
        /* "[ext4]" of "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko.xz" */
        base = path_base_name(strings_get(r->strings, m->path));
        end = strstr(base, ".ko");
        module.name =
            end ? strings_addf(r->strings, "[%.*s]", (int)(end - base), base)
                : 0;
    } else {
        module.path = without_note(r, m->path);
        module.by_file_offset = true;
        module.stamp = (struct file_stamp){m->inode, m->major, m->minor};
    }
    find_build_id(r, m, m->path, &module);
    if (!module.identity.build_id_size)
        find_build_id(r, m, module.path, &module);
    if (!module.identity.build_id_size) {
        uint32_t path = m->kernel ? module.path : m->path;

        identify(r, m, path);
        find_build_id(r, m, path, &module);
    }
    return observe_module(r->seen, &module);
}

void pd_place_kernel(const struct pd_reading *r, struct pd_mapping *m)
{
    if (m->base >= r->kernel_from)
        return;
    m->base = r->kernel_from;
    m->size = (r->wide ? UINT64_MAX : UINT32_MAX) - m->base;
}

void pd_tell_kernel_symbols(struct pd_reading *r)
{
    struct module module = {.path = strings_add(r->strings, "[bpf]", 5)};
    uint32_t id =
        r->kernel_symbols.len ? observe_module(r->seen, &module) : NO_ID;

    for (size_t i = 0; i < r->kernel_symbols.len; i++) {
        const struct pd_kernel_symbol *s = &r->kernel_symbols.data[i];
        struct observed_image image = {
            .time = pd_time(r, s->time),
            .event = s->gone   ? SEEN_END
                     : s->time ? SEEN_BEGIN
                               : SEEN_AT_START,
            .kernel = true,
            .base = s->start,
            .size = s->size,
            .module = id,
            .symbols = observe_symbol_set(r->seen),
        };
        struct observed_symbol symbol = {
            .set = image.symbols,
            .start = s->start,
            .size = s->size,
            .name = s->name,
        };

        observe_image(r->seen, &image);
        observe_symbol(r->seen, &symbol);
    }
}

/* ---- copied images ----
 *
 * Programs copy their code to memory of their own at the same addresses, to
 * have it in huge pages: it still is the image's.
 *
 * A library may have been unloaded, which no record tells, and its addresses
 * used again for other code. So this holds for memory within the program
 * itself, which is never unloaded, and for whole huge pages; and for what was
 * code there: data without a file behind those of a file are no copy.
 * (format.md, section 7) */

enum { HUGE_PAGE = 2 << 20, MOST_STEPS = 512 };

static bool is_huge(const struct pd_mapping *m)
{
    return m->size && m->base % HUGE_PAGE == 0 && m->size % HUGE_PAGE == 0;
}

/* Other memory is mostly far away from the program: the list of mappings need
 * not be gone through for it. */
static bool is_near(const struct pd_mapping *m, const struct pd_mapping *exe)
{
    const uint64_t most = (uint64_t)1 << 30;

    return m->base - exe->base + most < 2 * most;
}

/* The part that both have of the image below. */
static struct pd_mapping intersection(const struct pd_mapping *m,
                                      const struct pd_mapping *image)
{
    uint64_t end = m->base + m->size, image_end = image->base + image->size;
    struct pd_mapping part = *image;

    part.time = m->time;
    part.older = m->older;
    part.first = m->first;
    if (part.base < m->base)
        part.base = m->base;
    part.file_offset += part.base - image->base;
    part.size = (image_end < end ? image_end : end) - part.base;
    return part;
}

bool pd_find_remapped(const struct pd_reading *r, uint32_t program,
                      uint32_t mapping, struct pd_mapping *part)
{
    const struct pd_mapping *all = r->mappings.data, *m = &all[mapping];
    const struct pd_mapping *exe = program == NO_ID ? NULL : &all[program];
    unsigned steps = 0;

    if (!pd_is_generated(strings_get(r->strings, m->path)) ||
        !(is_huge(m) || (exe && is_near(m, exe))))
        return false;
    for (uint32_t i = m->older; i != NO_ID && steps < MOST_STEPS; steps++) {
        const struct pd_mapping *image = &all[i];

        i = image->older;
        if (!(m->base < image->base ? image->base - m->base < m->size
                                    : m->base - image->base < image->size) ||
            image->data ||
            pd_is_generated(strings_get(r->strings, image->path)))
            continue;
        *part = intersection(m, image);
        return is_huge(m) ||
               (image->path == exe->path && part->size == m->size);
    }
    return false;
}
