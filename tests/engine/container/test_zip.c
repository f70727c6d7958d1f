/* Zip archives and the OPC .diagsession. */
#include "engine/container/container.h"
#include "tests/engine/container/opened.h"
#include "tests/support/suite.h"
#include "tests/support/zip_writer.h"

static char path[TEMP_PATH];

static struct container *open_members(const struct zip_member *members,
                                      size_t n)
{
    struct blob b = zip_make(members, n);
    struct err err = {0};
    struct container *c = opened_blob(path, &b, &err);

    ck_assert_msg(c, "%s", err.message);
    ck_assert_uint_eq(c->count, n);
    free(b.data);
    return c;
}

static void assert_loads(struct container *c, size_t i, const void *data,
                         size_t n)
{
    struct err err = {0};

    ck_assert_msg(!container_load(c, i, &err), "%s", err.message);
    ck_assert_uint_eq(c->entries[i].size, n);
    if (n)
        ck_assert_mem_eq(c->entries[i].data, data, n);
    ck_assert_ptr_null(c->entries[i].damage);
    ck_assert_int_eq(container_load(c, i, NULL), ERR_NONE);
}

/* Beyond what is kept in memory. */
TEST(large)
{
    size_t n = 9 << 20;
    uint8_t *bytes = calloc(n, 1);
    struct zip_member member = {"a.nettrace", bytes, n, true};
    struct container *c;

    for (size_t i = 0; i < n; i += 97)
        bytes[i] = (uint8_t)(i >> 3);
    c = open_members(&member, 1);
    assert_loads(c, 0, bytes, n);
    container_close(c);
    free(bytes);
}

/* The name of the local header is another than that of the archive's list. */
TEST(directories_that_disagree)
{
    struct zip_member member = {"a.etl", "1", 1, false};
    struct blob b = zip_make(&member, 1);
    struct err err = {0};
    struct container *c;

    b.data[30] = 'b';
    c = opened_blob(path, &b, &err);
    ck_assert(c && c->warning && strstr(c->warning, "disagree"));
    container_close(c);
    free(b.data);
}

/* Names are shown and compared, whatever they are. */
TEST(names)
{
    static const struct zip_member members[] = {
        {"../../../../tmp/topfn-was-here.etl", "1", 1, true},
        {"C:\\Windows\\a.etl", "2", 1, true},
        {"/etc/passwd.etl", "3", 1, true},
        {"A.ETL", "4", 1, true},
        {"a.etl", "5", 1, true},
    };
    struct container *c = open_members(members, 5);

    for (size_t i = 0; i < 4; i++)
        assert_loads(c, i, members[i].data, 1);
    ck_assert_int_eq(c->entries[3].kind, ENTRY_TRACE);
    ck_assert_int_eq(c->entries[4].kind, ENTRY_OTHER);
    ck_assert_str_eq(c->entries[4].note, "same name as an earlier entry");
    ck_assert(access("/tmp/topfn-was-here.etl", F_OK));
    container_close(c);
}

static const char metadata[] =
    "\xEF\xBB\xBF<?xml version=\"1.0\"?>"
    "<Package xmlns=\"urn:diagnosticshub-package-metadata-2-1\"><Content>"
    "<!-- <Resource Type=\"DiagnosticsHub.Resource.EtlFile\"/> -->"
    "<Resource Id=\"{ABC}\" Type=\"DiagnosticsHub.Resource.EtlFile\""
    " Name=\"sc &amp; user.etl\" ResourcePackageUriPrefix=\"ABC\"/>"
    "<Resource Type=\"DiagnosticsHub.Resource.CountersFile\""
    " Name=\"b.etl\" ResourcePackageUriPrefix=\"DEF\"/>"
    "<Resource Type=\"DiagnosticsHub.Resource.SymbolCache\" Name=\"x\""
    " IsDirectoryOnDisk=\"true\" ResourcePackageUriPrefix=\"SYM\"/>"
    "</Content></Package>";

/* Without metadata that can be used, names decide. */
TEST_LOOP(bad_metadata, 5)
{
    static const char *const texts[] = {
        "",
        "<Package",
        "<Other><Resource Type=\"DiagnosticsHub.Resource.EtlFile\"/></Other>",
        "<!DOCTYPE Package [<!ENTITY a \"b\">]><Package>&a;</Package>",
        "<Package><Content/></Package>",
    };
    const char *text = texts[_i];
    const struct zip_member members[] = {
        {"X/a.etl", "trace", 5, true},
        {"Metadata.xml", text, strlen(text), false},
    };
    struct container *c = open_members(members, 2);

    ck_assert_int_eq(c->entries[0].kind, ENTRY_TRACE);
    ck_assert_int_eq(!c->warning, _i == 4);
    container_close(c);
}

/* What comes out before the damage is kept. */
TEST(damaged_entry)
{
    uint8_t *bytes = malloc(1 << 20);
    struct zip_member member = {"a.etl", bytes, 1 << 20, true};
    uint32_t state = 1;
    struct blob b;
    struct container *c;

    for (size_t i = 0; i < 1 << 20; i++) {
        state = state * 1664525 + 1013904223;
        bytes[i] = (uint8_t)(state >> 28);
    }
    b = zip_make(&member, 1);
    memset(b.data + b.len / 2, 0xFF, 64);
    c = opened_blob(path, &b, NULL);
    ck_assert_ptr_nonnull(c);
    ck_assert_int_eq(container_load(c, 0, NULL), ERR_NONE);
    ck_assert_ptr_nonnull(c->entries[0].damage);
    ck_assert_uint_ge(c->entries[0].size, 1 << 18);
    ck_assert_mem_eq(c->entries[0].data, bytes, 1 << 18);
    container_close(c);
    free(b.data);
    free(bytes);
}

TEST(cut_everywhere)
{
    const struct zip_member members[] = {
        {"a.etl", "trace trace trace", 17, true},
        {"metadata.xml", metadata, sizeof(metadata) - 1, true},
    };
    struct blob b = zip_make(members, 2), part;

    for (size_t n = 0; n < b.len; n++) {
        struct err err = {0};
        struct container *c;

        part = (struct blob){b.data, n, n};
        c = opened_blob(path, &part, &err);
        for (size_t i = 0; c && i < c->count; i++)
            container_load(c, i, NULL);
        ck_assert_msg(c || strstr(err.message, path), "%s", err.message);
        container_close(c);
    }
    free(b.data);
}
