#include "engine/format/etl/guids.h"

#include <stddef.h>

#include "engine/attribution/clr.h"
#include "engine/base/reader.h"
#include "engine/base/text.h"

/* d1-d2-d3-d4..: as two little-endian words of the stored form. */
#define GUID_LOW(d1, d2, d3)                                                   \
    ((uint64_t)(d1) | (uint64_t)(d2) << 32 | (uint64_t)(d3) << 48)

/* `high` is the rest as it is printed, so it compares big-endian. */
struct known_guid {
    uint64_t low, high;
    enum etl_provider provider;
    const char *name;
};

static const struct known_guid known[] = {
    {GUID_LOW(0xe13c0d23, 0xccbc, 0x4e12), 0x931bd9cc2eee27e4,
     PROVIDER_CLR_RUNTIME, "Microsoft-Windows-DotNETRuntime"},
    {GUID_LOW(0xa669021c, 0xc450, 0x4609), 0xa0355af59af4df18,
     PROVIDER_CLR_RUNDOWN, "Microsoft-Windows-DotNETRuntimeRundown"},
    {GUID_LOW(0x57277741, 0x3638, 0x4a4b), 0xbdba0ac6e45da56c,
     PROVIDER_JSCRIPT, "Microsoft-JScript"},
    {GUID_LOW(0xb3e675d7, 0x2554, 0x4f18), 0x830b2762732560de, CLASS_IMAGE_ID,
     "ImageID"},
    {GUID_LOW(0x9b79ee91, 0xb5fd, 0x41c0), 0xa2434248e266e9d0,
     CLASS_SYSTEM_CONFIG, "SystemConfigEx"},
    {GUID_LOW(0x3044f61a, 0x99b0, 0x4c21), 0xb203d39423c73b00,
     CLASS_CLR_METHOD, "CLR/Method"},
    {GUID_LOW(0xd00792da, 0x07b7, 0x40f5), 0x97eb5d974e054740,
     CLASS_CLR_LOADER, "CLR/Loader"},
    {GUID_LOW(0x0bcd91db, 0xf943, 0x454a), 0xa6626edbcfbb76d2,
     CLASS_CLR_RUNDOWN_METHOD, "CLRRundown/Method"},
    {GUID_LOW(0x5a54f4df, 0xd302, 0x4fee), 0xa2116c2c0c1dcb1a,
     CLASS_CLR_RUNDOWN_LOADER, "CLRRundown/Loader"},
    {GUID_LOW(0x763fd754, 0x7086, 0x4dfe), 0x95ebc01a46faf4ca, PROVIDER_OTHER,
     "Microsoft-Windows-DotNETRuntimePrivate"},
    {GUID_LOW(0xcc2bcbba, 0x16b6, 0x4cf3), 0x8990d74c2e8af500, PROVIDER_OTHER,
     "Microsoft-Windows-DotNETRuntimeStress"},
    {GUID_LOW(0xbbccf6c1, 0x6cd1, 0x48c4), 0x80ff839482e37671, PROVIDER_OTHER,
     "EventMetadata"},
    {GUID_LOW(0x6a399ae0, 0x4bc6, 0x4de9), 0x870b3657f8947e7e, PROVIDER_OTHER,
     "LostEvent"},
    {GUID_LOW(0xb675ec37, 0xbdb6, 0x4648), 0xbc92f3fdc74d3ca2, PROVIDER_OTHER,
     "Microsoft-Windows-Kernel-EventTracing"},
    {GUID_LOW(0xd3363dc0, 0x243a, 0x4620), 0xa4d08a07d772f533, PROVIDER_OTHER,
     "CLR/Stack"},
};

/* Classes of kernel events, by group: what a SYSTEM record says with one
 * byte, a classic record says with one of these. (format.md, section 2.1) */
static const struct {
    uint64_t low, high;
} kernel_classes[] = {
    {GUID_LOW(0x68fdd900, 0x4a3e, 0x11d1), 0x84f40000f80464e3},
    {GUID_LOW(0x3d6fa8d4, 0xfe05, 0x11d0), 0x9dda00c04fd7ba7c},
    {GUID_LOW(0x3d6fa8d3, 0xfe05, 0x11d0), 0x9dda00c04fd7ba7c},
    {GUID_LOW(0x3d6fa8d0, 0xfe05, 0x11d0), 0x9dda00c04fd7ba7c},
    {GUID_LOW(0x90cbdc39, 0x4a3e, 0x11d1), 0x84f40000f80464e3},
    {GUID_LOW(0x3d6fa8d1, 0xfe05, 0x11d0), 0x9dda00c04fd7ba7c},
    {GUID_LOW(0x9a280ac0, 0xc8e0, 0x11d1), 0x84e200c04fb998a2},
    {GUID_LOW(0x3282fc76, 0xfeed, 0x498e), 0x8aa7e70f459d430e},
    {GUID_LOW(0xbf3a50c5, 0xa9c9, 0x4988), 0xa0052df0b7c80f80},
    {GUID_LOW(0xae53722e, 0xc863, 0x11d2), 0x865900c04fa321a1},
    {GUID_LOW(0x13976d09, 0xa327, 0x438c), 0x950b7f03192815c7},
    {GUID_LOW(0x01853a65, 0x418f, 0x4f36), 0xaefcdc0f1d2fd235},
    {GUID_LOW(0x99134383, 0x5248, 0x43fc), 0x834b529454e75df3},
    {GUID_LOW(0x42695762, 0xea50, 0x497a), 0x90685cbbb35e0b95},
    {GUID_LOW(0x0268a8b6, 0x74fd, 0x4302), 0x9dd06e8f1795c0cf},
    {GUID_LOW(0xce1dbfb4, 0x137e, 0x4da6), 0x87b03f59aa102cbc},
    {GUID_LOW(0x222962ab, 0x6180, 0x4b88), 0xa825346b75f2a24a},
    {GUID_LOW(0x89497f50, 0xeffe, 0x4440), 0x8cf2ce6b1cdcaca7},
    {GUID_LOW(0xe43445e0, 0x0903, 0x48c3), 0xb878ff0fccebdd04},
    {GUID_LOW(0xa9152f00, 0x3f58, 0x4bee), 0x92a170c7d079d5dd},
    {GUID_LOW(0x2cb15d1d, 0x5fc1, 0x11d2), 0xabe100a0c911f518},
    {GUID_LOW(0xb2d14872, 0x7c5b, 0x463d), 0x8419ee9bf7d23e04},
    {GUID_LOW(0x7687a439, 0xf752, 0x45b8), 0xb741321aec0f8df9},
    {GUID_LOW(0x3ac66736, 0xcc59, 0x4cff), 0x81158df50e39816b},
    {GUID_LOW(0xdef2fe46, 0x7bd6, 0x4b80), 0xbd94f57fe20d0ce3},
    {GUID_LOW(0x9aec974b, 0x5b8e, 0x4118), 0x9b923186d8002ce5},
    {GUID_LOW(0x45d8cccd, 0x539f, 0x4b72), 0xa8b75c683142609a},
    {GUID_LOW(0xd837ca92, 0x12b9, 0x44a5), 0xad6a3a65b3578aa8},
    {GUID_LOW(0xc861d0e2, 0xa2c1, 0x4d36), 0x9f9c970bab943a12},
    {GUID_LOW(0x7f2a405c, 0x69b5, 0x4bf9), 0xa1f530e8f1afab5e},
    {GUID_LOW(0x2ce9a149, 0xeffe, 0x42f0), 0xa635a1d39e26c8f2},
};

enum { GROUP_PROCESS = 3, GROUP_IMAGE = 20, IMAGE_LOAD = 10 };

uint16_t etl_classic_hook(const uint8_t guid[16], uint8_t opcode)
{
    uint64_t low = load_u64(guid), high = __builtin_bswap64(load_u64(guid + 8));

    for (unsigned i = 0;
         i < sizeof(kernel_classes) / sizeof(kernel_classes[0]); i++) {
        if (kernel_classes[i].low != low || kernel_classes[i].high != high)
            continue;
        /* Image load is numbered among the process events. */
        if (i == GROUP_IMAGE && opcode == IMAGE_LOAD)
            i = GROUP_PROCESS;
        return (uint16_t)(i << 8 | opcode);
    }
    return 0;
}

bool etl_hook_class(uint16_t hook, uint8_t guid[16])
{
    size_t group = hook >> 8;
    uint64_t high;

    if (hook == (GROUP_PROCESS << 8 | IMAGE_LOAD))
        group = GROUP_IMAGE;
    if (group >= sizeof(kernel_classes) / sizeof(kernel_classes[0]))
        return false;
    high = __builtin_bswap64(kernel_classes[group].high);
    for (unsigned i = 0; i < 8; i++) {
        guid[i] = (uint8_t)(kernel_classes[group].low >> 8 * i);
        guid[8 + i] = (uint8_t)(high >> 8 * i);
    }
    return true;
}

enum etl_provider etl_provider_of(const uint8_t guid[16])
{
    uint64_t low = load_u64(guid), high = __builtin_bswap64(load_u64(guid + 8));

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (known[i].low == low && known[i].high == high)
            return known[i].provider;
    return PROVIDER_OTHER;
}

bool etl_provider_guid(const char *name, uint8_t guid[16])
{
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (!ascii_same(known[i].name, name))
            continue;
        for (unsigned b = 0; b < 8; b++) {
            guid[b] = (uint8_t)(known[i].low >> 8 * b);
            guid[8 + b] = (uint8_t)(known[i].high >> (56 - 8 * b));
        }
        return true;
    }
    return guid_parse(guid, name);
}

bool etl_is_event_metadata(const uint8_t guid[16])
{
    return load_u64(guid) == GUID_LOW(0xbbccf6c1, 0x6cd1, 0x48c4) &&
           __builtin_bswap64(load_u64(guid + 8)) == 0x80ff839482e37671;
}

bool etl_is_manifest_part(const uint8_t *record)
{
    enum { MANIFEST = 0xFFFE };

    return load_u16(record + 40) == MANIFEST;
}

bool etl_manifest_event_wanted(const uint8_t guid[16], uint16_t id)
{
    switch (etl_provider_of(guid)) {
    case PROVIDER_CLR_RUNTIME:
        return clr_event_use(CLR_RUNTIME, id) != CLR_UNUSED;
    case PROVIDER_CLR_RUNDOWN:
        return clr_event_use(CLR_RUNDOWN, id) != CLR_UNUSED;
    case PROVIDER_JSCRIPT:
        /* Methods: 5, 6 at start and stop, 9 load, 10 unload; sources: 39, 40
         * and 41, 42 likewise. */
        return id == 5 || id == 6 || id == 9 || id == 10 ||
               (id >= 39 && id <= 42);
    default:
        return false;
    }
}
