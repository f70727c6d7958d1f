#include "engine/format/etl/guids.h"

#include <stddef.h>

#include "engine/base/reader.h"
#include "engine/clr.h"

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

static const struct known_guid *find(const uint8_t guid[16])
{
    uint64_t low = load_u64(guid), high = __builtin_bswap64(load_u64(guid + 8));

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (known[i].low == low && known[i].high == high)
            return &known[i];
    return NULL;
}

enum etl_provider etl_provider_of(const uint8_t guid[16])
{
    const struct known_guid *k = find(guid);

    return k ? k->provider : PROVIDER_OTHER;
}

const char *etl_provider_name(const uint8_t guid[16])
{
    const struct known_guid *k = find(guid);

    return k ? k->name : NULL;
}

/* Script methods: 5, 6 at start and stop, 9 load, 10 unload; sources: 39, 40
 * and 41, 42 likewise. */
static bool jscript_event_wanted(uint16_t id)
{
    return id == 5 || id == 6 || id == 9 || id == 10 || (id >= 39 && id <= 42);
}

bool etl_manifest_event_wanted(const uint8_t guid[16], uint16_t id)
{
    switch (etl_provider_of(guid)) {
    case PROVIDER_CLR_RUNTIME:
        return clr_event_wanted(CLR_RUNTIME, id);
    case PROVIDER_CLR_RUNDOWN:
        return clr_event_wanted(CLR_RUNDOWN, id);
    case PROVIDER_JSCRIPT:
        return jscript_event_wanted(id);
    default:
        return false;
    }
}

bool etl_classic_event_wanted(const uint8_t guid[16])
{
    return etl_provider_of(guid) != PROVIDER_OTHER;
}
