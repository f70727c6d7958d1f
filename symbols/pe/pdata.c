/*
 * Function bounds from unwind information (.pdata), sorted by start.
 * (format.md, section 4)
 */
#include "engine/base/bisect.h"
#include "symbols/pe/pe.h"

enum {
    ENTRY_X64 = 12,
    ENTRY_ARM = 8,
    CHAINED = 4,
    CHAIN_MAX = 32,
};

struct table {
    const uint8_t *data;
    uint32_t count, entry;
};

static struct table table_of(const struct pe *pe)
{
    struct bytes all = pe_at(pe, pe->directories[PE_EXCEPTION].rva);
    size_t size = pe->directories[PE_EXCEPTION].size;
    struct table t = {.data = all.data, .entry = ENTRY_ARM};

    if (pe->machine == PE_X64)
        t.entry = ENTRY_X64;
    else if (pe->machine != PE_ARM64 && pe->machine != PE_ARM)
        return t;
    size = size < all.len ? size : all.len;
    t.count = (uint32_t)(size / t.entry);
    return t;
}

static uint32_t start_of(const struct pe *pe, const struct table *t, uint32_t i)
{
    uint32_t start = load_u32(t->data + (size_t)i * t->entry);

    return pe->machine == PE_ARM ? start & ~1u : start;
}

static uint32_t arm_length(const struct pe *pe, uint32_t data)
{
    uint32_t unit = pe->machine == PE_ARM ? 2 : 4;
    struct bytes more;

    if (data & 3)
        return (data >> 2 & 0x7FF) * unit;
    more = pe_at(pe, data);
    return more.len < 4 ? 0 : (load_u32(more.data) & 0x3FFFF) * unit;
}

static uint32_t end_of(const struct pe *pe, const struct table *t, uint32_t i)
{
    const uint8_t *entry = t->data + (size_t)i * t->entry;
    uint32_t start = start_of(pe, t, i), length;

    if (pe->machine == PE_X64)
        return load_u32(entry + 4);
    length = arm_length(pe, load_u32(entry + 4));
    return length > UINT32_MAX - start ? UINT32_MAX : start + length;
}

/* The entry that an x64 one continues; NULL when it continues none. */
static const uint8_t *parent_of(const struct pe *pe, const uint8_t *entry)
{
    uint32_t unwind = load_u32(entry + 8);
    struct bytes info;
    size_t at;

    if (unwind & 1) {
        info = pe_at(pe, unwind & ~1u);
        return info.len < ENTRY_X64 ? NULL : info.data;
    }
    info = pe_at(pe, unwind);
    if (info.len < 4 || !(info.data[0] >> 3 & CHAINED))
        return NULL;
    at = 4 + 2 * (((size_t)info.data[2] + 1) & ~(size_t)1);
    return info.len < at + ENTRY_X64 ? NULL : info.data + at;
}

static uint32_t primary_start(const struct pe *pe, const uint8_t *entry)
{
    const uint8_t *parent;

    for (int i = 0; i < CHAIN_MAX; i++) {
        parent = parent_of(pe, entry);
        if (!parent)
            break;
        entry = parent;
    }
    return load_u32(entry);
}

/* Counts the entries that begin at or below. */
static uint32_t count_below(const struct pe *pe, const struct table *t,
                            uint32_t rva)
{
    uint32_t i;

    BISECT(i, t->count, start_of(pe, t, i) <= rva);
    return i;
}

bool pe_function_at(const struct pe *pe, uint32_t rva,
                    struct pe_function *function)
{
    struct table t = table_of(pe);
    uint32_t i = count_below(pe, &t, rva);

    if (!i-- || rva >= end_of(pe, &t, i))
        return false;
    function->fragment =
        (struct pe_range){start_of(pe, &t, i), end_of(pe, &t, i)};
    function->start = function->fragment.start;
    if (pe->machine == PE_X64)
        function->start = primary_start(pe, t.data + (size_t)i * t.entry);
    return true;
}

bool pe_gap_at(const struct pe *pe, uint32_t rva, struct pe_range *gap)
{
    struct table t = table_of(pe);
    uint32_t i = count_below(pe, &t, rva), end;

    if (!t.count || !pe_section_at(pe, rva, gap))
        return false;
    if (i < t.count && start_of(pe, &t, i) < gap->end)
        gap->end = start_of(pe, &t, i);
    end = i ? end_of(pe, &t, i - 1) : 0;
    if (end > rva)
        return false;
    if (end > gap->start)
        gap->start = end;
    return true;
}

bool pe_may_reach(const struct pe *pe, uint32_t from, uint32_t rva)
{
    struct pe_function f;
    struct pe_range gap;

    if (pe_function_at(pe, rva, &f))
        return from == f.start ||
               (from >= f.fragment.start && from < f.fragment.end);
    return !pe_gap_at(pe, rva, &gap) || from >= gap.start;
}
