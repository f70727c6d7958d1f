/* Folders that perf record --threads and --kcore write. */
#include "engine/container/folder.h"
#include "engine/base/path.h"

#include <sys/stat.h>
#include <unistd.h>

#include "engine/input/recording.h"
#include "tests/support/perfdata_read.h"
#include "tests/support/temp_folder.h"
#include "tests/support/zip_writer.h"

static char folder[TEMP_FOLDER];

static void write_file(const char *name, const void *bytes, size_t n)
{
    char *path = path_join(folder, name);
    FILE *file = fopen(path, "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, n, file), n);
    fclose(file);
    free(path);
}

static void sample(struct perfdata_writer *w, uint64_t time, uint64_t ip)
{
    perfdata_sample(
        w, &(struct perfdata_sample){.time = time,
                                     .ip = ip,
                                     .period = 1,
                                     .pid = 40,
                                     .tid = 40,
                                     .mode = ip >= KERNEL_BASE ? 1 : 2});
}

/* What happened is in `data`, samples are in the files of two threads. */
static void write_folder(unsigned how)
{
    static const char kallsyms[] = "ffffffff81000000 T do_it\n";
    struct perfdata_writer main_file, thread;
    char kcore[TEMP_FOLDER + 16];

    perfdata_begin(&main_file, how);
    perfdata_event(&main_file, 1, 0, 1000, "cpu-clock");
    perfdata_kernel(&main_file, KERNEL_BASE, 0x1000000);
    perfdata_mmap(&main_file, 0, 40, 0x400000, 0x4000, 0, "/srv/shop/shop");
    perfdata_end(&main_file);
    write_file("data", main_file.file.data, main_file.file.len);
    perfdata_free(&main_file);
    for (unsigned i = 0; i < 2; i++) {
        perfdata_begin(&thread, how);
        sample(&thread, 20 - i, i ? 0x401000 : KERNEL_BASE + 0x10);
        perfdata_end(&thread);
        write_file(
            i ? "data.10" : "data.9",
            how & PERFDATA_PACKED ? thread.packed.data : thread.records.data,
            how & PERFDATA_PACKED ? thread.packed.len : thread.records.len);
        perfdata_free(&thread);
    }
    write_file("data.old", "not ours", 8);
    write_file("data.1x", "not ours", 8);
    write_file("data.2", "", 0);
    snprintf(kcore, sizeof(kcore), "%s/kcore_dir", folder);
    ck_assert_int_eq(mkdir(kcore, 0700), 0);
    write_file("kcore_dir/kallsyms", kallsyms, sizeof(kallsyms) - 1);
}

static void assert_warned(const struct profile *p, size_t i, const char *what)
{
    const char *text = i < p->quality.warnings.len
                           ? strings_get(p->strings,
                                         p->quality.warnings.data[i])
                           : "";

    ck_assert_msg(strstr(text, what), "%s", text);
}

TEST_LOOP(one_recording_in_several_files, 2)
{
    struct read_options options = {.threads = 1};
    struct container *c;
    struct err err = {0};
    struct profile *p;

    temp_folder(folder);
    write_folder(_i ? PERFDATA_PACKED : 0);
    ck_assert(folder_is_recording(folder));
    c = container_open(folder, &err);
    ck_assert_msg(c, "%s", err.message);
    ck_assert_uint_eq(c->count, 1);
    ck_assert_str_eq(c->entries[0].name, folder);
    ck_assert_uint_eq(c->entries[0].part_count, 4);
    ck_assert_str_eq(strrchr(c->entries[0].parts[0]->name, '/'), "/data.2");
    ck_assert_str_eq(strrchr(c->entries[0].parts[1]->name, '/'), "/data.9");
    p = profile_new();
    ck_assert_int_eq(
        recording_read(&perfdata_format, c->entries, 1, &options, p, &err),
        ERR_NONE);
    profile_finish(p);
    ck_assert_uint_eq(p->samples.len, 2);
    assert_stack(p, 0, "shop!+0x1000");
    assert_stack(p, 1, "do_it");
    ck_assert_uint_eq(p->quality.skipped_ranges, 0);
    assert_warned(p, 0, "files data.0 to data.1 and their samples");
    assert_warned(p, 1, "files data.3 to data.8 and their samples");
    ck_assert_uint_eq(p->quality.warnings.len, 2);
    ck_assert_uint_eq(p->quality.lost_buffers, 8);
    profile_free(p);
    container_close(c);
    temp_folder_remove(folder);
}

/* In a zip: beside others of the same names, in another folder. */
TEST(in_a_zip)
{
    static const char bytes[] = "some bytes";
    static const struct zip_member members[] = {
        {"a/data.10", bytes, 3, true},
        {"a/data.9", bytes, 4, true},
        {"b/data.1", bytes, 5, true},
        {"a/kcore_dir/kallsyms", bytes, 6, true},
        {"a/data", bytes, 7, true},
        {"b/data", bytes, 8, true},
        {"a/data.txt", bytes, 9, true},
    };
    static const size_t sizes[] = {4, 3, 6};
    struct blob zip = zip_make(members, 7);
    struct container *c;
    char *path;

    temp_folder(folder);
    write_file("runs.zip", zip.data, zip.len);
    path = path_join(folder, "runs.zip");
    c = container_open(path, NULL);
    ck_assert_ptr_nonnull(c);
    for (size_t i = 0; i < c->count; i++) {
        const struct entry *e = &c->entries[i];

        ck_assert_int_eq(e->kind, i == 4 ? ENTRY_TRACE : ENTRY_OTHER);
        ck_assert_uint_eq(e->part_count, i == 4 ? 3 : 0);
    }
    ck_assert_int_eq(container_load(c, 4, NULL), ERR_NONE);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_ptr_nonnull(c->entries[4].parts[i]->data);
        ck_assert_uint_eq(c->entries[4].parts[i]->size, sizes[i]);
    }
    container_close(c);
    free(path);
    free(zip.data);
    temp_folder_remove(folder);
}

/* `data` must be a recording. */
TEST(other_folders)
{
    temp_folder(folder);
    ck_assert(!folder_is_recording(folder));
    write_file("data", "PERF", 4);
    ck_assert(!folder_is_recording(folder));
    write_file("data", "something else", 14);
    ck_assert(!folder_is_recording(folder));
    ck_assert(!folder_is_recording("/no/such/folder"));
    temp_folder_remove(folder);
}

/* ---- an unpacked .diagsession ---- */

static void make_folder(const char *name)
{
    char *path = path_join(folder, name);

    ck_assert_int_eq(mkdir(path, 0700), 0);
    free(path);
}

static void copy_log(const char *name)
{
    FILE *from = fopen("testdata/etl/mixer.etl", "r");
    char *bytes = malloc(1 << 20);
    size_t n;

    ck_assert_ptr_nonnull(from);
    ck_assert_ptr_nonnull(bytes);
    n = fread(bytes, 1, 1 << 20, from);
    fclose(from);
    write_file(name, bytes, n);
    free(bytes);
}

/* Its files in order of their names; links lead nowhere. */
TEST(an_unpacked_session)
{
    static const char *const inner[] = {
        "[Content_Types].xml", "a/sc.user_aux.etl", "b/app.pdb",
        "b/c/kernel.etl",      "metadata.xml"};
    static const enum entry_kind kinds[] = {ENTRY_OTHER, ENTRY_TRACE,
                                            ENTRY_SYMBOLS, ENTRY_TRACE,
                                            ENTRY_OTHER};
    struct container *c;
    struct err err = {0};
    char *link;

    temp_folder(folder);
    make_folder("a");
    make_folder("b");
    make_folder("b/c");
    write_file("metadata.xml", "<Package/>", 10);
    write_file("[Content_Types].xml", "<Types/>", 8);
    write_file("b/app.pdb", "x", 1);
    copy_log("a/sc.user_aux.etl");
    copy_log("b/c/kernel.etl");
    link = path_join(folder, "out.etl");
    ck_assert_int_eq(symlink("/etc/hostname", link), 0);
    free(link);
    c = container_open(folder, &err);
    ck_assert_msg(c, "%s", err.message);
    ck_assert_uint_eq(c->count, 5);
    for (size_t i = 0; i < c->count; i++) {
        ck_assert_str_eq(c->entries[i].inner, inner[i]);
        ck_assert_int_eq(c->entries[i].kind, kinds[i]);
    }
    ck_assert_int_eq(container_load(c, 1, &err), ERR_NONE);
    ck_assert_int_eq(container_load(c, 1, &err), ERR_NONE);
    ck_assert_uint_eq(c->entries[1].size, c->entries[1].claimed);
    ck_assert_int_eq(container_load(c, 4, &err), ERR_NONE);
    ck_assert(!memcmp(c->entries[4].data, "<Package/>", 10));
    container_close(c);
    temp_folder_remove(folder);
}
