/*
 * code_tier - how well a runtime compiled a method: in its own words, and in
 * those of --tier and of the database.
 *
 *     code_tier_name(3)                           "QuickJitted"
 *     code_tier_word(code_tier_of(3))             "tier0"
 */
#ifndef TOPFN_CODE_TIER_H
#define TOPFN_CODE_TIER_H

enum { CODE_TIERS = 8 };

enum code_tier {
    TIER_UNKNOWN,
    TIER_PRECOMPILED, /* in an image: no tier of the runtime's says so */
    TIER_MINOPTS,
    TIER_OPTIMIZED,
    TIER_0,
    TIER_1,
    TIER_OSR,
    TIER_WORDS /* how many */
};

/* Of a method's tier: "QuickJitted", "OptimizedTier1"; "" for 0, where the
 * trace does not say, and for what is no tier. */
const char *code_tier_name(unsigned tier);

/* The same as one of ours: what is instrumented counts as what it will be
 * without. */
enum code_tier code_tier_of(unsigned tier);

/* "tier0"; NULL behind the last. */
const char *code_tier_word(int tier);

#endif
