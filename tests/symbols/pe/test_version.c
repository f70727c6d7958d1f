/* Who an image of Windows says it is from. */
#include "symbols/pe/pe.h"

#include "engine/model/profile.h"
#include "symbols/find/places.h"
#include "symbols/naming.h"
#include "tests/support/debug_input.h"
#include "tests/support/pe_writer.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

enum {
    AT = IMAGE_DATA_AT,
    VERSION_AT = 0x100, /* behind the directories */
    OTHER = 1u << 31,
};

static void put_directory(struct blob *to, unsigned number, uint32_t to_what)
{
    blob_pack(to, "Q6xH", 0, 2);
    blob_u32(to, number - 1); /* another first */
    blob_pack(to, "III", to_what, number, to_what);
}

/* Icons before the version. */
static void put_directories(struct blob *to)
{
    put_directory(to, 16, OTHER | 0x20);
    put_directory(to, 1, OTHER | 0x40);
    put_directory(to, 1033, 0x60);
    blob_pack(to, "II", IMAGE_DATA + VERSION_AT, 0x400);
    blob_zero(to, VERSION_AT - to->len);
}

static size_t begin_block(struct blob *to, unsigned value, bool text,
                          const char *key)
{
    size_t at;

    blob_align(to, 4);
    at = to->len;
    blob_pack(to, "HHH", 0, value, text);
    blob_utf16(to, key, 2 * strlen(key) + 2);
    blob_align(to, 4);
    return at;
}

static void end_block(struct blob *to, size_t at)
{
    blob_set(to, at, to->len - at, 2);
}

static void put_text(struct blob *to, const char *key, const char *value)
{
    size_t at = begin_block(to, (unsigned)strlen(value) + 1, true, key);

    blob_utf16(to, value, 2 * strlen(value) + 2);
    end_block(to, at);
}

static void put_version(struct blob *to, const char *company,
                        const char *product)
{
    size_t version = begin_block(to, 52, false, "VS_VERSION_INFO");
    size_t other, texts, language;

    blob_zero(to, 52);
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

static struct blob build(const char *company, const char *product)
{
    struct blob b = pe_image_of(PE_X64, true), resources = {0};

    put_directories(&resources);
    put_version(&resources, company, product);
    memcpy(b.data + AT, resources.data, resources.len);
    free(resources.data);
    pe_set_directory(&b, true, PE_RESOURCE, IMAGE_DATA, IMAGE_DATA_SIZE);
    return b;
}

static bool says(const struct blob *v, struct pe_maker *maker)
{
    struct pe pe;

    ck_assert_int_eq(pe_open(&pe, "a.dll", v->data, v->len, NULL), ERR_NONE);
    return pe_maker(&pe, maker);
}

/* An image without resources, without a version, and cut off anywhere. */
TEST(nothing_is_said)
{
    struct blob v = build("Contoso", "Shop"), none = build("Contoso", "Shop");
    struct pe_maker maker;

    blob_set(&none, AT + 24, 17, 4);
    ck_assert(!says(&none, &maker));
    pe_set_directory(&none, true, PE_RESOURCE, 0, 0);
    ck_assert(!says(&none, &maker));
    for (v.len = AT; v.len < AT + VERSION_AT + 0x60; v.len++)
        ck_assert(!says(&v, &maker));
    free(v.data);
    free(none.data);
}

/* Sizes of 0, of everything, and directories that lead to themselves. */
TEST(damage_ends)
{
    struct pe_maker maker;

    for (size_t at = AT; at < AT + 0x300; at += 2) {
        static const uint16_t values[] = {0, 1, 0x7FFF, 0xFFFF};

        for (size_t i = 0; i < 4; i++) {
            struct blob v = build("Contoso", "Shop");

            blob_set(&v, at, values[i], 2);
            says(&v, &maker);
            free(v.data);
        }
    }
}

/* ---- modules of a profile ---- */

static void write_image(const char *folder)
{
    struct blob v = build("Contoso", "Shop");
    char path[TEMP_FOLDER + 20];
    FILE *file;

    snprintf(path, sizeof(path), "%s/shop.dll", folder);
    file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(v.data, 1, v.len, file), v.len);
    fclose(file);
    free(v.data);
}

static struct profile *sampled_in(uint32_t stamp, const char *maker)
{
    struct profile *p = profile_new();
    struct module m = {.identity = {.timestamp = stamp, .image_size = 0x9000}};

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
    } cases[] = {{0x5F000001, "", "Contoso, Shop"},
                 {0x5F000001, "Fabrikam, Till", "Fabrikam, Till"},
                 {0x5F000002, "", ""}};
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
