#include "engine/model/code_tier.h"

#include <stddef.h>

const char *code_tier_name(unsigned tier)
{
    /* attribution/clr-events.md, section 2 */
    static const char *const names[CODE_TIERS] = {
        "",
        "MinOptJitted",
        "Optimized",
        "QuickJitted",
        "OptimizedTier1",
        "OptimizedTier1OSR",
        "InstrumentedTier",
        "InstrumentedTierOptimized",
    };

    return tier < CODE_TIERS ? names[tier] : "";
}

enum code_tier code_tier_of(unsigned tier)
{
    static const enum code_tier tiers[CODE_TIERS] = {
        TIER_UNKNOWN, TIER_MINOPTS, TIER_OPTIMIZED, TIER_0,
        TIER_1,       TIER_OSR,     TIER_0,         TIER_1};

    return tier < CODE_TIERS ? tiers[tier] : TIER_UNKNOWN;
}

const char *code_tier_word(int tier)
{
    static const char *const words[TIER_WORDS] = {
        "unknown", "precompiled", "minopts", "optimized",
        "tier0",   "tier1",       "osr"};

    return tier < TIER_WORDS ? words[tier] : NULL;
}
