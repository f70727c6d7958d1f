/* From paths to one profile: what goes together, and what each refuses. */
#include "engine/input/recording.h"

#include "engine/store/store.h"
#include "tests/support/cells.h"
#include "tests/support/etl_events.h"
#include "tests/support/etl_log.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"
#include "tests/support/zip_writer.h"

#define ETL   "testdata/etl/mixer.etl"
#define TEXT  "testdata/collapsed/rounds.txt"

static char folder[TEMP_FOLDER], path[100];

static const char *in_folder(const char *name)
{
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const void *data, size_t n)
{
    FILE *file = fopen(in_folder(name), "w");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(data, 1, n, file), n);
    fclose(file);
}

/* NULL: it is read; otherwise what the message holds. */
static void check(const char *one, const char *two,
                  const struct read_options *options, enum err_code code,
                  const char *message)
{
    const char *paths[] = {one, two};
    struct err err = {.code = ERR_NONE};
    struct recording *r = recording_open(paths, two ? 2 : 1, options, &err);

    if (r)
        profile_finish(r->profile);
    ck_assert_msg(!r == (message != NULL), "%s: %s", one, err.message);
    ck_assert_int_eq(err.code, code);
    if (message)
        ck_assert_msg(strstr(err.message, message) != NULL, "%s", err.message);
    recording_close(r);
    r = recording_open(paths, two ? 2 : 1, options, NULL);
    if (r)
        profile_finish(r->profile);
    ck_assert(!r == (message != NULL));
    recording_close(r);
}

static void check_case(const struct cells *row)
{
    static const struct {
        const char *word;
        enum err_code code;
    } codes[] = {{"read", ERR_NONE},
                 {"unsupported", ERR_UNSUPPORTED},
                 {"usage", ERR_USAGE},
                 {"not found", ERR_NOT_FOUND},
                 {"io", ERR_IO}};
    const char *how = row->cell[2], *event = strstr(how, "event=");
    char name[20] = "";
    struct read_options options = {
        .threads = strstr(how, "threads") ? 1 : 0,
        .thread_weights = strstr(how, "weights"),
        .periods = strstr(how, "periods"),
    };
    size_t i = 0;

    if (event && sscanf(event, "event=%19s", name) == 1)
        options.event = name;
    while (strcmp(codes[i].word, row->cell[3]))
        ck_assert_uint_lt(++i, COUNT(codes));
    check(row->cell[0], row->len[1] ? row->cell[1] : NULL, &options,
          codes[i].code, row->len[4] ? row->cell[4] : NULL);
}

TEST(options_and_inputs)
{
    cells_each("tests/engine/input/recording.cells", "cases", check_case);
}

/* What a database was made with stays. */
TEST(databases_are_as_they_were_made)
{
    static const char *const text[] = {TEXT};
    const struct read_options plain = {0}, event = {.event = "cpu"},
                              weights = {.thread_weights = true},
                              periods = {.periods = true};
    struct recording *r;

    temp_folder(folder);
    r = recording_open(text, 1, &plain, NULL);
    ck_assert_ptr_nonnull(r);
    profile_finish(r->profile);
    ck_assert_int_eq(store_write(r->profile, in_folder("a.topfn"), NULL),
                     ERR_NONE);
    recording_close(r);
    check(path, NULL, &plain, ERR_NONE, NULL);
    check(path, NULL, &event, ERR_USAGE, "keeps the events it was made with");
    check(path, NULL, &weights, ERR_USAGE, "keeps the weights it was made");
    check(path, NULL, &periods, ERR_USAGE,
          "its samples have no periods, or all periods are equal");
    check(path, TEXT, &plain, ERR_UNSUPPORTED,
          "a topfn database must be opened alone");
    check(TEXT, path, &plain, ERR_UNSUPPORTED, "must be opened alone");
    temp_folder_remove(folder);
}

static struct blob file_bytes(const char *name)
{
    struct blob b = {0};
    FILE *file = fopen(name, "r");
    uint8_t bytes[4096];
    size_t n;

    ck_assert_ptr_nonnull(file);
    while ((n = fread(bytes, 1, sizeof(bytes), file)) > 0)
        blob_bytes(&b, bytes, n);
    fclose(file);
    return b;
}

/* What is in an archive beside its traces is told, and which were read. */
TEST(archives_hold_traces_and_others)
{
    struct blob trace = file_bytes(ETL), zip;
    struct zip_member members[] = {
        {"notes.txt", "text", 4, false},
        {"false.etl", "no trace", 8, false},
        {"a.etl", trace.data, trace.len, true},
        {"empty.etl", "", 0, false},
        {"b.etl", trace.data, trace.len, false},
    };
    static const bool used[] = {false, false, true, false, true};
    const struct read_options plain = {0};
    const char *paths[] = {path};
    struct recording *r;

    temp_folder(folder);
    zip = zip_make(members, 5);
    write_file("a.zip", zip.data, zip.len);
    vec_release(&zip);
    r = recording_open(paths, 1, &plain, NULL);
    ck_assert_ptr_nonnull(r);
    profile_finish(r->profile);
    ck_assert_uint_eq(r->containers.len, 1);
    ck_assert_uint_eq(r->profile->trace.contents.len, 5);
    for (size_t i = 0; i < 5; i++) {
        const struct trace_content *c = &r->profile->trace.contents.data[i];

        ck_assert_ptr_nonnull(
            strstr(strings_get(r->profile->strings, c->name), members[i].name));
        ck_assert_uint_eq(c->size, members[i].size);
        ck_assert_msg(c->used == used[i], "%s", members[i].name);
    }
    recording_close_files(r);
    ck_assert_uint_eq(r->containers.len, 0);
    recording_close(r);
    zip = zip_make(members, 2);
    write_file("b.zip", zip.data, zip.len);
    vec_release(&zip);
    check(path, NULL, &plain, ERR_UNSUPPORTED, "not a trace of a known format");
    zip = zip_make(members, 1);
    write_file("c.zip", zip.data, zip.len);
    vec_release(&zip);
    check(path, NULL, &plain, ERR_UNSUPPORTED,
          "a zip file with 1 entries, none of them a trace");
    zip = zip_make(members + 3, 1);
    write_file("d.zip", zip.data, zip.len);
    vec_release(&zip);
    check(path, NULL, &plain, ERR_TRUNCATED, "the file is empty");
    vec_release(&trace);
    temp_folder_remove(folder);
}
