/* What sources of names may write, and which of two comes first. */
#include "engine/model/profile.h"

#include "engine/model/code.h"
#include "tests/support/suite.h"

static struct profile *p;

static uint32_t string(const char *text)
{
    return strings_add(p->strings, text, strlen(text));
}

static void start(void)
{
    p = profile_new();
    *vec_add(&p->modules) =
        (struct module){.path = string("System"), .name = string("System")};
}

TEST(managed_modules_are_one_a_name)
{
    uint32_t linq;

    start();
    linq = profile_managed_module(p, "System.Linq");
    ck_assert_uint_eq(linq, 1);
    ck_assert_uint_eq(profile_managed_module(p, "System"), 2); /* no image */
    ck_assert_uint_eq(profile_managed_module(p, "System.Linq"), linq);
    ck_assert_uint_eq(profile_managed_module(p, "System"), 2);
    ck_assert_uint_eq(p->modules.len, 3);
    ck_assert(p->modules.data[1].managed);
    ck_assert_uint_eq(p->modules.data[1].area, string("System.Linq"));
    ck_assert_uint_eq(p->modules.data[1].path, string("System.Linq"));
    profile_free(p);
}

/* In an image an address stays one of the image. */
TEST(methods_begin_where_they_start)
{
    struct method method = {.start = 0x1000, .full_name = 0, .module = NO_ID};
    struct location alone = {.address = 0x1010,
                             .module = NO_ID,
                             .method = NO_ID,
                             .kind = CODE_UNKNOWN,
                             .cause = CAUSE_NO_IMAGE};
    struct location inside = alone;
    uint32_t id, of_alone, of_inside;

    start();
    inside.module = 0;
    of_alone = profile_location(p, &alone);
    of_inside = profile_location(p, &inside);
    ck_assert_uint_eq(methods_add(&p->methods, &method), 0);
    id = methods_add(&p->methods, &method);
    ck_assert_uint_eq(id, 1);
    profile_set_method(p, of_alone, id);
    profile_set_method(p, of_inside, id);
    ck_assert_uint_eq(p->locations.data[of_alone].address, 0x10);
    ck_assert_uint_eq(p->locations.data[of_inside].address, 0x1010);
    ck_assert_uint_eq(p->locations.data[of_alone].method, id);
    ck_assert_int_eq(p->locations.data[of_alone].kind, CODE_MANAGED);
    ck_assert_int_eq(p->locations.data[of_inside].cause, CAUSE_NONE);
    profile_set_method_name(p, id, "A.F()");
    ck_assert_uint_eq(methods_get(&p->methods, id).full_name, string("A.F()"));
    ck_assert_uint_eq(methods_get(&p->methods, 0).full_name, 0);
    profile_free(p);
}

/* A debug file tells why only of code that wanted one. */
TEST(causes_that_say_more_stay)
{
    for (unsigned before = 0; before < CAUSE_KINDS; before++)
        for (unsigned told = 1; told < CAUSE_KINDS; told++) {
            struct location l = {
                .module = 0, .method = NO_ID, .cause = (uint8_t)before};
            bool wants = before == CAUSE_NO_SYMBOLS ||
                         before == CAUSE_MISMATCH || before == CAUSE_BROKEN ||
                         before == CAUSE_OUTSIDE;

            start();
            profile_location(p, &l);
            profile_set_cause(p, 0, (enum name_cause)told);
            ck_assert_int_eq(p->locations.data[0].cause,
                             wants && told != CAUSE_NO_SYMBOLS ? told : before);
            profile_free(p);
        }
}

TEST(the_first_symbols_stay)
{
    start();
    profile_set_symbols(p, 0, "a.pdb");
    profile_set_symbols(p, 0, "b.pdb");
    ck_assert_uint_eq(p->modules.data[0].symbols, string("a.pdb"));
    profile_free(p);
}

static const struct {
    const char *name, *word;
} tiers[CODE_TIERS] = {
    {"", "unknown"},
    {"MinOptJitted", "minopts"},
    {"Optimized", "optimized"},
    {"QuickJitted", "tier0"},
    {"OptimizedTier1", "tier1"},
    {"OptimizedTier1OSR", "osr"},
    {"InstrumentedTier", "tier0"},
    {"InstrumentedTierOptimized", "tier1"},
};

TEST(tiers_have_words)
{
    for (unsigned i = 0; i < CODE_TIERS; i++) {
        ck_assert_str_eq(code_tier_name(i), tiers[i].name);
        ck_assert_str_eq(code_tier_word((int)code_tier_of(i)), tiers[i].word);
    }
    ck_assert_str_eq(code_tier_name(CODE_TIERS), "");
    ck_assert_str_eq(code_tier_name(UINT32_MAX), "");
    ck_assert_int_eq(code_tier_of(CODE_TIERS), TIER_UNKNOWN);
    ck_assert_int_eq(code_tier_of(UINT32_MAX), TIER_UNKNOWN);
    ck_assert_str_eq(code_tier_word(TIER_PRECOMPILED), "precompiled");
    ck_assert_ptr_null(code_tier_word(TIER_WORDS));
}
