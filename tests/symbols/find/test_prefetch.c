#include "symbols/find/prefetch.h"

#include "symbols/naming.h"
#include "tests/support/online_world.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

/* Module i of a profile wants NAME of a GUID of its own. */
static void want_pdb(struct profile *p, uint32_t i, const char *name)
{
    struct identity *id = &p->modules.data[i].identity;

    id->pdb_name = strings_add(p->strings, name, strlen(name));
    id->guid[0] = (uint8_t)(i + 1);
    id->age = 1;
}

/* The hottest comes last, after one in which only idle processors were
 * sampled and one in which none was. */
static struct builder *some_profile(void)
{
    static const char *const names[] = {"cold.pdb", "idle.pdb", "caller.pdb",
                                        "hot.pdb"};
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 1, "app.exe", 2);

    builder_samples(b, t, 1, "cold.exe!+0x10");
    for (int i = 0; i < 9; i++)
        builder_sample(b, t, SAMPLE_IDLE, "idle.exe!+0x10");
    builder_samples(b, t, 5, "caller.exe!+0x10;hot.exe!+0x10");
    for (uint32_t i = 0; i < 4; i++)
        want_pdb(builder_profile(b), i, names[i]);
    return b;
}

struct world {
    struct builder *builder;
    struct places *places;
    struct module_files files[12];
    bool found[12];
};

static void find(void *context, uint32_t module)
{
    struct world *w = context;

    w->files[module] =
        find_module(builder_profile(w->builder), module, w->places);
    w->found[module] = true;
}

/* Everything of all modules. */
static void prefetch_all(struct world *w)
{
    const struct profile *p = builder_profile(w->builder);
    VEC(struct asked_about) all = {0};
    VEC(uint32_t) ids = {0};

    for (uint32_t i = 0; i < p->locations.len; i++)
        *vec_add(&ids) = i;
    for (uint32_t i = 0; i < ids.len; i++)
        *vec_add(&all) =
            (struct asked_about){.subject = p->locations.data[i].module,
                                 .locations = &ids.data[i],
                                 .count = 1};
    prefetch(p, w->places, all.data, all.len, find, w);
    vec_release(&all);
    vec_release(&ids);
}

static void assert_asked(struct online_world *w, size_t n, const char *name)
{
    const char *path = http_server_request(w->server, n);

    ck_assert_msg(!strncmp(path + 1, name, strlen(name)), "%zu: %s", n, path);
}

TEST(the_hottest_is_asked_for_first)
{
    struct online_world w;
    struct builder *b = some_profile();
    struct naming_options options = {
        .places = &w.places, .style = DEMANGLE_SHORT, .threads = 0};

    online_world_start(&w);
    w.places.online = online_new(&w.limits, "topfn/test");
    name_profile(builder_profile(b), &options, NULL);
    ck_assert_uint_eq(http_server_requests(w.server), 8);
    assert_asked(&w, 0, "hot.pdb");
    assert_asked(&w, 2, "cold.pdb");
    assert_asked(&w, 4, "idle.pdb");
    assert_asked(&w, 6, "caller.pdb");
    online_world_stop(&w);
    profile_free(builder_finish(b));
}

/* Modules of several paths have the same PDB, and four are looked for at a
 * time. */
TEST(one_file_serves_many_modules)
{
    enum { MODULES = 12 };
    struct online_world w;
    struct builder *b = builder_new("app.etl");
    uint32_t t = builder_thread(b, 1, "app.exe", 2);
    struct world all = {.builder = b, .places = &w.places};

    online_world_start(&w);
    w.limits.requests = 4;
    online_world_page(
        &w, &w.wanted, NULL,
        &(struct http_page){.body = w.pdb->data, .size = w.pdb->size});
    for (uint32_t i = 0; i < MODULES; i++) {
        char stack[40];

        snprintf(stack, sizeof(stack), "%u.exe!+0x1030", i);
        builder_samples(b, t, 1, stack);
        want_pdb(builder_profile(b), i, "mixer.pdb");
        memcpy(builder_profile(b)->modules.data[i].identity.guid,
               w.wanted.identity.guid, 16);
    }
    w.places.online = online_new(&w.limits, "topfn/test");
    prefetch_all(&all);
    ck_assert_uint_eq(http_server_requests(w.server), 1);
    for (uint32_t i = 0; i < MODULES; i++) {
        ck_assert(all.found[i]);
        ck_assert_int_eq(all.files[i].debug.cause, FIND_OK);
        module_files_release(&all.files[i]);
    }
    online_world_stop(&w);
    profile_free(builder_finish(b));
}
