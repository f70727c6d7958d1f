/* The bytes as a packed table of a database: the first says which. */
#include <sqlite3.h>

#include "engine/store/pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { THREADS = 3, LOCATIONS = 200, STACKS = 300, FUNCTIONS = 5 };

static struct profile *small_profile(bool stacks)
{
    struct profile *p = profile_new();

    *vec_add(&p->processes) = (struct process){.pid = 1};
    *vec_add(&p->modules) = (struct module){.path = 0};
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        *vec_add(&p->functions) = (struct function){.address = i};
    for (uint32_t i = 0; i < LOCATIONS; i++)
        *vec_add(&p->locations) = (struct location){.address = i};
    for (uint32_t i = 0; i < THREADS; i++)
        *vec_add(&p->threads) = (struct thread){.tid = i};
    for (uint32_t i = 1; stacks && i < STACKS; i++)
        *vec_add(&p->stacks) = (struct stack){i - 1, i % LOCATIONS};
    return p;
}

static int insert(sqlite3 *db, const char *table, const uint8_t *bytes,
                  size_t size)
{
    char *sql = sqlite3_mprintf("INSERT INTO %s VALUES(1, ?)", table);
    sqlite3_stmt *row = NULL;
    int result = sqlite3_prepare_v2(db, sql, -1, &row, NULL);

    if (!result)
        result = sqlite3_bind_blob64(row, 1, bytes, size, SQLITE_STATIC);
    if (!result)
        result = sqlite3_step(row) == SQLITE_DONE ? SQLITE_OK : SQLITE_ERROR;
    sqlite3_finalize(row);
    sqlite3_free(sql);
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { KINDS = 6 };
    static const struct {
        const char *table;
        bool (*read)(struct store_load *load); /* NULL: by its row */
        enum store_table_id id;
    } kinds[KINDS] = {
        {"packed_stacks", NULL, TABLE_STACKS},
        {"packed_samples", unpack_samples, 0},
        {"packed_groups", unpack_groups, 0},
        {"packed_methods", NULL, TABLE_METHODS},
        {"packed_locations", NULL, TABLE_LOCATIONS},
        {"packed_frames", NULL, TABLE_FRAMES},
    };
    unsigned kind = size ? data[0] % KINDS : 0;
    struct err err = {0};
    struct out *sql;
    struct store_load load = {.name = "fuzz", .err = &err, .bytes_left = size};

    if (!size || sqlite3_open(":memory:", &load.db))
        return 0;
    load.p = small_profile(kinds[kind].read != NULL);
    load.threads = load.p->threads.len;
    load.locations = load.p->locations.len;
    sql = out_memory();
    store_made_sql(store_made_find(kinds[kind].table), NULL, sql);
    if (!sqlite3_exec(load.db, out_text(sql, NULL), NULL, NULL, NULL) &&
        !insert(load.db, kinds[kind].table, data + 1, size - 1)) {
        if (kinds[kind].read)
            kinds[kind].read(&load);
        else
            unpack_table(&load, &store_tables[kinds[kind].id]);
    }
    out_close(sql, NULL);
    profile_free(load.p);
    sqlite3_close(load.db);
    return 0;
}
