/* From frame to frame of copied stacks, by each rule there is. */
#include "engine/attribution/frame_rules.h"
#include "tests/support/cells.h"
#include "tests/support/jitdump_writer.h"
#include "tests/support/perfdata_read.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

enum {
    SP = 0x10000,
    WORDS = 12,
    ADDRESS = 16,
    STACK = 7,
};

#define CELLS_FILE "tests/engine/format/perfdata/walks.cells"

static char folder[TEMP_FOLDER]; /* of jitdumps */

/* Addresses of code in the only file, and where it is mapped. */
#define CODE(n) (0x401000u + (n))

/* Addresses from 0x1000 on, so many of them, have this row. */
struct rules {
    uint64_t count;
    struct frame_row row;
    bool no_image;
    unsigned machine; /* of the image, as ELF numbers it; 0: not known */
    unsigned opened, closed;
    struct frame_row code_row; /* of generated code */
    char code[100];            /* what was opened of it */
};

static void *open_rules(void *state, const struct profile *p, uint32_t module)
{
    struct rules *r = state;

    (void)p;
    (void)module;
    r->opened++;
    return r->no_image ? NULL : r;
}

static bool find_rules(void *opened, uint64_t address, struct frame_row *row)
{
    const struct rules *r = opened;

    *row = r->row;
    return address >= 0x1000 && address - 0x1000 < r->count;
}

/* Rules of generated code are those of a copy, whose addresses are absolute. */
static void *open_code(void *state, struct bytes frames, uint64_t address)
{
    struct rules *r = state, *code = calloc(1, sizeof(*code));
    size_t n = strlen(r->code);

    ck_assert_ptr_nonnull(code);
    snprintf(r->code + n, sizeof(r->code) - n, "%.*s@%llx ", (int)frames.len,
             (const char *)frames.data, (unsigned long long)address);
    code->row = r->code_row;
    code->count = UINT64_MAX;
    return code;
}

static unsigned machine_of_rules(void *opened)
{
    const struct rules *r = opened;

    return r->machine;
}

static void close_rules(void *opened)
{
    struct rules *r = opened;

    r->closed++;
    if (r->count == UINT64_MAX)
        free(r);
}

/* What a sample tells of its thread. */
struct state {
    uint64_t mask;         /* of perf's registers */
    uint64_t registers[5]; /* those of the mask */
    uint64_t words[WORDS]; /* from SP on */
    size_t count;
    const char *machine; /* NULL: the recording does not say */
    uint64_t chain[4];   /* what the recorder walked itself */
    size_t chain_count;
    uint64_t anonymous; /* memory without a file is mapped there; or 0 */
    uint64_t copied;    /* bytes of memory without a file over the code; or 0 */
    bool narrow;        /* the process has 32 bits */
    bool big;           /* byte order */
    bool in_kernel;     /* where the sample was taken, without its callers */
};

static struct profile *read_with(const struct perfdata_writer *w,
                                 struct rules *rules)
{
    struct frame_rules_source source = {.state = rules,
                                        .open = open_rules,
                                        .open_code = open_code,
                                        .machine = machine_of_rules,
                                        .find = find_rules,
                                        .close = close_rules};
    const char *lists = folder;
    struct read_options options = {.threads = 1,
                                   .frames = &source,
                                   .symbol_folders = &lists,
                                   .symbol_folder_count = *folder != '\0'};
    struct entry e = {.name = "a.data",
                      .inner = "inner",
                      .data = w->file.data,
                      .size = w->file.len};
    struct profile *p = profile_new();

    ck_assert(!recording_read(&perfdata_format, &e, 1, &options, p, NULL));
    profile_finish(p);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    return p;
}

/* A record of the recorder that says what machine it is. */
static void put_machine(struct perfdata_writer *w, const char *name)
{
    perfdata_put(w, &w->records, 80, 4);
    perfdata_put(w, &w->records, 0, 2);
    perfdata_put(w, &w->records, 8 + 8 + 4 + 12, 2);
    perfdata_put(w, &w->records, 6, 8);
    perfdata_put(w, &w->records, 12, 4);
    blob_bytes(&w->records, name, strlen(name));
    blob_zero(&w->records, 12 - strlen(name));
}

static struct profile *walk(const struct state *s, struct rules *rules)
{
    uint64_t chain[5] = {PERFDATA_USER};
    struct perfdata_writer w;
    struct blob more = {0};
    struct profile *p;

    memcpy(chain + 1, s->chain, s->chain_count * 8);
    perfdata_begin(&w, PERFDATA_PIPE | (s->big ? PERFDATA_BIG : 0));
    w.more_fields = 1 << 12 | 1 << 13;
    w.user_registers = s->mask;
    perfdata_put(&w, &more, s->narrow ? 1 : 2, 8);
    for (int i = 0; i < __builtin_popcountll(s->mask); i++)
        perfdata_put(&w, &more, s->registers[i], 8);
    perfdata_put(&w, &more, s->count * 8, 8);
    for (size_t i = 0; i < s->count; i++)
        perfdata_put(&w, &more, s->words[i], 8);
    if (s->count)
        perfdata_put(&w, &more, s->count * 8, 8);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    if (s->machine)
        put_machine(&w, s->machine);
    perfdata_mmap(&w, 0, 40, 0x400000, 0x4000, 0, "/srv/shop/shop");
    if (s->anonymous)
        perfdata_mmap(&w, 0, 40, s->anonymous, 0x1000, 0, "//anon");
    if (s->copied)
        perfdata_mmap(&w, 0, 40, CODE(0), s->copied, 0, "//anon");
    perfdata_sample(&w, &(struct perfdata_sample){
                            .time = 10,
                            .ip = s->in_kernel ? KERNEL_BASE : CODE(0),
                            .pid = 40,
                            .tid = 40,
                            .mode = s->in_kernel ? 1 : 2,
                            .chain = chain,
                            .chain_count = s->chain_count + 1,
                            .more = &more});
    perfdata_end(&w);
    p = read_with(&w, rules);
    perfdata_free(&w);
    free(more.data);
    return p;
}

/* ---- rules ---- */

#define RULE(kind_, offset_)                                                   \
    {                                                                          \
        .kind = (kind_), .offset = (offset_)                                   \
    }
#define FRAME RULE(RULE_REGISTER, 16)

/* "saved -8": of no words it is none, and expressions are bytes. */
static struct frame_rule rule_of(char *text)
{
    static const struct {
        const char *word;
        uint8_t kind;
    } kinds[] = {
        {"saved", RULE_SAVED},
        {"offset", RULE_OFFSET},
        {"register", RULE_REGISTER},
        {"same", RULE_SAME},
        {"undefined", RULE_UNDEFINED},
        {"unknown", RULE_EXPRESSION + 1},
        {"expression", RULE_EXPRESSION},
        {"saved_expression", RULE_SAVED_EXPRESSION},
    };
    static uint8_t bytes[2][8]; /* of two rules at the most */
    static unsigned used;
    struct frame_rule rule = {0};
    char *save = NULL, *word = strtok_r(text, " ", &save);
    size_t i = 0;

    if (!word)
        return rule;
    while (strcmp(kinds[i].word, word))
        ck_assert_uint_lt(++i, COUNT(kinds));
    rule.kind = kinds[i].kind;
    word = strtok_r(NULL, " ", &save);
    if (!strstr(kinds[i].word, "expression")) {
        rule.offset = word ? strtoll(word, NULL, 0) : 0;
        return rule;
    }
    rule.expression = bytes[++used % 2];
    for (; word; word = strtok_r(NULL, " ", &save))
        bytes[used % 2][rule.size++] = (uint8_t)strtoul(word, NULL, 16);
    return rule;
}

static void check_stack(const struct profile *p, const char *expected)
{
    uint32_t stack = p->samples.stack[0];
    char text[200] = "";
    size_t n = 0;

    for (; stack; stack = p->stacks.data[stack].parent) {
        uint32_t location = p->stacks.data[stack].location;

        n += (size_t)snprintf(
            text + n, sizeof(text) - n, "%s%llx", n ? " " : "",
            (unsigned long long)p->locations.data[location].address);
    }
    ck_assert_str_eq(text, expected);
}

/* With registers bx, sp and ip; of the stack, words 1 to 4 are addresses. */
static void check_rules(const struct cells *row)
{
    bool all = strstr(row->cell[5], "all");
    const struct state s = {
        .mask = 1 << 1 | 1 << 7 | 1 << 8,
        .registers = {CODE(0x600), SP, CODE(0)},
        .words = {0, CODE(0x111), CODE(0x222), CODE(0x333), CODE(0x444),
                  all ? CODE(0x999) : 0, 0, 0, 0, 0, 0, CODE(0x999)},
        .count = WORDS,
    };
    struct rules rules = {.count = all ? 0x1000 : 1};
    struct profile *p;

    rules.row.frame = rule_of(row->cell[1]);
    rules.row.base = (uint8_t)cells_number(row, 4);
    rules.row.return_register = ADDRESS;
    rules.row.rules[ADDRESS] = rule_of(row->cell[2]);
    rules.row.rules[STACK] = rule_of(row->cell[3]);
    p = walk(&s, &rules);
    check_stack(p, row->cell[0]);
    cells_expect_that(row, p->quality.warnings.len ==
                               (strstr(row->cell[5], "cut") != NULL));
    ck_assert_uint_eq(rules.opened, 1);
    ck_assert_uint_eq(rules.closed, 1);
    profile_free(p);
}

TEST(rules_of_images)
{
    cells_each(CELLS_FILE, "rules", check_rules);
}

/* ---- frame pointers ---- */

enum { BP_SP_IP = 1 << 6 | 1 << 7 | 1 << 8 };

static const struct {
    uint64_t mask, bp;
    size_t count;
    const char *expected;
} pointers[] = {
    {BP_SP_IP, SP + 8, 12, "1000 1222 1444"},
    {BP_SP_IP, SP, 12, "1000 1111"},
    {BP_SP_IP, SP - 8, 12, "1000"},
    {BP_SP_IP, SP + 8, 3, "1000 1222"},
    {BP_SP_IP, SP + 8, 2, "1000"},
    {BP_SP_IP, SP + 8, 1, "1000"},
    {1 << 7 | 1 << 8, 0, 12, "1000"},
};

/* Where nobody knows rules, for want of an image or of rows in it. */
TEST_LOOP(frame_pointers, COUNT(pointers))
{
    struct state s = {
        .mask = pointers[_i].mask,
        .registers = {pointers[_i].bp, SP, CODE(0)},
        .words = {0, CODE(0x111), CODE(0x222), SP + 0x20},
        .count = pointers[_i].count,
    };

    if (!(s.mask & 1 << 6))
        memcpy(s.registers, (uint64_t[]){SP, CODE(0)}, 16);
    s.words[1] = pointers[_i].bp == SP ? CODE(0x111) : SP + 0x18;
    s.words[3] = SP + 8; /* does not lead up */
    s.words[4] = CODE(0x444);
    for (unsigned i = 0; i < 2; i++) {
        struct rules rules = {.no_image = i == 0};
        struct profile *p = walk(&s, &rules);

        check_stack(p, pointers[_i].expected);
        ck_assert_uint_eq(rules.closed, i);
        ck_assert_uint_eq(p->quality.warnings.len, 0);
        profile_free(p);
    }
}

/* Without the address or the stack pointer there is no walk. */
TEST_LOOP(registers_that_are_missing, 2)
{
    static const uint64_t masks[] = {1 << 6 | 1 << 7, 1 << 6 | 1 << 8};
    const struct state s = {.mask = masks[_i],
                            .registers = {SP, SP},
                            .words = {SP, CODE(0x111)},
                            .count = 2};
    struct rules rules = {.no_image = true};
    struct profile *p = walk(&s, &rules);

    check_stack(p, "1000");
    ck_assert(!(p->samples.flags[0] & SAMPLE_HAS_STACK));
    profile_free(p);
}

/* It counts for the kernel, whose callers are the program's. */
TEST_LOOP(sample_in_the_kernel, 2)
{
    const struct state s = {
        .mask = 1 << 6 | 1 << 7 | 1 << 8,
        .registers = {SP, SP, CODE(0)},
        .words = {SP + 0x20, CODE(0x111)},
        .count = _i ? 2 : 0,
        .in_kernel = true,
    };
    struct rules rules = {.no_image = true};
    struct profile *p = walk(&s, &rules);

    check_stack(p, _i ? "ffff81000000 1000 1111" : "ffff81000000");
    profile_free(p);
}

static enum stack_end end_of(const struct profile *p)
{
    return stack_end_of(p->samples.flags[0]);
}

/* Registers that are x64's or nobody's: the address of the sample stays. */
TEST_LOOP(machines_that_are_not_known, 12)
{
    static const struct {
        const char *name;
        uint64_t mask;
        unsigned elf;
    } rows_[] = {
        {"riscv64", BP_SP_IP, 0},      {"ppc64le", BP_SP_IP, 0},
        {"s390x", BP_SP_IP, 0},        {"loongarch64", BP_SP_IP, 0},
        {"mips64", BP_SP_IP, 0},       {"sparc64", BP_SP_IP, 0},
        {"armv7l", BP_SP_IP, 0},       {NULL, BP_SP_IP, 243},
        {NULL, BP_SP_IP | 1 << 12, 0}, {NULL, BP_SP_IP | 1 << 24, 0},
        {"x86_64", BP_SP_IP, 0},       {"s390x", BP_SP_IP, 0},
    };
    const struct state s = {.mask = rows_[_i].mask,
                            .registers = {SP, SP, CODE(0x800)},
                            .words = {SP + 0x10, CODE(0x111)},
                            .count = 4,
                            .machine = rows_[_i].name,
                            .narrow = _i == 10,
                            .big = _i == 11};
    struct rules rules = {.machine = rows_[_i].elf};
    struct profile *p = walk(&s, &rules);

    check_stack(p, "1000");
    ck_assert_int_eq(end_of(p), STACK_END_MACHINE);
    profile_free(p);
}

/* What a recording does not say, its image does. */
TEST(machines_by_images)
{
    const struct state s = {.mask = BP_SP_IP,
                            .registers = {SP, SP, CODE(0)},
                            .words = {SP + 0x10, CODE(0x111)},
                            .count = 2};
    struct rules rules = {.machine = 62};
    struct profile *p = walk(&s, &rules);

    check_stack(p, "1000 1111");
    profile_free(p);
}

/* Why walks end: of one frame, and of what follows it. */
TEST_LOOP(ends, 7)
{
    static const struct {
        struct frame_rule frame, address;
        uint8_t base;
        uint64_t count; /* of rows */
        enum stack_end end;
    } rows_[] = {
        {FRAME, RULE(RULE_UNDEFINED, 0), STACK, 1, STACK_END_ROOT},
        {FRAME, RULE(RULE_SAVED, 80), STACK, 1, STACK_END_COPY},
        {FRAME, RULE(RULE_SAVED, 24), STACK, 1, STACK_END_UNKNOWN},
        {FRAME, RULE(RULE_SAVED, -8), STACK, 1, STACK_END_NO_UNWIND_DATA},
        {FRAME, RULE(RULE_SAVED, -8), 5, 1, STACK_END_BROKEN},
        {RULE(RULE_REGISTER, 0), RULE(RULE_SAVED, 16), STACK, 0x1000,
         STACK_END_BROKEN},
        {FRAME, FRAME, STACK, 0, STACK_END_NO_UNWIND_DATA},
    };
    const struct state s = {.mask = BP_SP_IP,
                            .registers = {1, SP, CODE(0)},
                            .words = {0, CODE(0x111), CODE(0x222)},
                            .count = WORDS};
    struct rules rules = {.count = rows_[_i].count};
    struct profile *p;

    rules.row.frame = rows_[_i].frame;
    rules.row.base = rows_[_i].base;
    rules.row.return_register = ADDRESS;
    rules.row.rules[ADDRESS] = rows_[_i].address;
    p = walk(&s, &rules);
    ck_assert_int_eq(end_of(p), rows_[_i].end);
    profile_free(p);
}

/* The walk reached the root, but the kernel's own callers are missing. */
TEST_LOOP(root_of_a_sample_in_the_kernel, 2)
{
    const struct state s = {.mask = BP_SP_IP,
                            .registers = {SP, SP, CODE(0)},
                            .words = {SP + 0x20, CODE(1)},
                            .count = WORDS,
                            .in_kernel = _i};
    struct rules rules = {.count = 1};
    struct profile *p;

    rules.row = (struct frame_row){
        .frame = FRAME, .base = STACK, .return_register = ADDRESS};
    rules.row.rules[ADDRESS] = (struct frame_rule)RULE(RULE_UNDEFINED, 0);
    p = walk(&s, &rules);
    ck_assert_int_eq(end_of(p), _i ? STACK_END_LEAF_FRAME : STACK_END_ROOT);
    profile_free(p);
}

/* The root is reached from a leaf without rules, by its frame pointer: whether
 * it has a frame nobody knows, but where a JIT compiler made it. */
TEST(leaves_without_rules)
{
    for (unsigned generated = 0; generated < 2; generated++) {
        const uint64_t leaf = generated ? 0x700000 : CODE(0x800);
        const struct state s = {.mask = BP_SP_IP,
                                .registers = {SP, SP, leaf},
                                .words = {SP + 0x20, CODE(1)},
                                .count = WORDS,
                                .anonymous = 0x700000};
        struct rules rules = {.count = 1};
        struct profile *p;

        rules.row = (struct frame_row){
            .frame = FRAME, .base = STACK, .return_register = ADDRESS};
        rules.row.rules[ADDRESS] = (struct frame_rule)RULE(RULE_UNDEFINED, 0);
        p = walk(&s, &rules);
        ck_assert_int_eq(end_of(p),
                         generated ? STACK_END_ROOT : STACK_END_NO_UNWIND_DATA);
        profile_free(p);
    }
}

/* A chain of frame pointers misses the caller of a leaf without a frame. */
static void check_leaf(const struct cells *row)
{
    enum { LINK = 30 };
    bool linked = row->len[2];
    uint8_t back = linked ? LINK : ADDRESS;
    struct state s = {.mask = linked ? 1 << LINK : BP_SP_IP,
                      .registers = {SP, SP, CODE(0)},
                      .words = {0, CODE(0x111)},
                      .count = linked ? 0 : 2,
                      .machine = row->cell[1],
                      .chain = {CODE(0), CODE(0x222)},
                      .chain_count = 2};
    struct rules rules = {.count = 1};
    struct profile *p;

    if (linked)
        s.registers[0] = cells_number(row, 2);
    rules.row.frame = rule_of(row->cell[4]);
    rules.row.base = (uint8_t)cells_number(row, 3);
    rules.row.return_register = back;
    rules.row.rules[back] = rule_of(row->cell[5]);
    p = walk(&s, &rules);
    check_stack(p, row->cell[0]);
    cells_expect(row, 6, end_of(p) == STACK_END_LEAF_FRAME ? "lost" : "");
    profile_free(p);
}

TEST(callers_of_leaves)
{
    cells_each(CELLS_FILE, "leaves", check_leaf);
}

/* Unwind data of a jitdump is that of the code behind it, wherever that is
 * moved, and lies behind it; code without any ends a walk. */
TEST_LOOP(generated_code, 5)
{
    static const struct {
        uint64_t leaf;
        const char *expected, *opened;
        enum stack_end end;
    } rows_[] = {
        {CODE(0), "1000 1333", "abc@401018 ", STACK_END_NO_UNWIND_DATA},
        {CODE(0x10), "1010 1333", "abc@401018 ", STACK_END_NO_UNWIND_DATA},
        {CODE(0x600), "1600 1333", "abc@401618 ", STACK_END_NO_UNWIND_DATA},
        {CODE(0x18), "1018", "", STACK_END_GENERATED_CODE},
        {CODE(0x40), "1040", "", STACK_END_NO_UNWIND_DATA},
    };
    const struct state s = {.mask = BP_SP_IP,
                            .registers = {1, SP, rows_[_i].leaf},
                            .words = {0, CODE(0x333)},
                            .count = WORDS};
    struct jitdump_writer d = {.big_endian = false};
    struct rules rules = {.no_image = true};
    char path[TEMP_FOLDER + 20];
    struct profile *p;
    FILE *f;

    rules.code_row = (struct frame_row){
        .frame = FRAME, .base = STACK, .return_register = ADDRESS};
    rules.code_row.rules[ADDRESS] = (struct frame_rule)RULE(RULE_SAVED, -8);
    jitdump_begin(&d);
    jitdump_unwinding(&d, "abc", 3);
    jitdump_load(&d, CODE(0), 0x11, 1, "run");
    jitdump_load(&d, CODE(0x18), 8, 2, "without");
    jitdump_move(&d, CODE(0), CODE(0x600), 0x11, 1);
    temp_folder(folder);
    snprintf(path, sizeof(path), "%s/jit-40.dump", folder);
    f = fopen(path, "wb");
    ck_assert_ptr_nonnull(f);
    fwrite(d.b.data, 1, d.b.len, f);
    ck_assert_int_eq(fclose(f), 0);
    p = walk(&s, &rules);
    check_stack(p, rows_[_i].expected);
    ck_assert_str_eq(rules.code, rows_[_i].opened);
    ck_assert_int_eq(end_of(p), rows_[_i].end);
    temp_folder_remove(folder);
    *folder = 0;
    profile_free(p);
    free(d.b.data);
}

/* Code that a program copied over itself is that of its file; memory that
 * reaches beyond the file's is no such copy. */
TEST_LOOP(copied_code, 3)
{
    static const struct {
        uint64_t size;
        const char *expected;
    } rows_[] = {{0x1000, "1000 1111"},
                 {0x3000, "1000 1111"},
                 {0x3001, "401000"}};
    const struct state s = {.mask = BP_SP_IP,
                            .registers = {1, SP, CODE(0)},
                            .words = {0, CODE(0x111)},
                            .count = WORDS,
                            .copied = rows_[_i].size};
    struct rules rules = {.count = 1};
    struct profile *p;

    rules.row = (struct frame_row){
        .frame = FRAME, .base = STACK, .return_register = ADDRESS};
    rules.row.rules[ADDRESS] = (struct frame_rule)RULE(RULE_SAVED, -8);
    p = walk(&s, &rules);
    check_stack(p, rows_[_i].expected);
    ck_assert_int_eq(end_of(p), _i == 2 ? STACK_END_GENERATED_CODE
                                        : STACK_END_NO_UNWIND_DATA);
    profile_free(p);
}
