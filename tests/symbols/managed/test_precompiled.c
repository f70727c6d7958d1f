/* Precompiled code of recordings without addresses of images: where it lies is
 * inferred. A profile by hand, as the runtime's own recorder makes it. */
#include "symbols/find/places.h"
#include "symbols/name_source.h"
#include "symbols/naming.h"
#include "tests/support/code_scenario.h"
#include "tests/support/suite.h"
#include "tests/support/temp_file.h"
#include "tests/support/temp_folder.h"

struct world {
    struct profile *p;
    char path[TEMP_PATH];
    struct places places;
    struct naming_log log;
};

static uint32_t text(struct profile *p, const char *s)
{
    return strings_add(p->strings, s, strlen(s));
}

static void add_sample(struct world *w, uint32_t process)
{
    *vec_add(&w->p->threads) = (struct thread){.process = process};
    profile_sample(w->p,
                   &(struct sample){.thread = (uint32_t)w->p->threads.len - 1,
                                    .weight = 1});
}

static void begin(struct world *w)
{
    byte_vec image = {0};
    const uint8_t *guid;
    struct module m;

    *w = (struct world){.p = profile_new()};
    code_assembly(&image, false);
    temp_file(w->path, image.data, image.len);
    places_add(&w->places, w->path);
    *vec_add(&w->p->processes) = (struct process){.pid = 5};
    *vec_add(&w->p->processes) = (struct process){.pid = 6};
    add_sample(w, 0);
    m = (struct module){.path = text(w->p, "/srv/shop/bin/Shop.dll"),
                        .name = text(w->p, "Shop.dll"),
                        .managed = true};
    guid = memmem(image.data, image.len, "RSDS", 4); /* behind that */
    ck_assert_ptr_nonnull(guid);
    memcpy(m.identity.guid, guid + 4, sizeof(m.identity.guid));
    m.identity.pdb_name = text(w->p, "Shop.pdb");
    *vec_add(&w->p->modules) = m;
    vec_release(&image);
}

static void end(struct world *w)
{
    unlink(w->path);
    naming_log_release(&w->log);
    places_release(&w->places);
    profile_free(w->p);
}

static uint64_t address_of(unsigned piece, uint32_t offset)
{
    return CODE_BASE + ASSEMBLY_CODE + piece * ASSEMBLY_STRIDE + offset;
}

static struct location plain(uint64_t address)
{
    return (struct location){.address = address,
                             .module = NO_ID,
                             .method = NO_ID,
                             .kind = CODE_UNKNOWN,
                             .cause = CAUSE_NO_IMAGE};
}

/* To four places where calls return to. */
static void add_calls(struct world *w)
{
    for (unsigned i = 0; i < 4; i++) {
        struct location l = plain(address_of(i, ASSEMBLY_CALL));

        l.caller = true;
        profile_location(w->p, &l);
    }
}

/* The name that the location gets. */
static const char *name(struct world *w, const struct location *l)
{
    uint32_t location = profile_location(w->p, l), method;

    name_from((const struct name_source *const[]){&precompiled_source, NULL},
              w->p, &(struct naming_options){.places = &w->places}, &w->log);
    method = w->p->locations.data[location].method;
    return method == NO_ID ? ""
                           : strings_get(w->p->strings,
                                         w->p->methods.data[method].full_name);
}

static const char *name_of_leaf(struct world *w)
{
    struct location l = plain(address_of(3, 1));

    return name(w, &l);
}

#define HASH "Shop.Store+Key.get_Hash()"

static void put_file(const char *folder, const char *name, byte_vec *bytes)
{
    temp_folder_put(folder, name, bytes->data, bytes->len);
    vec_release(bytes);
}

/* The code of an assembly may be in a composite image beside it, which is used
 * if it was made of that build. */
TEST(in_a_composite)
{
    for (int other = 0; other < 2; other++) {
        byte_vec shop = {0}, all = {0};
        char folder[TEMP_FOLDER];
        struct world w;

        begin(&w);
        temp_folder(folder);
        code_component(&shop, other);
        code_composite(&all);
        put_file(folder, "Shop.dll", &shop);
        put_file(folder, "all.r2r.dll", &all);
        places_release(&w.places);
        w.places = (struct places){.paths = {0}};
        places_add(&w.places, folder);
        add_calls(&w);
        ck_assert_str_eq(name_of_leaf(&w), other ? "" : HASH);
        if (!other)
            ck_assert_str_eq(
                strings_get(w.p->strings,
                            w.p->modules.data[methods_get(&w.p->methods, 0)
                                                  .module].name),
                "Shop");
        temp_folder_remove(folder);
        end(&w);
    }
}

/* Code elsewhere, and what already has a name or can have none. */
TEST(what_is_not_asked)
{
    struct location none = plain(address_of(3, 1)), l;
    struct world w;

    begin(&w);
    methods_add(&w.p->methods, &(struct method){.module = NO_ID});
    add_calls(&w);
    l = none;
    l.kind = CODE_NATIVE;
    ck_assert_str_eq(name(&w, &l), "");
    l = none;
    l.module = 0;
    ck_assert_str_eq(name(&w, &l), "");
    l = none;
    l.method = 0;
    ck_assert_str_eq(name(&w, &l), "");
    l = none;
    l.cause = CAUSE_NONE;
    ck_assert_str_eq(name(&w, &l), "");
    l = none;
    l.cause = CAUSE_NO_STACK;
    ck_assert_str_eq(name(&w, &l), "");
    l = none;
    l.address = address_of(0, 0) - 1;
    ck_assert_str_eq(name(&w, &l), "");
    l.address = address_of(CODE_PIECES, 0);
    ck_assert_str_eq(name(&w, &l), "");
    l.address = address_of(3, ASSEMBLY_PIECE + 1); /* padding */
    ck_assert_str_eq(name(&w, &l), "");
    l.address = address_of(3, ASSEMBLY_PIECE); /* of a call at its end */
    ck_assert_str_eq(name(&w, &l), HASH);
    end(&w);
}

/* Several threads are fine; of two processes it is not known which. */
TEST(of_one_process)
{
    struct world w;

    begin(&w);
    add_calls(&w);
    add_sample(&w, 0);
    ck_assert_str_eq(name_of_leaf(&w), HASH);
    end(&w);
    begin(&w);
    add_calls(&w);
    add_sample(&w, 1);
    ck_assert_str_eq(name_of_leaf(&w), "");
    end(&w);
    begin(&w);
    add_calls(&w);
    w.p->threads.data[0].process = 1;
    ck_assert_str_eq(name_of_leaf(&w), HASH);
    ck_assert_uint_eq(methods_get(&w.p->methods, 0).process, 1);
    end(&w);
    begin(&w);
    add_calls(&w);
    w.p->samples.len = 0;
    ck_assert_str_eq(name_of_leaf(&w), "");
    w.p->samples.len = 1;
    end(&w);
}

TEST(where_images_are_not_known)
{
    struct world w;

    begin(&w);
    add_calls(&w);
    *vec_add(&w.p->mappings) = (struct mapping){.module = 0, .size = 1};
    ck_assert_str_eq(name_of_leaf(&w), "");
    end(&w);
    begin(&w);
    add_calls(&w);
    w.p->modules.data[0].managed = false;
    ck_assert_str_eq(name_of_leaf(&w), "");
    end(&w);
    begin(&w);
    add_calls(&w);
    w.p->modules.data[0].identity.guid[0]++;
    ck_assert_str_eq(name_of_leaf(&w), "");
    end(&w);
}

/* A build that was loaded twice is one; another is looked for by itself. */
TEST(modules_of_one_build)
{
    struct module m;
    struct world w;

    begin(&w);
    add_calls(&w);
    m = w.p->modules.data[0];
    *vec_add(&w.p->modules) = m;
    ck_assert_str_eq(name_of_leaf(&w), HASH);
    ck_assert_uint_eq(w.log.code.places.len, 1);
    end(&w);
    begin(&w);
    add_calls(&w);
    m = w.p->modules.data[0];
    *vec_add(&w.p->modules) = m;
    w.p->modules.data[0].identity.guid[15]++;
    ck_assert_str_eq(name_of_leaf(&w), HASH);
    ck_assert_uint_eq(w.log.code.places.data[0].module, 1);
    end(&w);
}

/* One method that the runtime described tells where the image lies, if it is
 * as in the image; others tell nothing. */
static void check_method(const struct method *m, bool tells)
{
    struct world w;

    begin(&w);
    methods_add(&w.p->methods, m);
    ck_assert_str_eq(name_of_leaf(&w), tells ? HASH : "");
    if (tells)
        ck_assert_uint_eq(w.log.code.places.data[0].calls, 0);
    end(&w);
}

TEST(by_described_methods)
{
    const struct method find = {.start = address_of(2, 0),
                                .size = ASSEMBLY_PIECE,
                                .module = 0,
                                .token = 0x06000002};
    struct method m = find;

    check_method(&m, true);
    m.start -= 0x1000000;
    check_method(&m, false); /* it lies elsewhere then */
    m = find;
    m.start += 0x1000;
    check_method(&m, false);
    m.start = find.start + 1;
    check_method(&m, false);
    m = find;
    m.size++;
    check_method(&m, false);
    m = find;
    m.tier = 1; /* compiled later */
    check_method(&m, false);
    m = find;
    m.token = 0x0A000002;
    check_method(&m, false);
    m.token = 0x06000003; /* without code */
    check_method(&m, false);
    m = find;
    m.module = NO_ID;
    check_method(&m, false);
}
