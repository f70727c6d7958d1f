/* What the recorder says of the machine, in either byte order. */
#include "tests/engine/format/perfdata/tool_records.h"

TEST_LOOP(features, 2)
{
    struct profile *p;

    begin(_i);
    for (unsigned number = 3; number <= 6; number++) {
        static const char *const texts[] = {"host", "6.1.0", "perf 6",
                                            "x86_64"};

        begin_feature(number);
        put_string(texts[number - 3]);
        end_record(FEATURE, 0);
    }
    begin_feature(7);
    put(64, 4);
    put(12, 4);
    end_record(FEATURE, 0);
    begin_feature(8);
    put_string("Fast 3");
    end_record(FEATURE, 0);
    begin_feature(10);
    put(16384, 8);
    end_record(FEATURE, 0);
    begin_feature(11);
    put(2, 4);
    put_string("perf");
    put_string("record");
    put_string("more than it says");
    end_record(FEATURE, 0);
    begin_feature(13);
    put(2, 4);
    put_string("0-3");
    put_string("4-7");
    put(5, 4);
    end_record(FEATURE, 0);
    begin_feature(256); /* of another time */
    put_string("unknown");
    end_record(FEATURE, 0);
    sample_at(10, 0x401000);
    p = end();
    ck_assert_str_eq(strings_get(p->strings, p->trace.machine), "host");
    ck_assert_str_eq(strings_get(p->strings, p->trace.os), "Linux 6.1.0");
    ck_assert_str_eq(fact(p, "perf version"), "perf 6");
    ck_assert_str_eq(fact(p, "architecture"), "x86_64");
    ck_assert_uint_eq(p->trace.cpus, 12);
    ck_assert_uint_eq(p->trace.pointer_size, 8);
    ck_assert_str_eq(fact(p, "processor"), "Fast 3");
    ck_assert_str_eq(fact(p, "memory"), "16384 KiB");
    ck_assert_str_eq(fact(p, "recorded by"), "perf record");
    ck_assert_str_eq(fact(p, "processor packages and cores"), "2, 5");
    profile_free(p);
}

TEST(features_cut_off)
{
    struct profile *p;

    begin(0);
    begin_feature(11); /* of three parts one is there */
    put(3, 4);
    put_string("perf");
    end_record(FEATURE, 0);
    begin_feature(13);
    put(1, 4);
    put_string("0-3");
    put(5, 2);
    end_record(FEATURE, 0);
    begin_feature(29);
    blob_zero(&body, 8);
    put(1700000000000000000u, 8);
    put(5, 4);
    end_record(FEATURE, 0);
    sample_at(10, 0x401000);
    p = end();
    ck_assert_str_eq(fact(p, "recorded by"), "perf");
    ck_assert_str_eq(fact(p, "processor packages and cores"), "");
    ck_assert_int_eq(p->trace.start_unix_ns, 0);
    profile_free(p);
}

/* A file of a folder, whose other files have the samples. */
TEST(a_folder_without_its_files)
{
    struct err err = {0};

    begin(0);
    begin_feature(24);
    put(1, 8);
    end_record(FEATURE, 0);
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    free(body.data);
    perfdata_end(&w);
    ck_assert_ptr_null(try_read(w.file.data, w.file.len, NULL, &err));
    ck_assert_int_eq(err.code, ERR_TRUNCATED);
    ck_assert_ptr_nonnull(strstr(err.message, "data.0, data.1, ..."));
    perfdata_free(&w);
}

static const struct {
    const char *name;
    uint32_t pointer_size;
} machines[] = {
    {"x86_64", 8}, {"aarch64", 8}, {"s390x", 8}, {"s390", 4},
    {"i686", 4},   {"armv7l", 4},  {"s390y", 4},
};

TEST_LOOP(sizes_of_pointers, COUNT(machines))
{
    struct profile *p;

    begin(0);
    begin_feature(6);
    put_string(machines[_i].name);
    end_record(FEATURE, 0);
    sample_at(10, 0x401000);
    p = end();
    ck_assert_uint_eq(p->trace.pointer_size, machines[_i].pointer_size);
    profile_free(p);
}
