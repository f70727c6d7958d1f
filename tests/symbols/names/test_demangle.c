/* Names that compilers make, and what people call them. */
#include "engine/base/mem.h"
#include "symbols/names/demangle.h"
#include "tests/support/suite.h"

struct row {
    const char *name, *full, *brief;
};

static void check_rows(const struct row *list, size_t count)
{
    struct arena arena = {0};

    for (size_t i = 0; i < count; i++) {
        const struct row *r = &list[i];

        ck_assert_ptr_eq(demangle(r->name, DEMANGLE_NONE, &arena, NULL),
                         r->name);
        ck_assert_str_eq(demangle(r->name, DEMANGLE_FULL, &arena, NULL),
                         r->full);
        ck_assert_str_eq(demangle(r->name, DEMANGLE_SHORT, &arena, NULL),
                         r->brief);
    }
    arena_release(&arena);
}

/* Exports of libraries of LLVM, GCC and Rust, between tabs: the name, its full
 * readable form, and the short form. llvm-cxxfilt says the same but for spaces,
 * the way it writes lambdas, and clones for transactions, which it does not
 * know. */
TEST(names_of_libraries)
{
    FILE *file = fopen("testdata/names/itanium.tsv", "r");
    char line[3000];
    unsigned n = 0;

    ck_assert_ptr_nonnull(file);
    for (; fgets(line, sizeof(line), file); n++) {
        char *full = strchr(line, '\t'), *brief = strrchr(line, '\t');

        *full++ = *brief++ = '\0';
        brief[strcspn(brief, "\n")] = '\0';
        check_rows(&(struct row){line, full, brief}, 1);
    }
    ck_assert_uint_gt(n, 300);
    fclose(file);
}

/* Each level of a template doubles the text: 2 to the 40th characters. */
TEST(explosive)
{
    char name[1000] = "_Z1fI1AIiiE";
    struct arena arena = {0};

    for (unsigned i = 0; i < 40; i++)
        snprintf(name + strlen(name), 20, "S%c_S%c_E1AI", '0' + (char)(i % 10),
                 '0' + (char)(i % 10));
    (void)demangle(name, DEMANGLE_FULL, &arena, NULL);
    strcpy(name, "_Z1f1AIiiE");
    for (unsigned i = 0; i < 30; i++)
        strcat(name, i ? "PFvS1_S1_E" : "PFvS0_S0_E");
    (void)demangle(name, DEMANGLE_FULL, &arena, NULL);
    arena_release(&arena);
}

/* Longer than libiberty's own limit, and longer than ours. */
TEST(long_names)
{
    struct arena arena = {0};
    char *name = mem_new(9000, 1);

    strcpy(name, "_Z1f");
    memset(name + 4, 'P', 3000);
    strcpy(name + 3004, "i");
    ck_assert_str_eq(demangle(name, DEMANGLE_SHORT, &arena, NULL), "f");
    memset(name + 4, 'P', 8000);
    strcpy(name + 8004, "i");
    ck_assert_ptr_eq(demangle(name, DEMANGLE_FULL, &arena, NULL), name);
    free(name);
    arena_release(&arena);
}

/* `n` times `part` between `before` and `after`. */
struct hostile {
    const char *before, *part, *after;
    unsigned n;
};

/* A Rust path that is itself, what is read twice at every level,
 * more templates and references than the stack holds. */
static const struct hostile hostile[] = {
    {"_RNv", "B_", "1a", 1},          {"_RINvC1a1b", "TB_B_", "E", 200},
    {"_R", "Nv", "C00", 1500},        {"_Z", "cvT_ILZ", "3foo", 60},
    {"_ZcvT_I", "LZcvPT_I", "i", 60}, {"_Z1fIiEv", "RT_1aIiE", "", 400},
    {"_ZN1aC", "1b", "Dp", 900},
};

static char *hostile_name(const struct hostile *h)
{
    char *name = mem_new(20000, 1), *at = stpcpy(name, h->before);

    for (unsigned i = 0; i < h->n; i++)
        at = stpcpy(at, h->part);
    strcpy(at, h->after);
    return name;
}

/* Ends, and keeps what it cannot read. */
TEST(cost)
{
    struct arena arena = {0};

    for (size_t i = 0; i < COUNT(hostile); i++) {
        char *name = hostile_name(&hostile[i]);

        ck_assert_msg(demangle(name, DEMANGLE_FULL, &arena, NULL) == name,
                      "%zu", i);
        free(name);
    }
    arena_release(&arena);
}

/* Each level is a template of the one before it, twice: a search for packs
 * through the last would meet 2 to the 30th types. */
TEST(pack_of_doubling_types)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char name[1000] = "_Z1fI1AIiiE", *at = name + strlen(name);
    struct arena arena = {0};

    for (int i = 1; i < 31; i++)
        at += sprintf(at, "S0_IS%c_S%c_E", digits[i], digits[i]);
    strcpy(at, "EvDpSV_");
    demangle_gave_up();
    ck_assert_ptr_eq(demangle(name, DEMANGLE_SHORT, &arena, NULL), name);
    ck_assert(demangle_gave_up());
    ck_assert(!demangle_gave_up());
    arena_release(&arena);
}

TEST(names_of_nothing)
{
    static const char *const names[] = {"_RC0", "_RNvC00", "_RB_", "_R",
                                        "_D",   "_Z",      "__R"};
    struct arena arena = {0};

    for (size_t i = 0; i < COUNT(names); i++) {
        ck_assert_ptr_eq(demangle(names[i], DEMANGLE_FULL, &arena, NULL),
                         names[i]);
        ck_assert_ptr_eq(demangle(names[i], DEMANGLE_SHORT, &arena, NULL),
                         names[i]);
    }
    arena_release(&arena);
}

/* Names in real libraries are readable: packs, conversions, names of cv::,
 * references back to identifiers. */
TEST(ordinary_names)
{
    static const char *const pairs[][2] = {
        {"_Z3putIJidEEvDpT_", "void put<int, double>(int, double)"},
        {"_ZN3FoocvT_IiEEv", "Foo::operator int<int>()"},
        {"_ZN2cv3MatC1ERKN2cv4SizeE", "cv::Mat::Mat(cv::Size const&)"},
    };
    struct arena arena = {0};

    for (size_t i = 0; i < COUNT(pairs); i++)
        ck_assert_str_eq(demangle(pairs[i][0], DEMANGLE_FULL, &arena, NULL),
                         pairs[i][1]);
    arena_release(&arena);
}

/* Each of many names has a share of its own, and what is left for all. */
TEST(many_names_have_a_budget)
{
    static const char *const names[] = {
        "_Z1fI1AIiiES0_IS1_S1_ES0_IS2_S2_ES0_IS3_S3_ES0_IS4"
        "_S4_ES0_IS5_S5_ES0_IS6_S6_ES0_IS7_S7_EEvv",
        "_RINvC1c1fTllETB7_B7_ETBb_Bb_ETBj_Bj_ETBr_Br_ETBz_"
        "Bz_ETBH_BH_ETBP_BP_EE",
        "?f@@YAXP6AXHH@ZP6AX00@ZP6AX11@ZP6AX22@ZP6AX33@ZP6AX44@ZP6AX55@Z@Z"};
    struct arena arena = {0};

    for (size_t i = 0; i < COUNT(names); i++) {
        struct budget cost = budget_of(0, 0, 8192);
        unsigned read = 0;

        demangle_gave_up();
        for (unsigned k = 0; k < 100; k++)
            read += symbol_readable(names[i], DEMANGLE_FULL, &arena, &cost) !=
                    names[i];
        ck_assert_uint_gt(read, 1);
        ck_assert_uint_lt(read, 100);
        ck_assert(demangle_gave_up());
        ck_assert_str_eq(
            symbol_readable("_Z1fv", DEMANGLE_SHORT, &arena, &cost), "f");
    }
    arena_release(&arena);
}
