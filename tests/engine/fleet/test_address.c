/* Addresses of fleets, ids of rows and hashes of files. */
#include "engine/base/file_hash.h"
#include "engine/fleet/client.h"

#include "engine/fleet/batch.h"
#include "engine/fleet/clickhouse.h"
#include "tests/support/payloads.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"

static const struct {
    const char *text, *url, *database, *user, *where, *whole;
} addresses[] = {
    {"clickhouse://host/db", "http://host:8123/", "db", NULL, NULL,
     "clickhouse://host/db"},
    {"clickhouses://host/db", "https://host:8443/", "db", NULL, NULL,
     "clickhouses://host/db"},
    {"clickhouse://me@host:9000/db", "http://host:9000/", "db", "me", NULL,
     "clickhouse://me@host:9000/db"},
    {"clickhouse://[::1]/db", "http://[::1]:8123/", "db", NULL, NULL,
     "clickhouse://[::1]/db"},
    {"clickhouse://[::1]:9000/db", "http://[::1]:9000/", "db", NULL, NULL,
     "clickhouse://[::1]:9000/db"},
    {"clickhouse://a/b/c", "http://a:8123/", "b/c", NULL, NULL,
     "clickhouse://a/b/c"},
    {"clickhouse://h/db?a=1 and b=2", "http://h:8123/", "db", NULL,
     "a=1 and b=2", "clickhouse://h/db"},
    {"clickhouse://h/db?", "http://h:8123/", "db", NULL, "",
     "clickhouse://h/db"},
    {"clickhouse://h/db?x=/a@b:c", "http://h:8123/", "db", NULL, "x=/a@b:c",
     "clickhouse://h/db"},
    {"clickhouse://h/d", "http://h:8123/", "d", NULL, NULL, "clickhouse://h/d"},
    {"clickhouses://[::1]/x", "https://[::1]:8443/", "x", NULL, NULL,
     "clickhouses://[::1]/x"},
    {"clickhouse://me@db:9/f?v=2 and a=b", "http://db:9/", "f", "me",
     "v=2 and a=b", "clickhouse://me@db:9/f"},
};

TEST(addresses_are_taken_apart)
{
    for (size_t i = 0; i < COUNT(addresses); i++) {
        struct fleet_address a;
        struct err err = {0};

        ck_assert(fleet_is_address(addresses[i].text));
        ck_assert_msg(!fleet_address_read(&a, addresses[i].text, &err), "%s",
                      err.message);
        ck_assert_str_eq(a.url, addresses[i].url);
        ck_assert_str_eq(a.database, addresses[i].database);
        ck_assert_pstr_eq(a.user, addresses[i].user);
        ck_assert_pstr_eq(a.where, addresses[i].where);
        ck_assert_str_eq(a.text, addresses[i].whole);
        fleet_address_release(&a);
    }
}

TEST(what_is_no_address_is_refused)
{
    static const struct {
        const char *text, *what;
    } refused[] = {
        {"clickhouse://me:secret@host/db", "put the password into"},
        {"clickhouse://host", "expected clickhouse://[user@]host[:port]"},
        {"clickhouse://host/", "expected clickhouse://"},
        {"clickhouse:///db", "expected clickhouse://"},
        {"clickhouse://me@/db", "expected clickhouse://"},
        {"clickhouse://ho st/db", "expected clickhouse://"},
        {"clickhouse://h?x/db", "expected clickhouse://"},
        {"clickhouses://host/?a=b", "expected clickhouses://"},
        {"clickhouse://", "expected clickhouse://"},
        {"clickhouse://db?a=b", "expected clickhouse://"},
        {"clickhouse://db#/x", "expected clickhouse://"},
        {"clickhouse://a@b@c/x", "expected clickhouse://"},
    };

    for (size_t i = 0; i < COUNT(refused); i++) {
        struct fleet_address a;
        struct err err = {0};

        ck_assert_int_eq(fleet_address_read(&a, refused[i].text, &err),
                         ERR_USAGE);
        ck_assert_msg(strstr(err.message, refused[i].what), "%s", err.message);
        ck_assert(!strstr(err.message, "secret"));
        fleet_address_release(&a);
    }
    ck_assert(!fleet_is_address("clickhouse.etl"));
    ck_assert(!fleet_is_address("trace.etl"));
    ck_assert(!fleet_is_address("clickhouse:/host/db"));
    ck_assert(!fleet_is_address("http://host/db"));
}

/* The first eight bytes of SHA-256 over the table's number and the row. */
TEST(ids_are_of_content)
{
    ck_assert_uint_eq(fleet_id(FLEET_PROCESSES, "", 0),
                      0x987ab3ff9c0b346e); /* of a zero byte */
    ck_assert_uint_ne(fleet_id(FLEET_PROCESSES, "a", 1),
                      fleet_id(FLEET_PROCESSES, "b", 1));
    ck_assert_uint_ne(fleet_id(FLEET_PROCESSES, "a", 1),
                      fleet_id(FLEET_MODULES, "a", 1));
    ck_assert_uint_eq(fleet_id(FLEET_STACKS, "a", 1),
                      fleet_id(FLEET_STACKS, "ab", 1));
}

TEST(files_have_hashes)
{
    char path[TEMP_PATH], hash[FILE_HASH_SIZE];
    struct err err = {0};

    temp_file(path, "abc", 3);
    ck_assert(!file_hash(path, hash, &err));
    ck_assert_str_eq(hash, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb4"
                           "10ff61f20015ad");
    unlink(path);
    ck_assert_int_eq(file_hash(path, hash, &err), ERR_NOT_FOUND);
    ck_assert(strstr(err.message, "No such file or directory"));
    ck_assert_int_eq(file_hash("/", hash, &(struct err){0}), ERR_IO);
}

TEST(numbers_are_little_endian)
{
    uint8_t wanted[PAYLOAD_ROOM];
    struct out *out = out_memory();
    size_t n, bytes;
    const char *rows;

    row_u8(out, 1);
    row_u16(out, 0x203);
    row_u32(out, 0x4050607);
    row_u64(out, 0x8090a0b0c0d0e0f);
    row_count(out, 127);
    row_count(out, 128);
    row_count(out, 300);
    row_text(out, "ab");
    row_bytes(out, "\0", 1);
    rows = out_text(out, &n);
    bytes = payload_of_hex("01 0302 07060504 0f0e0d0c0b0a0908 7f 8001 ac02 "
                           "02 6162 01 00",
                           wanted);
    ck_assert_uint_eq(n, bytes);
    ck_assert_mem_eq(rows, wanted, bytes);
    out_close(out, NULL);
}

TEST(counts_are_held_against_the_bytes)
{
    static const struct {
        const char *hex;
        size_t least, count;
        bool failed;
    } cases[] = {
        {"02 0000", 1, 2, false},  {"03 0000", 1, 0, true},
        {"01 00000000", 4, 1, false}, {"02 00000000 000000", 4, 0, true},
        {"00", 4, 0, false},       {"", 1, 0, true},
        {"80", 1, 0, true},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        uint8_t bytes[PAYLOAD_ROOM];
        size_t n = payload_of_hex(cases[i].hex, bytes);
        struct reader r = reader_of("", bytes, n, 0, NULL);

        ck_assert_uint_eq(row_get_count(&r, cases[i].least), cases[i].count);
        ck_assert_msg(r.failed == cases[i].failed, "row %zu", i);
    }
}
