#include "engine/model/profile.h"

#include "tests/support/suite.h"

static const struct {
    struct identity id;
    const char *text;
} known[] = {
    {{.timestamp = 0}, ""},
    {{.timestamp = 0x5F3A1B2C, .image_size = 0x30000}, "5F3A1B2C30000"},
    {{.timestamp = 0x2C, .image_size = 0x1}, "0000002C1"},
    {{.timestamp = 0x2C, .image_size = 0xFFFFFFF}, "0000002Cfffffff"},
    {{.build_id = {0x00, 0xFF, 0x1A}, .build_id_size = 3}, "00ff1a"},
    {{.build_id = {1, 2, 3, 4, 5, 6, 7, 8}, .build_id_size = 8},
     "0102030405060708"},
};

TEST(texts_and_what_they_say)
{
    for (size_t i = 0; i < COUNT(known); i++) {
        struct identity read = {.timestamp = 0};
        char text[CODE_ID_SIZE];

        code_id_text(&known[i].id, text);
        ck_assert_str_eq(text, known[i].text);
        code_id_read(&read, text, strlen(text));
        ck_assert_mem_eq(&read, &known[i].id, sizeof(read));
    }
}

TEST(ids_of_pdbs)
{
    static const char text[] = "00112233445566778899aabbccddeeff12345678";
    struct identity id = {.age = 9};
    char guid[2 * sizeof(id.guid) + 1];

    ck_assert(!code_id_read_pdb(&id, text, 32));
    ck_assert(!code_id_read_pdb(&id, text, 40)); /* a build id */
    ck_assert(!code_id_read_pdb(&id, "g0112233445566778899aabbccddeeff1", 33));
    ck_assert_uint_eq(id.age, 9);
    ck_assert(code_id_read_pdb(&id, text, 34));
    ck_assert_uint_eq(id.age, 0x12);
    hex_text(id.guid, sizeof(id.guid), guid);
    ck_assert_int_eq(strncmp(guid, text, 32), 0);
}

TEST(no_code_ids)
{
    static const char *const texts[] = {
        "", "5f3a1b2c3000g", "123",
        "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff00"};
    static const struct identity before = {.build_id = {0xAB},
                                           .build_id_size = 1};

    for (size_t i = 0; i < COUNT(texts); i++) {
        struct identity id = before;

        code_id_read(&id, texts[i], strlen(texts[i]));
        ck_assert_mem_eq(&id, &before, sizeof(id));
    }
}

#define GO_ID                                                                  \
    "VlPz_Ubfw8wOE0gLmQVJ/x7eVXMMIDBJ_1f1YYs6s/0aH_1s5gKTXXXXXXXXXX/"          \
    "iDcZXXXXXXXXXXXXXXXX"

/* Go's own build id: its text, or the digits of its text; what a build system
 * puts in its place, or another text, is none. */
TEST(go_build_ids)
{
    static const char *const others[] = {"redacted", "a/b/c/d",
                                         ("not a build id / of Go / but a long "
                                         "text / with spaces")};
    char digits[2 * sizeof(GO_ID)];
    struct identity text = {.timestamp = 0}, hex = {.timestamp = 0};

    code_id_read(&text, GO_ID, strlen(GO_ID));
    ck_assert_uint_eq(text.build_id_size, sizeof(text.build_id));
    ck_assert_mem_eq(text.build_id, GO_ID, sizeof(text.build_id));
    hex_text((const uint8_t *)GO_ID, strlen(GO_ID), digits);
    code_id_read(&hex, digits, strlen(digits));
    ck_assert_mem_eq(&hex, &text, sizeof(hex));
    for (size_t i = 0; i < 3; i++) {
        struct identity id = {.timestamp = 0};

        code_id_read(&id, others[i], strlen(others[i]));
        ck_assert_uint_eq(id.build_id_size, 0);
    }
}
