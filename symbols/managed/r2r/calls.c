/*
 * Whether an instruction that ends at an address is a call.
 *
 *   x64     E8, u32; or FF, ModRM with 2 in its middle bits, by its upper two
 *           and lower three: an operand of 0, 1 or 4 bytes, and a SIB byte
 *           before that
 *   arm64   BL, BLR
 */
#include "symbols/managed/r2r/image_impl.h"

/* Bytes of the instruction FF, ModRM, ...; `left` are there. */
static size_t indirect_size(const uint8_t *at, size_t left)
{
    uint8_t modrm = at[1], mode = modrm >> 6, rm = modrm & 7;
    bool has_sib = mode != 3 && rm == 4;
    uint8_t base = has_sib && left > 2 ? at[2] & 7 : rm;
    size_t operand = mode == 1                ? 1
                     : mode == 2              ? 4
                     : mode == 0 && base == 5 ? 4
                                              : 0;

    return 2 + has_sib + operand;
}

static bool is_x64_call(const uint8_t *code, size_t size)
{
    if (size >= 5 && code[size - 5] == 0xE8)
        return true;
    for (size_t n = 2; n <= 7 && n <= size; n++) {
        const uint8_t *at = code + size - n;

        if (at[0] == 0xFF && (at[1] >> 3 & 7) == 2 && indirect_size(at, n) == n)
            return true;
    }
    return false;
}

static bool is_arm64_call(const uint8_t *code, size_t size)
{
    uint32_t word;

    if (size < 4)
        return false;
    word = load_u32(code + size - 4);
    return (word & 0xFC000000) == 0x94000000 ||
           (word & 0xFFFFFC1F) == 0xD63F0000;
}

bool r2r_is_call(uint16_t machine, const uint8_t *code, size_t size)
{
    return machine == PE_X64     ? is_x64_call(code, size)
           : machine == PE_ARM64 ? is_arm64_call(code, size)
                                 : false;
}
