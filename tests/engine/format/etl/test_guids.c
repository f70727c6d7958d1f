/* Every provider and class by its GUID as documents print it. */
#include "engine/format/etl/guids.h"

#include "tests/support/suite.h"

/* As files store it: the first three parts little-endian. */
static void parse(uint8_t guid[16], const char *text)
{
    unsigned a, b, c, d[8];

    ck_assert_int_eq(
        sscanf(text, "%8x-%4x-%4x-%2x%2x-%2x%2x%2x%2x%2x%2x", &a, &b, &c,
               &d[0], &d[1], &d[2], &d[3], &d[4], &d[5], &d[6], &d[7]),
        11);
    for (unsigned i = 0; i < 4; i++)
        guid[i] = (uint8_t)(a >> 8 * i);
    for (unsigned i = 0; i < 2; i++) {
        guid[4 + i] = (uint8_t)(b >> 8 * i);
        guid[6 + i] = (uint8_t)(c >> 8 * i);
    }
    for (unsigned i = 0; i < 8; i++)
        guid[8 + i] = (uint8_t)d[i];
}

static const struct {
    const char *guid;
    enum etl_provider provider;
    const char *name;
} providers[] = {
    {"e13c0d23-ccbc-4e12-931b-d9cc2eee27e4", PROVIDER_CLR_RUNTIME,
     "Microsoft-Windows-DotNETRuntime"},
    {"a669021c-c450-4609-a035-5af59af4df18", PROVIDER_CLR_RUNDOWN,
     "Microsoft-Windows-DotNETRuntimeRundown"},
    {"57277741-3638-4a4b-bdba-0ac6e45da56c", PROVIDER_JSCRIPT,
     "Microsoft-JScript"},
    {"b3e675d7-2554-4f18-830b-2762732560de", CLASS_IMAGE_ID, "ImageID"},
    {"9b79ee91-b5fd-41c0-a243-4248e266e9d0", CLASS_SYSTEM_CONFIG,
     "SystemConfigEx"},
    {"3044f61a-99b0-4c21-b203-d39423c73b00", CLASS_CLR_METHOD, "CLR/Method"},
    {"d00792da-07b7-40f5-97eb-5d974e054740", CLASS_CLR_LOADER, "CLR/Loader"},
    {"0bcd91db-f943-454a-a662-6edbcfbb76d2", CLASS_CLR_RUNDOWN_METHOD,
     "CLRRundown/Method"},
    {"5a54f4df-d302-4fee-a211-6c2c0c1dcb1a", CLASS_CLR_RUNDOWN_LOADER,
     "CLRRundown/Loader"},
    {"763fd754-7086-4dfe-95eb-c01a46faf4ca", PROVIDER_OTHER,
     "Microsoft-Windows-DotNETRuntimePrivate"},
    {"cc2bcbba-16b6-4cf3-8990-d74c2e8af500", PROVIDER_OTHER,
     "Microsoft-Windows-DotNETRuntimeStress"},
    {"bbccf6c1-6cd1-48c4-80ff-839482e37671", PROVIDER_OTHER, "EventMetadata"},
    {"6a399ae0-4bc6-4de9-870b-3657f8947e7e", PROVIDER_OTHER, "LostEvent"},
    {"b675ec37-bdb6-4648-bc92-f3fdc74d3ca2", PROVIDER_OTHER,
     "Microsoft-Windows-Kernel-EventTracing"},
    {"d3363dc0-243a-4620-a4d0-8a07d772f533", PROVIDER_OTHER, "CLR/Stack"},
};

TEST(providers_by_guid)
{
    uint8_t guid[16], named[16];

    for (size_t i = 0; i < COUNT(providers); i++) {
        parse(guid, providers[i].guid);
        ck_assert_int_eq(etl_provider_of(guid), providers[i].provider);
        ck_assert(etl_provider_guid(providers[i].name, named));
        ck_assert_mem_eq(named, guid, sizeof(guid));
        /* Every byte counts. */
        for (unsigned k = 0; k < 16; k++) {
            guid[k] ^= 1;
            ck_assert_int_eq(etl_provider_of(guid), PROVIDER_OTHER);
            guid[k] ^= 1;
        }
    }
}

static const struct {
    const char *guid;
    uint8_t opcode;
    uint16_t hook;
} classes[] = {
    {"68fdd900-4a3e-11d1-84f4-0000f80464e3", 0, 0x0000}, /* EventTrace */
    {"68fdd900-4a3e-11d1-84f4-0000f80464e3", 8, 0x0008},
    {"3d6fa8d4-fe05-11d0-9dda-00c04fd7ba7c", 10, 0x010A}, /* DiskIo */
    {"3d6fa8d3-fe05-11d0-9dda-00c04fd7ba7c", 10, 0x020A}, /* PageFault */
    {"3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c", 1, 0x0301},  /* Process */
    {"90cbdc39-4a3e-11d1-84f4-0000f80464e3", 64, 0x0440}, /* FileIo */
    {"3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c", 36, 0x0524}, /* Thread */
    {"9a280ac0-c8e0-11d1-84e2-00c04fb998a2", 10, 0x060A}, /* TcpIp */
    {"bf3a50c5-a9c9-4988-a005-2df0b7c80f80", 10, 0x080A}, /* UdpIp */
    {"ae53722e-c863-11d2-8659-00c04fa321a1", 10, 0x090A}, /* Registry */
    {"01853a65-418f-4f36-aefc-dc0f1d2fd235", 10, 0x0B0A}, /* Config */
    {"ce1dbfb4-137e-4da6-87b0-3f59aa102cbc", 46, 0x0F2E}, /* PerfInfo */
    {"def2fe46-7bd6-4b80-bd94-f57fe20d0ce3", 32, 0x1820}, /* StackWalk */
    {"2cb15d1d-5fc1-11d2-abe1-00a0c911f518", 2, 0x1402},  /* Image */
    /* Its load is numbered among the events of processes. */
    {"2cb15d1d-5fc1-11d2-abe1-00a0c911f518", 10, 0x030A},
    {"3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7d", 1, 0},
};

TEST(hooks_of_classes)
{
    uint8_t guid[16];

    for (size_t i = 0; i < COUNT(classes); i++) {
        parse(guid, classes[i].guid);
        ck_assert_msg(etl_classic_hook(guid, classes[i].opcode) ==
                          classes[i].hook,
                      "%s: 0x%x", classes[i].guid,
                      etl_classic_hook(guid, classes[i].opcode));
    }
}
