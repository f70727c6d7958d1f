/*
 * What a walk over the entries passes over and comes back to, in programs of
 * the compiler at hand: functions in functions, calls in calls, and units that
 * it was told of before.
 */
#include "tests/support/compiled.h"
#include "tests/support/debug_input.h"
#include "tests/support/suite.h"

enum { CODE = 0x3000 };

/* Six calls deep, each with others beside it; `inner` is called through its
 * address, and has its code behind the function that it is in. */
static const char source[] =
    "cat >e.c <<'END'\n"
    "volatile int seen;\n"
    "typedef int (*two)(int, int);\n"
    "static inline int a(int x) { seen = x; return x * 3; }\n"
    "static inline int b(int x) { return a(x) + a(x + seen); }\n"
    "static inline int c(int x) { return b(x) + a(x - 1) + b(x ^ 5); }\n"
    "static inline int d(int x) { return c(x) - b(x) + c(x * seen); }\n"
    "static inline int e(int x) { return d(x) + a(seen) + d(x | 1); }\n"
    "__attribute__((noinline)) int with(two f) { return f(seen, 2); }\n"
    "int deep(int x) { return e(x) + e(x + 7) + c(x); }\n"
    "int outer(int n)\n"
    "{\n"
    "#ifdef __clang__\n"
    "    return n;\n"
    "#else\n"
    "    int inner(int x, int y) { return b(x) + y * n; }\n"
    "    return with(inner);\n"
    "#endif\n"
    "}\n"
    "int main(int n, char **v) { (void)v; return deep(n) + outer(n); }\n"
    "END\n";

static bool build(const char *options)
{
    char command[300];

    snprintf(command, sizeof(command),
             "cc -O2 -finline-limit=10000 --param max-inline-insns-single=10000"
             " -g %s e.c -o entries", options);
    return compiled_run(source) && compiled_run(command);
}

static struct debug_input *open_entries(void)
{
    struct debug_input *in =
        debug_input_open(NULL, compiled_path("entries"));

    ck_assert_ptr_nonnull(in);
    return in;
}

/* Of code that has lines only, none. */
static const char *name_of(const struct debug_frame *f)
{
    return f->function ? f->function : "";
}

static size_t check_same(struct debug_input *one, struct debug_input *other,
                         uint64_t rva)
{
    struct debug_frame x[DEBUG_FRAMES_MAX], y[DEBUG_FRAMES_MAX];
    size_t n = debug_frames(one->file, rva, x, DEBUG_FRAMES_MAX);

    ck_assert_uint_eq(debug_frames(other->file, rva, y, DEBUG_FRAMES_MAX), n);
    for (size_t i = 0; i < n; i++) {
        ck_assert_str_eq(name_of(&x[i]), name_of(&y[i]));
        ck_assert_uint_eq(x[i].line, y[i].line);
        ck_assert(x[i].inlined == y[i].inlined);
    }
    return n;
}

/* Innermost first: each is called by the next, or not inlined. */
static void check_order(const struct debug_frame *f, size_t n)
{
    static const char calls[] = "abcde";

    for (size_t i = 0; i + 1 < n; i++) {
        const char *inner = f[i].function, *outer = f[i + 1].function;

        ck_assert_msg(strchr(calls, inner[0]) && !inner[1], "%s", inner);
        ck_assert_msg(strlen(outer) > 1 || outer[0] > inner[0], "%s in %s",
                      inner, outer);
    }
}

TEST(calls_within_calls)
{
    struct debug_input *in;
    size_t deepest = 0;

    if (!build("")) {
        suite_skip(1, "the compiler does not take some options");
        return;
    }
    in = open_entries();
    for (uint64_t rva = 0; rva < CODE; rva++) {
        struct debug_frame f[DEBUG_FRAMES_MAX];
        size_t n = debug_frames(in->file, rva, f, DEBUG_FRAMES_MAX);

        if (n > 1)
            check_order(f, n);
        if (n && !strcmp(name_of(&f[n - 1]), "deep") && n > deepest)
            deepest = n;
    }
    ck_assert_uint_eq(deepest, 6);
    debug_input_close(in);
}

/* No matter in which order: what is read for one address serves the next. */
TEST(any_order)
{
    struct debug_input *up, *down;

    if (!build("")) {
        suite_skip(1, "the compiler does not take some options");
        return;
    }
    up = open_entries();
    down = open_entries();
    for (uint64_t rva = CODE; rva-- > 0;)
        (void)debug_frames(down->file, rva, (struct debug_frame[1]){{0}}, 1);
    for (uint64_t rva = 0; rva < CODE; rva++)
        (void)check_same(up, down, rva);
    debug_input_close(up);
    debug_input_close(down);
}

TEST(functions_within_functions)
{
    struct debug_input *in;
    size_t inner = 0, inlined = 0;

    if (!build("") || !compiled_run("nm entries | grep -q 'inner'")) {
        suite_skip(1, "the compiler knows no functions within functions");
        return;
    }
    in = open_entries();
    for (uint64_t rva = 0; rva < CODE; rva++) {
        struct debug_frame f[DEBUG_FRAMES_MAX];
        size_t n = debug_frames(in->file, rva, f, DEBUG_FRAMES_MAX);

        if (!n || strncmp(name_of(&f[n - 1]), "inner", 5) != 0)
            continue;
        inner++;
        inlined += n == 3 && !strcmp(f[0].function, "a") &&
                   !strcmp(f[1].function, "b");
    }
    ck_assert_uint_gt(inner, 5);
    ck_assert_uint_gt(inlined, 0);
    debug_input_close(in);
}

/* An inline function that two units have, each from lines of its own: the
 * linker keeps the first, and lets both describe it. */
static const char twice[] =
    "for n in 1 2; do printf '#line %s0\\ninline __attribute__((noinline)) "
    "int shared(int x) { return x * 31 ^ 5; }\\nint user%s(int x) { return "
    "shared(x) + 1; }\\n' $n $n >u$n.cc && g++ -O1 -g -c u$n.cc || exit 1; "
    "done; echo 'int user1(int), user2(int); int main(int n, char **) { "
    "return user1(n) + user2(n); }' >m.cc && "
    "g++ -O1 -g -fuse-ld=bfd m.cc u1.o u2.o -o entries";

TEST(code_of_two_units)
{
    struct debug_input *in;
    size_t found = 0;

    if (!compiled_run(twice)) {
        suite_skip(1, "no compiler of C++");
        return;
    }
    in = open_entries();
    for (uint64_t rva = 0; rva < CODE; rva++) {
        struct debug_frame f[DEBUG_FRAMES_MAX];
        size_t n = debug_frames(in->file, rva, f, DEBUG_FRAMES_MAX);

        if (!n || !strstr(name_of(&f[n - 1]), "shared"))
            continue;
        ck_assert_uint_eq(f[0].line, 10);
        ck_assert_ptr_nonnull(strstr(f[0].file, "u1.cc"));
        found++;
    }
    ck_assert_uint_gt(found, 2);
    debug_input_close(in);
}

SUITE
{
    int status = compiled_prepare()
                     ? run_tests()
                     : suite_skip_all("no folder to compile in");

    compiled_remove();
    return status;
}
