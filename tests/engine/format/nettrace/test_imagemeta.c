/* What a recorder says of a mapped file, well written and badly. */
#include "engine/format/nettrace/nettrace.h"
#include "tests/support/suite.h"

static struct strings *strings;

static struct nt_image_metadata parse(const char *json)
{
    struct nt_image_metadata m;

    nt_parse_image_metadata(
        &m, (struct bytes){(const uint8_t *)json, strlen(json)}, strings);
    return m;
}

static const struct {
    const char *json;
    const char *build_id; /* as text */
    bool has_segment;
    uint64_t address, offset;
} elf[] = {
    {"{\"type\":\"ELF\",\"build_id\":\"00ff1aA9\",\"p_vaddr\":4096,"
     "\"p_offset\":512}",
     "00ff1aa9", true, 4096, 512},
    {"{\"type\" : \"ELF\",\"build_id\"\t:\t \"0g\",\"p_vaddr\" : \"0x1F\", "
     "\"p_offset\": \"12\"}",
     "", true, 31, 12},
    {"{\"type\":\"ELF\",\"build_id\":\"g0\",\"p_vaddr\":\"0X1f\","
     "\"p_offset\":0}",
     "", true, 31, 0},
    {"{\"type\":\"ELF\",\"build_id\":\"abc\",\"p_vaddr\":7}", "ab", false, 0,
     0},
    {"{\"type\":\"ELF\",\"p_vaddr\":,\"p_offset\":1}", "", false, 0, 0},
    {"{\"type\":\"ELF\",\"p_vaddr\":1a,\"p_offset\":1}", "", false, 0, 0},
    {"{\"type\":\"ELF\",\"p_vaddr\":\"0x1g\",\"p_offset\":1}", "", false, 0, 0},
    {"{\"type\":\"ELF\",\"p_vaddr\":18446744073709551609,\"p_offset\":1}", "",
     true, 18446744073709551609u, 1},
    {"{\"type\":\"ELF\",\"p_vaddr\":184467440737095516150,\"p_offset\":1}", "",
     false, 0, 0},
    {"{\"type\":\"ELF\",\"p_vaddr\":\"0xfffffffffffffff\",\"p_offset\":1}", "",
     true, 0xFFFFFFFFFFFFFFFu, 1},
    {"{\"type\":\"ELF\",\"build_id\" \"ab\"}", "", false, 0, 0},
    {"{\"type\":\"ELF\",\"build_id\"", "", false, 0, 0},
    {"{\"type\":\"ELF\",\"build_id\":\"abcd", "abcd", false, 0, 0},
    {"{\"type\":\"ELF\",\"p_offset\":5,\"p_vaddr\":9", "", true, 9, 5},
    {"{\"type\":\"ELF\",\"build_id\":", "", false, 0, 0},
    {"{\"type\":\"ELF \",\"build_id\":\"ab\"}", "", false, 0, 0},
    {"{\"type\":\"EL\",\"build_id\":\"ab\"}", "", false, 0, 0},
    {"{\"type\":\"ELT\",\"build_id\":\"ab\"}", "", false, 0, 0},
    {"{\"build_id\":\"ab\"}", "", false, 0, 0},
    {"", "", false, 0, 0},
};

TEST_LOOP(files_of_linux, COUNT(elf))
{
    struct nt_image_metadata m = parse(elf[_i].json);
    char text[65] = "";

    for (unsigned i = 0; i < m.identity.build_id_size; i++)
        snprintf(text + 2 * (size_t)i, 3, "%02x", m.identity.build_id[i]);
    ck_assert_str_eq(text, elf[_i].build_id);
    ck_assert(m.has_segment == elf[_i].has_segment);
    if (m.has_segment) {
        ck_assert_uint_eq(m.segment_address, elf[_i].address);
        ck_assert_uint_eq(m.segment_offset, elf[_i].offset);
    }
}

/* 32 bytes are kept. */
TEST(a_long_build_id)
{
    struct nt_image_metadata m = parse("{\"type\":\"ELF\",\"build_id\":\""
                                       "00112233445566778899aabbccddeeff"
                                       "00112233445566778899aabbccddeefe"
                                       "ab\"}");

    ck_assert_uint_eq(m.identity.build_id_size, 32);
    ck_assert_uint_eq(m.identity.build_id[31], 0xFE);
}

#define GUID "0102030405060708090a0b0c0d0e0f10"

static const struct {
    const char *json, *pdb;
    uint32_t stamp, age;
} pe[] = {
    {"{\"type\":\"PE\",\"name\":\"a.pdb\",\"date_time\":77,\"age\":\"3\","
     "\"signature\":\"" GUID "\"}",
     "a.pdb", 77, 3},
    {"{\"type\":\"PE\",\"name\":\"a.pdb\",\"date_time\":\"0x4D\",\"age\":3,"
     "\"signature\":\"" GUID "11\"}",
     "a.pdb", 77, 3},
    {"{\"type\":\"PE\",\"name\":\"\",\"date_time\":77,\"age\":3,"
     "\"signature\":\"" GUID "\"}",
     "", 77, 0},
    {"{\"type\":\"PE\",\"name\":\"a.pdb\",\"date_time\":77,\"age\":3,"
     "\"signature\":\"0102\"}",
     "", 77, 0},
    {"{\"type\":\"PE\",\"name\":\"a.pdb\",\"date_time\":x,\"age\":x,"
     "\"signature\":\"" GUID "\"}",
     "a.pdb", 0, 0},
    {"{\"type\":\"PF\",\"date_time\":77}", "", 0, 0},
    {"{\"type\":\"PE2\",\"date_time\":77}", "", 0, 0},
};

TEST_LOOP(files_of_windows, COUNT(pe))
{
    struct nt_image_metadata m = parse(pe[_i].json);

    ck_assert_str_eq(strings_get(strings, m.identity.pdb_name), pe[_i].pdb);
    ck_assert_uint_eq(m.identity.timestamp, pe[_i].stamp);
    ck_assert_uint_eq(m.identity.age, pe[_i].age);
    for (uint8_t i = 0; *pe[_i].pdb && i < 16; i++)
        ck_assert_uint_eq(m.identity.guid[i], i + 1);
}

SUITE
{
    int failed;

    strings = strings_new();
    failed = run_tests();
    strings_free(strings);
    return failed;
}
