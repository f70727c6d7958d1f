/* The image and the PDB of a module of Windows, in a folder of its own. */

#include "symbols/find/module.h"
#include "tests/support/debug_input.h"
#include "tests/support/msf_writer.h"
#include "tests/support/pe_writer.h"
#include "tests/support/suite.h"
#include "tests/support/temp_folder.h"

struct world {
    char folder[TEMP_FOLDER];
    struct profile *p;
    struct places places;
    struct err err;
};

static void put(const struct world *w, const char *name, const void *data,
                size_t size)
{
    temp_folder_put(w->folder, name, data, size);
}

/* A file of testdata/pdb, a text that begins as one does, or nothing. */
static void put_copy(const struct world *w, const char *name, const char *of)
{
    char path[100];
    uint8_t *data;
    size_t size;

    if (!of)
        return;
    if (!strcmp(of, "broken")) {
        put(w, name, "MZ is all", 9);
        return;
    }
    snprintf(path, sizeof(path), "testdata/pdb/%s", of);
    data = read_whole_file(path, &size);
    ck_assert_ptr_nonnull(data);
    put(w, name, data, size);
    free(data);
}

/* A module as the trace tells of mixer.exe, with or without its PDB. */
static void start(struct world *w, bool tells_pdb)
{
    struct debug_input *in = debug_input_open(NULL, "testdata/pdb/mixer.exe");
    struct module m = {.identity = in->file->identity};

    *w = (struct world){.p = profile_new()};
    temp_folder(w->folder);
    m.name = m.path = strings_add(w->p->strings, "mixer.exe", 9);
    if (tells_pdb) {
        struct debug_input *pdb =
            debug_input_open(NULL, "testdata/pdb/mixer.pdb");

        memcpy(m.identity.guid, pdb->file->identity.guid, 16);
        m.identity.age = 1;
        m.identity.pdb_name =
            strings_add(w->p->strings, "C:\\b\\mixer.pdb", 14);
        debug_input_close(pdb);
    }
    *vec_add(&w->p->modules) = m;
    debug_input_close(in);
    places_add(&w->places, w->folder);
}

static void stop(struct world *w)
{
    places_release(&w->places);
    profile_free(w->p);
    temp_folder_remove(w->folder);
}

struct row {
    bool tells_pdb;
    const char *exe, *pdb;
    enum find_cause image, debug;
    enum name_cause cause;
    bool complete, uses_debug;
};

static const struct row rows[] = {
    {true, NULL, NULL, FIND_ABSENT, FIND_ABSENT, CAUSE_NO_SYMBOLS, 0, 0},
    {true, "mixer.exe", "mixer.pdb", FIND_OK, FIND_OK, CAUSE_OUTSIDE, 1, 1},
    {true, NULL, "mixer.pdb", FIND_ABSENT, FIND_OK, CAUSE_OUTSIDE, 1, 1},
    {true, "mixer.exe", NULL, FIND_OK, FIND_ABSENT, CAUSE_NO_SYMBOLS, 0, 0},
    {true, "mixer.exe", "broken", FIND_OK, FIND_BROKEN, CAUSE_BROKEN, 0, 0},
    {true, "broken", NULL, FIND_BROKEN, FIND_ABSENT, CAUSE_BROKEN, 0, 0},
    {true, "mixer.exe", "mixer-public.pdb", FIND_OK, FIND_MISMATCH,
     CAUSE_MISMATCH, 0, 0},
    {true, "mixer-public.exe", NULL, FIND_MISMATCH, FIND_ABSENT, CAUSE_MISMATCH,
     0, 0},
    {true, "mixer-public.exe", "broken", FIND_MISMATCH, FIND_BROKEN,
     CAUSE_BROKEN, 0, 0},
    {true, "broken", "mixer-public.pdb", FIND_BROKEN, FIND_MISMATCH,
     CAUSE_BROKEN, 0, 0},
    {true, "broken", "mixer.pdb", FIND_BROKEN, FIND_OK, CAUSE_OUTSIDE, 1, 1},
    {false, "mixer.exe", "mixer.pdb", FIND_OK, FIND_OK, CAUSE_OUTSIDE, 1, 1},
    {false, "mixer.exe", NULL, FIND_OK, FIND_ABSENT, CAUSE_NO_SYMBOLS, 0, 0},
    {false, NULL, "mixer.pdb", FIND_ABSENT, FIND_NOT_NAMED, CAUSE_NO_SYMBOLS, 0,
     0},
};

TEST(what_is_there)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct row *r = &rows[i];
        struct module_files files;
        struct world w;

        start(&w, r->tells_pdb);
        put_copy(&w, "mixer.exe", r->exe);
        put_copy(&w, "mixer.pdb", r->pdb);
        files = find_module(w.p, 0, &w.places);
        ck_assert_msg(files.image.cause == r->image, "%zu: image: %s", i,
                      find_cause_text(files.image.cause));
        ck_assert_msg(files.debug.cause == r->debug, "%zu: PDB: %s", i,
                      find_cause_text(files.debug.cause));
        ck_assert_msg(files.cause == r->cause, "%zu", i);
        ck_assert(files.is_complete == r->complete);
        ck_assert(files.uses_debug == r->uses_debug);
        ck_assert((files.pe.section_count > 0) == (r->image == FIND_OK));
        module_files_release(&files);
        stop(&w);
    }
}
