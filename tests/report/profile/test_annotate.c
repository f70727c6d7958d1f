/* Code by hand: frames that come and go, lines that are not known, code that
 * is nowhere. */
#include "report/profile/annotate.h"

#include "engine/base/textfile.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

static const uint8_t code[] = {0x55, 0x0f, 0xaf, 0xc1, 0xc3};

/* The last has no file, the one before no line. */
static const struct annotated_frame frames[] = {
    {"step", "/src\\lib.c", 3}, {"work", "/src/app.c", 2}, /* 0: of two */
    {"work", "/src/app.c", 2},                             /* 2 */
    {"work", "/src/app.c", 4},                             /* 3 */
    {"step", "/src/lib.c", 3},  {"twice", "/src/lib.c", 9},
    {"work", "/src/app.c", 4},                           /* 4: of three */
    {"work", "/src/app.c", 0},  {"main", "/src/m.c", 0}, /* 7: of two */
    {"work", NULL, 0},                                   /* 9 */
    {"other", NULL, 0},         {"main", NULL, 0},       /* 10: of two */
    {"work", "/else/app.c", 4},                          /* 12 */
};

static const struct annotated_instruction instructions[] = {
    {.address = 0x1000,
     .bytes = {code, 1},
     .text = "push rbp",
     .samples = 2,
     .frame = 2,
     .frame_count = 1,
     .is_target = true},
    {.address = 0x1001,
     .bytes = {code + 1, 3},
     .text = "imul eax, ecx",
     .samples = 30,
     .frame = 0,
     .frame_count = 2},
    {.address = 0x1004,
     .bytes = {code + 4, 1},
     .text = "ret",
     .frame = 0,
     .frame_count = 2},
    {.address = 0x1005,
     .bytes = {code, 1},
     .text = "push rbp",
     .frame = 2,
     .frame_count = 1},
    {.address = 0x1006,
     .bytes = {code, 1},
     .text = "jmp 0x1000",
     .samples = 1,
     .frame = 3,
     .frame_count = 1,
     .has_target = true,
     .target = 0x1000},
    {.address = 0x1007,
     .bytes = {code, 1},
     .text = "call 0x2000",
     .frame = 4,
     .frame_count = 3,
     .has_target = true,
     .target = 0x2000,
     .target_name = "app.exe!push"},
    {.address = 0x1008,
     .bytes = {code, 1},
     .text = "nop",
     .frame = 7,
     .frame_count = 2},
    {.address = 0x1009,
     .bytes = {code, 1},
     .text = "nop",
     .frame = 9,
     .frame_count = 1},
    {.address = 0x100a,
     .bytes = {code, 1},
     .text = "nop",
     .frame = 10,
     .frame_count = 2},
    {.address = 0x100b, .bytes = {code, 0}, .text = "nop"},
    {.address = 0x100c,
     .bytes = {code, 1},
     .text = "nop",
     .frame = 3,
     .frame_count = 1},
    {.address = 0x100d,
     .bytes = {code, 1},
     .text = "int3",
     .frame = 12,
     .frame_count = 1},
};

enum {
    FRAMES = COUNT(frames),
    INSTRUCTIONS = COUNT(instructions)
};

struct world {
    struct profile *p;
    struct selection *sel;
    struct ranking *ranking;
    const struct rank_row *functions[2];
    struct annotated annotated[2];
    struct textfile *source; /* of /src/app.c */
    struct report_options options;
    struct subject subject;
};

static struct textfile *find(void *state, const char *path)
{
    return strcmp(path, "/src/app.c") ? NULL : ((struct world *)state)->source;
}

static void open_source(struct world *w)
{
    static const char text[] = "int work(void)\n    {\n    int n = 0;\n";
    struct err err = {0};
    char path[TEMP_PATH];

    temp_file(path, text, sizeof(text) - 1);
    w->source = textfile_open(path, &err);
    ck_assert_ptr_nonnull(w->source);
    unlink(path);
}

static void add_parts(struct annotated *a, const struct rank_row *function)
{
    struct annotated_part *part;

    a->function = function;
    part = vec_add(&a->parts);
    *part = (struct annotated_part){.module = "app.exe",
                                    .name = "work",
                                    .image = "/bin/app.exe",
                                    .start = 0x1000,
                                    .end = 0x100e,
                                    .samples = 33};
    for (size_t i = 0; i < FRAMES; i++)
        *vec_add(&part->frames) = frames[i];
    for (size_t i = 0; i < INSTRUCTIONS; i++)
        *vec_add(&part->instructions) = instructions[i];
    *vec_add(&a->parts) = (struct annotated_part){
        .module = "b.dll", .image = "b.dll", .end = 1, .samples = 1};
    *vec_add(&a->parts) = (struct annotated_part){
        .module = "c.dll", .problem = "c.dll: no image with code"};
}

static void world_begin(struct world *w)
{
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 10, "app.exe", 11);

    builder_samples(b, t, 34, "app.exe!main;app.exe!work(int)");
    builder_samples(b, t, 6, "app.exe!main");
    *w = (struct world){.p = builder_finish(b)};
    w->sel = selection_new(w->p, NULL);
    w->ranking = ranking_new(w->p, w->sel, RANK_FUNCTION, SORT_EXCLUSIVE);
    open_source(w);
    for (size_t i = 0; i < 2; i++)
        w->functions[i] = &w->ranking->rows[i];
    add_parts(&w->annotated[0], w->functions[0]);
    w->annotated[1].function = w->functions[1];
    w->options = REPORT_DEFAULTS;
    w->subject = (struct subject){.options = &w->options,
                                  .p = w->p,
                                  .sel = w->sel,
                                  .functions = w->functions,
                                  .function_count = 2,
                                  .sources = {find, w},
                                  .annotated = w->annotated};
}

static void world_end(struct world *w)
{
    for (size_t k = 0; k < w->annotated[0].parts.len; k++) {
        vec_release(&w->annotated[0].parts.data[k].frames);
        vec_release(&w->annotated[0].parts.data[k].instructions);
    }
    vec_release(&w->annotated[0].parts);
    textfile_close(w->source);
    ranking_free(w->ranking);
    selection_free(w->sel);
    profile_free(w->p);
}

#define HEAD                                                                   \
    "app.etl · CPU samples every 1 ms · 40 samples · 40 ms of CPU time in "    \
    "40 ms · 8 CPUs, 13 % busy\n"                                              \
    "100 % of stacks are complete · all function names known · no events "     \
    "lost\n\n"                                                                 \
    "a sample's address is where the processor stopped, often an instruction " \
    "or a few late\n\n"

static const struct {
    enum format format;
    size_t rows;
    const char *expected;
} reports_of_code[] = {
    {FORMAT_TEXT, 0,
     HEAD "work · app.exe · exclusive 34 (85.0 %) · inclusive 34 (85.0 %)\n"
          "work in /bin/app.exe · 0x1000 to 0x100e · 33 samples\n"
          "\n"
          "samples     %  address  instruction\n"
          "                          app.c:2  {\n"
          "      2   6.1   0x1000  > push rbp\n"
          "                          | step lib.c:3\n"
          "     30  90.9   0x1001    | imul eax, ecx\n"
          "                0x1004    | ret\n"
          "                          app.c:2  {\n"
          "                0x1005    push rbp\n"
          "                          app.c:4\n"
          "      1   3.0   0x1006    jmp 0x1000\n"
          "                          | twice lib.c:9\n"
          "                          | | step lib.c:3\n"
          "                0x1007    | | call 0x2000 -> app.exe!push\n"
          "                          m.c\n"
          "                          | work app.c\n"
          "                0x1008    | nop\n"
          "                          work\n"
          "                0x1009    nop\n"
          "                          main\n"
          "                          | other\n"
          "                0x100a    | nop\n"
          "                0x100b    nop\n"
          "                          app.c:4\n"
          "                0x100c    nop\n"
          "                          app.c:4\n"
          "                0x100d    int3\n"
          "\n"
          "b.dll · 0x0 to 0x1 · 1 sample\n"
          "\n"
          "c.dll: no image with code\n"
          "\n"
          "main · app.exe · exclusive 6 (15.0 %) · inclusive 40 (100.0 %)\n"},
};

TEST(code_is_as_written)
{
    struct world w;

    world_begin(&w);
    for (size_t i = 0; i < COUNT(reports_of_code);
         i++) {
        struct out *out = out_memory();

        w.options.format = reports_of_code[i].format;
        w.options.rows = reports_of_code[i].rows;
        annotate_report.write[w.options.format](&w.subject, out);
        ck_assert_str_eq(out_text(out, NULL), reports_of_code[i].expected);
        out_close(out, NULL);
    }
    world_end(&w);
}

TEST(data_has_a_part_for_each_piece_of_code)
{
    static const char *const wanted[] = {
        "\"parts\":[{\"module\":\"app.exe\",\"image\":\"/bin/app.exe\","
        "\"name\":\"work\",\"problem\":null,\"start\":\"0x1000\","
        "\"end\":\"0x100e\",\"exclusive\":33,\"rows\":[\n"
        "  {\"address\":\"0x1000\",\"bytes\":\"55\","
        "\"instruction\":\"push rbp\",\"exclusive\":2,",
        "\"rows\":[]},{\"module\":\"c.dll\",\"image\":null,\"name\":null,"
        "\"problem\":\"c.dll: no image with code\",\"start\":\"0x0\","
        "\"end\":\"0x0\",\"exclusive\":0,\"rows\":[]}]}],"
        "\"total_functions\":2}",
    };
    struct out *out = out_memory();
    struct world w;

    world_begin(&w);
    w.options.format = FORMAT_JSON;
    w.options.rows = 1;
    annotate_report.write[FORMAT_JSON](&w.subject, out);
    for (size_t i = 0; i < COUNT(wanted); i++)
        ck_assert_msg(strstr(out_text(out, NULL), wanted[i]), "%s", wanted[i]);
    out_close(out, NULL);
    world_end(&w);
}
