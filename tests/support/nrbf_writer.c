#include "tests/support/nrbf_writer.h"

enum { OBJECT = 2, PRIMITIVE = 0, INT32 = 8, INT64 = 9, UINT32 = 15,
       UINT64 = 16, BOOL = 1 };

static void put_text(struct blob *b, const char *text)
{
    blob_u8(b, (uint8_t)strlen(text));
    blob_bytes(b, text, strlen(text));
}

/* A system class whose members are objects, or all of one primitive type. */
static void put_class(struct blob *b, uint32_t id, const char *name,
                      const char *const *members, uint32_t n,
                      const uint8_t *primitives)
{
    blob_pack(b, "BI", 4, id);
    put_text(b, name);
    blob_u32(b, n);
    for (uint32_t i = 0; i < n; i++)
        put_text(b, members[i]);
    for (uint32_t i = 0; i < n; i++)
        blob_u8(b, primitives && primitives[i] ? PRIMITIVE : OBJECT);
    for (uint32_t i = 0; i < n; i++)
        if (primitives && primitives[i])
            blob_u8(b, primitives[i]);
}

static void put_reference(struct blob *b, uint32_t id)
{
    blob_pack(b, "BI", 9, id);
}

static void put_string(struct blob *b, uint32_t id, const char *text)
{
    blob_pack(b, "BI", 6, id);
    put_text(b, text);
}

/* A dictionary object and, inline, the start of its array of `n` pairs. */
static void put_dictionary(struct blob *b, uint32_t id, uint32_t n)
{
    static const char *const members[] = {"Version", "Comparer", "HashSize",
                                          "KeyValuePairs"};
    static const uint8_t primitives[] = {INT32, 0, INT32, 0};

    put_class(b, id, "System.Collections.Generic.Dictionary`2[[X]]", members,
              4, primitives);
    blob_pack(b, "IBIBIBIIB", n, 10, 3, 7, id + 10000, 0, 1, n, 3);
    put_text(b, "KeyValuePair");
}

static void put_pair_class(struct blob *b, uint32_t id, uint8_t key,
                           uint8_t value)
{
    static const char *const members[] = {"key", "value"};
    const uint8_t primitives[] = {key, value};

    put_class(b, id, "System.Collections.Generic.KeyValuePair`2", members, 2,
              primitives);
}

/* A dictionary of numbers. */
static void put_numbers(struct blob *b, uint32_t id, const uint32_t *pairs,
                        uint32_t n, uint8_t value_type)
{
    put_dictionary(b, id, n);
    for (uint32_t i = 0; i < n; i++) {
        put_pair_class(b, 100 * id + i, UINT32, value_type);
        blob_u32(b, pairs[2 * i]);
        blob_number(b, pairs[2 * i + 1], value_type == BOOL ? 1 : 4);
    }
}

static void put_module(struct blob *b)
{
    static const char *const members[] = {"_nearestSymbols", "_functionNames",
                                          "_sourceFileInfos", "_lineNumbers",
                                          "_isInlined"};
    static const char *const file[] = {"<backing_store>FileName"};
    static const uint32_t nearest[] = {0x1010, 0x1000, 0x1021, 0x1000};
    static const uint32_t names[] = {0x1000, 1};
    static const uint32_t lines[] = {0x1010, 7, 0x1020, 9};
    static const uint32_t inlined[] = {0x1010, 1, 0x1021, 0};

    put_class(b, 30, "NativeModuleSymbolsCache", members, 5, NULL);
    put_numbers(b, 31, nearest, 2, UINT32);
    put_numbers(b, 32, names, 1, INT32);
    put_dictionary(b, 33, 1);
    put_pair_class(b, 40, UINT32, 0);
    blob_u32(b, 0x1000);
    put_class(b, 41, "SourceFileInfo", file, 1, NULL);
    put_string(b, 42, "a.cpp");
    put_numbers(b, 34, lines, 2, INT32);
    put_numbers(b, 35, inlined, 2, BOOL);
}

static void put_process(struct blob *b, uint64_t base)
{
    static const char *const members[] = {"_nativeModules", "_managedModules"};
    static const char *const info[] = {"<AddressBase>k__BackingField",
                                       "<ObjectSize>k__BackingField"};
    static const uint8_t numbers[] = {UINT64, UINT64};

    put_class(b, 20, "ProcessSymbolsCache", members, 2, NULL);
    put_dictionary(b, 21, 1);
    put_pair_class(b, 22, 0, 0);
    put_class(b, 23, "NativeObjectInfo", info, 2, numbers);
    blob_pack(b, "QQ", base, 0x10000);
    put_module(b);
    blob_u8(b, 10);
}

/* The pool comes last: references point forward. */
static void put_pool(struct blob *b)
{
    static const char *const members[] = {"_strings"};
    static const char *const list[] = {"_items", "_size", "_version"};
    static const uint8_t numbers[] = {0, INT32, INT32};

    put_class(b, 10, "StringPool", members, 1, NULL);
    put_class(b, 11, "System.Collections.Generic.List`1", list, 3, numbers);
    put_reference(b, 12);
    blob_pack(b, "IIBII", 2, 2, 17, 12, 4);
    put_string(b, 13, "other");
    put_string(b, 14, "run");
    blob_pack(b, "BB", 13, 2);
}

struct blob nrbf_symbols(uint32_t pid, uint64_t base)
{
    static const char *const members[] = {"_processes", "_cachedStrings"};
    struct blob b = {0};

    blob_pack(&b, "BIIIIBI", 0, 1, UINT32_MAX, 1, 0, 12, 2);
    put_text(&b, "Microsoft.VisualStudio.PerformanceTools.EtlReader");
    put_class(&b, 1, "EtlSymbolsCache", members, 2, NULL);
    put_dictionary(&b, 3, 1);
    put_pair_class(&b, 4, UINT32, 0);
    blob_u32(&b, pid);
    put_process(&b, base);
    put_reference(&b, 10);
    put_pool(&b);
    blob_u8(&b, 11);
    return b;
}
