/* Images of Windows with DWARF as clang and GNU's linker make them. */
#include "symbols/debug.h"
#include "tests/support/compiled.h"
#include "tests/support/debug_input.h"
#include "tests/support/suite.h"

/* A function that .pdata bounds, and code behind it that has no symbol. */
static bool build(void)
{
    return compiled_run(
        "printf '%s\\n' .text '.globl main' "
        "'.def main; .scl 2; .type 32; .endef' '.seh_proc main' "
        "'main: nop' .seh_endprologue ret .seh_endproc "
        "nop '.skip 64, 0x90' ret >anon.s && "
        "clang --target=x86_64-w64-mingw32 -g -gdwarf-4 -c anon.s && "
        "ld -m i386pep anon.o -e main -o anon.exe");
}

/* The symbol before ends where the function does; the line is there. */
static void check_lines(struct debug_input *in)
{
    static const struct {
        uint64_t rva;
        const char *function;
        uint32_t line;
    } wanted[] = {
        {0x1000, "main", 5}, {0x1001, "main", 7}, {0x1002, NULL, 9},
        {0x1003, NULL, 9},   {0x1042, NULL, 9},   {0x1043, NULL, 11},
    };
    struct debug_frame f[DEBUG_FRAMES_MAX];

    for (size_t i = 0; i < COUNT(wanted); i++) {
        ck_assert_uint_eq(
            debug_frames(in->file, wanted[i].rva, f, DEBUG_FRAMES_MAX), 1);
        if (wanted[i].function)
            ck_assert_str_eq(f[0].function, wanted[i].function);
        else
            ck_assert_ptr_null(f[0].function);
        ck_assert_ptr_nonnull(strstr(f[0].file, "anon.s"));
        ck_assert_uint_eq(f[0].line, wanted[i].line);
    }
    ck_assert_uint_eq(debug_frames(in->file, 0x1044, f, 1), 0);
}

TEST(lines_without_a_name)
{
    struct debug_input *in;

    if (!build()) {
        suite_skip(1, "no clang, or no linker for images of Windows");
        return;
    }
    in = debug_input_open(NULL, compiled_path("anon.exe"));
    ck_assert_ptr_nonnull(in);
    check_lines(in);
    debug_input_close(in);
}

SUITE
{
    int status = compiled_prepare()
                     ? run_tests()
                     : suite_skip_all("no folder to make images in");

    compiled_remove();
    return status;
}
