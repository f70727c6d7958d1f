/* Where the files that a debug file refers to are looked for. */
#include "engine/base/path.h"
#include "symbols/find/companions.h"

#include <sys/stat.h>

#include "symbols/find/found_file.h"
#include "tests/support/dwarf_writer.h"
#include "tests/support/elf_writer.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

#define ID 0x0123456789ABCDEFu

static char root[] = "/tmp/topfn-companions.XXXXXX";
static char debug_root[sizeof(root) + 8];

/* Below the root, whose folders are made. */
static char *path_of(const char *name)
{
    char *path = path_join(root, name);

    for (char *at = path + strlen(root) + 1; (at = strchr(at, '/')) != NULL;
         *at++ = '/') {
        *at = '\0';
        (void)mkdir(path, 0700);
    }
    return path;
}

static void write_file(const char *name, const struct blob *b)
{
    temp_folder_put(root, name, b->data, b->len);
}

static void remove_file(const char *name)
{
    char *path = path_of(name);

    remove(path);
    free(path);
}

/* A file with a build-id, whose first byte is given. */
static struct blob alternate(uint8_t first)
{
    struct blob note = {0}, info = {0}, file;

    blob_u64(&info, 1);
    blob_pack(&note, "III", 4, 4, NT_GNU_BUILD_ID);
    blob_bytes(&note, "GNU", 4);
    blob_bytes(&note, (const uint8_t[]){first, 0x34, 0x56, 0x78}, 4);
    file = elf_of(
        (struct elf_part[]){{".note", SHT_NOTE, 0, 0, &note, 0, 0},
                            {".debug_info", SHT_PROGBITS, 0, 0, &info, 0, 0}},
        2);
    free(info.data);
    free(note.data);
    return file;
}

/* A file with a split unit. */
static struct blob split(uint64_t id)
{
    struct dwarf_parts d = {.version = 5, .type = DW_UT_split_compile};
    struct blob file;

    DWARF_ABBREV(&d, 1, DW_TAG_compile_unit, false, DW_AT_language,
                 DW_FORM_data1);
    dwarf_unit_begin(&d);
    blob_u64(dwarf_info(&d), id);
    blob_bytes(dwarf_info(&d), "\1\4", 2);
    dwarf_unit_end(&d);
    file = elf_of((struct elf_part[]){{".debug_info.dwo", SHT_PROGBITS, 0, 0,
                                       dwarf_info(&d), 0, 0},
                                      {".debug_abbrev.dwo", SHT_PROGBITS, 0, 0,
                                       dwarf_part(&d, ".debug_abbrev"), 0, 0}},
                  2);
    dwarf_parts_release(&d);
    return file;
}

static struct blob file_for(enum dwarf_companion_kind kind)
{
    return kind == DWARF_ALTERNATE ? alternate(0x12) : split(ID);
}

/* What is wanted of a kind; `name` may be below the root. */
static struct dwarf_companion wanted_of(enum dwarf_companion_kind kind,
                                        const char *name, const char *folder)
{
    static const uint8_t id[] = {0x12, 0x34, 0x56, 0x78};

    return (struct dwarf_companion){.kind = kind,
                                    .name = name,
                                    .folder = folder,
                                    .build_id = {id, sizeof(id)},
                                    .split_id = ID};
}

/* The companions of app/prog.debug, with two places beside it. */
static struct companions *open_world(struct places *places)
{
    static const char *const names[] = {"one/", "two/"};
    struct companions *c;
    char *path = path_of("app/prog.debug");

    *places = (struct places){.debug_root = debug_root};
    for (size_t i = 0; i < 2; i++) {
        char *place = path_of(names[i]);

        places_add(places, place);
        free(place);
    }
    c = companions_new(path, places);
    free(path);
    return c;
}

static const struct {
    enum dwarf_companion_kind kind;
    const char *name;
    const char *at; /* where there is such a file */
    bool found;
} rows[] = {
    {DWARF_ALTERNATE, "x/a.alt", "two/.build-id/12/345678.debug", true},
    {DWARF_ALTERNATE, "x/a.alt", "two/.build-id/12/345679.debug", false},
    {DWARF_ALTERNATE, "x/a.alt", "app/a.alt", true},
    {DWARF_ALTERNATE, "x/a.alt", "one/a.alt", true},
    {DWARF_ALTERNATE, "x/a.alt", "two/a.alt", true},
    {DWARF_ALTERNATE, "x/a.alt", "app/.dwz/a.alt", true},
    {DWARF_ALTERNATE, "x/a.alt", "two/.dwz/a.alt", true},
    {DWARF_ALTERNATE, "x/a.alt", "debug/.dwz/a.alt", true},
    {DWARF_ALTERNATE, "x/a.alt", "debug/.build-id/12/345678.debug", true},
    {DWARF_ALTERNATE, "x/a.alt", "debug/a.alt", false},
    {DWARF_ALTERNATE, "x/a.alt", "app/x/a.alt", true},
    {DWARF_ALTERNATE, "x/a.alt", "two/x/a.alt", false},
    {DWARF_ALTERNATE, "../y/a.alt", "y/a.alt", true},
    {DWARF_ALTERNATE, "..", "app/a.alt", false},
    {DWARF_SPLIT_UNIT, "s/u.dwo", "app/s/u.dwo", true},
    {DWARF_SPLIT_UNIT, "s/u.dwo", "two/s/u.dwo", true},
    {DWARF_SPLIT_UNIT, "s/u.dwo", "app/u.dwo", true},
    {DWARF_SPLIT_UNIT, "s/u.dwo", "two/u.dwo", true},
    {DWARF_SPLIT_UNIT, "s/u.dwo", "build/s/u.dwo", true}, /* its folder */
    {DWARF_SPLIT_UNIT, "s/u.dwo", "build/u.dwo", false},
    {DWARF_SPLIT_UNIT, "../z/u.dwo", "z/u.dwo", true},
    {DWARF_SPLIT_UNIT, "s/../../z/u.dwo", "z/u.dwo", true},
    {DWARF_PACKAGE, NULL, "app/prog.debug.dwp", true},
    {DWARF_PACKAGE, NULL, "app/prog.dwp", true},
    {DWARF_PACKAGE, NULL, "two/prog.dwp", true},
    {DWARF_PACKAGE, NULL, "two/prog.debug.dwp", true},
    {DWARF_PACKAGE, NULL, "app/pro.dwp", false},
};

TEST(places_of_files)
{
    char *folder = path_of("build");

    (void)mkdir(folder, 0700);
    free(path_of("app/s/"));
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct blob b = file_for(rows[i].kind);
        struct dwarf_companion wanted =
            wanted_of(rows[i].kind, rows[i].name, folder);
        struct places places;
        struct companions *c = open_world(&places);
        const uint8_t *data = NULL;
        size_t size = 0;

        write_file(rows[i].at, &b);
        ck_assert_msg(companions_find(c, &wanted, &data, &size) ==
                          rows[i].found,
                      "%s", rows[i].at);
        if (rows[i].found) {
            ck_assert_uint_eq(size, b.len);
            ck_assert_mem_eq(data, b.data, size);
        }
        remove_file(rows[i].at);
        companions_free(c);
        places_release(&places);
        free(b.data);
    }
    free(folder);
}

/* DWARF 5 tells which one it is by a checksum, in a section of its own. */
TEST(known_by_checksum)
{
    static const struct {
        uint8_t bytes[10], n;
        bool same;
    } sums[] = {
        {{5, 0, 1, 0, 4, 0x12, 0x34, 0x56, 0x78}, 9, true},
        {{5, 0, 1, 0, 4, 0x12, 0x34, 0x56, 0x78, 0}, 10, true},
        {{5, 0, 1, 0, 4, 0x12, 0x34, 0x56, 0x79}, 9, false},
        {{5, 0, 1, 0, 3, 0x12, 0x34, 0x56, 0x78}, 9, false},
        {{5, 0, 1, 0, 5, 0x12, 0x34, 0x56, 0x78, 0}, 10, false},
        {{5, 0, 1, 0, 4, 0x12, 0x34, 0x56}, 8, false},
        {{4, 0, 1, 0, 4, 0x12, 0x34, 0x56, 0x78}, 9, false},
        {{5, 0, 0, 0, 4, 0x12, 0x34, 0x56, 0x78}, 9, false},
    };

    for (size_t i = 0; i < COUNT(sums); i++) {
        struct dwarf_companion wanted =
            wanted_of(DWARF_ALTERNATE, "a.alt", NULL);
        struct blob sup = {0}, file;
        struct places places;
        struct companions *c = open_world(&places);
        const uint8_t *data;
        size_t size;

        blob_bytes(&sup, sums[i].bytes, sums[i].n);
        file = elf_of(
            (struct elf_part[]){{".debug_sup", SHT_PROGBITS, 0, 0, &sup, 0, 0}},
            1);
        write_file("app/a.alt", &file);
        ck_assert_msg(companions_find(c, &wanted, &data, &size) == sums[i].same,
                      "row %zu", i);
        remove_file("app/a.alt");
        companions_free(c);
        places_release(&places);
        free(sup.data);
        free(file.data);
    }
}

/* Outside of all folders only as the file has it. */
TEST(stored_paths)
{
    char *path = path_of("far/away.alt");
    struct blob b = alternate(0x12);
    struct dwarf_companion wanted = wanted_of(DWARF_ALTERNATE, path, NULL);
    struct places places;
    struct companions *c = open_world(&places);
    const uint8_t *data;
    size_t size;

    ck_assert(!companions_find(c, &wanted, &data, &size));
    write_file("far/away.alt", &b);
    ck_assert(companions_find(c, &wanted, &data, &size));
    wanted = wanted_of(DWARF_SPLIT_UNIT, "far/away.alt", NULL);
    ck_assert(!companions_find(c, &wanted, &data, &size));
    remove_file("far/away.alt");
    companions_free(c);
    places_release(&places);
    free(b.data);
    free(path);
}

/* A package that is of another build is told of only where its unit is not
 * found by itself; of a hundred missing files each is named. */
TEST(packages_that_are_missing)
{
    struct found found = found_nothing(NULL);
    struct blob b = split(ID + 1);
    struct dwarf_companion package = wanted_of(DWARF_PACKAGE, NULL, NULL);
    struct dwarf_companion unit = wanted_of(DWARF_SPLIT_UNIT, "u.dwo", NULL);
    struct places places;
    struct companions *c = open_world(&places);
    const uint8_t *data;
    size_t size;

    write_file("app/prog.dwp", &b);
    ck_assert(!companions_find(c, &package, &data, &size));
    for (int i = 0; i < LOST_KEPT + 5; i++)
        ck_assert(!companions_find(c, &unit, &data, &size));
    companions_tell(c, &found);
    ck_assert_uint_eq(found.lost.len, LOST_KEPT);
    ck_assert_uint_eq(found.lost_count, LOST_KEPT + 5);
    ck_assert_int_eq(found.lost.data[0].cause, FIND_MISMATCH);
    ck_assert_ptr_nonnull(strstr(found.lost.data[0].path, "app/prog.dwp"));
    remove_file("app/prog.dwp");
    companions_free(c);
    places_release(&places);
    found_release(&found);
    free(b.data);
}

SUITE
{
    int status;

    if (!mkdtemp(root))
        return 1;
    snprintf(debug_root, sizeof(debug_root), "%s/debug", root);
    status = run_tests();
    temp_folder_remove(root);
    return status;
}
