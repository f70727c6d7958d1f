/* A profile as rows: what recordings have in common, and their samples. */
#include "engine/fleet/batch.h"

#include "tests/support/pushing.h"

#define NO_GUID "x00000000000000000000000000000000"

TEST(what_is_in_common)
{
    static const char *const wanted[] = {
        [FLEET_PROCESSES] = "@1 'app.exe'\n",
        [FLEET_MODULES] =
            "@2 '/bin/app.exe' 'app.exe' '1.2' 'app.pdb' 'area' 'a.pdb' "
            "x01000000000000000000000000000002 7 8 9 x00ab 1 0 1\n"
            "@3 'nt.exe' 'nt.exe' '' '' '' '' " NO_GUID " 0 0 0 '' 0 1 0\n",
        [FLEET_METHODS] = "@4 'Shop' 'Total' '(int)' 'Shop.Total(int)' @2 256 "
                          "100663297 3\n",
        [FLEET_FUNCTIONS] = "@5 'Total' '[jit]' 0 2 0\n"
                            "@6 'main' 'app.exe' 0 1 0\n"
                            "@7 'in' 'app.exe' 0 1 0\n"
                            "@8 'out' 'app.exe' 0 1 0\n"
                            "@9 '' 'nt.exe' 16 4 2\n",
        [FLEET_LOCATIONS] =
            "@10 0 @4 8 2 0 0 [@5] [''] [0] [0]\n"
            "@11 @2 0 4112 1 0 1 [@6] [''] [0] [0]\n"
            "@12 @2 0 4144 1 0 0 [@7,@8] ['a.h','a.c'] [3,9] [1,0]\n"
            "@13 @3 0 16 4 2 0 [@9] [''] [0] [0]\n",
        [FLEET_STACKS] = "@14 @1 312 [@11,@10]\n"
                         "@15 @1 312 [@11,@12]\n"
                         "@16 @1 41 [@11,@13]\n",
        /* Processes of one name are one, but not their samples yet. */
        [FLEET_SAMPLES] = "@17 0 @14 0 2\n"
                          "@17 0 @14 0 1\n"
                          "@17 0 @15 0 1\n"
                          "@17 0 @16 0 1\n",
        [FLEET_RUNS] =
            "@17 'h' 'app.etl' '' '' 'etl' 'cpu-samples' 0 0 [] [] 5000000 "
            "1000000 1000000000 8 0 5 4 4 0 1 0 0 0 0 0 0 0 0\n",
    };
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "app.exe", 11);
    uint32_t u = builder_thread(b, 20, "app.exe", 21);
    struct fleet_rows rows = {.count = 0};
    struct profile *p = builder_profile(b);
    struct module *m;
    struct method *code;

    builder_samples(b, t, 2, "app.exe!main;[jit]!Total");
    builder_samples(b, u, 1, "app.exe!main;[jit]!Total");
    builder_samples(b, t, 1, "app.exe!main;app.exe!in@a.h:3<app.exe!out@a.c:9");
    builder_sample(b, t, SAMPLE_IDLE | SAMPLE_USER_PART | SAMPLE_HAS_STACK,
                   "app.exe!main;[kernel]nt.exe!+0x10");
    m = &p->modules.data[0];
    m->path = strings_add(p->strings, "/bin/app.exe", 12);
    m->version = strings_add(p->strings, "1.2", 3);
    m->symbols = strings_add(p->strings, "app.pdb", 7);
    m->area = strings_add(p->strings, "area", 4);
    m->identity.pdb_name = strings_add(p->strings, "a.pdb", 5);
    m->identity.guid[0] = 1;
    m->identity.guid[15] = 2;
    m->identity.age = 7;
    m->identity.timestamp = 8;
    m->identity.image_size = 9;
    m->identity.build_id_size = 2;
    m->identity.build_id[1] = 0xab;
    m->managed = m->without_inlined = true;
    p->modules.data[1].by_file_offset = true;
    code = &p->methods.code.data[0];
    code->space = strings_add(p->strings, "Shop", 4);
    code->signature = strings_add(p->strings, "(int)", 5);
    methods_set_name(&p->methods, 0,
                     strings_add(p->strings, "Shop.Total(int)", 15));
    code->module = 0;
    code->token = 0x6000001;
    code->tier = 3;
    p->locations.data[0].caller = true;
    add(finished(b),
        &(struct fleet_recording){.hash = "h",
                                  .slice_ns = 1000000000,
                                  .busy = 4,
                                  .complete = 4});
    assert_sends(1, 4);
    for (int i = 0; i < FLEET_TABLES; i++)
        assert_rows(&rows, (enum fleet_table_id)i, wanted[i]);
    fleet_rows_release(&rows);
}

/* A recording has at most 2^24 slices; what was before it began is in the
 * first. */
TEST(slices)
{
    static const struct {
        int64_t time;
        uint64_t slice_ns;
        const char *wanted;
    } rows_of[] = {
        {9, 10, "@1 0 @2 0 1\n"},
        {10, 10, "@1 0 @2 1 1\n"},
        {-5, 10, "@1 0 @2 0 1\n"},
        {16777214, 1, "@1 0 @2 16777214 1\n"},
        {16777215, 1, "@1 0 @2 16777215 1\n"},
        {16777216, 1, "@1 0 @2 16777215 1\n"},
        {INT64_MAX, 1, "@1 0 @2 16777215 1\n"},
    };

    for (size_t i = 0; i < COUNT(rows_of); i++) {
        struct fleet_rows rows = {.count = 0};
        struct profile *p = small_profile("a!b", 1);

        p->samples.time[0] = rows_of[i].time;
        add(p, &(struct fleet_recording){.hash = "h",
                                         .slice_ns = rows_of[i].slice_ns});
        assert_sends(1, 1);
        assert_rows(&rows, FLEET_SAMPLES, rows_of[i].wanted);
        fleet_rows_release(&rows);
        pushing_end();
        pushing_begin();
    }
}

enum { USUAL = SAMPLE_USER_PART | SAMPLE_KERNEL_PART | SAMPLE_HAS_STACK |
               STACK_END_ROOT << STACK_END_SHIFT };

/* Samples that were added up: without such of weight 1 counts vary more. */
TEST(weights)
{
    static const struct {
        uint32_t weights[2]; /* behind a sample of 1 */
        bool adds_up;
        const char *sample, *counts;
    } cases[] = {
        {{1, 1}, false, "@1 0 @2 0 3\n", " 3 0 0 0 1 0 "},
        {{1, 4}, false, "@1 0 @2 0 6\n", " 6 0 0 0 0 0 "},
        {{2, 1}, true, "@1 0 @2 0 4\n", " 4 0 0 0 1 0 "},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct builder *b = builder_new("app.etl");
        uint32_t t = builder_thread(b, 10, "app.exe", 11);
        struct fleet_rows rows = {.count = 0};
        const struct fleet_told *told;
        char *text;

        builder_samples(b, t, 1, "a!b");
        for (size_t k = 0; k < 2; k++)
            profile_sample(builder_profile(b),
                           &(struct sample){.thread = t,
                                            .weight = cases[i].weights[k],
                                            .flags = USUAL,
                                            .stack = 1});
        builder_profile(b)->trace.adds_up = cases[i].adds_up;
        add(finished(b),
            &(struct fleet_recording){.hash = "h", .slice_ns = 1000});
        assert_sends(1, 1);
        assert_rows(&rows, FLEET_SAMPLES, cases[i].sample);
        told = inserted(FLEET_RUNS);
        text = fleet_rows_text(&rows, FLEET_RUNS, told->rows, told->size);
        ck_assert_msg(strstr(text, cases[i].counts), "%s", text);
        free(text);
        fleet_rows_release(&rows);
        pushing_end();
        pushing_begin();
    }
}

SUITE_FIXTURE(pushing_begin, pushing_end)
