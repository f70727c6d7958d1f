/* Tables of the numbers that a file uses: ids, stacks, threads. */
#include <stdio.h>

#include "engine/format/nettrace/nettrace.h"

/* ---- stacks ----
 *
 * Numbers live until the next sequence point and then mean other stacks; so
 * a stack becomes a run of its own when a sample refers to it.
 * (format.md, section 3.2) */

void nt_forget_stacks(struct nt_file *f)
{
    f->stacks.len = 0;
    map_release(&f->stack_ids);
}

void nt_read_stacks(struct nt_file *f, struct reader *r)
{
    uint32_t first = reader_u32(r), count = reader_count(r, 4, "stack");

    for (uint32_t i = 0; i < count && !r->failed; i++) {
        uint32_t size = reader_u32(r);
        struct bytes frames = reader_bytes(r, size);

        if (r->failed)
            break;
        map_set(&f->stack_ids, first + i, 0, (uint32_t)f->stacks.len);
        *vec_add(&f->stacks) = (struct nt_stack){frames.data, size, 0};
    }
}

uint32_t nt_frames_run(struct nt_file *f, const uint8_t *frames, uint32_t size)
{
    struct callchain run = {
        .frames = frames,
        .count = size / f->pointer_size,
        .width = f->pointer_size,
    };

    if (!run.count)
        return 0;
    return callchains_add(&f->recording->seen->callchains, &run,
                          callchain_fingerprint(&run), true);
}

struct bytes nt_stack_frames(const struct nt_file *f, uint32_t number)
{
    uint32_t at = number ? map_get(&f->stack_ids, number, 0) : NO_ID;

    if (at == NO_ID)
        return (struct bytes){0};
    return (struct bytes){f->stacks.data[at].frames, f->stacks.data[at].size};
}

uint32_t nt_stack_run(struct nt_file *f, uint32_t number)
{
    uint32_t at;
    struct nt_stack *stack;

    if (!number)
        return 0;
    at = map_get(&f->stack_ids, number, 0);
    if (at == NO_ID) {
        f->no_stack++;
        return 0;
    }
    stack = &f->stacks.data[at];
    if (!stack->run)
        stack->run = nt_frames_run(f, stack->frames, stack->size) + 1;
    return stack->run - 1;
}

/* ---- threads ----
 *
 * Threads, and events that were lost. Every writer (capture thread) numbers
 * its attempts to write, modulo 2^32: a gap is what was lost. Up to v5 a
 * thread is its operating system's id and the first number seen is where
 * counting starts; a number that starts again at 1 is another thread with a
 * recycled id. In v6 threads are defined, and every definition starts at 0.
 * A number that goes back is noted, not taken for four billion lost events.
 * (format.md, section 6)
 */

/* In v6 an id may be defined anew. */
static uint32_t defined_thread(const struct nt_file *f, uint64_t id)
{
    uint32_t at = map_get(&f->thread_ids, id, 0);

    return at == NO_ID || f->threads.data[at].gone ? NO_ID : at;
}

uint32_t nt_thread_index(struct nt_file *f, uint64_t id)
{
    uint32_t at = f->last_thread;

    if (f->version == 6)
        return defined_thread(f, id);
    if (at < f->threads.len && f->threads.data[at].id == id)
        return at;
    at = f->last_thread = map_get(&f->thread_ids, id, 0);
    if (at != NO_ID)
        return at;
    at = f->last_thread = mem_next_id(f->threads.len);
    map_set(&f->thread_ids, id, 0, at);
    *vec_add(&f->threads) = (struct nt_thread){
        .id = id,
        .pid = f->pid,
        .tid = (uint32_t)id,
        .key = NO_ID,
    };
    return at;
}

bool nt_define_thread(struct nt_file *f, const struct nt_thread *thread)
{
    if (nt_thread_index(f, thread->id) != NO_ID)
        return false;
    map_set(&f->thread_ids, thread->id, 0, mem_next_id(f->threads.len));
    *vec_add(&f->threads) = *thread;
    return true;
}

/* `number` is the last that was used so far. */
static void catch_up(struct nt_file *f, struct nt_thread *t, uint32_t number)
{
    uint32_t gap = number - t->last;

    if (!t->counted || (f->version < 6 && !number)) {
        t->counted = true;
        gap = 0;
    }
    if (gap > INT32_MAX) {
        f->backwards++;
        gap = 0;
    }
    t->lost += gap;
    f->recording->profile->quality.lost_events += gap;
    t->last = number;
}

void nt_thread_wrote(struct nt_file *f, uint32_t thread, uint32_t number)
{
    struct nt_thread *t = &f->threads.data[thread];

    if (!t->counted || t->last != number - 1)
        catch_up(f, t, number - 1);
    t->last = number;
}

void nt_thread_is_at(struct nt_file *f, uint64_t id, uint32_t number)
{
    uint32_t at = nt_thread_index(f, id);

    if (at != NO_ID)
        catch_up(f, &f->threads.data[at], number);
}

bool nt_remove_thread(struct nt_file *f, uint64_t id, uint32_t last)
{
    uint32_t at = nt_thread_index(f, id);

    if (at == NO_ID)
        return false;
    catch_up(f, &f->threads.data[at], last);
    f->threads.data[at].gone = true;
    return true;
}

/* "12: 500, 13: 313": the first few that lost any. */
void nt_report_losses(const struct nt_file *f)
{
    enum { MOST = 8 };
    char text[MOST * 48] = "";
    size_t n = 0, threads = 0;

    for (size_t i = 0; i < f->threads.len; i++) {
        const struct nt_thread *t = &f->threads.data[i];

        if (!t->lost || threads++ >= MOST)
            continue;
        n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%u: %llu",
                              n ? ", " : "", t->tid,
                              (unsigned long long)t->lost);
    }
    if (threads)
        profile_warn(f->recording->profile, "%s: events lost by thread %s%s",
                     f->name, text, threads > MOST ? ", ..." : "");
}

void nt_forget_threads(struct nt_file *f)
{
    map_release(&f->thread_ids);
}
