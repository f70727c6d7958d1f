#include "engine/sql/frame_table.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/base/out.h"
#include "engine/base/vec.h"
#include "engine/sql/frame_plan.h"
#include "engine/sql/frame_scan.h"
#include "engine/store/schema.h"
#include "engine/store/sql.h"

struct frame_tables {
    sqlite3 *db;
    int (*is_over)(void *);
    void *context;
    VEC(struct frame_place *) places;
};

static const char of_samples[] = "frame_of_sample";
static const char of_stacks[] = "frame_of_stack";

/* ---- tables ---- */

static struct frame_place *place_of(const struct frame_tables *t,
                                    const char *schema)
{
    for (size_t i = 0; i < t->places.len; i++)
        if (!sqlite3_stricmp(t->places.data[i]->schema, schema))
            return t->places.data[i];
    return NULL;
}

static enum frame_column_id column_of(const char *name)
{
    int i = 0;

    while (i < FRAME_COLUMNS && strcmp(frame_columns[i].name, name) != 0)
        i++;
    return (enum frame_column_id)i;
}

/* The columns of the view of that name. */
static int declare(sqlite3 *db, const struct store_made *view,
                   struct frame_table *table)
{
    struct out *sql = out_memory();
    int result;

    out_str(sql, "CREATE TABLE x(");
    for (size_t i = 0; i < view->width; i++) {
        enum frame_column_id column = column_of(view->columns[i].name);

        table->columns[table->width++] = column;
        out_fmt(sql, "%s%s %s", i ? ", " : "", frame_columns[column].name,
                frame_columns[column].type);
    }
    out_char(sql, ')');
    result = sqlite3_declare_vtab(db, out_text(sql, NULL));
    out_close(sql, NULL);
    return result;
}

/* argv: module, schema, table. */
static int create(sqlite3 *db, void *aux, int argc, const char *const *argv,
                  sqlite3_vtab **made, char **message)
{
    const struct frame_tables *t = aux;
    const struct store_made *view = store_made_find(argv[2]);
    struct frame_place *place = place_of(t, argv[1]);
    struct frame_table *table;
    int result;

    (void)argc;
    if (!place || !view) {
        *message = sqlite3_mprintf("not a profile");
        return SQLITE_ERROR;
    }
    table = mem_new(1, sizeof(*table));
    *table = (struct frame_table){
        .place = place,
        .is_over = t->is_over,
        .context = t->context,
        .of_samples = !strcmp(argv[2], of_samples),
    };
    result = declare(db, view, table);
    *made = &table->base;
    if (result)
        free(table);
    return result;
}

/* Another function than that of xCreate, or the table would be there by the
 * name of its module. */
static int connect(sqlite3 *db, void *aux, int argc, const char *const *argv,
                   sqlite3_vtab **made, char **message)
{
    return create(db, aux, argc, argv, made, message);
}

static int disconnect(sqlite3_vtab *base)
{
    free(base);
    return SQLITE_OK;
}

static const sqlite3_module module = {
    .iVersion = 2,
    .xCreate = create,
    .xConnect = connect,
    .xBestIndex = frame_plan,
    .xDisconnect = disconnect,
    .xDestroy = disconnect,
    .xOpen = frame_scan_open,
    .xClose = frame_scan_close,
    .xFilter = frame_scan_filter,
    .xNext = frame_scan_next,
    .xEof = frame_scan_eof,
    .xColumn = frame_scan_column,
    .xRowid = frame_scan_rowid,
};

/* ---- all of them ---- */

struct frame_tables *frame_tables_new(sqlite3 *db, int (*is_over)(void *),
                                      void *context)
{
    struct frame_tables *t = mem_new(1, sizeof(*t));

    t->db = db;
    t->is_over = is_over;
    t->context = context;
    store_sql_memory(sqlite3_create_module(db, "topfn_frames", &module, t));
    return t;
}

void frame_tables_free(struct frame_tables *t)
{
    for (size_t i = 0; i < t->places.len; i++) {
        if (t->places.data[i]->texts.p)
            frame_texts_release(&t->places.data[i]->texts);
        free(t->places.data[i]->used);
        free(t->places.data[i]);
    }
    vec_release(&t->places);
    free(t);
}

static int replace(struct frame_tables *t, const char *schema,
                   const char *name)
{
    char *sql = store_sql_text("DROP VIEW IF EXISTS %s.%s;"
                               "CREATE VIRTUAL TABLE %s.%s USING topfn_frames",
                               schema, name, schema, name);
    int result = sqlite3_exec(t->db, sql, NULL, NULL, NULL);

    sqlite3_free(sql);
    return result;
}

int frame_tables_add(struct frame_tables *t, const char *schema,
                     const struct profile *(*give)(void *, struct err *),
                     void *state)
{
    struct frame_place *place = mem_new(1, sizeof(*place));
    int result;

    place->schema = schema;
    place->give = give;
    place->state = state;
    *vec_add(&t->places) = place;
    result = replace(t, schema, of_samples);
    return result ? result : replace(t, schema, of_stacks);
}

void frame_tables_reads(struct frame_tables *t, const char *schema,
                        const char *table)
{
    if (sqlite3_stricmp(table, of_samples) != 0 &&
        sqlite3_stricmp(table, of_stacks) != 0)
        return;
    for (size_t i = 0; i < t->places.len; i++)
        if (!schema || !sqlite3_stricmp(t->places.data[i]->schema, schema))
            t->places.data[i]->wanted = true;
}

enum err_code frame_tables_fill(struct frame_tables *t, struct err *err)
{
    for (size_t i = 0; i < t->places.len; i++) {
        struct frame_place *place = t->places.data[i];
        const struct profile *p;

        if (!place->wanted || place->texts.p)
            continue;
        p = place->give(place->state, err);
        if (!p)
            return err->code;
        frame_texts_init(&place->texts, p);
    }
    return ERR_NONE;
}
