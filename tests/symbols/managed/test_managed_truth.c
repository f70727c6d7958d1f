/*
 * Lines of managed code in real recordings, against those of an independent
 * decoder that follows the same rule.
 */
#include <jansson.h>
#include <unistd.h>

#include "engine/analysis/rank.h"
#include "engine/attribution/observations.h"
#include "engine/base/text.h"
#include "engine/input/recording.h"
#include "symbols/name_source.h"
#include "symbols/naming.h"
#include "tests/support/net_recording.h"
#include "tests/support/suite.h"

static const char *const recordings[] = {"net10-default", "net10-lossy",
                                         "net10-reuse"};

enum { RECORDINGS = COUNT(recordings) };

static struct profile *open_with_lines(const char *recording)
{
    struct places places;
    struct profile *p = net_recording_open(recording, "dotnet", &places);

    name_from((const struct name_source *const[]){&managed_lines_source, NULL},
              p, &(struct naming_options){.places = &places}, NULL);
    net_recording_finish(p, &places);
    return p;
}

/* What a line has, whatever the folder of its file. */
static void count_line(const struct ranking *r, const char *file, uint32_t line,
                       uint64_t counts[2])
{
    counts[0] = counts[1] = 0;
    for (size_t i = 0; i < r->len; i++) {
        const struct rank_row *row = &r->rows[i];

        if (!row->file || strcmp(path_base_name(row->file), file) ||
            row->line != line)
            continue;
        counts[0] += row->exclusive;
        counts[1] += row->inclusive;
    }
}

static uint64_t number(const json_t *row, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(row, key));
}

static void compare(const struct ranking *r, const json_t *rows)
{
    size_t lines = 0;

    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const char *file = json_string_value(json_object_get(row, "file"));
        uint64_t got[2];

        count_line(r, file, (uint32_t)number(row, "line"), got);
        ck_assert_msg(got[0] == number(row, "exclusive") &&
                          got[1] == number(row, "inclusive"),
                      "%s:%llu: %llu %llu", file,
                      (unsigned long long)number(row, "line"),
                      (unsigned long long)got[0], (unsigned long long)got[1]);
    }
    for (size_t i = 0; i < r->len; i++)
        lines += r->rows[i].file != NULL;
    ck_assert_uint_eq(lines, json_array_size(rows));
}

static void check(const char *recording, const char *truth)
{
    struct profile *p = open_with_lines(recording);
    json_t *json = json_load_file(truth, 0, NULL);
    struct selection *sel = selection_new(p, NULL);
    struct ranking *r = ranking_new(p, sel, RANK_LINE, SORT_EXCLUSIVE);

    ck_assert(json);
    compare(r, json_object_get(json, "rows"));
    ranking_free(r);
    selection_free(sel);
    json_decref(json);
    profile_free(p);
}

TEST(lines_of_recordings)
{
    for (size_t i = 0; i < RECORDINGS; i++) {
        char *truth = traces_path("truth", recordings[i], ".lines.json");

        if (access(truth, R_OK))
            suite_skip(1, recordings[i]);
        else
            check(recordings[i], truth);
        free(truth);
    }
}
