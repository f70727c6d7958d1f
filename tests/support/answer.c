#include "tests/support/answer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One output line: kind and name, and its counts. */
struct row {
    char *text;         /* "function<TAB>name" */
    uint64_t exclusive;
    uint64_t inclusive;
    uint64_t last;      /* sample that last touched it, from 1 */
    bool two_counts;
};

struct frame {
    uint32_t function, module; /* rows */
};

struct answer {
    struct row *rows;
    uint32_t row_count, row_room;
    uint32_t *slots;    /* row + 1 by hash of text; 0 is empty */
    uint32_t slot_count; /* a power of two, at least twice row_count */
    struct frame *frames;
    uint32_t frame_count, frame_room;
    uint64_t stacks[4];
    uint64_t samples, idle, events_lost, buffers_lost;
};

static void *check(void *p)
{
    if (!p)
        abort();
    return p;
}

struct answer *answer_new(void)
{
    struct answer *a = check(calloc(1, sizeof(*a)));

    a->slot_count = 1024;
    a->slots = check(calloc(a->slot_count, sizeof(*a->slots)));
    return a;
}

void answer_free(struct answer *a)
{
    if (!a)
        return;
    for (uint32_t i = 0; i < a->row_count; i++)
        free(a->rows[i].text);
    free(a->rows);
    free(a->slots);
    free(a->frames);
    free(a);
}

static uint32_t hash(const char *s)
{
    uint32_t h = 2166136261u;

    for (; *s; s++)
        h = (h ^ (unsigned char)*s) * 16777619u;
    return h;
}

/* The slot of text, or the empty one where it belongs. */
static uint32_t *find_slot(struct answer *a, const char *text)
{
    uint32_t mask = a->slot_count - 1;
    uint32_t i = hash(text) & mask;

    while (a->slots[i] && strcmp(a->rows[a->slots[i] - 1].text, text) != 0)
        i = (i + 1) & mask;
    return &a->slots[i];
}

static void grow_slots(struct answer *a)
{
    free(a->slots);
    a->slot_count *= 2;
    a->slots = check(calloc(a->slot_count, sizeof(*a->slots)));
    for (uint32_t i = 0; i < a->row_count; i++)
        *find_slot(a, a->rows[i].text) = i + 1;
}

static uint32_t add_row(struct answer *a, char *text, bool two_counts)
{
    if (a->row_count == a->row_room) {
        a->row_room = a->row_room ? a->row_room * 2 : 256;
        a->rows = check(realloc(a->rows, a->row_room * sizeof(*a->rows)));
    }
    a->rows[a->row_count] = (struct row){ .text = text,
                                          .two_counts = two_counts };
    return a->row_count++;
}

/* Takes text over. */
static uint32_t intern(struct answer *a, char *text, bool two_counts)
{
    uint32_t *slot = find_slot(a, text);

    if (*slot) {
        free(text);
        return *slot - 1;
    }
    if (a->row_count * 2 >= a->slot_count) {
        grow_slots(a);
        slot = find_slot(a, text);
    }
    *slot = a->row_count + 1;
    return add_row(a, text, two_counts);
}

static char *join(const char *kind, const char *name)
{
    size_t n = strlen(kind) + strlen(name) + 2;
    char *text = check(malloc(n));

    snprintf(text, n, "%s\t%s", kind, name);
    return text;
}

uint32_t answer_process(struct answer *a, uint32_t pid, const char *name)
{
    char kind[40];

    snprintf(kind, sizeof(kind), "process\t%" PRIu32, pid);
    return intern(a, join(kind, name), false);
}

uint32_t answer_thread(struct answer *a, uint32_t pid, uint32_t tid)
{
    char kind[40], name[20];

    snprintf(kind, sizeof(kind), "thread\t%" PRIu32, pid);
    snprintf(name, sizeof(name), "%" PRIu32, tid);
    return intern(a, join(kind, name), false);
}

uint32_t answer_frame(struct answer *a, const char *function,
                      const char *module)
{
    struct frame f;

    f.function = intern(a, join("function", function), true);
    f.module = intern(a, join("module", module), true);
    if (a->frame_count == a->frame_room) {
        a->frame_room = a->frame_room ? a->frame_room * 2 : 256;
        a->frames = check(realloc(a->frames,
                                  a->frame_room * sizeof(*a->frames)));
    }
    a->frames[a->frame_count] = f;
    return a->frame_count++;
}

static void count(struct answer *a, uint32_t row, bool leaf)
{
    struct row *r = &a->rows[row];

    r->exclusive += leaf;
    r->inclusive += r->last != a->samples;
    r->last = a->samples;
}

void answer_sample(struct answer *a, uint32_t process, uint32_t thread,
                   enum answer_stack stack, const uint32_t *frames, size_t n)
{
    a->samples++;
    a->stacks[stack]++;
    a->rows[process].exclusive++;
    a->rows[thread].exclusive++;
    for (size_t i = 0; i < n; i++) {
        count(a, a->frames[frames[i]].function, i == 0);
        count(a, a->frames[frames[i]].module, i == 0);
    }
}

void answer_idle(struct answer *a, uint64_t samples)
{
    a->idle += samples;
}

void answer_lost(struct answer *a, uint64_t events, uint64_t buffers)
{
    a->events_lost = events;
    a->buffers_lost = buffers;
}

static int by_text(const void *x, const void *y)
{
    const struct row *a = *(const struct row *const *)x;
    const struct row *b = *(const struct row *const *)y;

    return strcmp(a->text, b->text);
}

static void write_count(FILE *file, const char *text, uint64_t n)
{
    fprintf(file, "%s\t%" PRIu64 "\n", text, n);
}

static void write_row(const struct row *r, FILE *file)
{
    if (!r->exclusive && !r->inclusive)
        return;
    fprintf(file, "%s\t%" PRIu64, r->text, r->exclusive);
    if (r->two_counts)
        fprintf(file, "\t%" PRIu64, r->inclusive);
    fputc('\n', file);
}

/* Rows of text from before (or, else, after) the fixed lines. */
static void write_rows(const struct answer *a, const struct row **sorted,
                       bool before, FILE *file)
{
    for (uint32_t i = 0; i < a->row_count; i++)
        if ((strcmp(sorted[i]->text, "stacks") < 0) == before)
            write_row(sorted[i], file);
}

/* "stacks" sorts between "process" and "thread", "total" comes last. */
bool answer_write(const struct answer *a, FILE *file)
{
    const struct row **sorted = check(calloc(a->row_count + 1u,
                                             sizeof(*sorted)));

    for (uint32_t i = 0; i < a->row_count; i++)
        sorted[i] = &a->rows[i];
    qsort(sorted, a->row_count, sizeof(*sorted), by_text);
    write_rows(a, sorted, true, file);
    write_count(file, "stacks\tfull", a->stacks[ANSWER_FULL]);
    write_count(file, "stacks\tkernel_only", a->stacks[ANSWER_KERNEL_ONLY]);
    write_count(file, "stacks\tnone", a->stacks[ANSWER_NONE]);
    write_count(file, "stacks\tuser_only", a->stacks[ANSWER_USER_ONLY]);
    write_rows(a, sorted, false, file);
    write_count(file, "total\tbuffers_lost", a->buffers_lost);
    write_count(file, "total\tevents_lost", a->events_lost);
    write_count(file, "total\tidle", a->idle);
    write_count(file, "total\tsamples", a->samples);
    free(sorted);
    return fflush(file) == 0 && !ferror(file);
}
