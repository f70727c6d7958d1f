/* Precompiled code of mapped files: a profile by hand, as the Linux recorder
 * makes it. */
#include "symbols/find/places.h"
#include "symbols/name_source.h"
#include "symbols/naming.h"
#include "tests/support/code_scenario.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"
#include "tests/support/temp_folder.h"

struct world {
    struct profile *p;
    byte_vec image;
    char path[TEMP_PATH];
    struct places places;
};

static uint32_t text(struct profile *p, const char *s)
{
    return strings_add(p->strings, s, strlen(s));
}

/* The GUID stands behind "RSDS". */
static void take_guid(struct identity *id, const byte_vec *image)
{
    const uint8_t *at = memmem(image->data, image->len, "RSDS", 4);

    ck_assert(at);
    memcpy(id->guid, at + 4, sizeof(id->guid));
}

static uint32_t add_address(struct world *w, unsigned piece, uint32_t offset,
                            bool caller)
{
    uint32_t rva = ASSEMBLY_CODE + piece * ASSEMBLY_STRIDE + offset;
    struct location l = {.address = rva - 0x1000 + 0x200,
                         .module = 0,
                         .method = NO_ID,
                         .kind = CODE_NATIVE,
                         .cause = CAUSE_NO_SYMBOLS,
                         .caller = caller};

    return profile_location(w->p, &l);
}

static void begin(struct world *w)
{
    struct module *m;

    *w = (struct world){.p = profile_new()};
    code_assembly(&w->image, false);
    temp_file(w->path, w->image.data, w->image.len);
    places_add(&w->places, w->path);
    *vec_add(&w->p->processes) = (struct process){.pid = 5};
    *vec_add(&w->p->mappings) = (struct mapping){.module = 0};
    m = vec_add(&w->p->modules);
    *m = (struct module){.path = text(w->p, "/srv/shop/bin/Shop.dll"),
                         .name = text(w->p, "Shop.dll"),
                         .by_file_offset = true};
    m->identity.pdb_name = text(w->p, "Shop.pdb");
    take_guid(&m->identity, &w->image);
}

static void end(struct world *w)
{
    unlink(w->path);
    places_release(&w->places);
    vec_release(&w->image);
    profile_free(w->p);
}

static void name(struct world *w)
{
    name_from((const struct name_source *const[]){&precompiled_source,
                                                  &mapped_code_source, NULL},
              w->p, &(struct naming_options){.places = &w->places}, NULL);
}

static const char *name_of(const struct world *w, uint32_t location)
{
    uint32_t method = w->p->locations.data[location].method;

    return method == NO_ID
               ? ""
               : strings_get(w->p->strings,
                             methods_get(&w->p->methods, method).full_name);
}

/* Both bodies of a method, jitted and precompiled, are of one module. */
TEST(one_module)
{
    struct world w;
    uint32_t leaf;

    begin(&w);
    *vec_add(&w.p->modules) = (struct module){
        .path = text(w.p, "Shop"), .name = text(w.p, "Shop"), .managed = true};
    leaf = add_address(&w, 0, 0, false);
    name(&w);
    ck_assert_uint_eq(w.p->modules.len, 2);
    ck_assert_uint_eq(
        methods_get(&w.p->methods, w.p->locations.data[leaf].method).module, 1);
    ck_assert_str_eq(strings_get(w.p->strings, w.p->modules.data[0].symbols),
                     w.path);
    end(&w);
}

TEST(another_build)
{
    struct world w;
    uint32_t leaf;

    begin(&w);
    w.p->modules.data[0].identity.guid[3]++;
    leaf = add_address(&w, 0, 0, false);
    name(&w);
    ck_assert_uint_eq(w.p->locations.data[leaf].method, NO_ID);
    ck_assert_uint_eq(w.p->methods.len, 0);
    end(&w);
}

/* As perf records it: a path, and what was mapped of the file. */
static void begin_unnamed(struct world *w, const char *folder, uint64_t mapped)
{
    FILE *file;

    begin(w);
    unlink(w->path);
    snprintf(w->path, sizeof(w->path), "%s/Shop.dll", folder);
    file = fopen(w->path, "w");
    ck_assert(file && fwrite(w->image.data, 1, w->image.len, file));
    fclose(file);
    places_release(&w->places);
    places_add(&w->places, folder);
    w->p->modules.data[0].identity = (struct identity){.build_id_size = 0};
    w->p->mappings.data[0] =
        (struct mapping){.module = 0, .base = 0x7F0000000000, .size = mapped};
}

/* Addresses that calls return to, or not; whether all of it was mapped. */
static const struct unnamed {
    uint32_t offset;
    bool less;
    const char *name;
} unnamed[] = {
    {ASSEMBLY_CALL, false, "Shop.List`1[System.Int32].Add(!0)"},
    {ASSEMBLY_CALL + 1, false, ""}, /* in the middle of an instruction */
    {ASSEMBLY_CALL, true, ""},
};

static void name_unnamed(const struct unnamed *u, const char *folder,
                         uint64_t pages)
{
    struct world w;
    uint32_t caller, leaf;

    begin_unnamed(&w, folder, (pages - u->less) * 4096);
    caller = add_address(&w, 4, u->offset, true);
    leaf = add_address(&w, 0, 0, false);
    name(&w);
    ck_assert_str_eq(name_of(&w, caller), u->name);
    ck_assert_str_eq(name_of(&w, leaf), *u->name ? "Shop.Store.Open()" : "");
    if (!*u->name)
        ck_assert_int_eq(w.p->locations.data[leaf].cause, CAUSE_MISMATCH);
    end(&w);
}

TEST(without_identity)
{
    char folder[TEMP_FOLDER];
    byte_vec image = {0};

    temp_folder(folder);
    code_assembly(&image, false);
    for (size_t i = 0; i < COUNT(unnamed); i++)
        name_unnamed(&unnamed[i], folder, (image.len + 4095) / 4096);
    vec_release(&image);
    temp_folder_remove(folder);
}

/* At the path that the trace has, if it is the same build: another one may be
 * there on this machine. */
TEST(at_its_path)
{
    for (int other = 0; other < 2; other++) {
        struct world w;
        uint32_t leaf;

        begin(&w);
        w.p->modules.data[0].path = text(w.p, w.path);
        w.p->modules.data[0].identity.guid[0] ^= (uint8_t)other;
        places_release(&w.places);
        w.places = (struct places){.paths = {0}};
        leaf = add_address(&w, 0, 0, false);
        name(&w);
        ck_assert((w.p->locations.data[leaf].method == NO_ID) == other);
        end(&w);
    }
}
