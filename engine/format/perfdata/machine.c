#include "engine/format/perfdata/machine.h"

#include <string.h>

static const struct machine x64 = {
    .stack = 7,
    .frame = 6,
    .numbers = {1, 4, 3, 2, 5, 6, 7, 8, 17, [16] = 9, 10, 11, 12, 13, 14, 15,
                16},
    .address = 8,
    .address_bits = 64,
};

static const struct machine arm64 = {
    .stack = 31,
    .frame = 29,
    .numbers = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33},
    .address = 32,
    .address_bits = 48,
};

const struct machine *pd_machine(enum pd_machine id)
{
    return id == PD_X64 ? &x64 : id == PD_ARM64 ? &arm64 : NULL;
}

/* A recorder of 32 bits names its own kind of the machine. */
enum pd_machine pd_machine_by_name(const uint8_t *name, size_t n)
{
    static const struct {
        const char *name;
        enum pd_machine id;
    } names[] = {
        {"x86_64", PD_X64},    {"amd64", PD_X64},   {"i386", PD_X64},
        {"i486", PD_X64},      {"i586", PD_X64},    {"i686", PD_X64},
        {"aarch64", PD_ARM64}, {"arm64", PD_ARM64}, {"armv8l", PD_ARM64},
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (n == strlen(names[i].name) && !memcmp(name, names[i].name, n))
            return names[i].id;
    return n ? PD_MACHINE_OTHER : PD_MACHINE_UNKNOWN;
}

enum pd_machine pd_machine_by_elf(unsigned number)
{
    enum { EM_NONE = 0, EM_X86_64 = 62, EM_AARCH64 = 183 };

    switch (number) {
    case EM_NONE:
        return PD_MACHINE_UNKNOWN;
    case EM_X86_64:
        return PD_X64;
    case EM_AARCH64:
        return PD_ARM64;
    }
    return PD_MACHINE_OTHER;
}

/* x64 has no use for the segment registers, 12 to 15, which are others'
 * general ones. arm64 ends with sp and pc; 46 is the length of its vectors. */
enum pd_machine pd_machine_by_mask(uint64_t mask)
{
    const uint64_t x64_all = 0xFF0FFF, x64_least = 1 << 7 | 1 << 8;
    const uint64_t arm64_all = (((uint64_t)1 << 33) - 1) | (uint64_t)1 << 46;
    const uint64_t arm64_least = (uint64_t)3 << 31;

    if (!(mask & ~x64_all) && (mask & x64_least) == x64_least)
        return PD_X64;
    if (!(mask & ~arm64_all) && (mask & arm64_least) == arm64_least)
        return PD_ARM64;
    return PD_MACHINE_OTHER;
}
