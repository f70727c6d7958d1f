/* An ELF file from a stranger: identity, links, symbols, sections, DWARF. */
#include "symbols/debug.h"
#include "symbols/elf/elf.h"
#include "tests/fuzz/target.h"
#include "tests/support/debug_code.h"

static void look_up(struct debug_file *file, uint64_t rva, size_t size)
{
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    size_t n = debug_frames(file, rva, frames, DEBUG_FRAMES_MAX);

    if (n > DEBUG_FRAMES_MAX)
        abort();
    debug_check_names(frames, n);
    for (size_t i = 0; i < n; i++)
        if ((frames[i].file && strlen(frames[i].file) > size * 4000) ||
            (frames[i].inlined && i + 1 == n && n < DEBUG_FRAMES_MAX))
            abort();
    debug_check_code(file, rva);
}

/* As a file that another one may have been looking for. */
static void look_at_ids(const uint8_t *data, size_t size)
{
    struct dwarf_companion wanted = {.build_id = {data, 16}};

    (void)elf_companion_of(&wanted, data, size); /* a package */
    wanted.kind = DWARF_SPLIT_UNIT;
    (void)elf_companion_of(&wanted, data, size);
    wanted.kind = DWARF_ALTERNATE;
    (void)elf_companion_of(&wanted, data, size);
}

FUZZ(elf)
{
    struct debug_file *file;
    uint32_t crc;
    uint64_t rva;

    if (!elf_debug_kind.probe(data, size))
        return 0;
    look_at_ids(data, size);
    file = debug_open("fuzz.elf", data, size, NULL);
    if (!file)
        return 0;
    (void)elf_debug_link(file, &crc);
    (void)debug_rva(file, size / 2, true, &rva);
    for (rva = 0; rva < 0x4000; rva += 7)
        look_up(file, rva, size);
    look_up(file, UINT64_MAX, size);
    debug_close(file);
    return 0;
}
