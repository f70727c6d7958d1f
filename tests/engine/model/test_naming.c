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
