#include "symbols/kernel_slide.h"

#include "engine/base/reader.h"
#include "symbols/elf/elf.h"

enum { STEP = 2 << 20, FARTHEST = 1 << 30 };

/* Calls that have to agree. By accident one address of thousands does, so of
 * two distances the second best has next to none. */
enum { LEAST = 4 };

/* Whether code before an address calls other code of the kernel: E8, and how
 * far from the address that is. */
static bool is_behind_call(struct debug_file *kernel, uint64_t rva)
{
    enum { CALL = 0xE8, SIZE = 5 };
    struct bytes code = debug_code(kernel, rva - SIZE);
    uint64_t target;

    if (code.len < SIZE || *code.data != CALL)
        return false;
    target = rva + (uint64_t)(int64_t)(int32_t)load_u32(code.data + 1);
    return debug_code(kernel, target).len > 0;
}

static size_t count_calls(struct debug_file *kernel, const uint64_t *returns,
                          size_t n, uint64_t slide)
{
    uint64_t base = elf_base(kernel) + slide;
    size_t calls = 0;

    for (size_t i = 0; i < n; i++)
        calls +=
            returns[i] >= base && is_behind_call(kernel, returns[i] - base);
    return calls;
}

bool kernel_slide_find(struct debug_file *kernel, const uint64_t *returns,
                       size_t n, uint64_t *slide)
{
    size_t best = 0, second = 0;

    if (kernel->kind->image != IMAGE_ELF || kernel->machine != DEBUG_X64)
        return false;
    for (uint64_t at = 0; at < FARTHEST; at += STEP) {
        size_t calls = count_calls(kernel, returns, n, at);

        if (calls > best) {
            second = best;
            best = calls;
            *slide = at;
        } else if (calls > second) {
            second = calls;
        }
    }
    return best >= LEAST && best >= n / 2 && second <= best / 4;
}
