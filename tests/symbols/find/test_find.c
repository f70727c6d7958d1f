/* Symbol stores, and what came in a container with the trace. */
#include "engine/base/path.h"
#include "symbols/find/places.h"
#include "symbols/find/module.h"
#include "symbols/find/pdb.h"
#include "tests/support/cab_writer.h"
#include "tests/support/debug_input.h"
#include "tests/support/module_frames.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"
#include "tests/support/zip_writer.h"

#define KEY "864200C9238CE0B84C4C44205044422E1"

static char folder[TEMP_FOLDER];

static void write_file(const char *name, const void *data, size_t n)
{
    temp_folder_put(folder, name, data, n);
}

static void write_text(const char *name, const char *text)
{
    write_file(name, text, strlen(text));
}

static struct debug_input *pdb(const char *name)
{
    char path[100];

    snprintf(path, sizeof(path), "testdata/pdb/%s", name);
    return debug_input_open(NULL, path);
}

/* What mixer.exe wants. */
static struct found find(struct places *places)
{
    struct pe_codeview cv = {.age = 1};
    struct debug_input *in = pdb("mixer.pdb");
    static const char path[] = "C:\\build\\mixer.pdb";

    cv.path = (struct bytes){(const uint8_t *)path, sizeof(path) - 1};
    memcpy(cv.guid, in->file->identity.guid, sizeof(cv.guid));
    debug_input_close(in);
    return find_pdb(&cv, NULL, places);
}

static struct found find_in(struct places *places, const char *place)
{
    char path[300];

    snprintf(path, sizeof(path), "%s/%s", folder, place);
    places_add(places, path);
    return find(places);
}

static void assert_found(const char *place, enum find_cause cause,
                         const char *reason)
{
    struct places places = {.paths = {0}};
    struct found found = find_in(&places, place);

    ck_assert_msg(found.cause == cause, "%s: %s", place,
                  find_cause_text(found.cause));
    ck_assert_int_eq(found.file != NULL, cause == FIND_OK);
    if (reason) {
        ck_assert_uint_gt(found.probes.len, 0);
        ck_assert_str_eq(found.probes.data[found.probes.len - 1].reason,
                         reason);
    }
    found_release(&found);
    places_release(&places);
}

static struct blob packed_pdb(void)
{
    struct debug_input *in = pdb("mixer.pdb");
    struct blob cab = {0};

    cab_make(&cab, in->data, in->size, true);
    debug_input_close(in);
    return cab;
}

TEST(packed_files)
{
    struct blob cab = packed_pdb();

    write_file("store/mixer.pdb/" KEY "/mixer.pd_", cab.data, cab.len);
    write_file("flat/MIXER.PD_", cab.data, cab.len);
    /* A server may give a cabinet under the plain name. */
    write_file("plain/mixer.pdb", cab.data, cab.len);
    write_file("cut/mixer.pd_", cab.data, cab.len / 2);
    write_file("lower/mixer.pdb/864200c9238ce0b84c4c44205044422e1/mixer.pd_",
               cab.data, cab.len);
    assert_found("store", FIND_OK, NULL);
    assert_found("flat", FIND_OK, NULL);
    assert_found("plain", FIND_OK, NULL);
    assert_found("cut", FIND_BROKEN, NULL);
    assert_found("lower", FIND_OK, NULL);
    free(cab.data);
}

/* Of two tiers, and where a name is no folder. */
TEST(stores)
{
    struct debug_input *in = pdb("mixer.pdb");

    write_text("two/index2.txt", "");
    write_file("two/mi/mixer.pdb/" KEY "/mixer.pdb", in->data, in->size);
    write_text("flat2/index2.txt", "");
    write_file("flat2/mixer.pdb/" KEY "/mixer.pdb", in->data, in->size);
    write_file("one/mi/mixer.pdb/" KEY "/mixer.pdb", in->data, in->size);
    write_file("other/mixer.pdb/1/mixer.pdb", in->data, in->size);
    write_file("portable/mixer.pdb/864200C9238CE0B84C4C44205044422EFFFFFFFF"
               "/mixer.pdb",
               in->data, in->size);
    assert_found("two", FIND_OK, NULL);
    assert_found("flat2", FIND_OK, NULL);
    assert_found("one", FIND_ABSENT, NULL);
    assert_found("other", FIND_ABSENT, NULL);
    assert_found("portable", FIND_OK, NULL);
    debug_input_close(in);
}

/* ---- containers ---- */

static void assert_inside(const struct zip_member *members, size_t n,
                          enum find_cause cause)
{
    struct places places = {.paths = {0}};
    struct blob zip = zip_make(members, n);
    struct container *c;
    struct found found;
    char path[300];

    write_file("a.etl.zip", zip.data, zip.len);
    snprintf(path, sizeof(path), "%s/a.etl.zip", folder);
    c = container_open(path, NULL);
    ck_assert(c);
    places.inside = inside_new(&c, 1);
    found = find_in(&places, "nowhere");
    ck_assert_msg(found.cause == cause, "%s: %s", members[1].name,
                  find_cause_text(found.cause));
    ck_assert_int_eq(found.inside, cause == FIND_OK);
    if (found.inside)
        ck_assert(strstr(found.path, "a.etl.zip!"));
    found_release(&found);
    places_release(&places);
    container_close(c);
    free(zip.data);
}

TEST(inside_a_container)
{
    struct debug_input *in = pdb("mixer.pdb"), *other = pdb("mixer-public.pdb");
    struct blob cab = packed_pdb();
    struct zip_member members[] = {{"a.etl", "etl", 3, true},
                                   {"", in->data, in->size, true},
                                   {"x", "", 0, false}};
    static const char *const good[] = {
        "symbols\\mixer.pdb\\" KEY "\\mixer.pdb",
        "symbols/mixer.pdb", "MIXER.PDB", "symbols/mixer.pd_"};
    static const char *const bad[] = {"symbols/remixer.pdb", "mixer.pdb/x"};

    for (size_t i = 0; i < 4; i++) {
        members[1].name = good[i];
        assert_inside(members, 3, FIND_OK);
    }
    for (size_t i = 0; i < 2; i++) {
        members[1].name = bad[i];
        assert_inside(members, 3, FIND_ABSENT);
    }
    members[1] = (struct zip_member){"s/mixer.pdb", other->data, other->size,
                                     true};
    assert_inside(members, 2, FIND_MISMATCH);
    members[2] = (struct zip_member){"t/mixer.pd_", cab.data, cab.len, false};
    assert_inside(members, 3, FIND_OK);
    members[1].size = 1000;
    assert_inside(members, 2, FIND_BROKEN);
    debug_input_close(in);
    debug_input_close(other);
    free(cab.data);
}

/* An image with DWARF in it names more than exports. */
TEST(an_image_with_dwarf)
{
    struct debug_input *in =
        debug_input_open("symbolic-windows", "hello-dwarf.exe");
    struct places places = {.paths = {0}};
    struct profile *p = profile_new();
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    struct module_files files;
    bool lines = false;

    if (!in) {
        suite_skip(1, "no real symbol files");
        profile_free(p);
        return;
    }
    *vec_add(&p->modules) = (struct module){
        .name = strings_add(p->strings, "HELLO-DWARF.EXE", 15),
        .identity = in->file->identity};
    places_add_beside(&places, in->path);
    files = find_module(p, 0, &places);
    ck_assert(files.is_complete);
    for (uint64_t rva = 0x1000; rva < 0x3000 && !lines; rva++)
        lines = module_frames(&files, rva, frames, DEBUG_FRAMES_MAX) &&
                frames[0].line;
    ck_assert(lines);
    module_files_release(&files);
    places_release(&places);
    profile_free(p);
    debug_input_close(in);
}

/* Streams of zeros are no other build's. */
TEST(damaged_files)
{
    struct debug_input *in = pdb("mixer.pdb");

    memset(in->data + 0x1000, 0, in->size - 0x1000);
    write_file("z/mixer.pdb", in->data, in->size);
    assert_found("z", FIND_BROKEN, NULL);
    debug_input_close(in);
}

SUITE
{
    int status;

    temp_folder(folder);
    status = run_tests();
    temp_folder_remove(folder);
    return status;
}
