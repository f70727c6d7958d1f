/*
 * Real precompiled assemblies: against the maps that their compiler wrote,
 * and in recordings whose rundown is missing against an independent decoder.
 */
#include <jansson.h>
#include <unistd.h>

#include "engine/analysis/rank.h"
#include "engine/attribution/observations.h"
#include "engine/base/text.h"
#include "engine/input/recording.h"
#include "symbols/managed/r2r/image.h"
#include "symbols/name_source.h"
#include "symbols/naming.h"
#include "tests/support/debug_input.h"
#include "tests/support/net_recording.h"
#include "tests/support/suite.h"

/* ---- the compiler's maps ---- */

static const char *const maps[] = {"crossgen-linux-x64", "crossgen-linux-arm64",
                                   "crossgen-hot-cold"};

enum { METHODS = 4006, NAME = 4096 };

/* How many arguments are between the parentheses. */
static unsigned count_arguments(const char *text)
{
    unsigned depth = 0, n = 0;

    for (text = strchr(text, '('); text && *text; text++) {
        n += depth == 1 && (*text == ',' || (!n && *text != ')'));
        depth += *text == '(' || *text == '[' || *text == '<';
        depth -= *text == ')' || *text == ']' || *text == '>';
    }
    return n;
}

/* "System.Int32 A.B`2[X, Y]::F(Z)" becomes "A.B`2[X,Y].F". */
static void plain_name(const char *text, char out[NAME])
{
    const char *end = text + strcspn(text, "("), *separator = end, *at;
    size_t n = 0;

    while (separator > text && strncmp(separator, "::", 2) != 0)
        separator--;
    for (at = separator; at > text; at--)
        if (at[-1] == ' ' && (at - 1 == text || at[-2] != ','))
            break;
    for (; at < end && n < NAME - 1; at++) {
        if (at == separator) {
            out[n++] = '.';
            at++;
        } else if (*at != ' ') {
            out[n++] = *at;
        }
    }
    out[n] = '\0';
}

static void check_method(const struct r2r_image *image, uint32_t rva,
                         const char *text, struct arena *arena)
{
    struct r2r_method m;
    struct r2r_name name;
    char wanted[NAME];

    ck_assert_msg(r2r_find(image, rva, &m), "%x: nobody's", rva);
    ck_assert_msg(m.start == rva, "%x: begins at %x", rva, m.start);
    ck_assert_msg(r2r_name(image, &m, TYPES_EVENT, arena, &name), "%x: no name",
                  rva);
    plain_name(text, wanted);
    ck_assert_msg(!strncmp(name.full, wanted, strlen(wanted)) &&
                      name.full[strlen(wanted)] == '(',
                  "%x: %s, not %s", rva, name.full, wanted);
    ck_assert_msg(count_arguments(name.full) == count_arguments(text),
                  "%x: %s, not %s", rva, name.full, text);
    arena_reset(arena);
}

static void check_map(const struct r2r_image *image, FILE *map)
{
    struct arena arena = {0};
    unsigned rva, size, count = 0;
    char line[NAME], text[NAME];

    while (fgets(line, sizeof(line), map)) {
        ck_assert_int_eq(sscanf(line, "%x %x %4095[^\n]", &rva, &size, text),
                         3);
        if (rva >= 0xFFFFFFF0u)
            continue;
        check_method(image, rva, text, &arena);
        count++;
    }
    ck_assert_uint_eq(count, METHODS);
    ck_assert_uint_eq(r2r_count(image), METHODS);
    arena_release(&arena);
}

TEST(maps_of_the_compiler)
{
    for (size_t i = 0; i < COUNT(maps); i++) {
        char folder[100];
        struct debug_input *in;
        struct r2r_image *image;
        FILE *map;

        snprintf(folder, sizeof(folder), "r2r/%s", maps[i]);
        in = debug_input_open(folder, "Newtonsoft.Json.dll");
        map = debug_input_text(folder, "Newtonsoft.Json.ni.r2rmap");
        if (!in || !map) {
            suite_skip(1, folder);
            continue;
        }
        image = r2r_open("Newtonsoft.Json.dll", in->data, in->size, NULL);
        ck_assert(image);
        check_map(image, map);
        r2r_close(image);
        fclose(map);
        debug_input_close(in);
    }
}

/* ---- recordings ---- */

static const char *const recordings[] = {"net10-default", "net10-killed",
                                         "net10-no-rundown"};

static struct profile *open_with_code(const char *recording,
                                      struct naming_log *log)
{
    struct places places;
    struct profile *p = net_recording_open(recording, "r2r", &places);

    name_from((const struct name_source *const[]){&precompiled_source,
                                                  &mapped_code_source, NULL},
              p, &(struct naming_options){.places = &places}, log);
    net_recording_finish(p, &places);
    return p;
}

static uint64_t number(const json_t *row, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(row, key));
}

/* "module!name" of a row. */
static bool is_row(const struct rank_row *row, const char *name)
{
    const char *module = !strcmp(row->module, "[unknown]") ? "?" : row->module;
    size_t n = strlen(module);

    return row->cause == CAUSE_NONE && !strncmp(name, module, n) &&
           name[n] == '!' && !strcmp(name + n + 1, row->name);
}

static void check_row(const struct ranking *r, const json_t *row)
{
    const char *name = json_string_value(json_object_get(row, "name"));

    for (size_t i = 0; i < r->len; i++) {
        if (!is_row(&r->rows[i], name))
            continue;
        ck_assert_msg(r->rows[i].exclusive == number(row, "exclusive") &&
                          r->rows[i].inclusive == number(row, "inclusive"),
                      "%s", name);
        return;
    }
    ck_abort_msg("%s is missing", name);
}

static void check_bases(const json_t *images, const struct profile *p,
                        const struct code_log *log)
{
    for (size_t i = 0; i < log->places.len; i++) {
        const struct code_place *c = &log->places.data[i];
        const char *path =
            strings_get(p->strings, p->modules.data[c->module].path);
        bool found = false;

        for (size_t k = 0; k < json_array_size(images); k++) {
            const json_t *image = json_array_get(images, k);
            const char *base =
                json_string_value(json_object_get(image, "base"));

            found |=
                !strcmp(path_base_name(path),
                        json_string_value(json_object_get(image, "image"))) &&
                strtoull(base, NULL, 16) == c->base;
        }
        ck_assert_msg(found, "%s at %llx", path, (unsigned long long)c->base);
    }
}

static void check_recording(const char *recording, const char *truth)
{
    struct naming_log log = {.code = {.places = {0}}};
    struct profile *p = open_with_code(recording, &log);
    json_t *json = json_load_file(truth, 0, NULL);
    const json_t *rows = json_object_get(json, "by_method");
    struct selection *sel = selection_new(p, NULL);
    struct ranking *r = ranking_new(p, sel, RANK_FUNCTION, SORT_EXCLUSIVE);

    ck_assert(json_array_size(rows));
    for (size_t i = 0; i < json_array_size(rows); i++)
        check_row(r, json_array_get(rows, i));
    ck_assert_uint_eq(sel->unresolved, number(json, "leaf_unnamed"));
    check_bases(json_object_get(json, "images"), p, &log.code);
    ranking_free(r);
    selection_free(sel);
    json_decref(json);
    profile_free(p);
    naming_log_release(&log);
}

TEST(without_a_rundown)
{
    for (size_t i = 0; i < COUNT(recordings); i++) {
        char *truth = traces_path("truth", recordings[i], ".r2r.json");

        if (access(truth, R_OK))
            suite_skip(1, recordings[i]);
        else
            check_recording(recordings[i], truth);
        free(truth);
    }
}

/* Code of mapped assemblies that has no name. */
static size_t count_unnamed(const struct profile *p)
{
    size_t n = 0;

    for (size_t i = 0; i < p->locations.len; i++) {
        const struct location *l = &p->locations.data[i];
        const char *path;

        if (l->module == NO_ID || l->method != NO_ID)
            continue;
        path = strings_get(p->strings, p->modules.data[l->module].path);
        n += strlen(path) > 4 && !strcmp(path + strlen(path) - 4, ".dll");
    }
    return n;
}

TEST(mapped_assemblies)
{
    static const char *const names[] = {"linux-cpu", "linux-all-cswitch"};

    for (size_t i = 0; i < 2; i++) {
        char *path = traces_path("nettrace", names[i], ".nettrace");
        struct profile *p;

        if (access(path, R_OK)) {
            suite_skip(1, names[i]);
        } else {
            p = open_with_code(names[i], NULL);
            ck_assert_uint_eq(count_unnamed(p), 0);
            profile_free(p);
        }
        free(path);
    }
}
