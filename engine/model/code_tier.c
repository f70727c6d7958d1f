#include "engine/model/code_tier.h"

const char *code_tier_name(unsigned tier)
{
    /* observations/clr-events.md, section 2 */
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
