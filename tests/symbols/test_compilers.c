/*
 * One program as each compiler and linker at hand makes it, for Linux and for
 * Windows: the same chains of inlined calls, lines and bounds of functions,
 * whatever the debug information and the symbols are.
 */
#include "symbols/names/demangle.h"
#include "tests/support/compiled.h"
#include "tests/support/debug_input.h"
#include "tests/support/suite.h"

/* What is gone through; with a library more. */
enum { CODE = 0x4000, MUCH_CODE = 0x100000 };

/* No library is there for Windows. */
#define OPTIONS " -O2 -ffreestanding -fno-stack-protector "

static const char source[] =
    "volatile int seen;\n"
    "static inline int mix(int x) { return x * 31 ^ seen; }\n"
    "static inline int mix_twice(int x)\n"
    "{\n"
    "    return mix(\n"
    "        mix(x));\n"
    "}\n"
    "__attribute__((noinline)) int hash_block(const int *p, int n)\n"
    "{\n"
    "    int h = 0;\n"
    "    for (int i = 0; i < n; i++)\n"
    "        h += mix_twice(p[i] + h);\n"
    "    return h;\n"
    "}\n"
    "int start_here(void)\n"
    "{\n"
    "    int v[2] = {seen, seen};\n"
    "    return hash_block(v, seen) + 1;\n"
    "}\n";

static const char rust_source[] =
    "#[inline(always)]\n"
    "fn mix(x: i32, y: i32) -> i32 { x.wrapping_mul(31) ^ y }\n"
    "#[inline(always)]\n"
    "fn mix_twice(x: i32, y: i32) -> i32 {\n"
    "    mix(\n"
    "        mix(x, y), y)\n"
    "}\n"
    "#[no_mangle] #[inline(never)]\n"
    "pub extern \"C\" fn hash_block(p: *const i32, n: i32) -> i32 {\n"
    "    let mut h: i32 = 0; for i in 0..n {\n"
    "        let x = unsafe { p.add(i as usize).read_volatile() };\n"
    "        h = h.wrapping_add(mix_twice(h, x));\n"
    "    }\n"
    "    h\n"
    "}\n"
    "#[no_mangle]\n"
    "pub extern \"C\" fn start_here(p: *const i32) -> i32 {\n"
    "    hash_block(p, 7) + 1\n"
    "}\n";

#define ELF     OPTIONS "-nostdlib -static -Wl,-e,start_here w.c -o "
#define WINDOWS "clang --target=x86_64-pc-windows-msvc" OPTIONS
#define LINK                                                                   \
    "lld-link /nologo /nodefaultlib /entry:start_here /subsystem:console "

struct build {
    const char *command, *file;
    const char *scope; /* in front of names; or NULL */
    bool flat;         /* no list of ranges: inlined calls have no code */
};

static const struct build for_linux[] = {
    {.file = "gcc", .command = "gcc -g" ELF "gcc"},
    {.file = "old",
     .command = "gcc -gdwarf-2 -gstrict-dwarf -ffunction-sections" ELF "old",
     .flat = true},
    {.file = "clang", .command = "clang -g" ELF "clang"},
    {.file = "clang4", .command = "clang -gdwarf-4" ELF "clang4"},
    {.file = "packed",
     .command = "clang -g -ffunction-sections -gz=zlib" ELF "packed"},
    {0},
};

static const struct build with_rust[] = {
    {.file = "rust.so",
     .command = "rustc --crate-type cdylib --edition 2018 -C opt-level=2 -g "
                "w.rs -o rust.so",
     .scope = "w::"},
    {0},
};

/* DWARF in an image of Windows, and COFF symbols, which have no size. */
static const struct build for_windows[] = {
    {.file = "mingw.exe",
     .command = "x86_64-w64-mingw32-gcc -g" OPTIONS "-nostdlib "
                "-Wl,-e,start_here w.c -o mingw.exe"},
    {.file = "gnu.exe",
     .command = "clang --target=x86_64-w64-mingw32 -g" OPTIONS "-c w.c "
                "-o gnu.o && ld -m i386pep gnu.o -e start_here -o gnu.exe"},
    {.file = "d.exe",
     .command = WINDOWS "-gdwarf -c w.c -o d.obj && " LINK
                        "/debug:dwarf /out:d.exe d.obj"},
    {0},
};

static const struct build with_pdbs[] = {
    {.file = "w.pdb",
     .command = WINDOWS "-g -gcodeview -c w.c -o w.obj && " LINK
                        "/debug /pdb:w.pdb /out:w.exe w.obj"},
    {.file = "f.pdb",
     .command = WINDOWS "-g -gcodeview -ffunction-sections -c w.c -o f.obj && "
         LINK "/debug /opt:icf /pdb:f.pdb /pdbpagesize:16384 /out:f.exe f.obj"},
    {0},
};

struct seen {
    struct arena arena;
    size_t chains;   /* addresses with two calls inlined into hash_block */
    size_t named[2]; /* in either function that is one by itself */
};

static const char *const functions[] = {"hash_block", "start_here"};

static const char *readable(struct seen *seen, const char *name)
{
    return name ? demangle(name, DEMANGLE_SHORT, &seen->arena, NULL) : "";
}

static bool is(struct seen *seen, const struct debug_frame *f,
               const char *scope, const char *name)
{
    const char *have = readable(seen, f->function);
    size_t n = scope ? strlen(scope) : 0;

    return (!n || !strncmp(have, scope, n)) && !strcmp(have + n, name);
}

static void look_at_chain(struct seen *seen, const struct debug_frame *f,
                          const char *scope)
{
    if (!is(seen, &f[0], scope, "mix") || f[0].line != 2)
        return;
    ck_assert(is(seen, &f[1], scope, "mix_twice"));
    ck_assert(f[0].inlined && f[1].inlined && !f[2].inlined);
    ck_assert(f[1].line == 5 || f[1].line == 6);
    ck_assert(is(seen, &f[2], scope, "hash_block"));
    ck_assert_uint_eq(f[2].line, 12);
    ck_assert_ptr_nonnull(strstr(f[0].file, "w."));
    seen->chains++;
}

/* An address that has a function's name is within its bounds. */
static void look_at_bounds(struct seen *seen, struct debug_file *file,
                           uint64_t rva, const struct debug_frame *outermost,
                           const char *scope)
{
    struct debug_range range;

    for (size_t i = 0; i < 2; i++) {
        if (!is(seen, outermost, scope, functions[i]))
            continue;
        seen->named[i]++;
        if (!debug_range(file, rva, &range))
            ck_abort_msg("%s at 0x%llx", functions[i], (unsigned long long)rva);
        ck_assert_uint_lt(range.end - range.start, 0x400);
        ck_assert(rva >= range.start && rva < range.end);
    }
}

/* As many bytes have its name as it is long, and no more. */
static void check_length(struct seen *seen, struct debug_file *file,
                         size_t number, uint64_t rva, const char *scope)
{
    struct debug_frame f[DEBUG_FRAMES_MAX];
    size_t n = debug_frames(file, rva, f, DEBUG_FRAMES_MAX);
    struct debug_range range;

    if (!n || !is(seen, &f[n - 1], scope, functions[number]))
        return;
    ck_assert(debug_range(file, rva, &range));
    ck_assert_uint_eq(seen->named[number], range.end - range.start);
}

static void check_build(const struct build *b)
{
    struct debug_input *in = debug_input_open(NULL, compiled_path(b->file));
    struct seen seen = {.chains = 0};
    uint64_t end = b->scope ? MUCH_CODE : CODE;

    ck_assert_ptr_nonnull(in);
    for (uint64_t rva = 0; rva < end; rva++) {
        struct debug_frame f[DEBUG_FRAMES_MAX];
        size_t n = debug_frames(in->file, rva, f, DEBUG_FRAMES_MAX);

        if (n == 3)
            look_at_chain(&seen, f, b->scope);
        if (n)
            look_at_bounds(&seen, in->file, rva, &f[n - 1], b->scope);
    }
    ck_assert_msg(b->flat || seen.chains > 5, "%s: no chain", b->file);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_uint_gt(seen.named[i], 4);
        for (uint64_t rva = 0; rva < end; rva += 16)
            check_length(&seen, in->file, i, rva, b->scope);
    }
    arena_release(&seen.arena);
    debug_input_close(in);
}

static void check_all(const struct build *b)
{
    for (; b->command; b++)
        if (compiled_run(b->command))
            check_build(b);
        else
            suite_skip(1, b->file);
}

TEST(linux_files)
{
    check_all(for_linux);
}

TEST(windows_images)
{
    check_all(for_windows);
}

TEST(pdbs)
{
    check_all(with_pdbs);
}

TEST(rust_files)
{
    check_all(with_rust);
}

static bool write_source(const char *name, const char *text)
{
    FILE *f = fopen(compiled_path(name), "w");

    if (!f)
        return false;
    fputs(text, f);
    return fclose(f) == 0;
}

SUITE
{
    int status = compiled_prepare() &&
                         write_source("w.c", source) && write_source("w.rs", rust_source)
                     ? run_tests()
                     : suite_skip_all("no folder to compile in");

    compiled_remove();
    return status;
}
