/* The OLE compound .diagsession. */
#include "engine/container/cfb.h"
#include "engine/container/container.h"
#include "tests/engine/container/opened.h"
#include "tests/support/cells.h"
#include "tests/support/ole_writer.h"
#include "tests/support/suite.h"

static const char metadata[] =
    "<Package><Content>"
    "<Resource Type=\"DiagnosticsHub.Resource.CountersFile\""
    " Name=\"a.counters\" ResourcePackageUriPrefix=\"AAA\"/>"
    "<Resource Type=\"DiagnosticsHub.Resource.EtlFile\""
    " Name=\"sc.user_aux.etl\" ResourcePackageUriPrefix=\"BBB\"/>"
    "</Content></Package>";

enum { TRACE_SIZE = (1 << 20) + 100000 };

static char path[TEMP_PATH];
static uint8_t trace[TRACE_SIZE];

static void fill_trace(void)
{
    for (size_t i = 0; i < TRACE_SIZE; i++)
        trace[i] = (uint8_t)(i * i >> 7);
}

/* E1 is the second resource: only the property set knows. */
static struct blob make_package(bool with_names)
{
    static const char *const folders[] = {"BBB", "AAA"};
    struct blob e1 = ole_pack(trace, TRACE_SIZE, 65536);
    struct blob e2 = ole_pack("counters", 8, 65536);
    struct blob set = ole_property_set(folders, 2), file;
    struct ole_stream streams[] = {
        {"E1", e1.data, e1.len},
        {"E2", e2.data, e2.len},
        {"metadata.xml", metadata, sizeof(metadata) - 1},
        {"\5Mgj4efc5D0geeas1LvgnikgsJe", set.data, set.len},
    };

    file = ole_make(streams, with_names ? 4 : 3);
    free(e1.data);
    free(e2.data);
    free(set.data);
    return file;
}

/* Then E1 is the first resource. */
TEST(without_property_set)
{
    struct blob b;
    struct container *c;

    fill_trace();
    b = make_package(false);
    c = opened_blob(path, &b, NULL);
    ck_assert_ptr_nonnull(c);
    ck_assert_str_eq(c->entries[0].inner, "AAA/a.counters");
    ck_assert_str_eq(c->entries[1].inner, "BBB/sc.user_aux.etl");
    container_close(c);
    free(b.data);
}

/* The trace has that many bytes, or none and an error says why. */
static void check_trace(struct container *c, const struct cells *row)
{
    struct entry *e = &c->entries[0];
    struct err err = {0};
    enum err_code code = container_load(c, 0, &err);
    bool whole = !strcmp(row->cell[3], "whole");
    size_t size = whole ? TRACE_SIZE : (size_t)cells_number(row, 3);

    if (!size && code) {
        cells_expect_that(row, strstr(err.message, row->cell[4]));
        return;
    }
    cells_expect_that(row, e->size == size);
    cells_expect_that(row, !e->size || !memcmp(e->data, trace, e->size));
    if (row->len[4])
        cells_expect(row, 4, e->damage ? e->damage : "none");
    else
        cells_expect_that(row, e->damage);
}

static void check_spoilt(const struct cells *row)
{
    struct blob b;
    struct err err = {0};
    struct container *c;

    fill_trace();
    b = make_package(true);
    blob_set(&b, cells_number(row, 1), cells_number(row, 2), 4);
    c = opened_blob(path, &b, &err);
    cells_expect_that(row, !c == !strcmp(row->cell[3], "-"));
    if (!c)
        ck_assert_msg(strstr(err.message, path), "%s", err.message);
    for (size_t i = 1; c && i < c->count; i++)
        container_load(c, i, NULL);
    if (c && c->count)
        check_trace(c, row);
    container_close(c);
    free(b.data);
}

TEST(spoilt_packages)
{
    cells_each("tests/engine/container/ole.cells", "spoilt", check_spoilt);
}

/* A record that holds less than it says, as the last of a stream. */
TEST(a_record_that_holds_less)
{
    struct blob e1 = ole_pack("counters", 8, 65536), b;
    struct ole_stream streams[] = {
        {"E1", e1.data, e1.len},
        {"metadata.xml", metadata, sizeof(metadata) - 1},
    };
    struct container *c;

    blob_set(&e1, 0, 9, 4);
    b = ole_make(streams, 2);
    c = opened_blob(path, &b, NULL);
    ck_assert_int_eq(container_load(c, 0, NULL), ERR_NONE);
    ck_assert_uint_eq(c->entries[0].size, 8);
    ck_assert_str_eq(c->entries[0].damage, "a record holds less than it says");
    container_close(c);
    free(e1.data);
    free(b.data);
}

TEST(without_metadata)
{
    static const struct {
        const char *name, *text, *warning;
    } rows[] = {
        {"metadata.xml", metadata, NULL},
        {"METADATA.xml", metadata, NULL},
        {"other.xml", metadata, "there is no metadata.xml"},
        {"metadata.xml", "<Other/>",
         "metadata.xml is not that of a diagnostics session"},
    };

    for (size_t i = 0; i < 4; i++) {
        struct ole_stream streams[] = {
            {rows[i].name, rows[i].text, strlen(rows[i].text)},
        };
        struct blob b = ole_make(streams, 1);
        struct container *c = opened_blob(path, &b, NULL);

        ck_assert_ptr_nonnull(c);
        ck_assert(!c->warning == !rows[i].warning);
        if (c->warning)
            ck_assert_str_eq(c->warning, rows[i].warning);
        container_close(c);
        free(b.data);
    }
}

TEST(cut)
{
    struct blob b, part;

    fill_trace();
    b = make_package(true);
    for (size_t n = 0; n < b.len; n += n < 20000 ? 97 : 9973) {
        struct container *c;

        part = (struct blob){b.data, n, n};
        c = opened_blob(path, &part, NULL);
        for (size_t i = 0; c && i < c->count; i++)
            container_load(c, i, NULL);
        container_close(c);
    }
    free(b.data);
}

/* A circle of children, and a stream whose sectors another one has. */
TEST(circles)
{
    struct ole_stream streams[] = {
        {"a", trace, 10000}, {"b", trace, 10000}, {"c", "x", 1}};
    struct blob b;
    struct cfb *cfb;

    fill_trace();
    b = ole_make(streams, 3);
    /* "b" begins where "a" does; "c" is a storage in itself. */
    memcpy(b.data + 2 * OLE_SECTOR + 2 * 128 + 116,
           b.data + 2 * OLE_SECTOR + 128 + 116, 4);
    b.data[2 * OLE_SECTOR + 3 * 128 + 66] = 1;
    blob_set(&b, 2 * OLE_SECTOR + 3 * 128 + 76, 3, 4);
    cfb = cfb_open("circles", b.data, b.len, NULL);
    ck_assert_ptr_nonnull(cfb);
    ck_assert_uint_eq(cfb->count, 2);
    ck_assert_uint_eq(cfb->streams[0].size, 10000);
    ck_assert_uint_eq(cfb->streams[1].size, 0);
    ck_assert(cfb->streams[1].cut);
    cfb_free(cfb);
    free(b.data);
}
