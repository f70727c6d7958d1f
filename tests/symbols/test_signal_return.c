/*
 * The code that handlers of signals return to, as assemblers make it from what
 * the C library or the kernel has there for each machine.
 */
#include "symbols/disasm.h"

#include "tests/support/compiled.h"
#include "tests/support/debug_input.h"
#include "tests/support/suite.h"

static const struct {
    const char *target, *code;
    enum debug_machine machine;
    size_t size;
    bool returns;
} codes[] = {
    {"x86_64", "movq $15, %rax; syscall", DEBUG_X64, 9, true},
    {"x86_64", "movq $15, %rax; ret; nop", DEBUG_X64, 9, false},
    {"x86_64", "movq $14, %rax; syscall", DEBUG_X64, 9, false},
    {"i686", "popl %eax; movl $119, %eax; int $0x80", DEBUG_X86, 8, true},
    {"i686", "movl $173, %eax; int $0x80", DEBUG_X86, 7, true},
    {"i686", "movl $119, %eax; int $0x80", DEBUG_X86, 7, false},
    {"aarch64", "mov x8, 139; svc 0", DEBUG_ARM64, 8, true},
    {"aarch64", "mov x8, 139; svc 1", DEBUG_ARM64, 8, false},
};

enum { CODES = COUNT(codes) };

static bool assemble(size_t i)
{
    char command[300];

    snprintf(command, sizeof(command),
             "printf '.text\\n%%s\\n' '%s' >c.s && "
             "clang --target=%s-linux-gnu -c c.s -o c%zu.o",
             codes[i].code, codes[i].target, i);
    return compiled_run(command);
}

static void check_code(size_t i)
{
    struct debug_input *in;
    struct bytes code;
    char name[20];

    snprintf(name, sizeof(name), "c%zu.o", i);
    in = debug_input_open(NULL, compiled_path(name));
    ck_assert_ptr_nonnull(in);
    ck_assert_int_eq(in->file->machine, codes[i].machine);
    code = debug_code(in->file, 0);
    ck_assert_uint_eq(code.len, codes[i].size);
    ck_assert_msg(is_signal_return(code, in->file->machine) ==
                      codes[i].returns,
                  "%s", codes[i].code);
    ck_assert(!is_signal_return(code, DEBUG_NO_MACHINE));
    code.len--;
    ck_assert(!is_signal_return(code, in->file->machine));
    debug_input_close(in);
}

TEST(assembled)
{
    for (size_t i = 0; i < CODES; i++)
        if (assemble(i))
            check_code(i);
        else
            suite_skip(1, "no assembler for some machines");
}

SUITE
{
    int status = 0;

    if (compiled_prepare())
        status = run_tests();
    else
        suite_skip_all("no folder to assemble in");
    compiled_remove();
    return status;
}
