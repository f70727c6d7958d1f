/*
 * Where the debug data of an ELF image may be: every way must give the same
 * answers for the same program, and files of another build none.
 */
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "engine/model/profile.h"
#include "symbols/find/module.h"
#include "tests/support/compiled.h"
#include "tests/support/suite.h"

static bool has_chain(const struct debug_frame *f, size_t n)
{
    return n == 3 && !strcmp(f[0].function, "mix") &&
           !strcmp(f[1].function, "mix_twice") && f[1].inlined &&
           !strcmp(f[2].function, "hash_block") && f[2].line == 12;
}

/* Whether inlined calls are known anywhere in the image. */
static bool knows_lines(const struct module_files *files)
{
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    bool any = false;

    for (uint64_t rva = 0; rva < 0x3000 && !any; rva++) {
        size_t n = module_frames_at(files, rva, frames, DEBUG_FRAMES_MAX);

        any = has_chain(frames, n);
    }
    return any;
}

/* `place` and `cache` are folders below ours; NULL none. */
static struct places places_of(const char *place, const char *cache)
{
    struct places places = {.paths = {0}};

    if (place)
        places_add(&places, compiled_path(place));
    if (cache)
        places_add_cache(&places, compiled_path(cache));
    return places;
}

static bool finds(const char *image, const char *place, const char *cache)
{
    struct places places = places_of(place, cache);
    struct module_files files;
    struct err err = {0};
    bool lines;

    ck_assert_msg(
        find_for_image(&files, compiled_path(image), &places, &err), "%s",
        err.message);
    lines = knows_lines(&files);
    /* tests/run shows it of a test that fails. */
    printf("%s, looked for in %s, cached in %s: %s\n", image,
           place ? place : "-", cache ? cache : "-",
           lines ? "found" : "not found");
    ck_assert(files.is_complete || !lines);
    module_files_release(&files);
    places_release(&places);
    return lines;
}

/* ---- separate debug files ---- */

#define ID "0123456789abcdef"

static bool separate(const char *options)
{
    char build_id[100];

    snprintf(build_id, sizeof(build_id), "-g -Wl,--build-id=%s", options);
    return compiled_run("rm -rf x; mkdir x") &&
           compiled_build("x/full", build_id) &&
           compiled_run("cd x && objcopy --only-keep-debug full apart && "
                        "strip full -o app && objcopy "
                        "--add-gnu-debuglink=apart app && mkdir p && rm full");
}

static void check_moved(const char *command, const char *place,
                        const char *cache, bool found)
{
    ck_assert(compiled_run(command));
    ck_assert_msg(finds("x/app", place, cache) == found, "%s", command);
}

TEST(by_link)
{
    static const char *const options[] = {"0x" ID, "none"};

    for (size_t i = 0; i < 2; i++) {
        if (!separate(options[i])) {
            suite_skip(1, "no objcopy");
            return;
        }
        check_moved("true", NULL, NULL, true);
        check_moved("cd x; mkdir .debug; mv apart .debug", NULL, NULL, true);
        check_moved("cd x; mv .debug/apart p", NULL, NULL, false);
        check_moved("true", "x/p", NULL, true);
        check_moved("true", "x/p/apart", NULL, !i);
        /* Another build. */
        check_moved("cd x; echo >>p/apart", "x/p", NULL, !i);
    }
}

TEST(by_build_id)
{
    if (!separate("0x" ID)) {
        suite_skip(1, "no objcopy");
        return;
    }
    check_moved("cd x; mkdir -p p/.build-id/01; "
                "mv apart p/.build-id/01/23456789abcdef.debug",
                "x/p", NULL, true);
    check_moved("cd x; mkdir -p c/" ID "; mv p/.build-id/01/* c/" ID
                "/debuginfo",
                "x/p", "x/c", true);
    check_moved("true", "x/p", NULL, false);
    check_moved("cd x; k=p/_.debug/elf-buildid-sym-" ID
                "000000000000000000000000; mkdir -p $k; mv c/" ID
                "/debuginfo $k/_.debug",
                "x/p", NULL, true);
    check_moved("cd x; mv p/_.debug/*/_.debug p/app.debug; rm -r p/_.debug",
                "x/p", NULL, true);
    check_moved("cd x; mv p/app.debug p/app.dbg", "x/p", NULL, true);
    /* What a client keeps of a file that no server has. */
    check_moved("cd x; rm p/*; : >c/" ID "/debuginfo", "x/p", "x/c", false);
}

/* The system's own tree, in a folder of ours: by build-id, and by the image's
 * folder with the name that the image gives. */
static bool finds_below_root(const char *image)
{
    char root[300];
    struct places places = {.debug_root = root};
    struct module_files files;
    bool lines;

    snprintf(root, sizeof(root), "%s", compiled_path("x/root"));
    ck_assert(find_for_image(&files, compiled_path(image), &places, NULL));
    lines = knows_lines(&files);
    module_files_release(&files);
    places_release(&places);
    return lines;
}

TEST(below_the_root)
{
    if (!separate("0x" ID)) {
        suite_skip(1, "no objcopy");
        return;
    }
    ck_assert(compiled_run("cd x; mkdir -p root/.build-id/01; mv apart "
                           "root/.build-id/01/23456789abcdef.debug"));
    ck_assert(finds_below_root("x/app"));
    ck_assert(separate("none"));
    ck_assert(compiled_run("cd x; mkdir -p root/other; mv apart root/other"));
    ck_assert(!finds_below_root("x/app"));
    ck_assert(compiled_run("cd x; mkdir -p root$(pwd -P); "
                           "mv root/other/apart root$(pwd -P)"));
    ck_assert(finds_below_root("x/app"));
}

/* However much of it is there. */
TEST(cut_off)
{
    static const char *const sizes[] = {"0",   "1",   "15",   "16",   "63",
                                        "64",  "100", "1000", "-1",   "-63",
                                        "-64", "-65", "-500", "-1000"};
    char command[200];

    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct places places = places_of("x/p", NULL);
        struct module_files files;

        if (!separate("0x" ID)) {
            suite_skip(1, "no objcopy");
            return;
        }
        snprintf(command, sizeof(command),
                 "cd x; mkdir -p p; head -c %s apart >p/app.debug; rm apart",
                 sizes[i]);
        ck_assert(compiled_run(command));
        ck_assert(
            find_for_image(&files, compiled_path("x/app"), &places, NULL));
        ck_assert_msg(files.debug.cause == FIND_BROKEN, "%s: %s", sizes[i],
                      find_cause_text(files.debug.cause));
        module_files_release(&files);
        places_release(&places);
    }
}

TEST(renamed)
{
    if (!separate("0x" ID)) {
        suite_skip(1, "no objcopy");
        return;
    }
    check_moved("cd x; mkdir -p p; mv apart p/some.thing", NULL, NULL, false);
    check_moved("true", "x/p", NULL, true);
}

/* ---- what a trace knows ---- */

static struct profile *profile_of(const char *path)
{
    static const uint8_t id[] = {1, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF};
    struct profile *p = profile_new();
    struct module m = {
        .path = strings_add(p->strings, path, strlen(path)),
        .name = strings_add(p->strings, "app", 3),
    };

    memcpy(m.identity.build_id, id, sizeof(id));
    m.identity.build_id_size = sizeof(id);
    *vec_add(&p->modules) = m;
    return p;
}

/* A module of which no identity is recorded. */
static struct profile *unproved_profile(const char *path)
{
    struct profile *p = profile_of(path);
    struct module *m = &p->modules.data[0];

    memset(&m->identity, 0, sizeof(m->identity));
    m->by_file_offset = true;
    return p;
}

enum { AFTER = 1, BEFORE = -1, NOT_KNOWN = 0 };

/* The recording ended an hour before or after now. The last probe's cause, as
 * `topfn symbols --explain` tells it. */
static enum find_cause unproved_finds(struct profile *p, const char *named,
                                      const char *beside, int when)
{
    struct places places = {.paths = {0}};
    struct module_files files;
    enum find_cause cause = FIND_ABSENT;

    if (when)
        p->trace.start_unix_ns =
            ((int64_t)time(NULL) + when * 3600) * 1000000000;
    if (beside)
        places_add_beside(&places, compiled_path(beside));
    if (named)
        places_add(&places, compiled_path(named));
    files = find_module(p, 0, &places);
    if (files.image.probes.len)
        cause = files.image.probes.data[files.image.probes.len - 1].cause;
    ck_assert((cause == FIND_OK) == (files.image.file != NULL));
    ck_assert(files.image.unproved == (files.image.file != NULL));
    ck_assert(!files.image.file || knows_lines(&files));
    module_files_release(&files);
    places_release(&places);
    profile_free(p);
    return cause;
}

static enum find_cause stamped(const char *path, const struct stat *st,
                               uint64_t inode, const char *machine, int when)
{
    struct profile *p = unproved_profile(path);

    p->modules.data[0].stamp = (struct file_stamp){
        inode, major(st->st_dev), minor(st->st_dev)};
    p->trace.machine = strings_add(p->strings, machine, strlen(machine));
    return unproved_finds(p, NULL, NULL, when);
}

/* By name where a person says so, whether the file has an identity or not; by
 * its path, or beside the trace, if nobody changed it since. */
TEST(by_name)
{
    static const char *const ids[] = {"none", "0x" ID};
    char path[300], here[256] = "";
    struct stat st;

    gethostname(here, sizeof(here) - 1);
    for (size_t i = 0; i < 2; i++) {
        char options[100];

        snprintf(options, sizeof(options), "-g -Wl,--build-id=%s", ids[i]);
        ck_assert(compiled_run("rm -rf x; mkdir -p x/p x/q/nowhere") &&
                  compiled_build("x/app", options) &&
                  compiled_run("cd x; cp app other; cp app q/nowhere"));
        snprintf(path, sizeof(path), "%s", compiled_path("x/app"));
        ck_assert(!stat(path, &st));
#define FINDS(path, ...) unproved_finds(unproved_profile(path), __VA_ARGS__)
        ck_assert_int_eq(FINDS("/nowhere/app", "x/app", NULL, 0), FIND_OK);
        ck_assert_int_eq(FINDS("/nowhere/app", "x", NULL, BEFORE), FIND_OK);
        ck_assert_int_eq(FINDS("/nowhere/app", "x/q", NULL, 0), FIND_OK);
        ck_assert_int_eq(FINDS("/nowhere/app", "x/other", NULL, AFTER),
                         FIND_ABSENT);
        ck_assert_int_eq(FINDS("/nowhere/app", "x/p", NULL, AFTER),
                         FIND_ABSENT);
        /* Beside the trace. */
        ck_assert_int_eq(FINDS("/nowhere/app", NULL, "x/a", AFTER), FIND_OK);
        ck_assert_int_eq(FINDS("/nowhere/app", NULL, "x/a", BEFORE),
                         FIND_UNUSED);
        ck_assert_int_eq(FINDS("/nowhere/app", NULL, "x/a", NOT_KNOWN),
                         FIND_UNUSED);
        /* At its path. */
        ck_assert_int_eq(FINDS(path, NULL, NULL, AFTER), FIND_OK);
        ck_assert_int_eq(FINDS(path, NULL, NULL, BEFORE), FIND_UNUSED);
        ck_assert_int_eq(stamped(path, &st, st.st_ino, here, AFTER), FIND_OK);
        ck_assert_int_eq(stamped(path, &st, st.st_ino + 1, here, AFTER),
                         FIND_UNUSED);
        ck_assert_int_eq(stamped(path, &st, st.st_ino, "elsewhere", AFTER),
                         FIND_UNUSED);
    }
}

static bool trace_finds(const char *path, const char *place)
{
    struct places places = places_of(place, NULL);
    struct profile *p = profile_of(path);
    struct module_files files = find_module(p, 0, &places);
    bool lines = knows_lines(&files);

    module_files_release(&files);
    profile_free(p);
    places_release(&places);
    return lines;
}

TEST(by_trace)
{
    char path[300];

    if (!separate("0x" ID)) {
        suite_skip(1, "no objcopy");
        return;
    }
    snprintf(path, sizeof(path), "%s", compiled_path("x/app"));
    ck_assert(trace_finds(path, NULL));
    ck_assert(!trace_finds("x/app", NULL));
    ck_assert(trace_finds("/nowhere/app", "x"));
    ck_assert(compiled_run("cd x; mv apart p/app.debug"));
    ck_assert(!trace_finds(path, NULL));
    ck_assert(trace_finds(path, "x/p"));
    ck_assert(trace_finds("/nowhere/app", "x/p"));
    ck_assert(separate("0x" ID "00"));
    ck_assert(!trace_finds(path, "x"));
}

/* ---- files that DWARF refers to ---- */

/* What is told of the file that is missing. */
static void check_lost(const char *image, const char *place,
                       enum find_cause cause, const char *path)
{
    struct places places = places_of(place, NULL);
    struct module_files files;
    const struct found *used;
    struct out *text = out_memory();

    ck_assert(find_for_image(&files, compiled_path(image), &places, NULL));
    ck_assert(!knows_lines(&files));
    used = module_file_used(&files);
    ck_assert_uint_eq(used->lost.len, 0);
    found_tell_lost(files.uses_debug ? &files.debug : &files.image);
    found_lost_text(used, text);
    ck_assert_ptr_nonnull(strstr(out_text(text, NULL), path));
    ck_assert_ptr_nonnull(strstr(out_text(text, NULL), find_cause_text(cause)));
    out_close(text, NULL);
    module_files_close(&files);
    ck_assert_uint_eq(used->lost_count, 1);
    ck_assert_msg(used->lost.data[0].cause == cause, "%s",
                  find_cause_text(used->lost.data[0].cause));
    ck_assert_msg(strstr(used->lost.data[0].path, path), "%s",
                  used->lost.data[0].path);
    module_files_release(&files);
    places_release(&places);
}

static const char *split_options(char version)
{
    return version == '4' ? "-g -gsplit-dwarf -gdwarf-4"
                          : "-g -gsplit-dwarf -gdwarf-5";
}

static bool split(char version)
{
    return compiled_run("rm -rf x; mkdir -p x/p x/q") &&
           compiled_build("x/app", split_options(version)) &&
           compiled_run("cp x/app x/q; mv x/*.dwo x/keep");
}

static void check_split(char version)
{
    if (!split(version)) {
        suite_skip(1, "no split DWARF");
        return;
    }
    ck_assert(!finds("x/app", "x/p", NULL));
    /* By the path that the image gives, and by name. */
    ck_assert(compiled_run("cp x/keep x/app.dwo"));
    ck_assert(finds("x/app", NULL, NULL));
    ck_assert(finds("x/q/app", NULL, NULL));
    ck_assert(compiled_run("mv x/app.dwo x/p"));
    ck_assert(finds("x/app", "x/p", NULL));
    /* Of the right name and another build. */
    ck_assert(compiled_run("cp p.c keep.c; echo 'int more;' >>p.c") &&
              compiled_build("x/other", split_options(version)) &&
              compiled_run("mv keep.c p.c; cp x/other.dwo x/p/app.dwo"));
    ck_assert(!finds("x/app", "x/p", NULL));
    check_lost("x/app", NULL, FIND_ABSENT, "app.dwo");
    check_lost("x/app", "x/p", FIND_MISMATCH, "x/p/app.dwo");
    ck_assert(compiled_run("head -c 900 x/keep >x/p/app.dwo"));
    check_lost("x/app", "x/p", FIND_BROKEN, "x/p/app.dwo");
    ck_assert(compiled_run(": >x/p/app.dwo"));
    check_lost("x/app", "x/p", FIND_BROKEN, "x/p/app.dwo");
    ck_assert(compiled_run("cp x/keep x/app.dwo"));
    ck_assert(finds("x/app", "x/p", NULL));
}

/* dwp leaves out the units of DWARF 5. */
TEST(packages)
{
    if (!split('4') ||
        !compiled_run("cd x; mkdir r; mv keep app.dwo; dwp app.dwo -o "
                      "r/app.dwp && rm app.dwo && test -s r/app.dwp")) {
        suite_skip(1, "no dwp");
        return;
    }
    ck_assert(!finds("x/app", NULL, NULL));
    check_lost("x/app", NULL, FIND_ABSENT, "app.dwo");
    ck_assert(finds("x/app", "x/r", NULL));
    ck_assert(compiled_run("head -c 900 x/r/app.dwp >x/p/app.dwp"));
    check_lost("x/app", "x/p", FIND_BROKEN, "x/p/app.dwp");
    ck_assert(compiled_run("cp x/r/app.dwp x/q"));
    ck_assert(finds("x/q/app", NULL, NULL));
    ck_assert(compiled_run("mv x/q/app x/q/app.debug"));
    ck_assert(finds("x/q/app.debug", NULL, NULL));
}

TEST(split_units)
{
    check_split('4');
    check_split('5');
}

/* mix and mix_twice are in what dwz moved to a third file. */
TEST(moved_out)
{
    if (!compiled_run("rm -rf x; mkdir -p x/p x/q/.dwz") ||
        !compiled_build("x/app", "-g -gdwarf-4") ||
        !compiled_build("x/two", "-g -gdwarf-4") ||
        !compiled_run("cd x; dwz -m three app two")) {
        suite_skip(1, "no dwz");
        return;
    }
    ck_assert(finds("x/app", NULL, NULL));
    ck_assert(compiled_run("cd x; mv three q/.dwz"));
    ck_assert(!finds("x/app", NULL, NULL));
    ck_assert(finds("x/app", "x/q", NULL));
    ck_assert(compiled_run(
        "cd x; id=$(readelf -n q/.dwz/three | sed -n 's/.*Build ID: //p'); "
        "d=p/.build-id/${id%%${id#??}}; mkdir -p $d; "
        "mv q/.dwz/three $d/${id#??}.debug"));
    ck_assert(finds("x/app", "x/p", NULL));
    /* Of the right name and another build. */
    ck_assert(compiled_run("cp x/app x/three"));
    ck_assert(!finds("x/app", NULL, NULL));
    check_lost("x/app", NULL, FIND_MISMATCH, "three");
    ck_assert(compiled_run("head -c 500 x/app >x/three"));
    check_lost("x/app", NULL, FIND_BROKEN, "three");
    ck_assert(compiled_run("rm x/three"));
    check_lost("x/app", NULL, FIND_ABSENT, "three");
}

SUITE
{
    int status = compiled_prepare() && compiled_build("try", "-g")
                     ? run_tests()
                     : suite_skip_all("no compiler to make ELF files with");

    compiled_remove();
    return status;
}
