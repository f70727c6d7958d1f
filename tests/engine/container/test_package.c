/* What is in a package, by its metadata and by its property set. */
#include "engine/container/cfb.h"
#include "tests/support/blob.h"
#include "tests/support/suite.h"

#define ETL   "DiagnosticsHub.Resource.EtlFile"
#define CACHE "DiagnosticsHub.Resource.SymbolCache"

static struct arena arena;
static struct package package;

static bool read_xml(const char *xml)
{
    return package_read(&package, xml, strlen(xml), &arena);
}

static void end(void)
{
    package_release(&package);
    arena_release(&arena);
}

/* ---- the list ---- */

static const struct {
    const char *xml;
    bool good;
    size_t resources;
} texts[] = {
    {"<Package/>", true, 0},
    {"<Package><Resource/></Package>", true, 1},
    {"<Package><Package/><Resource/></Package>", true, 1},
    {"<Other><Resource/></Other>", false, 0},
    {"<Resource/>", false, 0},
    {"<Package><Resource/>", false, 1},
    {"<!DOCTYPE Package><Package><Resource/></Package>", false, 0},
    {"", false, 0},
};

TEST_LOOP(what_is_a_package, COUNT(texts))
{
    ck_assert(read_xml(texts[_i].xml) == texts[_i].good);
    ck_assert_uint_eq(package.resources.len, texts[_i].resources);
    end();
}

TEST(the_most_resources)
{
    struct blob xml = {0};

    blob_bytes(&xml, "<Package>", 9);
    for (int i = 0; i < 4097; i++)
        blob_bytes(&xml, "<Resource/>", 11);
    blob_bytes(&xml, "</Package>", 10);
    ck_assert(package_read(&package, xml.data, xml.len, &arena));
    ck_assert_uint_eq(package.resources.len, 4096);
    free(xml.data);
    end();
}

/* ---- what entries are ---- */

/* Of a package with a folder of symbols and traces in two places. */
static const char resources[] =
    "<Package>"
    "<Resource Type=\"" ETL "\" Name=\"sc user.etl\""
    " ResourcePackageUriPrefix=\"A1\"/>"
    "<Resource Type=\"" CACHE "\" ResourcePackageUriPrefix=\"B/C\""
    " IsDirectoryOnDisk=\"true\"/>"
    "<Resource Type=\"DiagnosticsHub.Resource.EmbeddedPdbs\" Name=\"p.zip\"/>"
    "<Resource Type=\"Counters\" Name=\"50%.txt\"/>"
    "<Resource Type=\"" ETL "\"/>"
    "</Package>";

static const struct {
    const char *inner;
    enum entry_kind kind;
    const char *note; /* NULL: none */
} entries[] = {
    {"A1/sc user.etl", ENTRY_TRACE, ETL},
    {"a1/SC%20User.ETL", ENTRY_TRACE, ETL},
    {"A1/sc%2", ENTRY_OTHER, NULL},
    {"A1/sc%2guser.etl", ENTRY_OTHER, NULL},
    {"A1/sc%g0user.etl", ENTRY_OTHER, NULL},
    {"%41%31/sc user.et%6c", ENTRY_TRACE, ETL},
    {"A1/sc user.et%6C", ENTRY_TRACE, ETL},
    {"A1/sc user.etl2", ENTRY_OTHER, NULL},
    {"A1/sc user.et", ENTRY_OTHER, NULL},
    {"A1xsc user.etl", ENTRY_OTHER, NULL},
    {"sc user.etl", ENTRY_OTHER, NULL},
    {"B/C/x/y.txt", ENTRY_SYMBOLS, CACHE},
    {"B/C/", ENTRY_SYMBOLS, CACHE},
    {"B/C", ENTRY_OTHER, NULL},
    {"B/CD/x", ENTRY_OTHER, NULL},
    {"p.zip", ENTRY_SYMBOLS, "DiagnosticsHub.Resource.EmbeddedPdbs"},
    {"50%.txt", ENTRY_OTHER, "Counters"},
    {"50%25.txt", ENTRY_OTHER, NULL},
    {"Metadata.XML", ENTRY_OTHER, "lists the types of the other entries"},
    {"other.etl", ENTRY_OTHER, NULL},
};

enum { ENTRIES = COUNT(entries) };

TEST(kinds_of_entries)
{
    struct entry list[ENTRIES] = {{0}};
    struct container c = {.entries = list, .count = ENTRIES};

    ck_assert(read_xml(resources));
    for (size_t i = 0; i < ENTRIES; i++) {
        list[i].inner = entries[i].inner;
        list[i].kind = ENTRY_TRACE;
    }
    package_classify(&package, &c);
    for (size_t i = 0; i < ENTRIES; i++) {
        ck_assert_msg(list[i].kind == entries[i].kind, "%s", list[i].inner);
        ck_assert(!list[i].note == !entries[i].note);
        if (entries[i].note)
            ck_assert_str_eq(list[i].note, entries[i].note);
    }
    ck_assert_ptr_null(c.warning);
    end();
}

/* What cannot be used stays so; without a trace nobody knows better. */
TEST(entries_that_stay)
{
    struct entry e = {
        .inner = "A1/sc user.etl", .kind = ENTRY_SYMBOLS, .note = "encrypted"};
    struct container c = {.entries = &e, .count = 1};

    ck_assert(read_xml(resources));
    package_classify(&package, &c);
    ck_assert_int_eq(e.kind, ENTRY_SYMBOLS);
    ck_assert_str_eq(e.note, "encrypted");
    end();
    e.note = NULL;
    ck_assert(read_xml("<Package><Resource Type=\"" CACHE "\"/></Package>"));
    package_classify(&package, &c);
    ck_assert_int_eq(e.kind, ENTRY_SYMBOLS);
    ck_assert_ptr_null(e.note);
    end();
}

/* Ten million comparisons: every entry with every resource. */
TEST(too_many_to_compare)
{
    enum { RESOURCES = 4096, MOST = 10000000 / RESOURCES };
    struct entry *list = calloc(MOST + 1, sizeof(*list));
    struct container c = {.entries = list, .count = MOST};
    struct blob xml = {0};

    ck_assert_ptr_nonnull(list);
    blob_bytes(&xml, "<Package>", 9);
    for (int i = 0; i < RESOURCES; i++)
        blob_bytes(&xml, "<Resource Type=\"" ETL "\"/>",
                   strlen("<Resource Type=\"" ETL "\"/>"));
    blob_bytes(&xml, "</Package>", 10);
    ck_assert(package_read(&package, xml.data, xml.len, &arena));
    for (size_t i = 0; i <= MOST; i++)
        list[i] = (struct entry){.inner = "a.etl", .kind = ENTRY_TRACE};
    package_classify(&package, &c);
    ck_assert_ptr_null(c.warning);
    ck_assert_int_eq(list[0].kind, ENTRY_OTHER);
    c.count++;
    list[0].kind = ENTRY_TRACE;
    package_classify(&package, &c);
    ck_assert_str_eq(c.warning, "metadata.xml lists too many resources");
    ck_assert_int_eq(list[0].kind, ENTRY_TRACE);
    free(list);
    free(xml.data);
    end();
}

/* ---- names of streams ---- */

static const struct {
    const char *path, *name;
} streams[] = {
    {"E1", "A1/sc user.etl"},
    {"e1", "A1/sc user.etl"},
    {"E2", "B/C/"},
    {"E3", "p.zip"},
    {"E3/x", "x"},
    {"E2/x/y", "B/C/x/y"},
    {"E6", "E6"},
    {"E999999", "E999999"},
    {"E1234567", NULL},
    {"E", NULL},
    {"E0", NULL},
    {"F1", NULL},
    {"E1a", NULL},
    {"E/1", NULL},
    {"E01", "A1/sc user.etl"},
    {"metadata.xml", NULL},
    {"E:", NULL},
};

/* By their numbers, where no property set says better. */
TEST_LOOP(streams_by_number, COUNT(streams))
{
    struct strings *strings = strings_new();
    struct ole_names names = {0};
    const char *name;

    ck_assert(read_xml(resources));
    name = ole_full_name(&names, &package, streams[_i].path, strings);
    ck_assert(!name == !streams[_i].name);
    if (name)
        ck_assert_str_eq(name, streams[_i].name);
    strings_free(strings);
    end();
}

enum { SECTION = 60 };

static void put_property(struct blob *b, size_t i, uint32_t id)
{
    blob_set(b, SECTION + 8 + 8 * i, id, 4);
    blob_set(b, SECTION + 12 + 8 * i, b->len - SECTION, 4);
}

/* A dictionary of "E7" and "E8", and folders of these; the last of them is no
 * text. */
static struct blob property_set(void)
{
    struct blob b = {0};

    blob_zero(&b, SECTION);
    blob_set(&b, 44, SECTION, 4);
    blob_pack(&b, "II32x", 0, 4);
    put_property(&b, 0, 3);
    blob_pack(&b, "II", 8, 6);
    blob_utf16(&b, "B/C", 8);
    put_property(&b, 1, 0);
    blob_pack(&b, "III", 2, 3, 2);
    blob_utf16(&b, "E7", 4);
    blob_pack(&b, "II", 4, 3);
    blob_utf16(&b, "E8", 8);
    put_property(&b, 2, 4);
    blob_pack(&b, "II", 8, 2);
    blob_utf16(&b, "Z", 4);
    put_property(&b, 3, 3);
    blob_pack(&b, "II", 31, 6);
    blob_utf16(&b, "bad", 8);
    return b;
}

TEST(streams_by_property)
{
    struct strings *strings = strings_new();
    struct ole_names names = {0};
    struct blob b = property_set();

    ck_assert(read_xml(resources));
    ole_names_read(&names, b.data, b.len, strings);
    ck_assert_uint_eq(names.list.len, 2);
    ck_assert_str_eq(names.list.data[0].name, "E7");
    ck_assert_str_eq(names.list.data[0].folder, "B/C");
    ck_assert_str_eq(names.list.data[1].folder, "Z");
    ck_assert_str_eq(ole_full_name(&names, &package, "E7/x", strings), "B/C/x");
    ck_assert_str_eq(ole_full_name(&names, &package, "E7", strings), "B/C/");
    ck_assert_str_eq(ole_full_name(&names, &package, "E8", strings), "Z/E8");
    ck_assert_str_eq(ole_full_name(&names, &package, "E1", strings),
                     "A1/sc user.etl");
    ck_assert_ptr_null(ole_full_name(&names, &package, "X", strings));
    ole_names_release(&names);
    for (size_t n = 0; n < b.len; n++) {
        uint8_t *part = malloc(n + 1);

        ck_assert_ptr_nonnull(part);
        memcpy(part, b.data, n);
        names = (struct ole_names){0};
        ole_names_read(&names, part, n, strings);
        ck_assert_uint_le(names.list.len, 2);
        ole_names_release(&names);
        free(part);
    }
    blob_set(&b, 44, b.len, 4); /* a section of no bytes, and beyond */
    ole_names_read(&names, b.data, b.len, strings);
    blob_set(&b, 44, b.len + 1, 4);
    ole_names_read(&names, b.data, b.len, strings);
    ck_assert_uint_eq(names.list.len, 0);
    free(b.data);
    strings_free(strings);
    end();
}
