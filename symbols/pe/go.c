/*
 * The table has no section of its own: it lies among constants, at a multiple
 * of 8. Addresses in the file are those for the image's preferred base.
 */
#include "symbols/pe/go.h"

enum {
    WORD = 8,
    MOST_TRIES = 8,
    RVA_AT = 12,
    FLAGS_AT = 36,
};

#define CAN_RUN   0x20000000u
#define CAN_WRITE 0x80000000u

struct pe_part {
    uint32_t rva, flags;
    struct bytes bytes;
};

static struct pe_part part_of(const struct pe *pe, uint32_t i)
{
    const uint8_t *header = pe->sections + (size_t)i * PE_SECTION;
    uint32_t rva = load_u32(header + RVA_AT);

    return (struct pe_part){rva, load_u32(header + FLAGS_AT), pe_at(pe, rva)};
}

static struct bytes data_at(void *program, uint64_t address)
{
    const struct pe *pe = program;
    uint64_t rva = address - pe->base;

    return rva <= UINT32_MAX ? pe_at(pe, (uint32_t)rva)
                             : (struct bytes){NULL, 0};
}

static uint64_t word_at(void *program, uint64_t address)
{
    struct bytes data = data_at(program, address);

    return data.len < WORD ? 0 : load_u64(data.data);
}

static bool find_word(void *program, uint64_t value, uint64_t *address)
{
    const struct pe *pe = program;

    for (uint32_t i = 0; i < pe->section_count; i++) {
        struct pe_part p = part_of(pe, i);

        if (!(p.flags & CAN_WRITE))
            continue;
        for (size_t at = 0; at + WORD <= p.bytes.len; at += WORD)
            if (load_u64(p.bytes.data + at) == value) {
                *address = pe->base + p.rva + at;
                return true;
            }
    }
    return false;
}

/* Without the runtime's description, which is not known of all versions, its
 * functions must at least begin in code. */
static bool is_table(struct pe *pe, uint64_t address, struct go_table *table)
{
    struct go_memory memory = {pe, data_at, word_at, find_word};

    if (go_table_place(table, address, &memory))
        return true;
    return go_table_start(table) >= pe->base &&
           pe_code_at(pe, go_table_start(table) - pe->base).len;
}

bool pe_go_table(const struct pe *image, struct go_table *table)
{
    struct pe pe = *image;
    unsigned tries = 0;

    for (uint32_t i = 0; i < pe.section_count; i++) {
        struct pe_part p = part_of(&pe, i);

        if (p.flags & (CAN_RUN | CAN_WRITE))
            continue;
        for (size_t at = 0; at + WORD < p.bytes.len && tries < MOST_TRIES;
             at += WORD) {
            struct bytes rest = {p.bytes.data + at, p.bytes.len - at};

            /* Few words are like any version's first. */
            if (p.bytes.len - at < WORD || load_u32(rest.data) < 0xFFFFFFF0 ||
                !go_table_open(table, rest, false))
                continue;
            if (is_table(&pe, pe.base + p.rva + at, table))
                return true;
            tries++;
        }
    }
    return false;
}
