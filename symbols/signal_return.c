#include "symbols/signal_return.h"

#include <string.h>

bool is_signal_return(struct bytes code, enum debug_machine machine)
{
    /* mov rax, 15; syscall */
    static const uint8_t x64[] = {0x48, 0xC7, 0xC0, 15, 0, 0, 0, 0x0F, 0x05};
    /* pop eax; mov eax, 119; int 0x80: and without the first, 173 */
    static const uint8_t x86[] = {0x58, 0xB8, 119, 0, 0, 0, 0xCD, 0x80};
    static const uint8_t x86_more[] = {0xB8, 173, 0, 0, 0, 0xCD, 0x80};
    /* mov x8, 139; svc 0 */
    static const uint8_t arm64[] = {0x68, 0x11, 0x80, 0xD2, 1, 0, 0, 0xD4};
    static const struct {
        enum debug_machine machine;
        const uint8_t *code;
        size_t size;
    } all[] = {
        {DEBUG_X64, x64, sizeof(x64)},
        {DEBUG_X86, x86, sizeof(x86)},
        {DEBUG_X86, x86_more, sizeof(x86_more)},
        {DEBUG_ARM64, arm64, sizeof(arm64)},
    };

    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
        if (all[i].machine == machine && code.len >= all[i].size &&
            !memcmp(code.data, all[i].code, all[i].size))
            return true;
    return false;
}
