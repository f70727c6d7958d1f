#include <dirent.h>
#include <jansson.h>

#include "engine/base/err.h"
#include "report/schemas.h"

#include "tests/support/suite.h"

/* As much of JSON Schema as the schemas use; and, other than it, members that
 * a schema does not name are wrong: they should be in it. */

static const json_t *definitions;

static bool fits(const json_t *schema, const json_t *value, const char *path);

static bool complain(const char *path, const char *what)
{
    printf("%s: %s\n", path, what);
    return false;
}

static bool is_of(const char *type, const json_t *v)
{
    if (!strcmp(type, "null"))
        return json_is_null(v);
    if (!strcmp(type, "integer"))
        return json_is_integer(v);
    if (!strcmp(type, "number"))
        return json_is_number(v);
    if (!strcmp(type, "string"))
        return json_is_string(v);
    if (!strcmp(type, "boolean"))
        return json_is_boolean(v);
    return !strcmp(type, "array") ? json_is_array(v) : json_is_object(v);
}

static bool fits_type(const json_t *type, const json_t *v)
{
    if (json_is_string(type))
        return is_of(json_string_value(type), v);
    return is_of(json_string_value(json_array_get(type, 0)), v) ||
           is_of(json_string_value(json_array_get(type, 1)), v);
}

static bool fits_members(const json_t *schema, const json_t *v,
                         const char *path)
{
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *required = json_object_get(schema, "required"), *member;
    const char *name;
    bool good = true;
    char below[300];
    size_t i;

    json_array_foreach(required, i, member)
    {
        if (!json_object_get(v, json_string_value(member)))
            good = complain(path, json_string_value(member));
    }
    if (!properties)
        return good;
    json_object_foreach((json_t *)v, name, member)
    {
        snprintf(below, sizeof(below), "%s.%s", path, name);
        if (!json_object_get(properties, name))
            good = complain(below, "not in the schema");
        else if (!fits(json_object_get(properties, name), member, below))
            good = false;
    }
    return good;
}

static bool fits_any(const json_t *schemas, const json_t *v, const char *path)
{
    return json_is_null(v) || fits(json_array_get(schemas, 0), v, path);
}

static bool fits(const json_t *schema, const json_t *v, const char *path)
{
    const char *reference = json_string_value(json_object_get(schema, "$ref"));
    const json_t *item;
    size_t i;

    if (reference)
        return fits(json_object_get(definitions, strrchr(reference, '/') + 1),
                    v, path);
    if (json_object_get(schema, "anyOf"))
        return fits_any(json_object_get(schema, "anyOf"), v, path);
    if (!fits_type(json_object_get(schema, "type"), v))
        return complain(path, "of another type");
    json_array_foreach(v, i, item)
    {
        if (!fits(json_object_get(schema, "items"), item, path))
            return false;
    }
    return !json_is_object(v) || fits_members(schema, v, path);
}

static json_t *load_schema(const char *name)
{
    struct out *out = out_memory();
    json_error_t error;
    json_t *schema;
    size_t n;

    ck_assert_msg(schema_write(name, out), "no schema of %s", name);
    out_text(out, &n);
    schema = json_loadb(out_text(out, NULL), n, 0, &error);
    ck_assert_msg(schema != NULL, "%s: %s", name, error.text);
    out_close(out, NULL);
    return schema;
}

static void check_report(const char *file, const json_t *report)
{
    const char *title = json_string_value(json_object_get(report, "schema"));
    json_t *schema;
    char name[40];

    ck_assert_msg(title && sscanf(title, "topfn.%39[a-z-]/1", name) == 1, "%s",
                  file);
    schema = load_schema(name);
    ck_assert_str_eq(json_string_value(json_object_get(schema, "title")),
                     title);
    definitions = json_object_get(schema, "$defs");
    ck_assert_msg(fits(schema, report, name), "%s", file);
    json_decref(schema);
}

/* Reports follow one another; what was said on stderr is no part. */
static unsigned check_file(const char *path)
{
    FILE *file = fopen(path, "r");
    json_error_t error;
    unsigned reports = 0;
    json_t *report;

    ck_assert_ptr_nonnull(file);
    while ((report = json_loadf(file, JSON_DISABLE_EOF_CHECK, &error))) {
        check_report(path, report);
        json_decref(report);
        reports++;
    }
    fclose(file);
    ck_assert_msg(reports, "%s: %s", path, error.text);
    return reports;
}

TEST(every_expected_output_fits_its_schema)
{
    DIR *folder = opendir("testdata/expected");
    unsigned reports = 0;
    struct dirent *e;

    ck_assert_ptr_nonnull(folder);
    while ((e = readdir(folder))) {
        size_t n = strlen(e->d_name);
        char path[400];

        if (n < 5 || strcmp(e->d_name + n - 5, ".json") != 0)
            continue;
        snprintf(path, sizeof(path), "testdata/expected/%s", e->d_name);
        reports += check_file(path);
    }
    closedir(folder);
    ck_assert_uint_ge(reports, 20);
}

TEST(every_schema_is_json)
{
    const char *name;
    struct out *out = out_memory();

    for (size_t i = 0; (name = schema_name(i)); i++)
        json_decref(load_schema(name));
    ck_assert(!schema_write("nothing", out));
    out_close(out, NULL);
}

/* The check itself finds what is wrong. */
TEST(what_does_not_fit_is_found)
{
    static const char *const wrong[] = {
        "{}",
        "{\"schema\":\"topfn.gate/1\"}",
        "{\"schema\":1,\"outcome\":\"\",\"failed\":0,\"inconclusive\":0,"
        "\"passed\":0,\"findings\":[]}",
        "{\"schema\":\"\",\"outcome\":\"\",\"failed\":0,\"inconclusive\":0,"
        "\"passed\":0,\"findings\":[1]}",
        "{\"schema\":\"\",\"outcome\":\"\",\"failed\":0,\"inconclusive\":0,"
        "\"passed\":0,\"findings\":[],\"more\":1}",
    };
    json_t *schema = load_schema("gate");

    definitions = json_object_get(schema, "$defs");
    for (size_t i = 0; i < COUNT(wrong); i++) {
        json_t *v = json_loads(wrong[i], 0, NULL);

        ck_assert_ptr_nonnull(v);
        ck_assert(!fits(schema, v, "gate"));
        json_decref(v);
    }
    json_decref(schema);
}
