/* Labels of a profile: none is shared, and each says as little as that takes.
 */
#include "engine/model/labels.h"

#include <dirent.h>

#include "engine/input/recording.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

static struct profile *alike(void)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);

    builder_samples(b, t, 1, "a!Foo(int)");
    builder_samples(b, t, 1, "a!Foo(std::string const&)");
    builder_samples(b, t, 1, "a!bar(int)");
    builder_samples(b, t, 1, "b!bar(int)");
    builder_samples(b, t, 1, "a!int pick(int)");
    builder_samples(b, t, 1, "a!long pick(int)");
    builder_samples(b, t, 1, "a!sort.part.0");
    builder_samples(b, t, 1, "a!sort.part.1");
    builder_samples(b, t, 1, "a!run::h0123456789abcdef");
    builder_samples(b, t, 1, "a!run::h0123456789abcde0");
    builder_samples(b, t, 1, "a!alone(int)");
    builder_samples(b, t, 1, "a!+0x10");
    return builder_finish(b);
}

static const char *const expected[] = {
    "Foo(int)",
    "Foo(string const&)",
    "bar [a]",
    "bar [b]",
    "int pick",
    "long pick",
    "sort [part.0]",
    "sort [part.1]",
    "run::h0123456789abcdef",
    "run::h0123456789abcde0",
    "alone",
    "",
};

TEST(what_differs_comes_back)
{
    struct profile *p = alike();

    ck_assert_uint_eq(p->functions.len, COUNT(expected));
    for (uint32_t i = 0; i < p->functions.len; i++)
        ck_assert_str_eq(profile_label(p, i), expected[i]);
    profile_free(p);
}

/* Two ways to record one name, and a name made to look like the last that
 * tells them apart. */
TEST(what_is_still_shared_is_recorded_or_numbered)
{
    static const char *const labels[] = {
        "JS:*f a.js [m]", "LazyCompile:*f a.js [m]", "JS:*f a.js [m] #2", "g"};
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "a.exe", 11);
    struct profile *p;

    builder_samples(b, t, 1, "m!JS:*f a.js");
    builder_samples(b, t, 1, "m!LazyCompile:*f a.js");
    builder_samples(b, t, 1, "[jit]!JS:*f a.js [m]");
    builder_samples(b, t, 1, "m!g");
    p = builder_finish(b);
    for (uint32_t i = 0; i < p->functions.len; i++)
        ck_assert_str_eq(profile_label(p, i), labels[i]);
    profile_free(p);
}

TEST(labels_follow_new_names)
{
    struct profile *p = alike();

    ck_assert_str_eq(profile_label(p, 0), "Foo(int)");
    profile_reopen(p);
    profile_finish(p);
    for (uint32_t i = 0; i < p->functions.len; i++)
        ck_assert_int_eq(!*profile_label(p, i), !p->functions.data[i].name);
    profile_free(p);
}

static void assert_distinct(const struct profile *p, const char *path)
{
    struct strings *texts = strings_new();

    for (uint32_t i = 0; i < p->functions.len; i++) {
        const char *label = profile_label(p, i);
        uint32_t before = strings_count(texts);

        ck_assert_msg(!*label == !p->functions.data[i].name,
                      "%s: function %u has no label", path, i);
        strings_add(texts, label, strlen(label));
        ck_assert_msg(!*label || strings_count(texts) > before,
                      "%s: two functions are %s", path, label);
    }
    strings_free(texts);
}

/* False: it cannot be read, which other tests are about. */
static bool check_file(const char *path)
{
    struct err err = {0};
    struct read_options options = {0};
    struct recording *r = recording_open(&path, 1, &options, &err);

    if (!r)
        return false;
    profile_finish(r->profile);
    assert_distinct(r->profile, path);
    recording_close(r);
    return true;
}

static unsigned check_folder(const char *folder)
{
    struct dirent **names;
    int n = scandir(folder, &names, NULL, alphasort);
    unsigned checked = 0;
    char path[1000];

    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof(path), "%s/%s", folder, names[i]->d_name);
        if (names[i]->d_name[0] != '.')
            checked += check_file(path);
        free(names[i]);
    }
    if (n >= 0)
        free(names);
    return checked;
}

TEST(no_two_functions_of_a_trace_share_a_label)
{
    static const char *const own[] = {"etl", "nettrace", "container"};
    static const char *const others[] = {"etl", "nettrace", "vsp", "vspx",
                                         "diagsession"};
    unsigned checked = 0;

    for (size_t i = 0; i < COUNT(own); i++) {
        char folder[100];

        snprintf(folder, sizeof(folder), "testdata/%s", own[i]);
        checked += check_folder(folder);
    }
    ck_assert_uint_ge(checked, 10);
    checked = 0;
    for (size_t i = 0; i < COUNT(others); i++) {
        char *folder = traces_path(others[i], "", "");

        checked += check_folder(folder);
        free(folder);
    }
    if (!checked)
        suite_skip(1, "no real traces");
}
