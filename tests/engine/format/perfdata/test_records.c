/* What was lost, and which files were mapped, in either byte order. */
#include "tests/engine/format/perfdata/tool_records.h"
#include "tests/support/profile_check.h"

/* ---- losses ---- */

TEST_LOOP(losses, 2)
{
    struct profile *p;

    begin(_i);
    perfdata_lost(&w, 10, 4);
    put(3, 8);
    blob_zero(&body, 32);
    end_record(LOST_SAMPLES, 0);
    for (int i = 0; i < 2; i++) {
        blob_zero(&body, 24 + 32);
        end_record(THROTTLE, 0);
    }
    put(16, 8); /* bytes that follow the record */
    blob_zero(&body, 32);
    end_record(AUXTRACE, 0);
    blob_zero(&w.records, 16);
    sample_at(10, 0x401000);
    p = end();
    ck_assert_uint_eq(p->quality.lost_events, 7);
    ck_assert(warns(p, "paused sampling 2 times"));
    ck_assert(warns(p, "are not read: 16 bytes"));
    ck_assert_uint_eq(p->samples.len, 1);
    ck_assert_uint_eq(p->quality.skipped_ranges, 0);
    profile_free(p);
}

/* Counters tell at the end what they lost, LOST told it before; what a filter
 * dropped was not lost. */
TEST_LOOP(losses_that_are_told_twice, 2)
{
    enum { READS_LOST = 16, BY_FILTER = 1 << 15 };
    static const struct {
        uint64_t format, time;
        uint16_t misc;
        uint64_t told, lost;
    } rows[] = {
        {READS_LOST, 0, 0, 3, 4},         {READS_LOST, 0, 0, 5, 5},
        {READS_LOST, 9, 0, 3, 7},         {0, 0, 0, 3, 7},
        {READS_LOST, 0, BY_FILTER, 9, 4}, {0, 9, BY_FILTER, 9, 4},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct profile *p;

        begin(_i);
        w.read_format = rows[i].format;
        perfdata_lost(&w, 10, 4);
        put(rows[i].told, 8);
        blob_zero(&body, 8);
        put(rows[i].time, 8);
        blob_zero(&body, 16);
        end_record(LOST_SAMPLES, rows[i].misc);
        sample_at(10, 0x401000);
        p = end();
        ck_assert_uint_eq(p->quality.lost_events, rows[i].lost);
        profile_free(p);
    }
}

/* The recorder's own records need not be whole words: what follows such a one
 * is found again behind damage, and proves a record of an unknown type. */
TEST_LOOP(records_of_odd_sizes, 2)
{
    struct profile *p;

    begin(_i);
    blob_zero(&body, 32);
    end_record(32, 0);
    for (int i = 0; i < 3; i++) {
        begin_feature(3);
        put(5, 4);
        blob_bytes(&body, "host", 5);
        end_record(FEATURE, 0);
    }
    blob_zero(&w.records, 16);
    for (unsigned i = 0; i < 4; i++)
        sample_at(10 + i, 0x401000);
    p = end();
    ck_assert_uint_eq(p->samples.len, 4);
    ck_assert_uint_eq(p->quality.skipped_bytes, 16);
    ck_assert(warns(p, "1 records of unknown types"));
    ck_assert_str_eq(strings_get(p->strings, p->trace.machine), "host");
    profile_free(p);
}

/* ---- files ---- */

static void put_build_id(uint8_t first, uint8_t size, const char *path)
{
    put(UINT32_MAX, 4);
    for (uint8_t i = 0; i < 20; i++)
        blob_u8(&body, (uint8_t)(first + i));
    blob_pack(&body, "B3x", size);
    blob_bytes(&body, path, strlen(path) + 1);
    blob_align(&body, 8);
}

static const struct module *module(const struct profile *p, const char *name)
{
    for (size_t i = 0; i < p->modules.len; i++)
        if (!strcmp(strings_get(p->strings, p->modules.data[i].name), name))
            return &p->modules.data[i];
    ck_abort_msg("no module %s", name);
    return NULL;
}

static void check_build_id(const struct profile *p, const char *name,
                           uint8_t first, uint8_t size)
{
    const struct identity *id = &module(p, name)->identity;

    ck_assert_uint_eq(id->build_id_size, size);
    for (uint8_t i = 0; i < size; i++)
        ck_assert_uint_eq(id->build_id[i], first + i);
}

/* Their size is told where a bit says so; it is 20 otherwise. */
TEST_LOOP(build_ids, 2)
{
    enum { HAS_SIZE = 1 << 15 };
    static const struct {
        const char *name;
        uint16_t misc;
        uint8_t size, known;
    } files[] = {
        {"a", 0, 8, 20},         {"b", HAS_SIZE, 8, 8},
        {"c", HAS_SIZE, 0, 20},  {"d", HAS_SIZE, 20, 20},
        {"e", HAS_SIZE, 21, 20}, {"f", HAS_SIZE, 19, 19},
    };
    struct profile *p;
    char path[20];

    begin(_i);
    for (uint8_t i = 0; i < 6; i++) {
        snprintf(path, sizeof(path), "/srv/%s", files[i].name);
        put_build_id(i, files[i].size, path);
        end_record(BUILD_ID, files[i].misc);
        perfdata_mmap(&w, 0, 40, 0x400000 + i * 0x10000u, 0x1000, 0, path);
    }
    blob_zero(&body, 16); /* cut off */
    end_record(BUILD_ID, 0);
    for (uint8_t i = 0; i < 6; i++)
        sample_at(10, 0x400010 + i * 0x10000u);
    p = end();
    for (uint8_t i = 0; i < 6; i++)
        check_build_id(p, files[i].name, i, files[i].known);
    profile_free(p);
}

/* In a file they are a feature, records in it. */
TEST_LOOP(list_of_build_ids, 2)
{
    struct blob list = {0};
    struct profile *p;

    begin(_i);
    for (uint8_t i = 0; i < 2; i++) {
        put_build_id((uint8_t)(9 * i), 20, i ? "/srv/b" : "/srv/a");
        perfdata_put(&w, &list, BUILD_ID, 4);
        perfdata_put(&w, &list, 0, 2);
        perfdata_put(&w, &list, 8 + body.len, 2);
        blob_bytes(&list, body.data, body.len);
        body.len = 0;
        perfdata_mmap(&w, 0, 40, 0x400000 + i * 0x10000u, 0x1000, 0,
                      i ? "/srv/b" : "/srv/a");
        sample_at(10, 0x400010 + i * 0x10000u);
    }
    perfdata_put(&w, &list, BUILD_ID, 4);
    perfdata_put(&w, &list, 7, 4); /* smaller than itself */
    begin_feature(2);
    blob_bytes(&body, list.data, list.len);
    end_record(FEATURE, 0);
    free(list.data);
    p = end();
    check_build_id(p, "a", 0, 20);
    check_build_id(p, "b", 9, 20);
    profile_free(p);
}

/* The first recorders left the process out; the kernel tells it. */
TEST_LOOP(list_without_processes, 2)
{
    struct blob list = {0};
    struct profile *p;

    perfdata_begin(&w, _i ? PERFDATA_BIG : 0);
    body = (struct blob){0};
    for (uint8_t i = 0; i < 2; i++) {
        const char *path = i ? "/srv/b" : "[kernel.kallsyms]";

        perfdata_put(&w, &list, BUILD_ID, 4);
        perfdata_put(&w, &list, 0, 2);
        perfdata_put(&w, &list, 8 + 24 + 24, 2);
        for (uint8_t k = 0; k < 20; k++)
            blob_u8(&list, (uint8_t)(9 * i + k));
        blob_zero(&list, 4);
        blob_bytes(&list, path, strlen(path));
        blob_zero(&list, 24 - strlen(path));
    }
    w.features[0] = (struct perfdata_feature){2, &list};
    perfdata_mmap(&w, 0, 40, 0x400000, 0x1000, 0, "/srv/b");
    perfdata_kernel(&w, KERNEL_BASE, 0x1000000);
    sample_at(10, 0x400010);
    p = end();
    check_build_id(p, "b", 9, 20);
    check_build_id(p, "[kernel.kallsyms]", 0, 20);
    profile_free(p);
    free(list.data);
}

TEST_LOOP(build_id_of_a_mapping, 2)
{
    static const uint8_t sizes[] = {20, 21, 8};
    struct profile *p;

    begin(_i);
    put_build_id(50, 20, "/srv/b");
    end_record(BUILD_ID, 0);
    for (uint8_t i = 0; i < 3; i++) {
        char path[8] = {'/', 's', 'r', 'v', '/', (char)('a' + i)};

        put(40, 4);
        put(40, 4);
        put(0x400000 + i * 0x10000u, 8);
        put(0x1000, 8);
        put(0, 8);
        blob_pack(&body, "B3x", sizes[i]);
        for (uint8_t k = 0; k < 20; k++)
            blob_u8(&body, (uint8_t)(i + k));
        blob_zero(&body, 8);
        blob_bytes(&body, path, 8);
        blob_zero(&body, 32);
        end_record(MMAP2, 2 | 1 << 14);
        sample_at(10, 0x400010 + i * 0x10000u);
    }
    p = end();
    check_build_id(p, "a", 0, 20);
    check_build_id(p, "b", 50, 20);
    check_build_id(p, "c", 2, 8);
    profile_free(p);
}

/* A recorder without privilege tells nothing of the kernel: what ran there is
 * known all the same, by its address. */
TEST_LOOP(kernel_of_which_nothing_is_told, 2)
{
    static const uint64_t chain[] = {PERFDATA_KERNEL, KERNEL_BASE + 0x10,
                                     PERFDATA_USER, 0x401010};
    struct profile *p;

    begin(_i);
    perfdata_sample(&w, &(struct perfdata_sample){.time = 10,
                                                  .ip = KERNEL_BASE + 0x10,
                                                  .pid = 40,
                                                  .tid = 40,
                                                  .mode = 1,
                                                  .chain = chain,
                                                  .chain_count = 4});
    p = end();
    assert_stack(p, 0, "[kernel.kallsyms]!+0xffff81000010 < 0x401010");
    profile_free(p);
}

TEST_LOOP(nothing_of_the_kernel, 2)
{
    struct profile *p;

    begin(_i);
    sample_at(10, 0x401000);
    p = end();
    ck_assert_uint_eq(p->modules.len, 0);
    profile_free(p);
}
