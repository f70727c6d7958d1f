/* Go's table of functions, of each of its versions, in an image, too. */
#include "symbols/elf/go_table.h"

#include "tests/support/elf_writer.h"
#include "tests/support/go_table_writer.h"
#include "tests/support/suite.h"

enum { VERSIONS = 4, TREES_AT = 0x9000 };

/* "name file:line", innermost first. */
static void check(struct go_table *t, uint64_t at, const char *expected)
{
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    size_t n = go_table_frames(t, GO_TEXT + at, frames, DEBUG_FRAMES_MAX);
    char got[300] = "";

    for (size_t i = 0; i < n; i++) {
        size_t end = strlen(got);

        ck_assert(frames[i].inlined == (i + 1 < n));
        snprintf(got + end, sizeof(got) - end, "%s%s %s:%u", i ? " < " : "",
                 frames[i].function, frames[i].file ? frames[i].file : "?",
                 frames[i].line);
    }
    ck_assert_str_eq(got, expected);
}

static void check_all(struct go_table *t, const char *inlined)
{
    struct debug_range range;

    check(t, (uint64_t)-1, "");
    check(t, 0, "main.work /src/a.go:10");
    check(t, 0xF, "main.work /src/a.go:10");
    check(t, 0x10, inlined);
    check(t, 0x1F, inlined);
    check(t, 0x20, "main.work /src/a.go:11");
    check(t, 0x3F, "main.work /src/a.go:11");
    check(t, 0x40, "main.run /src/a.go:20");
    check(t, 0x5F, "main.run /src/a.go:20");
    check(t, 0x60, "");
    ck_assert(go_table_range(t, GO_TEXT + 0x3F, &range));
    ck_assert_uint_eq(range.start, GO_TEXT);
    ck_assert_uint_eq(range.end, GO_TEXT + 0x40);
    ck_assert(!go_table_range(t, GO_TEXT + 0x60, &range));
}

static const char with_call[] =
    "main.twice /src/b.go:70 < main.work /src/a.go:10";

/* Before 1.16 inlined calls are not known, and the place is that of the code;
 * later, a place of a call that cannot be read is not the function's. */
TEST(versions)
{
    for (enum go_table_version v = GO_1_2; v <= GO_1_20; v++) {
        struct blob trees = {0}, b = go_table_made(v, &trees);
        struct go_table t;

        ck_assert(go_table_open(&t, (struct bytes){b.data, b.len}, false));
        ck_assert_int_eq(t.version, v);
        check_all(&t, v == GO_1_2 ? "main.work /src/b.go:70" : "main.work ?:0");
        t.inlined = (struct bytes){trees.data, trees.len};
        t.trees = TREES_AT;
        check_all(&t, v == GO_1_2 ? "main.work /src/b.go:70" : with_call);
        free(trees.data);
        free(b.data);
    }
}

TEST(no_tables)
{
    static const struct {
        size_t at;
        uint8_t value;
    } flips[] = {{0, 0xEE}, {4, 1}, {6, 3}, {7, 5}, {8, 0}, {15, 0x7F}};
    struct go_table t;

    ck_assert(!go_table_open(&t, (struct bytes){0}, false));
    for (size_t i = 0; i < COUNT(flips); i++) {
        struct blob trees = {0}, b = go_table_made(GO_1_18, &trees);

        b.data[flips[i].at] = flips[i].value;
        ck_assert(!go_table_open(&t, (struct bytes){b.data, b.len}, false));
        b.data[flips[i].at] = 0;
        ck_assert(!go_table_open(&t, (struct bytes){b.data, b.len}, true));
        free(trees.data);
        free(b.data);
    }
}

static void look_up_all(struct go_table *t, size_t size)
{
    struct debug_frame frames[4];
    struct debug_range range;

    for (uint64_t at = 0; at < 0x60; at += 8) {
        size_t n = go_table_frames(t, GO_TEXT + at, frames, 4);

        ck_assert_uint_le(n, 4);
        for (size_t i = 0; i < n; i++) {
            ck_assert_uint_lt(strlen(frames[i].function), size);
            ck_assert(!frames[i].file || strlen(frames[i].file) < size);
        }
        (void)go_table_range(t, GO_TEXT + at, &range);
    }
}

/* However much of it is there, and whatever a byte is. */
TEST(damaged)
{
    for (enum go_table_version v = GO_1_2; v <= GO_1_20; v++) {
        struct blob trees = {0}, b = go_table_made(v, &trees);

        for (size_t i = 0; i < b.len; i++) {
            uint8_t *part = malloc(i + 1), kept = b.data[i];
            struct go_table t;

            memcpy(part, b.data, i);
            part[i] = 'x'; /* of what lies behind it */
            if (go_table_open(&t, (struct bytes){part, i}, false))
                look_up_all(&t, i);
            free(part);
            b.data[i] ^= 0x81;
            if (go_table_open(&t, (struct bytes){b.data, b.len}, false)) {
                t.inlined = (struct bytes){trees.data, trees.len};
                t.trees = TREES_AT;
                look_up_all(&t, b.len);
            }
            b.data[i] = kept;
        }
        free(trees.data);
        free(b.data);
    }
}

/* ---- in an image ---- */

enum { MODULE_WORDS = 41, TABLE_AT = 0x500000, RODATA_AT = 0x480000 };

/* The runtime's description, or the relocations that make it. */
static void put_module(struct blob *module, struct blob *relocations,
                       struct go_table *t, uint64_t at)
{
    static const unsigned words[] = {0, 1, 22, 23, 38, 40};
    const uint64_t values[] = {
        TABLE_AT,  TABLE_AT + t->names, GO_TEXT, GO_TEXT + 0x60,
        RODATA_AT, RODATA_AT};

    blob_zero(module, MODULE_WORDS * 8);
    for (size_t i = 0; i < 6; i++) {
        if (!relocations) {
            memcpy(module->data + words[i] * 8, &values[i], 8);
            continue;
        }
        blob_u64(relocations, at + words[i] * 8);
        blob_u64(relocations, 8); /* R_X86_64_RELATIVE */
        blob_u64(relocations, values[i]);
    }
}

static void check_image(enum go_table_version version, const char *section,
                        bool relocated, const char *inlined)
{
    struct blob trees = {0}, table = go_table_made(version, &trees);
    struct blob code = {0}, module = {0}, relocations = {0}, file;
    struct elf_image image;
    struct go_table t;

    ck_assert(
        go_table_open(&t, (struct bytes){table.data, table.len}, false));
    put_module(&module, relocated ? &relocations : NULL, &t, 0x600000);
    if (relocated)
        memset(table.data + 24, 0, 8); /* the address of the code */
    blob_zero(&code, 0x100);
    file = elf_of(
        (struct elf_part[]){
            {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, GO_TEXT - 0x40,
             &code, 0, 0},
            {".rodata", SHT_PROGBITS, SHF_ALLOC, RODATA_AT, &trees, 0, 0},
            {section, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, TABLE_AT, &table, 0,
             0},
            {".noptrdata", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0x600000,
             &module, 0, 0},
            {".rela", SHT_RELA, SHF_ALLOC, 0x700000, &relocations, 0, 24}},
        5);
    ck_assert(!elf_image_open(&image, "made", file.data, file.len, NULL));
    ck_assert(go_image_table(&image, &t));
    check_all(&t, inlined);
    elf_image_close(&image);
    free(trees.data);
    free(table.data);
    free(code.data);
    free(module.data);
    free(relocations.data);
    free(file.data);
}

TEST(in_images)
{
    check_image(GO_1_18, ".gopclntab", false, with_call);
    check_image(GO_1_20, ".gopclntab", false, with_call);
    check_image(GO_1_20, ".data.rel.ro.gopclntab", true, with_call);
    /* Where the linker of C put it among other data. */
    check_image(GO_1_18, ".data.rel.ro", true, with_call);
    check_image(GO_1_2, ".gopclntab", false, "main.work /src/b.go:70");
}
