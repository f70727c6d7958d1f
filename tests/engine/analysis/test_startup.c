#include "engine/analysis/startup.h"

#include "engine/analysis/filter.h"
#include "tests/support/profile_builder.h"
#include "tests/support/suite.h"

/* How many frames of a stack are folded, by a profile of that stack alone. */
static unsigned folded_frames(const char *stack)
{
    struct builder *b = builder_new("app.etl");
    struct profile *p;
    uint8_t *classes;
    uint32_t path[32], n = 0;
    enum startup_phase phase = STARTUP_SYSTEM, end = STARTUP_SYSTEM;
    unsigned folded = 0;

    builder_samples(b, builder_thread(b, 10, "a.exe", 11), 1, stack);
    p = builder_finish(b);
    classes = startup_classes(p);
    for (uint32_t f = 0; f < p->functions.len; f++)
        ck_assert_uint_eq(startup_class_of(p, f), classes[f]);
    for (uint32_t s = p->samples.stack[0]; s; s = p->stacks.data[s].parent) {
        uint32_t location = p->stacks.data[s].location;

        path[n++] = p->frames.data[p->frame_start.data[location]].function;
    }
    for (uint32_t i = n; i--;)
        end = startup_next(end, (enum startup_class)classes[path[i]]);
    for (uint32_t i = n; i--;) {
        phase = startup_next(phase, (enum startup_class)classes[path[i]]);
        folded += startup_folds(phase, end);
    }
    free(classes);
    profile_free(p);
    return folded;
}

static const struct {
    const char *stack;
    unsigned folded;
} cases[] = {
    /* the system's part, where a name follows */
    {"ntdll.dll!+0x1;kernel32.dll!+0x2;app.exe!main", 2},
    {"ntdll.dll!RtlUserThreadStart;kernel32.dll!BaseThreadInitThunk;"
     "app.exe!mainCRTStartup;app.exe!main",
     3},
    {"app!_start;libc.so.6!__libc_start_main_impl;app!main", 2},
    {"libc.so.6!clone3;libc.so.6!start_thread;app!work", 2},
    {"NTDLL.DLL!+0x1;app.exe!main", 1},
    {"libc.so.6!start_thread(void*);app!work", 1},
    {"msvcr120.dll!+0x1;app.exe!main", 1},
    {"msvcr1200.dll!+0x1;app.exe!main", 0},
    /* not where none does, or nothing */
    {"ntdll.dll!+0x1;kernel32.dll!+0x2;app.exe!+0x3", 0},
    {"ntdll.dll!+0x1;kernel32.dll!+0x2", 0},
    {"ntdll.dll!+0x1;[kernel]ntos.exe!KiFault", 0},
    {"ntdll.dll!+0x1;app.exe![broken];app.exe!main", 0},
    {"0x7ff0;app.exe!main", 0},
    /* contiguous from the outermost frame only */
    {"app.exe!main;ntdll.dll!+0x1;app.exe!callback", 0},
    /* .NET's runtime, where managed code follows */
    {"ntdll.dll!+0x1;mscoree.dll!+0x2;clr.dll!+0x3;[jit]!Program.Main()", 3},
    {"ntdll.dll!+0x1;clr.dll!+0x3;clr.dll!+0x4;ntdll.dll!+0x5;clr.dll!+0x6;"
     "[jit]!System.Threading.ThreadHelper.ThreadStart();"
     "[jit]!System.Threading.ExecutionContext.Run(object);[jit]!Work()",
     7},
    {"libc.so.6!clone3;libc.so.6!start_thread;libcoreclr.so!+0x1;"
     "System.Private.CoreLib.dll!+0x9;[jit]!Work()",
     4},
    {"[jit]!System.Threading.Thread.StartCallback();[jit]!Work()", 1},
    {"[jit]!System.Threading.Thread.StartCallback();lib.so!work", 1},
    {"ntdll.dll!+0x1;[jit]!System.Threading.Thread.StartCallback();"
     "[jit]!Work()",
     2},
    {"libc.so.6!clone3;libcoreclr.so!main;libc.so.6!start_thread;"
     "libcoreclr.so!+0x1;[jit]!Work()",
     4},
    /* its host is a program of its own where other code follows */
    {"libc.so.6!clone3;dotnet!main;app!main", 1},
    {"libc.so.6!clone3;dotnet!main;app!+0x1", 1},
    {"libc.so.6!clone3;dotnet!+0x1;app!main", 0},
    {"libc.so.6!clone3;dotnet!+0x1;dotnet!main;app!main", 0},
    {"libc.so.6!clone3;dotnet!main;dotnet!+0x1;app!main", 1},
    /* a collector's thread is the runtime's work */
    {"ntdll.dll!+0x1;clr.dll!+0x2;clr.dll!+0x3", 0},
    {"ntdll.dll!+0x1;clr.dll!+0x2;msvcr120.dll!memset", 0},
    {"libc.so.6!clone3;libc.so.6!start_thread;libcoreclr.so!gc_mark;"
     "libc.so.6!memset",
     2},
    {"[jit]!System.Threading.Thread.StartCallback();lib.so!+0x1", 0},
};

TEST(folds_by_its_table)
{
    for (size_t i = 0; i < COUNT(cases); i++)
        ck_assert_msg(folded_frames(cases[i].stack) == cases[i].folded,
                      "%s: %u", cases[i].stack, folded_frames(cases[i].stack));
}
