/*
 * Damaged traces: every sample trace cut at every length and with bytes
 * changed at random. Whatever comes of it must be a sound profile or an error
 * that names the file, soon and in memory bounded by the size of the input.
 *
 * Real traces are large: a part of the lengths is tried unless TOPFN_DAMAGE
 * is "full".
 */
#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/input/recording.h"
#include "tests/support/crash.h"
#include "tests/support/profile_check.h"
#include "tests/support/suite.h"

enum { MIB = 1 << 20, SMALL = 256 * 1024 };

/* One trace under test: its bytes, and the file that is damaged. */
struct subject {
    const char *name;
    uint8_t *bytes;
    size_t size;
    size_t whole; /* samples of the whole file */
    bool in_parts; /* what is not damaged is read, and no more */
    char path[80];
    int fd; /* of a file without a name, so that no failure leaves it */
};

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    struct stat st;
    uint8_t *bytes;

    if (!file || fstat(fileno(file), &st) || !S_ISREG(st.st_mode)) {
        if (file)
            fclose(file);
        return NULL;
    }
    *size = (size_t)st.st_size;
    bytes = mem_new(*size, 1);
    ck_assert_uint_eq(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static bool subject_open(struct subject *s, const char *path)
{
    const char *folder = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";

    s->name = path;
    s->bytes = read_file(path, &s->size);
    if (!s->bytes)
        return false;
    snprintf(s->path, sizeof(s->path), "%s/topfn-damage-XXXXXX", folder);
    s->fd = mkstemp(s->path);
    ck_assert_int_ge(s->fd, 0);
    unlink(s->path);
    snprintf(s->path, sizeof(s->path), "/dev/fd/%d", s->fd);
    return true;
}

static void subject_close(struct subject *s)
{
    close(s->fd);
    free(s->bytes);
}

/* Puts bytes [at, at + n) of the file as they are in memory. */
static void put(const struct subject *s, size_t at, size_t n)
{
    ck_assert_int_eq(pwrite(s->fd, s->bytes + at, n, (off_t)at), (ssize_t)n);
}

/* How many samples are left. Threads are started for a part of the tries
 * only: it takes its time. */
static size_t assert_polite(const struct subject *s, const char *how,
                            size_t number, size_t size)
{
    struct read_options options = {.threads = number % 16 ? 1 : 2};
    const char *path = s->path, *broken = NULL;
    struct err err = {0};
    struct profile *p;
    size_t kept = 0;

    crash_note(s->name, how, number, s->bytes, size);
    p = recording_take(recording_open(&path, 1, &options, &err));
    if (p) {
        profile_finish(p);
        broken = profile_check(p);
        kept = p->samples.len;
        profile_free(p);
    }
    crash_clear();
    ck_assert_msg(!broken, "%s, %s %zu: %s", s->name, how, number, broken);
    ck_assert_msg(p || strstr(err.message, s->path),
                  "%s, %s %zu: error \"%s\" does not name the file", s->name,
                  how, number, err.message);
    return kept;
}

/* Of a trace with enough samples to say so. */
static void assert_kept(const struct subject *s, const char *how, size_t sum,
                        size_t tries, size_t parts)
{
    enum { ENOUGH = 15 };

    ck_assert_msg(!s->in_parts || s->whole < ENOUGH || !tries ||
                      sum >= s->whole * tries / parts,
                  "%s, %s: %zu samples in %zu tries, %zu in the whole",
                  s->name, how, sum, tries, s->whole);
}

/* From the whole file down; `tries` lengths, spread evenly. A shorter file
 * never has more samples, but where tables that they refer to come later. */
static void cut(struct subject *s, size_t tries)
{
    size_t step = s->size / tries + 1, n = s->size;
    size_t last = SIZE_MAX, sum = 0, count = 0;

    put(s, 0, s->size);
    for (;; count++) {
        size_t kept;

        ck_assert_int_eq(ftruncate(s->fd, (off_t)n), 0);
        kept = assert_polite(s, "cut at", n, n);
        ck_assert_msg(!s->in_parts || kept <= last,
                      "%s, cut at %zu: %zu samples, before %zu", s->name, n,
                      kept, last);
        if (!count)
            s->whole = kept;
        last = kept;
        sum += kept;
        if (!n)
            break;
        n -= n < step ? n : step;
    }
    assert_kept(s, "cut", sum, count, 4);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* Of the new values a third each is 0, FF and random. */
static void change(const struct subject *s, size_t tries)
{
    uint64_t state = 0x9E3779B97F4A7C15u;
    size_t sum = 0;

    put(s, 0, s->size);
    for (size_t i = 0; s->size && i < tries; i++) {
        uint64_t r = next_random(&state);
        size_t at = (size_t)((r >> 16) % s->size);
        const uint8_t values[] = {0, 0xFF, (uint8_t)r};
        uint8_t old = s->bytes[at];

        s->bytes[at] = values[(r >> 8) % 3];
        put(s, at, 1);
        sum += assert_polite(s, "change", i, s->size);
        s->bytes[at] = old;
        put(s, at, 1);
    }
    assert_kept(s, "changed", sum, tries, 2);
}

/* Of what a worker thread reserves, little is used: room for that. */
static void limit_memory(size_t size)
{
    size_t bytes = (size_t)768 * MIB + 32 * size;
    struct rlimit limit = {.rlim_cur = bytes, .rlim_max = RLIM_INFINITY};

    if (!crash_sanitized())
        ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
}

static void damage(const char *path, bool in_parts, size_t cuts,
                   size_t changes)
{
    struct subject s = {.in_parts = in_parts};

    if (!subject_open(&s, path)) {
        suite_skip(1, path);
        return;
    }
    limit_memory(s.size);
    cut(&s, s.size < cuts ? s.size + 1 : cuts);
    change(&s, changes);
    subject_close(&s);
}

static int is_trace(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return entry->d_name[0] != '.' && dot && strcmp(dot, ".map") != 0;
}

/* Sanitizers are slow, and see with fewer tries what others do not. */
static size_t tries(size_t wanted)
{
    const char *how = getenv("TOPFN_DAMAGE");

    if (how && !strcmp(how, "full"))
        return wanted;
    return crash_sanitized() ? wanted / 100 : wanted / 40;
}

static void damage_folder(const char *folder, bool in_parts)
{
    struct dirent **names;
    int n = scandir(folder, &names, is_trace, alphasort);
    char path[300];

    if (n <= 0)
        suite_skip(1, folder);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof(path), "%s/%.255s", folder, names[i]->d_name);
        damage(path, in_parts, tries(SMALL), tries(10000));
        free(names[i]);
    }
    if (n >= 0)
        free(names);
}

TEST(sample_traces)
{
    crash_watch();
    damage_folder("testdata/etl", true);
    damage_folder("testdata/nettrace", true);
    damage_folder("testdata/perfdata", true);
    damage_folder("testdata/callgrind", false);
    damage_folder("testdata/collapsed", true);
    damage_folder("testdata/gperftools", false);
    damage_folder("testdata/container", false);
    damage_folder("testdata/otlp", false);
    damage_folder("testdata/pprof", false);
    damage_folder("testdata/speedscope", false);
    damage_folder("testdata/cpuprofile", false);
    damage_folder("testdata/firefox", false);
    damage_folder("testdata/jfr", false);
    damage_folder("testdata/xctrace", false);
}

TEST(real_traces)
{
    static const struct {
        const char *name;
        size_t cuts; /* when everything is tried */
    } rows[] = {
        {"etl/primitive-types.etl", SIZE_MAX},
        {"etl/test_data_64_v0.etl", SIZE_MAX},
        {"etl/syzygy-image_data_32_v0.etl", SIZE_MAX},
        {"etl/net.4.5.2.x86.etl", 10000},
        {"nettrace/net10-reuse.nettrace", 10000},
        {"nettrace/linux-cpu.nettrace", 1000},
    };
    enum { ROWS = COUNT(rows) };
    const char *how = getenv("TOPFN_DAMAGE");
    bool full = how && !strcmp(how, "full");
    size_t part = crash_sanitized() ? 25 : 50;
    char path[1000];

    crash_watch();
    if (access(traces_folder(), R_OK)) {
        suite_skip(ROWS, "damage to real traces: TOPFN_TRACES is not there");
        return;
    }
    for (size_t i = 0; i < ROWS; i++) {
        snprintf(path, sizeof(path), "%s/%s", traces_folder(),
                 rows[i].name);
        damage(path, true, full ? rows[i].cuts : part, full ? 10000 : part);
    }
}
