/*
 * ELF and DWARF as the compiler at hand makes them: every version and way of
 * packing must give the same answers for the same program.
 */
#include "symbols/elf/elf.h"
#include "tests/support/compiled.h"
#include "tests/support/debug_input.h"
#include "tests/support/suite.h"

static struct debug_input *open_built(const char *name)
{
    struct debug_input *in = debug_input_open(NULL, compiled_path(name));

    ck_assert_ptr_nonnull(in);
    ck_assert_ptr_eq(in->file->kind, &elf_debug_kind);
    return in;
}

/* Seen in the whole image. */
struct seen {
    bool chain, plt, main;
};

static bool is(const struct debug_frame *f, const char *function, bool inlined)
{
    return !strcmp(f->function, function) && f->inlined == inlined;
}

static void look(struct debug_input *in, uint64_t rva, struct seen *seen)
{
    struct debug_frame f[DEBUG_FRAMES_MAX];
    size_t n = debug_frames(in->file, rva, f, DEBUG_FRAMES_MAX);

    if (n == 3 && is(&f[0], "mix", true) && is(&f[1], "mix_twice", true) &&
        is(&f[2], "hash_block", false) && f[2].line == 12 &&
        (f[1].line == 5 || f[1].line == 6) && f[0].line == 2 &&
        strstr(f[0].file, "/p.c"))
        seen->chain = true;
    if (n == 1 && is(&f[0], "main", false) && f[0].line == 17)
        seen->main = true;
    for (size_t i = 0; i < n; i++)
        seen->plt |= !strncmp(f[i].function, "strtol@plt", 10) ||
                     !strncmp(f[i].function, "atoi@plt", 8);
}

static struct seen look_everywhere(struct debug_input *in)
{
    struct seen seen = {0};

    for (uint64_t rva = 0; rva < 0x3000; rva++)
        look(in, rva, &seen);
    return seen;
}

static bool find_other(void *context, const struct dwarf_companion *wanted,
                       const uint8_t **data, size_t *size)
{
    struct debug_input **keep = context;

    if (wanted->kind == DWARF_PACKAGE)
        return false;
    *keep = debug_input_open(NULL, compiled_path(wanted->name));
    if (!*keep)
        return false;
    *data = (*keep)->data;
    *size = (*keep)->size;
    return true;
}

static void check_built(const char *name, const char *options)
{
    struct debug_input *in = open_built(name), *other = NULL;
    struct elf_finder finder = {find_other, &other};
    struct seen seen;

    in->file->kind->set_finder(in->file, &finder);
    seen = look_everywhere(in);
    ck_assert_msg(seen.chain, "%s: no inlined calls", options);
    ck_assert_msg(seen.main, "%s: no line of main", options);
    ck_assert(elf_has_dwarf(in->file));
    debug_input_close(in);
    if (other)
        debug_input_close(other);
}

static void check(const char *name, const char *options)
{
    if (compiled_build(name, options))
        check_built(name, options);
    else
        suite_skip(1, "the compiler does not take some options");
}

/* Units in front that are megabytes long, of which nobody asks anything. */
TEST(packed_behind_large_units)
{
    static const char command[] =
        "awk 'BEGIN { for (i = 0; i < 12000; i++) { printf \"struct s%%d { "
        "struct s%%d *a\", i, i; for (k = 0; k < 8; k++) printf \", *f%%d_%%d"
        "\", i, k; print \"; };\" } print \"int before%s(void) { return 1; "
        "}\" }' >large.c && cc -c -g -fno-eliminate-unused-debug-types "
        "large.c -o large%s.o";
    char text[600];

    for (const char *n = "12"; *n; n++) {
        char number[2] = {*n, 0};

        snprintf(text, sizeof(text), command, number, number);
        if (!compiled_run(text)) {
            suite_skip(1, "no compiler or awk");
            return;
        }
    }
    check("large", "-g -gz=zlib large1.o large2.o");
    ck_assert(compiled_run("test $(stat -c %s large1.o) -gt 1200000"));
}

TEST(split)
{
    check("split4", "-gdwarf-4 -gsplit-dwarf");
    check("split5", "-gdwarf-5 -gsplit-dwarf");
}

/* What two programs share moves to a third file. */
static void check_dwz(const char *options, const char *dwz)
{
    char command[300];

    if (!compiled_build("one", options) || !compiled_build("two", options))
        return;
    snprintf(command, sizeof(command), "%s -m three one two", dwz);
    if (compiled_run(command))
        check_built("one", dwz);
    else
        suite_skip(1, "alternate files: no dwz");
}

TEST(alternate_files)
{
    check_dwz("-gdwarf-4", "dwz");
    check_dwz("-gdwarf-5", "dwz");
    check_dwz("-gdwarf-5", "dwz -5");
}

/* A driver's other code is not where its `.text` is, though it says so. Lines
 * and inlined calls come through relocations, packed or not. */
TEST(relocatable)
{
    static const char source[] =
        "__attribute__((section(\".init.text\"))) int begin(int x)"
        "{ return x * 3; }\n"
        "__attribute__((section(\".exit.text\"))) int end(int x)"
        "{ return x * 5; }\n"
        "static inline __attribute__((always_inline)) int half(int x)\n"
        "{ return x / 2; }\n"
        "int work(int x) { return\n"
        "half(x * 7); }\n";
    static const char *const ways[] = {
        "cc -gdwarf-4", "cc -gdwarf-5", "cc -gdwarf-5 -gz",
        "aarch64-linux-gnu-gcc -gdwarf-5",
    };
    struct debug_frame f[DEBUG_FRAMES_MAX];
    struct debug_input *in;
    char command[200];
    FILE *file = fopen(compiled_path("driver.c"), "w");

    fputs(source, file);
    fclose(file);
    for (size_t i = 0; i < 4; i++) {
        snprintf(command, sizeof(command),
                 "%s -O1 -c -o driver.ko driver.c 2>&1 >/dev/null", ways[i]);
        if (!compiled_run(command)) {
            suite_skip(1, "no compiler of that kind");
            continue;
        }
        in = open_built("driver.ko");
        ck_assert_uint_eq(debug_frames(in->file, 0, f, DEBUG_FRAMES_MAX), 1);
        ck_assert(is(&f[0], "work", false));
        for (uint64_t at = 0; !f[0].inlined && at < 40; at++)
            debug_frames(in->file, at, f, DEBUG_FRAMES_MAX);
        ck_assert(is(&f[0], "half", true));
        ck_assert_uint_eq(f[0].line, 4);
        ck_assert(is(&f[1], "work", false));
        ck_assert_uint_eq(f[1].line, 6);
        debug_input_close(in);
    }
}

SUITE
{
    int status = compiled_prepare() && compiled_build("try", "-g")
                     ? run_tests()
                     : suite_skip_all("no compiler to make ELF files with");

    compiled_remove();
    return status;
}
