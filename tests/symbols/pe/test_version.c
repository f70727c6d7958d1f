/* Who an image of Windows says it is from. */
#include "symbols/pe/pe.h"

#include "engine/model/profile.h"
#include "symbols/find/places.h"
#include "symbols/naming.h"
#include "tests/support/debug_input.h"
#include "tests/support/nettrace_writer.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

enum {
    HEADER = 0x40,
    OPTIONAL_SIZE = 112 + 16 * 8,
    STAMP = 0x5F000001,
    IMAGE_SIZE = 0x9000,
    RESOURCES = 0x1000, /* RVA of the only section */
    AT = 0x400,
    VERSION_AT = 0x100, /* behind the directories */
    OTHER = 1u << 31,
};

static void pad(byte_vec *to, size_t size)
{
    ck_assert_uint_le(to->len, size);
    while (to->len < size)
        put_number(to, 0, 1);
}

static void set_number(byte_vec *v, size_t at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        v->data[at + i] = (uint8_t)(value >> 8 * i);
}

static void put_headers(byte_vec *to)
{
    size_t optional = HEADER + 24;

    put_bytes(to, "MZ", 2);
    pad(to, 60);
    put_number(to, HEADER, 4);
    put_bytes(to, "PE\0\0", 4);
    put_number(to, PE_X64, 2);
    put_number(to, 1, 2); /* sections */
    blob_pack(to, "IQHHH", STAMP, 0, OPTIONAL_SIZE, 0, 0x20B);
    pad(to, optional + 56);
    blob_pack(to, "II", IMAGE_SIZE, AT);
    pad(to, optional + 108);
    put_number(to, 16, 4);
    pad(to, optional + 112 + PE_RESOURCE * 8);
    blob_pack(to, "II", RESOURCES, 0x800);
    pad(to, optional + OPTIONAL_SIZE);
    put_bytes(to, ".rsrc\0\0\0", 8);
    blob_pack(to, "IIII", 0x800, RESOURCES, 0x800, AT);
    pad(to, AT);
}

static void put_directory(byte_vec *to, unsigned number, uint32_t to_what)
{
    blob_pack(to, "Q6xH", 0, 2);
    put_number(to, number - 1, 4); /* another first */
    blob_pack(to, "III", to_what, number, to_what);
}

/* Icons before the version. */
static void put_directories(byte_vec *to)
{
    put_directory(to, 16, OTHER | 0x20);
    put_directory(to, 1, OTHER | 0x40);
    put_directory(to, 1033, 0x60);
    blob_pack(to, "II", RESOURCES + VERSION_AT, 0x400);
    pad(to, AT + VERSION_AT);
}

static size_t begin_block(byte_vec *to, unsigned value, bool text,
                          const char *key)
{
    size_t at;

    pad(to, (to->len + 3) / 4 * 4);
    at = to->len;
    blob_pack(to, "HHH", 0, value, text);
    put_utf16(to, key);
    pad(to, (to->len + 3) / 4 * 4);
    return at;
}

static void end_block(byte_vec *to, size_t at)
{
    set_number(to, at, to->len - at, 2);
}

static void put_text(byte_vec *to, const char *key, const char *value)
{
    size_t at = begin_block(to, (unsigned)strlen(value) + 1, true, key);

    put_utf16(to, value);
    end_block(to, at);
}

static void put_version(byte_vec *to, const char *company, const char *product)
{
    size_t version = begin_block(to, 52, false, "VS_VERSION_INFO");
    size_t other, texts, language;

    pad(to, to->len + 52);
    other = begin_block(to, 0, true, "VarFileInfo");
    put_text(to, "CompanyName", "of a list that is another");
    end_block(to, other);
    texts = begin_block(to, 0, true, "StringFileInfo");
    language = begin_block(to, 0, true, "040904b0");
    put_text(to, "Comments", "odd");
    put_text(to, "CompanyName", company);
    put_text(to, "FileDescription", "");
    put_text(to, "ProductName", product);
    end_block(to, language);
    language = begin_block(to, 0, true, "040704b0");
    put_text(to, "CompanyName", "only the first counts");
    end_block(to, language);
    end_block(to, texts);
    end_block(to, version);
}

static byte_vec build(const char *company, const char *product)
{
    byte_vec v = {0};

    put_headers(&v);
    put_directories(&v);
    put_version(&v, company, product);
    pad(&v, AT + 0x800);
    return v;
}

static bool says(const byte_vec *v, struct pe_maker *maker)
{
    struct pe pe;

    ck_assert_int_eq(pe_open(&pe, "a.dll", v->data, v->len, NULL), ERR_NONE);
    return pe_maker(&pe, maker);
}

/* An image without resources, without a version, and cut off anywhere. */
TEST(nothing_is_said)
{
    byte_vec v = build("Contoso", "Shop"), none = build("Contoso", "Shop");
    struct pe_maker maker;

    set_number(&none, AT + 24, 17, 4);
    ck_assert(!says(&none, &maker));
    set_number(&none, HEADER + 24 + 112 + PE_RESOURCE * 8, 0, 4);
    ck_assert(!says(&none, &maker));
    for (v.len = AT; v.len < AT + VERSION_AT + 0x60; v.len++)
        ck_assert(!says(&v, &maker));
    vec_release(&v);
    vec_release(&none);
}

/* Sizes of 0, of everything, and directories that lead to themselves. */
TEST(damage_ends)
{
    struct pe_maker maker;

    for (size_t at = AT; at < AT + 0x300; at += 2) {
        static const uint16_t values[] = {0, 1, 0x7FFF, 0xFFFF};

        for (size_t i = 0; i < 4; i++) {
            byte_vec v = build("Contoso", "Shop");

            set_number(&v, at, values[i], 2);
            says(&v, &maker);
            vec_release(&v);
        }
    }
}

/* ---- modules of a profile ---- */

static void write_image(const char *folder)
{
    byte_vec v = build("Contoso", "Shop");
    char path[TEMP_FOLDER + 20];
    FILE *file;

    snprintf(path, sizeof(path), "%s/shop.dll", folder);
    file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(v.data, 1, v.len, file), v.len);
    fclose(file);
    vec_release(&v);
}

static struct profile *sampled_in(uint32_t stamp, const char *maker)
{
    struct profile *p = profile_new();
    struct module m = {
        .identity = {.timestamp = stamp, .image_size = IMAGE_SIZE}};

    m.name = m.path = strings_add(p->strings, "shop.dll", 8);
    m.maker = strings_add(p->strings, maker, strlen(maker));
    *vec_add(&p->modules) = m;
    profile_location(p, &(struct location){.address = 0x10,
                                           .module = 0,
                                           .method = NO_ID,
                                           .kind = CODE_NATIVE,
                                           .cause = CAUSE_NO_SYMBOLS});
    return p;
}

TEST(modules_of_images_at_hand)
{
    static const struct {
        uint32_t stamp;
        const char *said, *maker;
    } cases[] = {{STAMP, "", "Contoso, Shop"},
                 {STAMP, "Fabrikam, Till", "Fabrikam, Till"},
                 {STAMP + 1, "", ""}};
    char folder[TEMP_FOLDER];

    temp_folder(folder);
    write_image(folder);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct profile *p = sampled_in(cases[i].stamp, cases[i].said);
        struct places places = {.paths = {0}};
        struct naming_options options = {
            .places = &places, .style = DEMANGLE_SHORT, .threads = 1};

        places_add(&places, folder);
        name_profile(p, &options, NULL);
        ck_assert_str_eq(strings_get(p->strings, p->modules.data[0].maker),
                         cases[i].maker);
        places_release(&places);
        profile_free(p);
    }
    temp_folder_remove(folder);
}
