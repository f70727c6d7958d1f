/*
 * ELF files with DWARF against what other decoders wrote down about them:
 * Breakpad symbol files (dump_syms) and a function tree (symbolic).
 */
#include "symbols/elf/elf.h"
#include "symbols/names/demangle.h"
#include "tests/support/debug_input.h"
#include "tests/support/suite.h"

enum { MOST_INLINES = 200, LINE = 4000 };

struct inlined {
    uint64_t low, high;
    unsigned call_line, depth, origin;
};

/* What the lines of a .sym file are. */
enum lines_of {
    INNERMOST, /* with records of inlined calls beside them */
    OUTERMOST,
    EITHER /* innermost, but some inlined calls were left out */
};

/* One .sym file while it is read, and the binary it describes. */
struct sym {
    struct debug_input *input;
    struct arena arena;
    char origins[50][200];
    char function[LINE];
    struct inlined inlines[MOST_INLINES];
    size_t inline_count;
    enum lines_of lines;
    unsigned rows, names;
};

static const char *readable(struct sym *s, const char *name)
{
    return demangle(name, DEMANGLE_FULL, &s->arena, NULL);
}

static void check_chain(struct sym *s, uint64_t rva,
                        const struct debug_frame *frames, size_t n)
{
    size_t depth = 0;

    for (size_t i = 0; i < s->inline_count; i++) {
        const struct inlined *in = &s->inlines[i];

        if (rva < in->low || rva >= in->high)
            continue;
        depth++;
        ck_assert_uint_lt(in->depth + 1, n);
        ck_assert_uint_eq(frames[n - 1 - in->depth].line, in->call_line);
        ck_assert_str_eq(readable(s, frames[n - 2 - in->depth].function),
                         s->origins[in->origin]);
    }
    ck_assert_uint_eq(n, depth + 1);
}

static void check_row(struct sym *s, uint64_t rva, unsigned line)
{
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    size_t n = debug_frames(s->input->file, rva, frames, DEBUG_FRAMES_MAX);
    const struct debug_frame *last = &frames[n ? n - 1 : 0];
    bool right;

    ck_assert_msg(n > 0, "%s: nothing at 0x%llx", s->input->path,
                  (unsigned long long)rva);
    right = (s->lines != OUTERMOST && frames[0].line == line) ||
            (s->lines != INNERMOST && last->line == line);
    ck_assert_msg(right, "%s: line at 0x%llx", s->input->path,
                  (unsigned long long)rva);
    ck_assert_str_eq(readable(s, last->function), s->function);
    if (s->lines == INNERMOST)
        check_chain(s, rva, frames, n);
    s->rows++;
}

/* Symbols of 32-bit Windows begin with an underscore, which is cut there. */
static bool same_name(const char *ours, const char *stored, const char *theirs)
{
    return !strcmp(ours, theirs) ||
           !strcmp(stored + strspn(stored, "_"), theirs + strspn(theirs, "_"));
}

/* Stubs are named after their section there, after their target here. */
static void check_public(struct sym *s, uint64_t rva, const char *name)
{
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    size_t n;

    if (name[0] == '<')
        return;
    n = debug_frames(s->input->file, rva, frames, DEBUG_FRAMES_MAX);
    ck_assert_msg(n > 0, "%s: nothing at 0x%llx", s->input->path,
                  (unsigned long long)rva);
    ck_assert_msg(same_name(readable(s, frames[n - 1].function),
                            frames[n - 1].function, name),
                  "%s: %s, not %s", s->input->path, frames[n - 1].function,
                  name);
    s->names++;
}

/* INLINE depth call_line call_file origin, then pairs of address, size. */
static void take_inline(struct sym *s, const char *text)
{
    struct inlined in;
    unsigned long long low, size;
    int at, n;

    ck_assert(sscanf(text, "INLINE %u %u %*u %u %n", &in.depth, &in.call_line,
                     &in.origin, &at) == 3);
    for (; sscanf(text + at, "%llx %llx %n", &low, &size, &n) == 2; at += n) {
        in.low = low;
        in.high = low + size;
        ck_assert_uint_lt(s->inline_count, MOST_INLINES);
        s->inlines[s->inline_count++] = in;
    }
}

static void take_line(struct sym *s, const char *text)
{
    unsigned long long address, size;
    unsigned line, file, number;
    int at = 0;

    if (sscanf(text, "INLINE_ORIGIN %u %n", &number, &at) == 1 && at) {
        ck_assert_uint_lt(number, 50);
        snprintf(s->origins[number], sizeof(s->origins[0]), "%s", text + at);
    } else if (!strncmp(text, "INLINE ", 7)) {
        take_inline(s, text);
    } else if (sscanf(text, "FUNC %llx %llx %*x %n", &address, &size, &at) ==
                   2 &&
               at) {
        snprintf(s->function, sizeof(s->function), "%s", text + at);
        s->inline_count = 0;
    } else if (sscanf(text, "PUBLIC %llx %*x %n", &address, &at) == 1 && at) {
        check_public(s, address, text + at);
    } else if (sscanf(text, "%llx %llx %u %u", &address, &size, &line, &file) ==
               4) {
        check_row(s, address, line);
    }
}

static void compare(const char *folder, const char *binary, const char *truth,
                    enum lines_of lines)
{
    struct debug_input *input = debug_input_open(folder, binary);
    FILE *file = debug_input_text(folder, truth);
    static struct sym s;
    char text[LINE];

    if (!input || !file) {
        suite_skip(1, "symbol files: TOPFN_TRACES is not there");
        return;
    }
    s = (struct sym){.input = input, .lines = lines};
    while (fgets(text, sizeof(text), file)) {
        text[strcspn(text, "\n")] = '\0';
        take_line(&s, text);
    }
    ck_assert_uint_gt(s.rows + s.names, 5);
    fclose(file);
    debug_input_close(input);
    arena_release(&s.arena);
}

TEST(inline_chains)
{
    compare("dump_syms-linux", "basic.full", "basic.full.inlines.sym",
            INNERMOST);
}

TEST(outer_lines)
{
    compare("dump_syms-linux", "basic.full", "basic.full.sym", OUTERMOST);
    compare("dump_syms-linux", "basic.dbg", "basic.dbg.sym", OUTERMOST);
}

/* Neither .symtab nor DWARF: names are in .gnu_debugdata. */
TEST(mini_debug_info)
{
    compare("dump_syms-linux", "basic.minidebuginfo", "basic.minidebuginfo.sym",
            OUTERMOST);
}

/* "    > 0x1f08: name (0x12)": a function, inlined by its indentation;
 * "    0x1f08: file.h:543 (folder)": a line of that function. Consecutive
 * lines may repeat; what is inlined deeper has its own. */
static void take_tree_line(struct debug_input *input, const char *text,
                           unsigned *right, unsigned *wrong)
{
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    size_t depth = strspn(text, " ") / 2, n;
    unsigned long long rva;
    char name[300];
    unsigned line;

    if (sscanf(text, " 0x%llx: %299[^:]:%u", &rva, name, &line) != 3)
        return;
    n = debug_frames(input->file, rva, frames, DEBUG_FRAMES_MAX);
    /* Lines stand two columns right of their function. */
    if (depth && n >= depth && frames[n - depth].line == line &&
        frames[n - depth].file && strstr(frames[n - depth].file, name))
        ++*right;
    else
        ++*wrong;
}

static void compare_tree(const char *binary)
{
    struct debug_input *input = debug_input_open("symbolic-linux", binary);
    FILE *file = debug_input_text("symbolic-linux", "crash.elf.functions.txt");
    char text[LINE];
    unsigned right = 0, wrong = 0;

    if (!input || !file) {
        suite_skip(1, "symbol files: TOPFN_TRACES is not there");
        return;
    }
    while (fgets(text, sizeof(text), file))
        take_tree_line(input, text, &right, &wrong);
    ck_assert_uint_gt(right, 500);
    ck_assert_msg(wrong * 100 <= right, "%s: %u of %u lines differ", binary,
                  wrong, right + wrong);
    fclose(file);
    debug_input_close(input);
}

/* The same sections plain, and packed in both ways. */
TEST(function_tree)
{
    compare_tree("crash.debug");
    compare_tree("crash.debug-zlib");
    compare_tree("crash.debug-zstd");
}

TEST(windows_images)
{
    compare("dump_syms-windows", "basic64-dwarf.dll", "basic64-dwarf.sym",
            EITHER);
    compare("dump_syms-windows", "basic32-dwarf.dll", "basic32-dwarf.sym",
            EITHER);
}
