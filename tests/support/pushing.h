/*
 * pushing - a batch on its way to a stand-in of a fleet, in tests of its rows.
 *
 *     pushing_begin();
 *     add(small_profile("app.exe!main", 3), &recording);
 *     assert_sends(1, 3);
 *     assert_rows(&rows, FLEET_PROCESSES, "@1 'app.exe'\n");
 *     pushing_end();
 */
#ifndef TOPFN_TESTS_PUSHING_H
#define TOPFN_TESTS_PUSHING_H

#include "engine/fleet/batch.h"
#include "tests/support/fleet_rows.h"
#include "tests/support/fleet_stand_in.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

static struct fleet_stand_in *server;
static struct fleet *fleet;
static struct batch *batch;

static inline void pushing_begin(void)
{
    static const struct fleet_access nobody;
    struct err err = {0};

    server = fleet_stand_in_start();
    fleet = fleet_open(fleet_stand_in_address(server), &nobody, &err);
    ck_assert_ptr_nonnull(fleet);
    batch = batch_new();
}

static inline void pushing_end(void)
{
    batch_free(batch);
    batch_free(NULL);
    fleet_close(fleet);
    fleet_stand_in_stop(server);
}

static inline struct profile *finished(struct builder *b)
{
    struct profile *p = builder_finish(b);

    profile_finish(p);
    return p;
}

static inline struct profile *small_profile(const char *stack, unsigned samples)
{
    struct builder *b = builder_new("app.etl");

    builder_samples(b, builder_thread(b, 10, "app.exe", 11), samples, stack);
    return finished(b);
}

static inline void add(struct profile *p,
                       const struct fleet_recording *recording)
{
    batch_add(batch, p, recording);
    profile_free(p);
}

/* One attempt, in which so many recordings and rows of samples are new. */
static inline void assert_sends(size_t runs, size_t rows)
{
    struct batch_sent sent = {0};
    struct err err = {0};

    ck_assert_msg(!batch_send(batch, fleet, &sent, &err), "%s", err.message);
    ck_assert_uint_eq(sent.runs, runs);
    ck_assert_uint_eq(sent.rows, rows);
}

static inline const struct fleet_told *inserted(enum fleet_table_id table)
{
    char sql[40];

    snprintf(sql, sizeof(sql), "INSERT INTO %s ", fleet_tables[table].name);
    return fleet_stand_in_find(server, sql);
}

static inline void assert_rows(struct fleet_rows *rows,
                               enum fleet_table_id table, const char *wanted)
{
    const struct fleet_told *told = inserted(table);
    char *text;

    ck_assert_msg(told != NULL, "%s", fleet_tables[table].name);
    text = fleet_rows_text(rows, table, told->rows, told->size);
    ck_assert_str_eq(text, wanted);
    free(text);
}

#endif
