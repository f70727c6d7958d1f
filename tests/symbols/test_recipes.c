/*
 * Debug files that texts describe (tests/support/recipe.h), and what they say
 * of addresses. Notes of a recipe:
 *
 *     - variants 4           it is made with each `size` from 0 to 3
 *     - at 0x1000 b < a:7    the frames there, innermost first, with files and
 *                            lines ("b a.c:5");
 *                            "?" for a line of code without a name
 *     - range 0x1000 0x1000 0x1020   the bounds of the code there; "none"
 *     - code 0x1000 0x180 0xC3       how many bytes of code, and the first
 *     - kind pe              the kind of file that it is
 *     - refused WORDS        the file cannot be opened
 *
 * No part of the file may be left out, but for hostile ones, whose note `flaw`
 * is how the message begins.
 */
#include "symbols/debug.h"
#include "tests/support/hostile.h"
#include "tests/support/suite.h"

enum { FRAMES = 8 };

static void check_at(struct debug_file *file, const char *name,
                     const char *note)
{
    struct debug_frame f[FRAMES];
    char text[4200] = "", *want;
    uint64_t address = strtoull(note, &want, 0);
    size_t n = debug_frames(file, address, f, FRAMES);

    for (size_t i = 0, at = 0; i < n; i++) {
        at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s",
                               i ? " < " : "",
                               f[i].function ? f[i].function : "?");
        if (f[i].file)
            at += (size_t)snprintf(text + at, sizeof(text) - at, " %s",
                                   f[i].file);
        if (f[i].line)
            at += (size_t)snprintf(text + at, sizeof(text) - at, ":%u",
                                   (unsigned)f[i].line);
    }
    want += *want == ' ';
    ck_assert_msg(!strcmp(text, want), "%s: 0x%llx: %s, not %s", name,
                  (unsigned long long)address, text, want);
}

static void check_range(struct debug_file *file, const char *name,
                        const char *note)
{
    struct debug_range range;
    char text[60] = "none", *want;
    uint64_t address = strtoull(note, &want, 0);

    if (debug_range(file, address, &range))
        snprintf(text, sizeof(text), "0x%llX 0x%llX",
                 (unsigned long long)range.start,
                 (unsigned long long)range.end);
    ck_assert_msg(!strcmp(text, want + 1), "%s: 0x%llx: %s, not %s", name,
                  (unsigned long long)address, text, want);
}

static void check_code(struct debug_file *file, const char *name,
                       const char *note)
{
    char *rest;
    struct bytes code = debug_code(file, strtoull(note, &rest, 0));

    ck_assert_msg(code.len == strtoull(rest, &rest, 0), "%s: %s", name, note);
    if (*rest)
        ck_assert_msg(code.data[0] == strtoul(rest, NULL, 0), "%s: %s", name,
                      note);
}

static void check_notes(struct debug_file *file, const struct recipes *all,
                        const char *name)
{
    const char *kind = recipe_note(all, name, "kind", 0), *note;

    if (kind)
        ck_assert_str_eq(file->kind->name, kind);
    for (size_t i = 0; (note = recipe_note(all, name, "at", i)); i++)
        check_at(file, name, note);
    for (size_t i = 0; (note = recipe_note(all, name, "range", i)); i++)
        check_range(file, name, note);
    for (size_t i = 0; (note = recipe_note(all, name, "code", i)); i++)
        check_code(file, name, note);
}

static void check(const struct recipes *all, const char *name, size_t variant)
{
    const char *refused = recipe_note(all, name, "refused", 0);
    struct err err = {0};
    struct blob b = {0};
    struct debug_file *file;

    recipe_make(all, name, variant, &b);
    file = debug_open(name, b.data, b.len, &err);
    ck_assert_msg(refused ? !file && strstr(err.message, refused) : !!file,
                  "%s: %s", name, err.message);
    /* Twice: the second time from what the first has read. */
    for (size_t i = 0; file && i < 2; i++)
        check_notes(file, all, name);
    if (file) {
        ck_assert_msg(!debug_flaw(file), "%s: %s", name, debug_flaw(file));
        debug_close(file);
    }
    free(b.data);
}

static void check_all(const char *path)
{
    struct recipes *all = recipes_read(path);
    const char *name;

    for (size_t i = 0; (name = recipe_name(all, i)); i++) {
        const char *variants = recipe_note(all, name, "variants", 0);
        size_t n = variants ? strtoul(variants, NULL, 10) : 1;

        for (size_t v = 0; v < n; v++)
            check(all, name, v);
    }
    recipes_free(all);
}

#define DWARF "tests/symbols/dwarf/dwarf.txt"
#define PDB   "tests/symbols/pdb/pdb.txt"

TEST(dwarf)
{
    check_all(DWARF);
}

TEST(elf)
{
    check_all("tests/symbols/elf/elf.txt");
}

TEST(pe)
{
    check_all("tests/symbols/pe/pe.txt");
}

TEST(pdb)
{
    check_all(PDB);
}

static struct debug_file *open_one(const char *path, const char *name,
                                   struct blob *b)
{
    struct recipes *all = recipes_read(path);
    struct err err = {0};
    struct debug_file *file;

    ck_assert(recipe_make(all, name, 0, b));
    file = debug_open("made", b->data, b->len, &err);
    ck_assert_msg(file, "%s", err.message);
    recipes_free(all);
    return file;
}

/* As many frames as there is room for, the innermost ones. */
TEST(short_answers)
{
    struct blob b = {0};
    struct debug_file *file = open_one(DWARF, "short-answers", &b);

    for (size_t max = 1; max <= 4; max++) {
        struct debug_frame f[5] = {[3].line = 99, [4].line = 99};
        size_t n = debug_frames(file, 0x1000, f, max);

        ck_assert_uint_eq(n, max < 3 ? max : 3);
        ck_assert_str_eq(f[0].function, "b");
        for (size_t i = 0; i < n; i++)
            ck_assert(f[i].inlined == (i < 2));
        ck_assert_uint_eq(f[3].line, 99);
        ck_assert_uint_eq(f[max].line, max < 3 ? 0 : 99);
    }
    debug_close(file);
    free(b.data);
}

TEST(long_names)
{
    static const struct {
        const char *path, *name;
        uint64_t address;
        size_t length;
    } rows[] = {
        {DWARF, "longest-scope", 0x1000, 4095},
        {PDB, "longest-scope", 0x1040, 8192},
        {PDB, "longest-name-of-a-file", 0x1040, 4096},
    };

    for (size_t i = 0; i < COUNT(rows); i++) {
        struct blob b = {0};
        struct debug_file *file = open_one(rows[i].path, rows[i].name, &b);
        struct debug_frame f[FRAMES];

        ck_assert_uint_gt(debug_frames(file, rows[i].address, f, FRAMES), 0);
        ck_assert_uint_eq(strlen(f->function ? f->function : f->file),
                          rows[i].length);
        debug_close(file);
        free(b.data);
    }
}

TEST(hostile_files_say_what_is_left_out)
{
    enum { SIZE = 1 << 18, STEP = 64, ASKED = 256 };
    const char *name;

    for (size_t i = 0; (name = hostile_name(i)); i++) {
        const char *flaw = hostile_note(name, "flaw", 0), *found;
        struct debug_frame f[DEBUG_FRAMES_MAX];
        struct debug_file *file;
        struct err err = {0};
        struct blob b = {0};

        if (!flaw && !hostile_note(name, "whole", 0))
            continue;
        (void)hostile_make(name, SIZE, &b);
        file = debug_open(name, b.data, b.len, &err);
        ck_assert_msg(file, "%s", err.message);
        for (uint64_t rva = 0; rva < (uint64_t)ASKED * STEP; rva += STEP)
            (void)debug_frames(file, rva, f, DEBUG_FRAMES_MAX);
        found = debug_flaw(file);
        ck_assert_msg(flaw ? found && strstr(found, flaw) == found : !found,
                      "%s: %s", name, found ? found : "nothing");
        debug_close(file);
        free(b.data);
    }
}
