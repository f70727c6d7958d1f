/* Lists of code that programs made: where they are looked for, and what their
 * rows hold. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/jitdump_writer.h"
#include "tests/support/perfdata_read.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

enum { PID = 40 };

static const uint64_t CODE = 0x7F1000000000;

static char folder[TEMP_FOLDER];

static void put_file(const char *name, const void *data, size_t size)
{
    char path[200];
    FILE *f;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    ck_assert_uint_eq(fwrite(data, 1, size, f), size);
    ck_assert_int_eq(fclose(f), 0);
}

/* A recording in that folder with samples at these offsets of the code; read
 * with the folder of lists, or NULL. */
static struct profile *record(const uint64_t *at, size_t count,
                              const char *lists)
{
    struct read_options options = {.threads = 1,
                                   .symbol_folders = &lists,
                                   .symbol_folder_count = lists != NULL};
    struct perfdata_writer w;
    struct entry e = {.inner = ""};
    struct profile *p = profile_new();
    char name[200];

    perfdata_begin(&w, 0);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_mmap(&w, 0, PID, CODE, 0x10000, 0, "//anon");
    for (size_t i = 0; i < count; i++)
        perfdata_sample(&w, &(struct perfdata_sample){.time = 10 + i,
                                                      .ip = CODE + at[i],
                                                      .pid = PID,
                                                      .tid = PID,
                                                      .mode = 2});
    perfdata_end(&w);
    snprintf(name, sizeof(name), "%s/a.data", folder);
    e.name = name;
    e.data = w.file.data;
    e.size = w.file.len;
    ck_assert(!recording_read(&perfdata_format, &e, 1, &options, p, NULL));
    profile_finish(p);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    perfdata_free(&w);
    return p;
}

static void check_names(const uint64_t *at, size_t count, const char *lists,
                        const char *const *of)
{
    struct profile *p = record(at, count, lists);

    for (size_t i = 0; i < count; i++)
        assert_stack(p, i, of[i]);
    profile_free(p);
}

static const char map[] = "7f1000000000 10 first\n"
                          "7f1000000010 0 to the next\n"
                          "7f1000000040 8 second\n"
                          "7f1000000050 0 before it\n"
                          "7f1000000020 4 inside\n"
                          "ffffffffffffffff 2 too far\n"
                          "7f1000000060 0 the last\n";
static const uint64_t offsets[] = {0,    0xF,  0x10, 0x1F, 0x20, 0x24,
                                   0x3F, 0x40, 0x47, 0x48, 0x50, 0x60};
static const char *const names[] = {
    "first",
    "first",
    "to the next",
    "to the next",
    "inside",
    "to the next",
    "to the next",
    "second",
    "second",
    "[anon]!+0x7f1000000048",
    "[anon]!+0x7f1000000050",
    "[anon]!+0x7f1000000060",
};

/* In the folder that is named, and beside the recording where none is. */
TEST(maps)
{
    temp_folder(folder);
    put_file("perf-40.map", map, sizeof(map) - 1);
    check_names(offsets, 12, folder, names);
    check_names(offsets, 12, NULL, names);
    check_names(offsets, 12, "testdata", names); /* which has none */
    temp_folder_remove(folder);
}

/* Where everybody can write, only root's and this user's lists are believed. A
 * pipe that somebody holds open is none. */
TEST(lists_of_others)
{
    static const uint64_t at[] = {0};
    static const char *const first[] = {"first"};
    static const char *const none[] = {"[anon]!+0x7f1000000000"};
    char path[200];
    int held;

    temp_folder(folder);
    put_file("perf-40.map", map, sizeof(map) - 1);
    snprintf(path, sizeof(path), "%s/perf-40.map", folder);
    if (!geteuid()) {
        ck_assert_int_eq(chown(path, 1234, 1234), 0);
        check_names(at, 1, folder, first);
        ck_assert_int_eq(chmod(folder, 01777), 0);
        check_names(at, 1, folder, none);
        ck_assert_int_eq(chown(path, 0, 0), 0);
    }
    ck_assert_int_eq(chmod(folder, 01777), 0);
    check_names(at, 1, folder, first);
    unlink(path);
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    held = open(path, O_RDWR);
    check_names(at, 1, folder, none);
    close(held);
    temp_folder_remove(folder);
}

/* Loaded, moved, and loaded over; of a name that is not there nothing. */
static void put_dump(bool with_map)
{
    struct jitdump_writer d = {.big_endian = false};

    jitdump_begin(&d);
    jitdump_load(&d, CODE, 0x10, 1, "run");
    jitdump_load(&d, CODE + 0x10, 0x10, 2, "stop");
    jitdump_other(&d, 4, 8);
    jitdump_move(&d, CODE + 0x10, CODE + 0x100, 0x10, 2);
    jitdump_move(&d, CODE + 0x200, CODE + 0x300, 0x10, 9);
    jitdump_load(&d, CODE + 8, 8, 3, "end of run");
    jitdump_load(&d, CODE + 0x400, 0, 4, "no code");
    put_file("jit-40.dump", d.b.data, d.b.len);
    free(d.b.data);
    if (with_map)
        put_file("perf-40.map", map, sizeof(map) - 1);
}

/* What a dump tells of is later than what a map does. */
TEST(a_map_and_a_dump)
{
    static const uint64_t at[] = {0, 0x10, 0x20, 0x40};
    static const char *const of[] = {"run", "stop", "inside", "second"};

    temp_folder(folder);
    put_dump(true);
    check_names(at, 4, folder, of);
    temp_folder_remove(folder);
}

TEST(a_dump_that_is_none)
{
    static const uint64_t at[] = {0};
    static const char *const of[] = {"[anon]!+0x7f1000000000"};
    struct jitdump_writer d = {.big_endian = false};

    temp_folder(folder);
    jitdump_begin(&d);
    d.b.data[4] = 9; /* of a version to come */
    put_file("jit-40.dump", d.b.data, d.b.len);
    free(d.b.data);
    check_names(at, 1, folder, of);
    temp_folder_remove(folder);
}

/* A process that mapped its jitdump, which names the file, with a sample in
 * the code. The reader's own folder of perf is `perf`. */
static struct profile *read_marked(const char *marker, const char *lists,
                                   const char *perf)
{
    struct read_options options = {.threads = 1,
                                   .symbol_folders = &lists,
                                   .symbol_folder_count = lists != NULL,
                                   .perf_folder = perf};
    struct perfdata_writer w;
    struct entry e = {.name = "/nowhere/a.data", .inner = ""};
    struct profile *p = profile_new();

    perfdata_begin(&w, 0);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_mmap(&w, 0, PID, 0x7F2000000000, 0x1000, 0, marker);
    perfdata_mmap(&w, 0, PID, CODE, 0x10000, 0, "//anon");
    perfdata_sample(&w, &(struct perfdata_sample){.time = 10,
                                                  .ip = CODE,
                                                  .pid = PID,
                                                  .tid = PID,
                                                  .mode = 2});
    perfdata_end(&w);
    e.data = w.file.data;
    e.size = w.file.len;
    ck_assert(!recording_read(&perfdata_format, &e, 1, &options, p, NULL));
    profile_finish(p);
    perfdata_free(&w);
    return p;
}

static void check_marked(const char *marker, const char *lists,
                         const char *perf, bool found)
{
    struct profile *p = read_marked(marker, lists, perf);
    bool warned = false;

    for (size_t i = 0; i < p->quality.warnings.len; i++)
        warned |= strstr(strings_get(p->strings, p->quality.warnings.data[i]),
                         marker) != NULL;
    ck_assert_msg(warned != found, "%s", marker);
    assert_stack(p, 0, found ? "run" : "[anon]!+0x7f1000000000");
    profile_free(p);
}

/* The number in the name is the pid as the process itself sees it. */
static void put_marked(const char *name, uint32_t pid)
{
    enum { HEADER_PID = 20 };
    struct jitdump_writer d = {.big_endian = false};

    jitdump_begin(&d);
    jitdump_load(&d, CODE, 0x10, 1, "run");
    memcpy(d.b.data + HEADER_PID, &pid, sizeof(pid));
    put_file(name, d.b.data, d.b.len);
    free(d.b.data);
}

/* At the recorded path, below another ~/.debug, in a folder that is named; a
 * file of another process is not taken, and what is missing is said. */
TEST(a_dump_that_was_mapped)
{
    char marker[200], below[200];

    temp_folder(folder);
    snprintf(marker, sizeof(marker), "%s/jit-7.dump", folder);
    check_marked(marker, NULL, NULL, false);
    put_marked("jit-7.dump", 7);
    check_marked(marker, NULL, NULL, true);
    check_marked(marker, "/nowhere", NULL, true);
    check_marked("/nowhere/jit-7.dump", folder, NULL, true);
    put_marked("jit-7.dump", 8);
    check_marked(marker, NULL, NULL, false);
    snprintf(below, sizeof(below), "%s/jit", folder);
    ck_assert_int_eq(mkdir(below, 0700), 0);
    put_marked("jit/jit-7.dump", 7);
    check_marked("/nowhere/.debug/jit/jit-7.dump", NULL, folder, true);
    check_marked("/nowhere/.debug/jit/../jit-7.dump", NULL, folder, false);
    temp_folder_remove(folder);
}
