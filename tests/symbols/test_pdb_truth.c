/*
 * Real PDBs against what other tools made of them.
 *
 * *.sym (Breakpad): every FUNC and PUBLIC address must get that name, every
 * line row its file and line. Names compare up to their arguments: those of
 * PDB procedures have none, and the tools spell them in their own ways. The
 * classes of what may differ are in is_explained.
 *
 * functions.txt: trees of inlined functions with the lines of each.
 */
#include <ctype.h>
#include <strings.h>

#include "symbols/debug.h"
#include "symbols/names/demangle.h"
#include "symbols/pe/pe.h"
#include "tests/support/msf_writer.h"
#include "tests/support/suite.h"

enum { NAME_SIZE = 4096, DEPTH = 32, FILES = 1024 };

struct tally {
    unsigned names, wrong_names, lines, wrong_lines, shown;
};

struct subject {
    struct debug_file *file;
    uint8_t *bytes;
    FILE *truth;
    struct arena arena;
    struct tally tally;
};

static const char *path_of(const char *name)
{
    static char path[1000];

    snprintf(path, sizeof(path), "%s/symbols/%s", traces_folder(), name);
    return path;
}

static bool subject_open(struct subject *s, const char *pdb,
                         const char *truth)
{
    struct err err = {0};
    size_t size;

    *s = (struct subject){.bytes = read_whole_file(path_of(pdb), &size)};
    s->truth = fopen(path_of(truth), "r");
    if (!s->bytes || !s->truth) {
        suite_skip(1, pdb);
        return false;
    }
    s->file = debug_open(pdb, s->bytes, size, &err);
    ck_assert_msg(s->file != NULL, "%s", err.message);
    return true;
}

static void subject_close(struct subject *s)
{
    debug_close(s->file);
    free(s->bytes);
    if (s->truth)
        fclose(s->truth);
    arena_release(&s->arena);
}

/* Without blanks and arguments. */
static char *bare_name(struct arena *arena, const char *name)
{
    char *bare = arena_strndup(arena, name, strlen(name)), *to = bare;

    for (const char *at = name; *at; at++) {
        bool is_operator = at - name >= 8 && !strncmp(at - 8, "operator(", 9);
        bool is_scope = !strncmp(at, "(anonymous", 10);

        if (*at == '(' && !is_operator && !is_scope)
            break;
        if (!isspace((unsigned char)*at))
            *to++ = *at;
    }
    *to = '\0';
    return bare;
}

/* Every `from` as `to`. */
static char *respell(struct arena *arena, const char *name, const char *from,
                     const char *to)
{
    size_t n = strlen(from), m = strlen(to), extra = m > n ? m - n : 0;
    char *text = arena_new(arena, char, strlen(name) * (1 + extra) + 1);
    char *at = text;

    while (*name) {
        bool is_from = !strncmp(name, from, n);

        memcpy(at, is_from ? to : name, is_from ? m : 1);
        at += is_from ? m : 1;
        name += is_from ? n : 1;
    }
    *at = '\0';
    return text;
}

/* As we spell it what the other tool does in its own way. */
static const char *our_spelling(struct arena *arena, const char *name)
{
    static const char *const words[][2] = {
        {"uint64_t", "unsigned__int64"},
        {"int64_t", "__int64"},
        {"(anonymousnamespace)", "`anonymousnamespace'"},
    };

    for (size_t i = 0; i < COUNT(words); i++)
        name = respell(arena, name, words[i][0], words[i][1]);
    return name;
}

/* Special functions, which it calls in words: the class must be right, and
 * that it is such a function of it. */
static bool same_special(const char *wanted, const char *name)
{
    static const char *const words[][2] = {
        {"::ctor", "::"},
        {"::dtor", "::~"},
        {"::operator", "::operator"},
        {"::`scalardeleting", "::`vectordeleting"}, /* folded */
    };

    for (size_t i = 0; i < COUNT(words); i++) {
        const char *at = strstr(wanted, words[i][0]);
        size_t n = at ? (size_t)(at - wanted) : 0;

        if (at && !strncmp(wanted, name, n) &&
            !strncmp(name + n, words[i][1], strlen(words[i][1])))
            return true;
    }
    return false;
}

/* Names that the other tool could not undecorate, and several functions folded
 * into one, of which any name is right. */
static bool is_explained(const char *wanted, const char *name)
{
    return *wanted == '?' || *wanted == '<' || same_special(wanted, name) ||
           strstr(wanted, "stub_for");
}

static void check_name(struct subject *s, uint32_t rva, const char *wanted)
{
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    size_t n = debug_frames(s->file, rva, frames, DEBUG_FRAMES_MAX);
    const char *name = n ? frames[n - 1].function : "";
    const char *text =
        *name == '?' ? undecorate(&s->arena, name, false, NULL) : NULL;

    name = bare_name(&s->arena, text ? text : name);
    wanted = our_spelling(&s->arena, bare_name(&s->arena, wanted));
    s->tally.names++;
    if (strcmp(name, wanted) != 0 && !is_explained(wanted, name)) {
        s->tally.wrong_names++;
        if (s->tally.shown++ < 10)
            printf("0x%x: %s, not %s\n", rva, name, wanted);
    }
    arena_reset(&s->arena);
}

static void check_line(struct subject *s, uint32_t rva, unsigned line,
                       const char *path)
{
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    size_t n = debug_frames(s->file, rva, frames, DEBUG_FRAMES_MAX);
    const struct debug_frame *f = &frames[n - 1];

    s->tally.lines++;
    if (n && f->line == line && f->file && !strcasecmp(f->file, path))
        return;
    s->tally.wrong_lines++;
    if (s->tally.shown++ < 10)
        printf("0x%x: %s:%u, not %s:%u\n", rva, n && f->file ? f->file : "",
               n ? f->line : 0, path, line);
}

/* FUNC and PUBLIC: [m] hexadecimal numbers, the last being the size of the
 * parameters, and the name. */
static void check_symbol(struct subject *s, const char *text, int numbers)
{
    unsigned rva;
    int at = 0;

    if (!strncmp(text, "m ", 2))
        text += 2;
    ck_assert_int_eq(sscanf(text, "%x", &rva), 1);
    for (; numbers; numbers--, text += at)
        ck_assert_int_eq(sscanf(text, "%*x %n", &at), 0);
    check_name(s, rva, text);
}

/* Where two rows have one address, the first is for that alone: both dump_syms
 * and symbolic leave it out. */
static void check_sym(struct subject *s)
{
    static char line[NAME_SIZE * 4], files[FILES][300];
    unsigned rva, size, number, file;
    int at;

    while (fgets(line, sizeof(line), s->truth)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (sscanf(line, "FILE %u %n", &file, &at) == 1 && file < FILES)
            snprintf(files[file], sizeof(files[file]), "%.299s", line + at);
        else if (!strncmp(line, "FUNC ", 5))
            check_symbol(s, line + 5, 3);
        else if (!strncmp(line, "PUBLIC ", 7))
            check_symbol(s, line + 7, 2);
        else if (isxdigit((unsigned char)*line) &&
                 sscanf(line, "%x %x %u %u", &rva, &size, &number, &file) == 4)
            check_line(s, rva + (size > 1), number, files[file]);
    }
}

/* `single`: rows of one byte behind another of their address. */
static void compare_sym(const char *pdb, const char *sym, unsigned names,
                        unsigned lines, unsigned single)
{
    struct subject s;

    if (subject_open(&s, pdb, sym)) {
        check_sym(&s);
        ck_assert_uint_eq(s.tally.names, names);
        ck_assert_uint_eq(s.tally.lines, lines);
        ck_assert_uint_eq(s.tally.wrong_names, 0);
        ck_assert_uint_eq(s.tally.wrong_lines, single);
    }
    subject_close(&s);
}

TEST(breakpad_symbols)
{
    compare_sym("dump_syms-windows/dump_syms_regtest64.pdb",
                "dump_syms-windows/dump_syms_regtest64.sym", 249, 3538, 2);
    compare_sym("dump_syms-windows/basic32-min.pdb",
                "dump_syms-windows/basic32-min.sym", 3175, 0, 0);
}

/* One tree: the functions above the current line. */
struct tree {
    char names[DEPTH][NAME_SIZE];
};

static bool has_suffix(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && !strcasecmp(text + n - m, end);
}

/* "0xADDRESS: FILE:LINE (FOLDER)" of the function `depth` calls down. */
static void check_tree_line(struct subject *s, const struct tree *tree,
                            size_t depth, const char *text)
{
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    unsigned rva, line;
    char file[300];
    size_t n;

    ck_assert_int_eq(sscanf(text, "%x: %299[^:]:%u", &rva, file, &line), 3);
    n = debug_frames(s->file, rva, frames, DEBUG_FRAMES_MAX);
    ck_assert_msg(n > depth, "0x%x: %zu frames", rva, n);
    for (size_t i = 0; i <= depth; i++)
        ck_assert_str_eq(
            bare_name(&s->arena, frames[n - 1 - i].function),
            bare_name(&s->arena, tree->names[i]));
    if (frames[n - 1 - depth].line != line)
        n = debug_frames(s->file, rva + 1, frames, DEBUG_FRAMES_MAX);
    ck_assert_uint_gt(n, depth);
    ck_assert_uint_eq(frames[n - 1 - depth].line, line);
    ck_assert(has_suffix(frames[n - 1 - depth].file, file));
    s->tally.lines++;
    arena_reset(&s->arena);
}

static void check_trees(struct subject *s)
{
    static struct tree tree;
    static char line[NAME_SIZE];

    while (fgets(line, sizeof(line), s->truth)) {
        size_t indent = strspn(line, " ");
        size_t depth = indent / 2;
        char *text = line + indent, *end;

        if (!strncmp(text, "> 0x", 4) && depth < DEPTH) {
            text = strchr(text, ':') + 2;
            end = strrchr(text, '(');
            end[-1] = '\0';
            memcpy(tree.names[depth], text, strlen(text) + 1);
        } else if (!strncmp(text, "0x", 2)) {
            check_tree_line(s, &tree, depth - 1, text);
        }
    }
}

TEST(inline_trees)
{
    struct subject s;

    if (subject_open(&s, "symbolic-windows/crash.pdb",
                     "symbolic-windows/crash.pdb.functions.txt")) {
        check_trees(&s);
        ck_assert_uint_eq(s.tally.lines, 290);
    }
    subject_close(&s);
}

/* The image names its exports, and its PDB the same addresses. */
static unsigned compare_exports(struct debug_file *image,
                                struct debug_file *pdb)
{
    struct debug_frame a, b;
    const char *last = "";
    unsigned count = 0;

    for (uint64_t rva = 0x1000; rva < image->identity.image_size; rva++) {
        if (!debug_frames(image, rva, &a, 1) || a.function == last)
            continue;
        last = a.function;
        if (!debug_frames(pdb, rva, &b, 1))
            continue; /* data */
        /* C_GetFunctionList is exported for NSC_GetFunctionList. */
        ck_assert_msg(has_suffix(b.function, a.function + 1), "%s is %s",
                      a.function, b.function);
        count++;
    }
    return count;
}

TEST(exports)
{
    struct debug_file *image, *pdb;
    uint8_t *bytes[2];
    size_t size[2];

    bytes[0] = read_whole_file(path_of("samply-win64/softokn3.dll"),
                               &size[0]);
    bytes[1] = read_whole_file(path_of("samply-win64/softokn3.pdb"),
                               &size[1]);
    if (!bytes[0] || !bytes[1]) {
        suite_skip(1, "samply-win64/softokn3");
        return;
    }
    image = debug_open("softokn3.dll", bytes[0], size[0], NULL);
    pdb = debug_open("softokn3.pdb", bytes[1], size[1], NULL);
    ck_assert(image && pdb);
    ck_assert_mem_eq(image->identity.guid, pdb->identity.guid, 16);
    ck_assert_uint_eq(image->identity.age, pdb->identity.age);
    ck_assert_uint_gt(compare_exports(image, pdb), 5);
    debug_close(image);
    debug_close(pdb);
    free(bytes[0]);
    free(bytes[1]);
}
