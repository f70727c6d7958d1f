#include "tests/support/hostile.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/etl_events.h"
#include "tests/support/zip_writer.h"

enum { START = 0x10000000, MANAGED = 0x40000000 };

/* ---- logs of Windows ---- */

struct log {
    FILE *file;
    struct etl_writer *w;
    struct etl_at at;
};

static struct log begin_log(void)
{
    struct log l = {.file = tmpfile()};

    if (!l.file)
        abort();
    l.w = etl_writer_new(&(struct etl_options){.cpus = 1}, l.file);
    l.at = (struct etl_at){.tick = etl_tick(l.w, 1000000)};
    return l;
}

static void end_log(struct log *l, struct blob *b)
{
    size_t n;
    long end;

    if (!etl_writer_finish(l->w))
        abort();
    etl_writer_free(l->w);
    fseek(l->file, 0, SEEK_END);
    end = ftell(l->file);
    rewind(l->file);
    n = b->len;
    blob_zero(b, (size_t)end);
    if (fread(b->data + n, 1, (size_t)end, l->file) != (size_t)end)
        abort();
    fclose(l->file);
}

static void log_sample(struct log *l, uint64_t ip)
{
    uint64_t tick = ++l->at.tick;

    etl_sampled_profile(l->w, l->at, ip, 104, 0);
    l->at.tick++;
    etl_stack(l->w, l->at, tick, 100, 104, &ip, 1);
}

static struct log begin_process(void)
{
    struct log l = begin_log();

    etl_process(l.w, l.at, ETL_DC_START, 4,
                &(struct etl_process){
                    .pid = 100, .image = "a.exe", .command_line = ""});
    etl_thread(l.w, l.at, ETL_DC_START, 3, 100, 104, NULL);
    return l;
}

static void log_layers(struct blob *b, size_t size)
{
    struct log l = begin_process();

    for (uint64_t i = 0; etl_writer_record_bytes(l.w) < size; i++) {
        l.at.tick++;
        etl_image(l.w, l.at, ETL_START, 3,
                  &(struct etl_image){.pid = 100,
                                      .base = START + (i << 12),
                                      .size = 0x8000000 - (i << 13),
                                      .link_time = 1,
                                      .name = "\\a.dll"});
        log_sample(&l, START + 0x4000000 + i);
    }
    end_log(&l, b);
}

static void log_methods(struct blob *b, size_t size)
{
    struct log l = begin_process();

    l.at.pid = 100;
    for (uint64_t i = 0; etl_writer_record_bytes(l.w) < size; i++) {
        l.at.tick++;
        etl_method_verbose(
            l.w, l.at, ETL_METHOD_LOAD, 1,
            &(struct etl_method){.id = i,
                                 .module_id = 1,
                                 .start = START + i,
                                 .size = (uint32_t)(0x1000000 - 2 * i),
                                 .flags = 8,
                                 .class_name = "N",
                                 .name = "m",
                                 .signature = ""});
        log_sample(&l, START + 0x800000 + i);
    }
    end_log(&l, b);
}

/* Stack keys that are defined again and again. */
static void log_keys(struct blob *b, size_t size)
{
    struct log l = begin_process();
    const uint64_t frames[] = {START, START + 16};

    for (uint64_t i = 0; etl_writer_record_bytes(l.w) < size; i++) {
        uint64_t tick = ++l.at.tick;

        etl_sampled_profile(l.w, l.at, START, 104, 0);
        etl_stack_key(l.w, l.at, tick, 100, 104, i % 3, true);
        l.at.tick++;
        etl_key_definition(l.w, l.at, i % 2 ? ETL_KEY_CREATE : ETL_KEY_DELETE,
                           i % 3, frames, 2);
    }
    end_log(&l, b);
}

/* Processes of one id, one after another. */
static void log_one_pid(struct blob *b, size_t size)
{
    struct log l = begin_process();

    while (etl_writer_record_bytes(l.w) < size) {
        l.at.tick++;
        etl_process(l.w, l.at, ETL_START, 4,
                    &(struct etl_process){
                        .pid = 100, .image = "a.exe", .command_line = ""});
        etl_thread(l.w, l.at, ETL_START, 3, 100, 104, NULL);
        log_sample(&l, START);
    }
    end_log(&l, b);
}

/* The PDB of all images here: what `pdb_file` of the recipes says it is. */
static const struct etl_guid pdb_guid = {1, 0, 0, {2}};

/* The methods of code from MANAGED on: each has 16 bytes of it, a token of its
 * own, and a map of two places. */
static void log_method(struct log *l, uint32_t i, uint64_t module)
{
    static const struct etl_mapped map[] = {{0, 0}, {1, 8}};
    struct etl_method m = {.id = i,
                           .module_id = module,
                           .start = MANAGED + 16 * (uint64_t)i,
                           .size = 16,
                           .token = 0x06000001 + i,
                           .flags = 8,
                           .class_name = "N",
                           .name = "m",
                           .signature = ""};

    etl_method_verbose(l->w, l->at, ETL_METHOD_LOAD, 1, &m);
    etl_il_map(l->w, l->at, ETL_METHOD_LOAD, 0, &m, map, 2);
    log_sample(l, m.start + 12);
}

static void log_assembly(struct log *l, uint64_t id, const char *path)
{
    etl_module(l->w, l->at, ETL_METHOD_LOAD, 2,
               &(struct etl_module){.id = id,
                                    .assembly_id = id,
                                    .il_path = path,
                                    .pdb_guid = pdb_guid,
                                    .pdb_age = 1,
                                    .pdb_path = "a.pdb"});
}

/* Many paths of one assembly. */
static void log_assemblies(struct blob *b, size_t size)
{
    struct log l = begin_process();

    l.at.pid = 100;
    for (uint32_t i = 0; etl_writer_record_bytes(l.w) < size; i++) {
        char path[32];

        snprintf(path, sizeof(path), "\\%u\\b.dll", i);
        log_assembly(&l, i + 1, path);
        log_method(&l, i, i + 1);
    }
    end_log(&l, b);
}

/* Samples all over an image, which has a PDB, and in as many methods. */
static void log_sampled(struct blob *b, size_t size)
{
    struct log l = begin_process();
    const struct etl_image image = {
        .pid = 100, .base = START, .size = 0x10000000, .name = "\\a.exe"};

    etl_image_rsds(l.w, l.at, &image, &pdb_guid, 1, "a.pdb");
    etl_image(l.w, l.at, ETL_START, 3, &image);
    l.at.pid = 100;
    log_assembly(&l, 1, "\\b.dll");
    for (uint32_t i = 0; etl_writer_record_bytes(l.w) < size; i++) {
        log_sample(&l, START + 0x1000 + 16 * (uint64_t)i + i % 2);
        log_method(&l, i, 1);
    }
    end_log(&l, b);
}

/* ---- an archive ---- */

/* Arrays of objects that are all nulls: 9 bytes and 5 for 2^31 of them. */
static struct blob nulls(size_t size)
{
    struct blob b = {0};

    blob_pack(&b, "BIIII", 0, 1, UINT32_MAX, 1, 0);
    for (uint32_t i = 1; b.len < size; i++) {
        blob_pack(&b, "BIIBI", 16, i, INT32_MAX, 14, INT32_MAX);
    }
    return b;
}

static void saved_nulls(struct blob *b, size_t size)
{
    struct blob log = {0}, names = nulls(size / 2), zip;

    (void)hostile_make("keys.etl", size / 2, &log);
    zip = zip_make(
        (struct zip_member[]){{"a.etl", log.data, log.len, false},
                              {"symbols.bin", names.data, names.len, false}},
        2);
    blob_bytes(b, zip.data, zip.len);
    free(zip.data);
    free(log.data);
    free(names.data);
}

/* ---- manifests of EventSources ---- */

static void add_text(struct blob *b, const char *text)
{
    blob_bytes(b, text, strlen(text));
}

static void begin_event(struct log *l, uint32_t provider, uint16_t id)
{
    l->at.tick++;
    etl_begin_event(
        l->w, l->at,
        &(struct etl_descriptor){.provider = {.a = provider}, .id = id});
}

static void log_manifest(struct log *l, uint32_t provider,
                         const struct blob *xml)
{
    enum { PART = 32 << 10, MANIFEST = 0xFFFE };
    size_t parts = (xml->len + PART - 1) / PART;

    for (size_t i = 0; i < parts; i++) {
        size_t left = xml->len - i * PART;

        begin_event(l, provider, MANIFEST);
        etl_pack(l->w, "BBBBHH", 1, 1, 0, 0x5B, parts, i);
        etl_put_bytes(l->w, xml->data + i * PART, left < PART ? left : PART);
        etl_end(l->w);
    }
}

/* A provider for each manifest. */
static void log_manifests(struct blob *b, size_t size)
{
    struct log l = begin_process();
    struct blob xml = {0};

    add_text(&xml, "<a><event value=\"1\"/></a>");
    for (uint32_t i = 1; etl_writer_record_bytes(l.w) < size; i++)
        log_manifest(&l, i, &xml);
    vec_release(&xml);
    end_log(&l, b);
}

/* An enumeration of many names, which all fields of all events have. */
static void log_enumeration(struct blob *b, size_t size)
{
    struct log l = begin_process();
    struct blob xml = {0};

    add_text(&xml, "<a><valueMap name=\"m\">");
    for (size_t i = 0; xml.len < size / 2; i++) {
        char text[64];

        snprintf(text, sizeof(text), "<map value=\"%zu\" message=\"x\"/>", i);
        add_text(&xml, text);
    }
    add_text(&xml, "</valueMap><template tid=\"t\">");
    for (int i = 0; i < 8; i++)
        add_text(&xml, "<data name=\"a\" inType=\"win:UInt32\" map=\"m\"/>");
    add_text(&xml, "</template><event value=\"1\" template=\"t\"/></a>");
    log_manifest(&l, 1, &xml);
    while (etl_writer_record_bytes(l.w) < size) {
        begin_event(&l, 1, 1);
        etl_pack(l.w, "QQQQ", UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX);
        etl_end(l.w);
    }
    vec_release(&xml);
    end_log(&l, b);
}

/* ---- all of them ---- */

/* Files for which a recipe would be longer than what writes their format. */
static const struct {
    const char *name;
    void (*make)(struct blob *b, size_t size);
} written[] = {
    {"layers.etl", log_layers},
    {"methods.etl", log_methods},
    {"keys.etl", log_keys},
    {"one-pid.etl", log_one_pid},
    {"manifests.etl", log_manifests},
    {"enumeration.etl", log_enumeration},
    {"nulls.vspx", saved_nulls},
    {"sampled.etl", log_sampled},
    {"assemblies.etl", log_assemblies},
};

static struct recipes *kinds;

static void forget_kinds(void)
{
    recipes_free(kinds);
}

static const struct recipes *all_kinds(void)
{
    if (!kinds) {
        kinds = recipes_read("tests/hostile.txt");
        atexit(forget_kinds);
    }
    return kinds;
}

const char *hostile_name(size_t i)
{
    return recipe_name(all_kinds(), i);
}

bool hostile_make(const char *name, size_t size, struct blob *b)
{
    for (size_t i = 0; i < sizeof(written) / sizeof(*written); i++)
        if (!strcmp(written[i].name, name)) {
            written[i].make(b, size);
            return true;
        }
    return recipe_make(all_kinds(), name, size, b);
}

const char *hostile_note(const char *name, const char *word, size_t i)
{
    return recipe_note(all_kinds(), name, word, i);
}

bool hostile_is_full(const char *name)
{
    const char *known;

    for (size_t i = 0; (known = hostile_name(i)); i++)
        if (!strcmp(known, name))
            return !hostile_note(name, "empty", 0);
    return false;
}

void hostile_write(const char *folder, size_t size)
{
    const char *name;

    for (size_t i = 0; (name = hostile_name(i)); i++) {
        char path[512];
        struct blob b = {0};
        FILE *f;

        snprintf(path, sizeof(path), "%s/%s", folder, name);
        (void)hostile_make(name, size, &b);
        f = fopen(path, "wb");
        if (!f || fwrite(b.data, 1, b.len, f) != b.len || fclose(f))
            abort();
        free(b.data);
    }
}
