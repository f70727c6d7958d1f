/* Every state that the search for a module's names can end in. */
#include "report/symbols/module_names.h"

#include "engine/base/json.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

static char *text(const char *words)
{
    return strdup(words);
}

static void add_probe(struct found *f, enum find_cause cause, const char *path,
                      const char *reason, bool renamed)
{
    *vec_add(&f->probes) =
        (struct probe){.cause = cause,
                       .path = text(path),
                       .reason = reason ? text(reason) : NULL,
                       .renamed = renamed,
                       .unproved = cause == FIND_OK && !renamed};
}

static uint32_t string(struct profile *p, const char *words)
{
    return strings_add(p->strings, words, strlen(words));
}

static uint32_t add_module(struct profile *p, const char *path,
                           const char *name)
{
    *vec_add(&p->modules) =
        (struct module){.path = string(p, path), .name = string(p, name)};
    return (uint32_t)p->modules.len - 1;
}

/* What is said of one module, by `topfn symbols` or as JSON. */
static void assert_said(struct module_names *names, enum format format,
                        const char *explain, const char *wanted)
{
    struct report_options options = {.format = format};
    struct names_subject s = {{.options = &options}, names, explain};
    struct out *out = out_memory();

    symbols_report.write[format](&s.subject, out);
    ck_assert_str_eq(out_text(out, NULL), wanted);
    out_close(out, NULL);
}

TEST(a_file_in_parts)
{
    struct profile *p = builder_finish(builder_new("app.data"));
    uint32_t id = add_module(p, "/usr/lib/a.so", "a.so");
    struct module_search search = {.module = id};
    struct module_row row = {.module = id, .samples = 1200, .search = &search};
    struct code_log code = {.places = {0}};
    struct module_names names = {
        .p = p, .code = &code, .rows = &row, .count = 1};
    struct identity *identity = &p->modules.data[id].identity;
    struct found *debug = &search.files.debug;

    identity->build_id_size = 3;
    identity->build_id[0] = 0x0a;
    identity->build_id[2] = 0xff;
    p->modules.data[id].symbols = string(p, "/usr/lib/debug/a.debug");
    search.files.uses_debug = true;
    add_probe(debug, FIND_ABSENT, "/x/a.debug", NULL, false);
    add_probe(debug, FIND_OK, "/usr/lib/debug/a.debug", NULL, true);
    add_probe(debug, FIND_OK, "/x/name", NULL, false);
    add_probe(debug, FIND_UNUSED, "/x/b", "has no lines", false);
    add_probe(&search.files.image, FIND_FAILED, "http://x/a",
              "http://x/a: timed out", false);
    add_probe(&search.files.image, FIND_BROKEN, "/x/a", "/x/a is short", false);
    add_probe(&search.files.image, FIND_BROKEN, "/x/a", "/x/a: cut", false);
    *vec_add(&debug->lost) =
        (struct probe){.cause = FIND_ABSENT, .path = text("a.dwo")};
    debug->lost_count = 1;
    assert_said(&names, FORMAT_TEXT, NULL,
                "   samples    unnamed  module  names\n"
                "      1200          0  a.so    /usr/lib/debug/a.debug; "
                "inlined calls missing: a.dwo: no debug file\n");
    *vec_add(&debug->lost) =
        (struct probe){.cause = FIND_MISMATCH, .path = text("b.dwo")};
    debug->lost_count = 2001;
    assert_said(&names, FORMAT_TEXT, "A.SO", "/usr/lib/a.so\n"
                "  samples 1,200, without a name 0\n"
                "  wanted  build-id 0a00ff\n"
                "  probed  /x/a.debug: no such file\n"
                "  probed  /usr/lib/debug/a.debug: matches, under another"
                " name\n"
                "  probed  /x/name: matches, build not proved: no build ID "
                "recorded\n"
                "  probed  /x/b: not used: has no lines\n"
                "  probed  http://x/a: failed: timed out\n"
                "  probed  /x/a: broken debug file: /x/a is short\n"
                "  probed  /x/a: broken debug file: cut\n"
                "  missing a.dwo: no such file\n"
                "  missing b.dwo: another build\n"
                "  names   /usr/lib/debug/a.debug; inlined calls missing:"
                " a.dwo: no debug file, and 2000 more\n");
    assert_said(&names, FORMAT_JSON, NULL, "{\"schema\":\"topfn.symbols/1\",\"modules\":[\n"
                "{\"module\":\"a.so\",\"path\":\"/usr/lib/a.so\",\"sample"
                "s\":1200,\"unnamed\":0,\"cause\":null,\"used\":\"/usr/li"
                "b/debug/a.debug\",\"wanted\":{\"pdb\":null,\"build_id\":"
                "\"0a00ff\"},\"probes\":[{\"path\":\"/x/a.debug\",\"resul"
                "t\":\"absent\",\"reason\":null},{\"path\":\"/usr/lib/deb"
                "ug/a.debug\",\"result\":\"match\",\"reason\":null,\"rena"
                "med\":true},{\"path\":\"/x/name\",\"result\":\"match\","
                "\"reason\":null,\"unproved\":true},{\"path\":\"/x/b\","
                "\"result\":\"not_used\",\"reason\":\"has no lines\"},"
                "{\"path\":\"http://x/a\",\"result\":\"failed"
                "\",\"reason\":\"http://x/a: timed out\"},{\"path\":\"/x/"
                "a\",\"result\":\"broken_file\",\"reason\":\"/x/a is shor"
                "t\"},{\"path\":\"/x/a\",\"result\":\"broken_file\",\"rea"
                "son\":\"/x/a: cut\"}],\"missing\":[{\"path\":\"a.dwo\","
                "\"result\":\"absent\"},{\"path\":\"b.dwo\",\"result\":\""
                "identity_mismatch\"}],\"code\":[],\"lines\":null}\n"
                "]}\n");
    ck_assert(module_names_has(&names, "a.SO"));
    ck_assert(!module_names_has(&names, "b.so"));
    found_release(debug);
    found_release(&search.files.image);
    profile_free(p);
}

/* Long names are cut; the name of the file is a name, too. */
TEST(modules_in_a_table)
{
    struct profile *p = builder_finish(builder_new("app.etl"));
    struct code_log code = {.places = {0}};
    struct module_search searches[2];
    struct module_row rows[5] = {
        {.samples = 9, .unnamed = 9, .cause = CAUSE_NO_SYMBOLS},
        {.samples = 8, .unnamed = 8, .cause = CAUSE_MISMATCH},
        {.samples = 7, .unnamed = 6, .cause = CAUSE_OUTSIDE},
        {.samples = 6, .unnamed = 6, .cause = CAUSE_BROKEN},
        {.samples = 5, .unnamed = 5, .cause = CAUSE_CUT_OFF},
    };
    struct module_names names = {
        .p = p, .code = &code, .rows = rows, .count = 5};

    memset(searches, 0, sizeof(searches));
    for (uint32_t i = 0; i < 5; i++)
        rows[i].module = add_module(
            p, i ? "C:\\app\\b.dll" : "C:\\app\\other.dll",
            i == 1 ? "a_module_with_a_name_that_is_longer_than_it_may.dll"
                   : "b.dll");
    p->modules.data[2].symbols = string(p, "c.pdb");
    p->modules.data[4].symbols = string(p, "e.pdb");
    rows[1].search = &searches[0];
    searches[0].files.debug.cause = FIND_ABSENT;
    searches[0].files.image.cause = FIND_MISMATCH;
    searches[0].files.image.path = text("old.exe");
    rows[3].search = &searches[1];
    searches[1].files.debug.cause = FIND_BROKEN;
    searches[1].files.debug.path = text("d.pdb");
    assert_said(
        &names, FORMAT_TEXT, NULL,
        "   samples    unnamed  module                                    "
        "names\n         9          9  b.dll                                   "
        "  no debug file\n         8          8  "
        "a_module_with_a_name_that_…an_it_may.dll  another build: old.exe\n    "
        "     7          6  b.dll                                     c.pdb\n  "
        "       6          6  b.dll                                     broken "
        "debug file: d.pdb\n         5          5  b.dll                       "
        "              e.pdb; truncated recording\n");
    assert_said(&names, FORMAT_TEXT, "other.dll", "C:\\app\\other.dll\n"
                "  samples 9, without a name 9\n"
                "  wanted  the trace does not say which build it was\n"
                "  names   no debug file\n");
    found_release(&searches[0].files.image);
    found_release(&searches[1].files.debug);
    profile_free(p);
}

static void assert_lines(const struct lines_search *s, const char *wanted)
{
    struct out *out = out_memory();

    module_lines_text(s, out);
    ck_assert_str_eq(out_text(out, NULL), wanted);
    out_close(out, NULL);
}

TEST(lines_of_managed_code)
{
    char pdb[] = "a.pdb", image[] = "a.dll";
    struct lines_search s = {
        .pdb = {.cause = FIND_OK, .path = pdb},
        .image = {.cause = FIND_ABSENT, .path = image},
        .places = 1,
        .found = 1,
    };

    assert_lines(&s, "a.pdb, for 1 of 1 address");
    s.places = 1200;
    s.unmapped = 1001;
    assert_lines(&s, "a.pdb, for 1 of 1,200 addresses; 1,001 in methods "
                     "without an IL map");
    s.embedded = true;
    s.unmapped = 0;
    assert_lines(&s, "a.dll, for 1 of 1,200 addresses");
    s.found = 0;
    assert_lines(&s, "none: no debug file");
    s.image.cause = FIND_MISMATCH;
    assert_lines(&s, "none: another build: a.dll");
    s.embedded = false;
    assert_lines(&s, "none: another build: a.dll");
    s.image.cause = FIND_OK;
    assert_lines(&s, "none: its PDB has none for these methods: a.pdb");
    s.is_windows = true;
    assert_lines(&s, "none: lines of managed code are not read from Windows "
                     "PDBs: a.pdb");
    s.pdb.cause = FIND_NOT_NAMED;
    s.pdb.path = NULL;
    assert_lines(&s, "none: the trace does not say which PDB is wanted");
    err_set(&s.err, ERR_CORRUPT, "a.dll: the PDB in it is cut");
    assert_lines(&s, "none: a.dll: the PDB in it is cut");
}

TEST(code_that_was_inferred)
{
    struct code_log log = {.places = {0}};
    struct out *out = out_memory();
    struct json json;

    *vec_add(&log.places) = (struct code_place){7, 0x1000, 3, 20};
    *vec_add(&log.places) = (struct code_place){8, 0x2000, 1, 2};
    *vec_add(&log.places) = (struct code_place){7, 0x3000, 0, 1};
    module_code_text(&log, 7, out);
    ck_assert_str_eq(
        out_text(out, NULL),
        "  code    at 0x1000, inferred from 3 calls: names of 20 addresses\n"
        "  code    at 0x3000, inferred from a method in the trace: names of 1 "
        "addresses\n");
    out_close(out, NULL);
    out = out_memory();
    json = json_to(out);
    json_object(&json, NULL);
    module_code_json(&log, 7, &json);
    json_end(&json);
    ck_assert_str_eq(out_text(out, NULL),
                     "{\"code\":[{\"base\":\"0x1000\",\"calls\":3,"
                     "\"addresses\":20},{\"base\":\"0x3000\",\"calls\":0,"
                     "\"addresses\":1}]}");
    out_close(out, NULL);
    vec_release(&log.places);
}

/* Most without a name first, then most samples, then as the trace has them. */
TEST(modules_in_order)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 1, "p", 2);
    struct naming_log log = {.symbols = {.modules = {0}}};
    struct module_names names;
    struct selection *sel;
    struct profile *p;
    char order[100] = "";

    builder_samples(b, t, 2, "a.dll!f");
    builder_samples(b, t, 1, "b.dll!+0x10");
    builder_samples(b, t, 3, "c.dll!f");
    builder_samples(b, t, 1, "d.dll!+0x10");
    builder_samples(b, t, 1, "d.dll!f");
    builder_samples(b, t, 2, "e.dll!f");
    p = builder_finish(b);
    sel = selection_new(p, NULL);
    names = module_names_new(p, sel, &log);
    for (size_t i = 0; i < names.count; i++)
        snprintf(
            order + strlen(order), sizeof(order) - strlen(order), "%s %u %u, ",
            names_string(&names, names_module(&names, &names.rows[i])->name),
            (unsigned)names.rows[i].samples, (unsigned)names.rows[i].unnamed);
    ck_assert_str_eq(order, "d.dll 2 1, b.dll 1 1, c.dll 3 0, a.dll 2 0, "
                            "e.dll 2 0, ");
    ck_assert_uint_eq(names.rows[0].cause, CAUSE_NO_SYMBOLS);
    ck_assert_uint_eq(names.rows[2].cause, CAUSE_NONE);
    module_names_release(&names);
    selection_free(sel);
    profile_free(p);
}
