/*
 * A program that the compiler makes, stopped by a signal: what stands on its
 * stack, recorded both ways, is named as what ran.
 *
 * Code that nothing called is looked up as it stands: the first byte of
 * `interrupted`, before which another function is, and the code behind
 * handlers, which they return to though it called none.
 */
#include "symbols/naming.h"

#include "engine/format/perfdata/perfdata.h"
#include "engine/input/recording.h"
#include "symbols/frame_images.h"
#include "tests/support/compiled.h"
#include "tests/support/perfdata_writer.h"
#include "tests/support/profile_check.h"
#include "tests/support/suite.h"

/* Prints where it is loaded, its registers in the handler, the addresses of
 * all frames as frame pointers have them, and its stack. */
static const char source[] =
    "#define _GNU_SOURCE\n"
    "#include <signal.h>\n"
    "#include <stdint.h>\n"
    "#include <stdio.h>\n"
    "#include <ucontext.h>\n"
    "#include <unistd.h>\n"
    "__asm__(\".text\\n.type before, @function\\nbefore: nop\\nret\\n\"\n"
    "        \".size before, . - before\\n.type interrupted, @function\\n\"\n"
    "        \"interrupted:\\n.cfi_startproc\\nud2\\nret\\n.cfi_endproc\\n\"\n"
    "        \".size interrupted, . - interrupted\\n\");\n"
    "void interrupted(void);\n"
    "extern char __executable_start, etext;\n"
    "static uint64_t top;\n"
    "static void handler(int n, siginfo_t *i, void *context)\n"
    "{\n"
    "    uint64_t ip, sp, bp, *at;\n"
    "    __asm__ volatile(\"lea (%%rip), %0\\nmov %%rsp, %1\\n\"\n"
    "                     \"mov %%rbp, %2\" : \"=r\"(ip), \"=r\"(sp),\n"
    "                     \"=r\"(bp));\n"
    "    (void)n, (void)i, (void)context;\n"
    "    printf(\"%lx %lx\\n\", (long)&__executable_start, (long)&etext);\n"
    "    printf(\"%lx %lx %lx\\n\", ip, sp, bp);\n"
    "    printf(\"%lx\\n\", (long)__builtin_return_address(0));\n"
    "    for (at = (void *)sp; (uint64_t)at < top; at++)\n"
    "        printf(\"%lx\\n\", *at);\n"
    "    fflush(stdout);\n"
    "    _exit(0);\n"
    "}\n"
    "__attribute__((noinline)) static void caller(void)\n"
    "{\n"
    "    interrupted();\n"
    "    __asm__ volatile(\"\");\n"
    "}\n"
    "int main(void)\n"
    "{\n"
    "    struct sigaction a = {.sa_sigaction = handler,\n"
    "                          .sa_flags = SA_SIGINFO};\n"
    "    top = (uint64_t)__builtin_frame_address(0) + 64;\n"
    "    sigaction(SIGILL, &a, NULL);\n"
    "    caller();\n"
    "    return 1;\n"
    "}\n";

enum { WORDS_MOST = 6000 };

struct stopped {
    uint64_t start, end; /* of the image */
    uint64_t ip, sp, bp; /* in the handler */
    uint64_t back;       /* where it returns to */
    uint64_t words[WORDS_MOST];
    size_t count;
};

/* One program for the whole run, static so that it has libc's code too. */
static bool build(void)
{
    FILE *f = fopen(compiled_path("stopped.c"), "w");

    if (!f)
        return false;
    fputs(source, f);
    fclose(f);
    return compiled_run("test \"$(uname -m)\" = x86_64") &&
           compiled_run(
               "cc -w -g -O1 -fno-omit-frame-pointer -static -no-pie "
               "-Wl,--build-id=0x7171717171717171717171717171717171717171 "
               "stopped.c -o stopped") &&
           compiled_run("./stopped >stack");
}

static bool read_stopped(struct stopped *s)
{
    FILE *f = fopen(compiled_path("stack"), "r");
    bool done;

    if (!f)
        return false;
    done = fscanf(f, "%lx %lx %lx %lx %lx %lx", &s->start, &s->end, &s->ip,
                  &s->sp, &s->bp, &s->back) == 6;
    s->count = 0;
    while (done && s->count < WORDS_MOST &&
           fscanf(f, "%lx", &s->words[s->count]) == 1)
        s->count++;
    fclose(f);
    return done && s->count;
}

static void *open_image(void *state, const struct profile *p, uint32_t module)
{
    return frame_image_open(state, p, module);
}

/* Read and named as the program does it. */
static struct profile *named(const struct perfdata_writer *w)
{
    struct places places = {.paths = {0}};
    struct frame_rules_source rules = {.state = &places,
                                       .identify = frame_image_identify,
                                       .open = open_image,
                                       .find = frame_image_find,
                                       .close = frame_image_close};
    struct read_options options = {.threads = 1, .frames = &rules};
    struct naming_options naming = {
        .places = &places, .style = DEMANGLE_SHORT, .threads = 1};
    struct entry e = {.name = "a.data",
                      .inner = "",
                      .data = w->file.data,
                      .size = w->file.len};
    struct profile *p = profile_new();
    struct err err = {0};

    places_add(&places, compiled_folder());
    ck_assert_msg(!recording_read(&perfdata_format, &e, 1, &options, p, &err),
                  "%s", err.message);
    name_profile(p, &naming, NULL);
    places_release(&places);
    profile_finish(p);
    ck_assert_msg(!profile_check(p), "%s", profile_check(p));
    return p;
}

/* One sample in the handler, with what `more_fields` say behind the chain. */
static struct profile *sampled(const struct stopped *s, const uint64_t *chain,
                               size_t count, uint64_t more_fields,
                               struct blob *more)
{
    uint64_t base = s->start & ~(uint64_t)0xFFF;
    struct perfdata_writer w;
    struct profile *p;
    uint8_t build_id[20];

    memset(build_id, 0x71, sizeof(build_id));
    perfdata_begin(&w, 0);
    w.build_id = build_id;
    w.more_fields = more_fields;
    w.user_registers = 1 << 6 | 1 << 7 | 1 << 8; /* bp, sp, ip */
    perfdata_event(&w, 1, 0, 1000, "cpu-clock");
    perfdata_mmap(&w, 0, 40, base, (s->end | 0xFFF) + 1 - base, 0,
                  compiled_path("stopped"));
    perfdata_sample(&w, &(struct perfdata_sample){.time = 10,
                                                  .ip = s->ip,
                                                  .pid = 40,
                                                  .tid = 40,
                                                  .mode = 2,
                                                  .period = 1000,
                                                  .chain = chain,
                                                  .chain_count = count,
                                                  .more = more});
    perfdata_end(&w);
    p = named(&w);
    perfdata_free(&w);
    free(more->data);
    return p;
}

/* The functions of the one stack, innermost first, up to main. */
static void check_stack(struct profile *p, const char *wanted)
{
    char text[1000] = "", room[FUNCTION_NAME_SIZE];
    uint32_t stack = p->samples.stack[0];

    for (; stack; stack = p->stacks.data[stack].parent) {
        uint32_t start = p->frame_start.data[p->stacks.data[stack].location];
        const char *name =
            profile_function_name(p, p->frames.data[start].function, room);
        size_t n = strlen(text);

        snprintf(text + n, sizeof(text) - n, "%s%s", n ? " < " : "", name);
        if (!strcmp(name, "main"))
            break;
    }
    ck_assert_str_eq(text, wanted);
    profile_free(p);
}

/* By the rules of the image, from a copy of the stack. */
TEST(walked_by_rules)
{
    static const uint64_t user[] = {PERFDATA_USER};
    struct perfdata_writer order = {.how = 0};
    struct blob more = {0};
    struct stopped s;

    ck_assert(read_stopped(&s));
    perfdata_put(&order, &more, 2, 8);
    perfdata_put(&order, &more, s.bp, 8);
    perfdata_put(&order, &more, s.sp, 8);
    perfdata_put(&order, &more, s.ip, 8);
    perfdata_put(&order, &more, s.count * 8, 8);
    for (size_t i = 0; i < s.count; i++)
        perfdata_put(&order, &more, s.words[i], 8);
    perfdata_put(&order, &more, s.count * 8, 8);
    check_stack(sampled(&s, user, 1, 1 << 12 | 1 << 13, &more),
                "handler < __restore_rt < interrupted < caller < main");
}

/* By frame pointers, as the kernel walks: what was interrupted has none and is
 * passed over, and all others are called or handlers return to them. */
TEST(walked_by_frame_pointers)
{
    struct blob more = {0};
    uint64_t chain[50] = {PERFDATA_USER};
    struct stopped s;
    size_t n = 1;

    ck_assert(read_stopped(&s));
    chain[n++] = s.ip;
    for (uint64_t bp = s.bp; n < 50;) {
        uint64_t at = (bp - s.sp) / 8;

        if (bp < s.sp || at + 1 >= s.count)
            break;
        chain[n++] = s.words[at + 1];
        bp = s.words[at];
    }
    ck_assert_uint_gt(n, 3);
    ck_assert_uint_eq(chain[2], s.back);
    check_stack(sampled(&s, chain, n, 0, &more),
                "handler < __restore_rt < main");
}

SUITE
{
    int status = compiled_prepare() && build()
                     ? run_tests()
                     : suite_skip_all("no x64 compiler with a static library");

    compiled_remove();
    return status;
}
