/*
 * code_tier - how well a runtime compiled a method, in its own words.
 */
#ifndef TOPFN_CODE_TIER_H
#define TOPFN_CODE_TIER_H

enum { CODE_TIERS = 8 };

/* Of a method's tier: "QuickJitted", "OptimizedTier1"; "" for 0, where the
 * trace does not say, and for what is no tier. */
const char *code_tier_name(unsigned tier);

#endif
