/* A PE image: what it is, its debug directory, its functions and exports. */
#include "symbols/debug.h"
#include "symbols/pe/pe.h"
#include "tests/fuzz/target.h"
#include "tests/support/debug_code.h"

enum { LOW = 0x800, HIGH = 0x6000, STEP = 37, ENTRIES = 1000 };

static void look_at(const struct pe *pe, uint32_t rva)
{
    struct pe_function f;
    struct pe_range gap;

    if (pe_function_at(pe, rva, &f) &&
        (rva < f.fragment.start || rva >= f.fragment.end))
        abort();
    if (pe_gap_at(pe, rva, &gap) && (rva < gap.start || rva >= gap.end))
        abort();
    pe_may_reach(pe, rva - 1, rva);
}

static void ask_names(const uint8_t *data, size_t size)
{
    struct debug_file file = {.kind = &pe_kind, .name = "fuzz",
                              .data = data, .size = size};
    struct debug_frame frame;

    if (!pe_kind.open(&file, &(struct err){0}))
        for (uint64_t rva = LOW; rva < HIGH; rva += STEP) {
            if (pe_kind.frames(&file, rva, &frame, 1) && !*frame.function)
                abort();
            debug_check_code(&file, rva);
        }
    pe_kind.close(&file);
}

FUZZ(pe)
{
    struct pe_codeview cv;
    struct pe_debug entry;
    struct pe_maker maker;
    struct pe pe;

    if (pe_open(&pe, "fuzz", data, size, NULL))
        return 0;
    for (uint32_t i = 0; i < ENTRIES && pe_debug_entry(&pe, i, &entry); i++)
        if (entry.data.len > size)
            abort();
    pe_codeview(&pe, &cv);
    if (pe_maker(&pe, &maker) && maker.company.len > size)
        abort();
    for (uint32_t rva = LOW; rva < HIGH; rva += STEP)
        look_at(&pe, rva);
    ask_names(data, size);
    return 0;
}
