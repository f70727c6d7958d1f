/* Rows that are counted by what they are, and given in an order. */
#include "engine/sql/event_columns.h"
#include "engine/sql/event_groups.h"
#include "engine/sql/frame_groups.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

static const struct event_kind kinds[] = {
    {.index = 0, .provider = "P", .full_name = "b", .id = 2},
    {.index = 1, .provider = "P", .full_name = "a", .id = 2},
    {.index = 2, .provider = "Q", .full_name = "c", .id = 1},
    {.index = 3, .provider = "Q", .full_name = "d", .id = 1, .classic = true,
     .class_guid = {1}},
};

/* Of every kind as often as told, in the order of their first events. */
static const struct {
    struct event_order order[2];
    size_t orders;
    bool distinct;
    const char *rows;
} events[] = {
    {{{0}}, 0, false, "bbaccd"},
    {{{0}}, 0, true, "bacd"},
    {{{EVENT_EVENT, false}}, 1, false, "abbccd"},
    {{{EVENT_EVENT, true}}, 1, false, "dccbba"},
    {{{EVENT_ID, false}}, 1, false, "ccdbba"},
    {{{EVENT_ID, true}}, 1, false, "bbaccd"},
    {{{EVENT_PROVIDER, true}, {EVENT_EVENT, false}}, 2, false, "ccdabb"},
    {{{EVENT_PROVIDER, false}, {EVENT_EVENT, true}}, 2, true, "badc"},
    /* NULL comes first. */
    {{{EVENT_GUID, false}}, 1, true, "bacd"},
    {{{EVENT_GUID, true}}, 1, true, "dbac"},
    {{{EVENT_DESCRIPTION, true}}, 1, true, "bacd"},
};

static void count_events(struct event_groups *g)
{
    static const int met[] = {3, 0, 2, 1, 0, 2};

    for (size_t i = 0; i < COUNT(met); i++)
        event_groups_count(g, &kinds[met[i]]);
}

TEST(kinds_of_events_are_rows)
{
    for (size_t i = 0; i < COUNT(events); i++) {
        struct event_groups g = {.at = 0};
        const struct event_kind *kind;
        char rows[10] = "";

        count_events(&g);
        event_groups_sort(&g, events[i].order, events[i].orders,
                          events[i].distinct);
        for (; (kind = event_groups_kind(&g)); event_groups_next(&g))
            strcat(rows, kind->full_name);
        ck_assert_msg(!strcmp(rows, events[i].rows), "row %zu: %s", i, rows);
        event_groups_release(&g);
        ck_assert_ptr_null(event_groups_kind(&g));
    }
}

TEST(nothing_is_no_group)
{
    struct event_groups g = {.at = 0};

    event_groups_sort(&g, NULL, 0, false);
    ck_assert_ptr_null(event_groups_kind(&g));
    event_groups_release(&g);
}

/* Functions 0 to 3: "b" of Q and P, "a" of P, "ab" of P. */
static struct profile *some_functions(void)
{
    struct builder *b = builder_new("a.etl");
    uint32_t t = builder_thread(b, 1, "a", 1);
    struct profile *p;

    builder_samples(b, t, 1, "Q!b;P!b;P!a;P!ab;[kernel]P!never");
    p = builder_finish(b);
    p->functions.data[1].cause = CAUSE_NO_SYMBOLS;
    return p;
}

static const struct {
    struct frame_term order[2];
    size_t orders;
    bool distinct;
    const char *rows; /* numbers of functions */
} frames[] = {
    {{{0}}, 0, false, "001223"},
    {{{0}}, 0, true, "0123"},
    {{{FRAME_FUNCTION, NULL, false}}, 1, false, "223001"},
    {{{FRAME_FUNCTION, NULL, true}}, 1, false, "001322"},
    {{{FRAME_MODULE, NULL, false}, {FRAME_FUNCTION, NULL, false}}, 2, true,
     "2310"},
    {{{FRAME_MODULE, NULL, true}, {FRAME_FUNCTION, NULL, true}}, 2, true,
     "0132"},
    {{{FRAME_FUNCTION_ID, NULL, true}}, 1, true, "3210"},
    {{{FRAME_FUNCTION_ID, NULL, false}}, 1, true, "0123"},
    {{{FRAME_CAUSE, NULL, false}}, 1, true, "0231"},
    {{{FRAME_CAUSE, NULL, true}}, 1, true, "1023"},
};

TEST(functions_are_rows)
{
    struct profile *p = some_functions();
    struct frame_texts texts;
    struct frame_groups g = {.at = 0};

    frame_texts_init(&texts, p);
    for (size_t i = 0; i < COUNT(frames); i++) {
        static const uint32_t met[] = {3, 0, 2, 1, 0, 2};
        char rows[10] = "";
        size_t n = 0;

        frame_groups_init(&g, &texts);
        for (size_t k = 0; k < COUNT(met); k++)
            frame_groups_count(&g, met[k]);
        frame_groups_sort(&g, frames[i].order, frames[i].orders,
                          frames[i].distinct);
        for (; frame_groups_more(&g); frame_groups_next(&g))
            rows[n++] = (char)('0' + frame_groups_function(&g));
        ck_assert_msg(!strcmp(rows, frames[i].rows), "row %zu: %s", i, rows);
    }
    frame_groups_release(&g);
    ck_assert(!frame_groups_more(&g));
    frame_texts_release(&texts);
    profile_free(p);
}

/* ---- the words of a plan ---- */

TEST(plans_are_read_word_by_word)
{
    static const struct {
        enum frame_column_id column;
        const char *op; /* the rest of the plan, or none */
        bool descending;
    } words[] = {
        {FRAME_SAMPLE, ">= function= +module -label +function_id", false},
        {FRAME_FUNCTION, "= +module -label +function_id", false},
        {FRAME_MODULE, NULL, false},
        {FRAME_LABEL, NULL, true},
        {FRAME_FUNCTION_ID, NULL, false},
    };
    const char *plan = "sample>= function= +module -label +function_id";
    struct frame_term term;

    for (size_t i = 0; i < COUNT(words); i++) {
        ck_assert(frame_plan_next(&plan, &term));
        ck_assert_int_eq(term.column, words[i].column);
        ck_assert_int_eq(term.descending, words[i].descending);
        if (words[i].op)
            ck_assert_str_eq(term.op, words[i].op);
        else
            ck_assert_ptr_null(term.op);
    }
    ck_assert(!frame_plan_next(&plan, &term));
}

TEST(every_column_has_its_word)
{
    for (int i = 0; i < FRAME_COLUMNS; i++) {
        const char *plan = frame_columns[i].name;
        struct frame_term term;

        ck_assert(frame_plan_next(&plan, &term));
        ck_assert_int_eq((int)term.column, i);
        ck_assert_int_eq(frame_is_subject(term.column),
                         i == FRAME_SAMPLE || i == FRAME_STACK);
    }
}
