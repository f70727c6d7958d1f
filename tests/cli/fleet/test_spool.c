/* Recordings that wait: what is kept comes back, and what is damaged is said
 * to be. */
#include "cli/fleet/spool.h"

#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static struct profile *small_profile(void)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "app.exe", 11);
    struct profile *p;

    builder_samples(b, t, 3, "app.exe!main");
    p = builder_finish(b);
    profile_finish(p);
    return p;
}

static void in_folder(const char *folder, const char *name, char path[300])
{
    snprintf(path, 300, "%s/%s", folder, name);
}

static void write_file(const char *folder, const char *name, const void *data,
                       size_t n)
{
    char path[300];
    FILE *file;

    in_folder(folder, name, path);
    file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(data, 1, n, file), n);
    fclose(file);
}

START_TEST(what_is_kept_comes_back)
{
    static const struct fleet_label labels[] = {{"commit", "abc"},
                                                {"branch", ""}};
    static const struct fleet_recording kept[] = {
        {.hash = HASH,
         .host = "here",
         .time = 1793000000,
         .slice_ns = 1,
         .labels = labels,
         .label_count = 2},
        {.hash = HASH, .time = -1, .slice_ns = 10000000000},
    };

    for (size_t i = 0; i < 2; i++) {
        char folder[] = "/tmp/topfn-spool-XXXXXX", inner[100];
        struct profile *p = small_profile();
        struct recordings waiting = {.paths = {0}};
        struct err err = {0};
        struct spooled s;

        ck_assert_ptr_nonnull(mkdtemp(folder));
        snprintf(inner, sizeof(inner), "%s/spool", folder);
        spool_list(inner, &waiting);
        ck_assert_uint_eq(waiting.paths.len, 0);
        ck_assert_int_eq(spool_keep(inner, p, &kept[i], &err), ERR_NONE);
        ck_assert_int_eq(spool_keep(inner, p, &kept[i], &err), ERR_NONE);
        spool_list(inner, &waiting);
        ck_assert_uint_eq(waiting.paths.len, 1);
        ck_assert_ptr_nonnull(
            strstr(waiting.paths.data[0], "/spool/" HASH ".topfn"));
        ck_assert_int_eq(spool_read(waiting.paths.data[0], &s, &err), ERR_NONE);
        ck_assert_str_eq(s.recording.hash, HASH);
        if (kept[i].host)
            ck_assert_str_eq(s.recording.host, kept[i].host);
        else
            ck_assert_ptr_null(s.recording.host);
        ck_assert_int_eq(s.recording.time, kept[i].time);
        ck_assert_uint_eq(s.recording.slice_ns, kept[i].slice_ns);
        ck_assert_uint_eq(s.recording.label_count, kept[i].label_count);
        for (size_t k = 0; k < kept[i].label_count; k++) {
            ck_assert_str_eq(s.recording.labels[k].key, labels[k].key);
            ck_assert_str_eq(s.recording.labels[k].value, labels[k].value);
        }
        spooled_release(&s);
        spool_remove(waiting.paths.data[0]);
        recordings_release(&waiting);
        ck_assert_int_eq(rmdir(inner), 0); /* both files are gone */
        rmdir(folder);
        profile_free(p);
    }
}
END_TEST

/* Of a folder its databases alone, in order of their names. */
START_TEST(what_waits)
{
    static const char *const names[] = {
        "f123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef."
        "topfn",
        HASH ".topfn",
        HASH ".said",
        HASH ".topfn.tmp",
        HASH "0.topfn",
        "0123.topfn",
        "G123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef."
        "topfn",
        "notes",
    };
    char folder[] = "/tmp/topfn-spool-XXXXXX", path[300];
    struct recordings waiting = {.paths = {0}};

    ck_assert_ptr_nonnull(mkdtemp(folder));
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        write_file(folder, names[i], "x", 1);
    spool_list(folder, &waiting);
    ck_assert_uint_eq(waiting.paths.len, 2);
    in_folder(folder, names[1], path);
    ck_assert_str_eq(waiting.paths.data[0], path);
    in_folder(folder, names[0], path);
    ck_assert_str_eq(waiting.paths.data[1], path);
    recordings_release(&waiting);
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        in_folder(folder, names[i], path);
        unlink(path);
    }
    rmdir(folder);
}
END_TEST

/* Cut anywhere, it is not read as something else. */
START_TEST(what_is_damaged)
{
    static const struct fleet_label labels[] = {{"commit", "abc"}};
    static const struct fleet_recording kept = {.hash = HASH,
                                                .host = "here",
                                                .time = 7,
                                                .slice_ns = 9,
                                                .labels = labels,
                                                .label_count = 1};
    char folder[] = "/tmp/topfn-spool-XXXXXX", database[300], said[300];
    struct profile *p = small_profile();
    struct err err = {0};
    struct spooled s;
    uint8_t bytes[200];
    FILE *file;
    size_t n;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(spool_keep(folder, p, &kept, &err), ERR_NONE);
    in_folder(folder, HASH ".topfn", database);
    in_folder(folder, HASH ".said", said);
    file = fopen(said, "rb");
    n = fread(bytes, 1, sizeof(bytes), file);
    fclose(file);
    ck_assert_uint_eq(n, 5 + 8 + 8 + 1 + 7 + 4);
    for (size_t cut = 1; cut < n; cut++) {
        write_file(folder, HASH ".said", bytes, cut);
        ck_assert_int_ne(spool_read(database, &s, &err), ERR_NONE);
        spooled_release(&s);
    }
    memset(bytes + 5 + 8, 0, 8);
    err = (struct err){0};
    write_file(folder, HASH ".said", bytes, n);
    ck_assert_int_ne(spool_read(database, &s, &err), ERR_NONE);
    ck_assert_ptr_nonnull(strstr(err.message, "slice of no time"));
    spooled_release(&s);
    unlink(said);
    ck_assert_int_ne(spool_read(database, &s, &err), ERR_NONE);
    spooled_release(&s);
    unlink(database);
    rmdir(folder);
    profile_free(p);
}
END_TEST

START_TEST(a_folder_that_cannot_be)
{
    struct fleet_recording r = {.hash = HASH, .slice_ns = 1};
    struct profile *p = small_profile();
    struct err err = {0};

    ck_assert_int_eq(spool_keep("/proc/nowhere/spool", p, &r, &err), ERR_IO);
    ck_assert_str_eq(err.message,
                     "/proc/nowhere/spool: No such file or directory");
    profile_free(p);
}
END_TEST

SUITE
{
    return suite_run("spool", what_is_kept_comes_back, what_waits,
                     what_is_damaged, a_folder_that_cannot_be);
}
