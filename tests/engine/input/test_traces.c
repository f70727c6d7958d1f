/* Traces of archives: those that are damaged, too many, or listed in part. */
#include "engine/input/traces.h"

#include "engine/input/recording.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"
#include "tests/support/zip_writer.h"

enum { MOST_TRACES = 4096 };

static const char text[] = "main;run 3\nmain;walk 5\n";

/* An archive of n files, of which the first ones are called like traces. */
static void write_zip(char *path, size_t traces, size_t n)
{
    static struct zip_member members[MOST_TRACES + 1];
    static char names[MOST_TRACES + 1][32];
    struct blob zip;

    for (size_t i = 0; i < n; i++) {
        snprintf(names[i], sizeof(names[i]), "%04zu.%s", i,
                 i < traces ? "etl" : "txt");
        members[i] =
            (struct zip_member){names[i], text, sizeof(text) - 1, true};
    }
    zip = zip_make(members, n);
    temp_file(path, zip.data, zip.len);
    vec_release(&zip);
}

TEST(so_many_traces)
{
    for (size_t n = MOST_TRACES; n <= MOST_TRACES + 1; n++) {
        char path[TEMP_PATH];
        const char *const paths[] = {path};
        struct traces traces = {0};
        struct err err = {0};

        write_zip(path, n, n);
        ck_assert_int_eq(traces_open(&traces, paths, 1, &err),
                         n > MOST_TRACES ? ERR_LIMIT : ERR_NONE);
        if (n > MOST_TRACES)
            ck_assert_ptr_nonnull(
                strstr(err.message, ": more than 4096 traces"));
        else
            ck_assert_uint_eq(traces.entries.len, n);
        traces_close(&traces);
        unlink(path);
    }
}

/* Makes what is packed of this file begin as nothing packed does. */
static void damage(const char *path, const char *name)
{
    FILE *file = fopen(path, "r+b");
    uint8_t bytes[4096], *at;
    size_t n;

    ck_assert_ptr_nonnull(file);
    n = fread(bytes, 1, sizeof(bytes), file);
    at = memmem(bytes, n, name, strlen(name));
    ck_assert_ptr_nonnull(at);
    at += strlen(name) + load_u16(at - 2); /* behind an extra field */
    ck_assert_int_eq(fseek(file, at - bytes, SEEK_SET), 0);
    ck_assert_int_eq(fputc(0xFF, file), 0xFF);
    fclose(file);
}

/* One that cannot be unpacked is told of, and the others are read; alone it
 * is an error. */
TEST(damaged_traces)
{
    for (size_t n = 1; n <= 2; n++) {
        char path[TEMP_PATH];
        const char *const paths[] = {path};
        struct traces traces = {0};
        struct err err = {0};
        enum err_code code;

        write_zip(path, n, n);
        damage(path, n == 1 ? "0000.etl" : "0001.etl");
        code = traces_open(&traces, paths, 1, &err);
        ck_assert_int_eq(code != ERR_NONE, n == 1);
        if (n == 1)
            ck_assert_ptr_nonnull(strstr(err.message, "0000.etl"));
        ck_assert_uint_eq(traces.entries.len, n - 1);
        ck_assert_str_eq(traces.containers.data[0]->entries[n - 1].damage,
                         "cannot be unpacked");
        if (n == 2)
            ck_assert_ptr_null(traces.containers.data[0]->entries[0].damage);
        traces_close(&traces);
        ck_assert_int_eq(traces_open(&traces, paths, 1, NULL) != ERR_NONE,
                         n == 1);
        traces_close(&traces);
        unlink(path);
    }
}

/* What was damaged is among the warnings, and beside what the archive holds. */
TEST(contents_are_told)
{
    static const struct read_options options = {.threads = 1};
    char path[TEMP_PATH];
    const char *const paths[] = {path};
    struct recording *r;
    struct profile *p;
    struct err err = {0};

    write_zip(path, 2, 2);
    damage(path, "0001.etl");
    r = recording_open(paths, 1, &options, &err);
    ck_assert_msg(r != NULL, "%s", err.message);
    p = r->profile;
    profile_finish(p);
    ck_assert_uint_eq(p->trace.contents.len, 2);
    ck_assert(p->trace.contents.data[0].used);
    ck_assert(!p->trace.contents.data[1].used);
    ck_assert_str_eq(strings_get(p->strings, p->trace.contents.data[0].note),
                     "");
    ck_assert_str_eq(strings_get(p->strings, p->trace.contents.data[1].note),
                     "cannot be unpacked");
    ck_assert_uint_eq(p->quality.warnings.len, 1);
    ck_assert_ptr_nonnull(
        strstr(strings_get(p->strings, p->quality.warnings.data[0]),
               "0001.etl: cannot be unpacked"));
    recording_close(r);
    unlink(path);
}
