/*
 * Stack block, v4 and later: u32 first number, u32 count, then that many
 * stacks, each u32 size and that many bytes of addresses, leaf first.
 *
 * Numbers live until the next sequence point and then mean other stacks; so
 * a stack becomes a run of its own when a sample refers to it.
 * (format.md, section 3.2)
 */
#include "engine/format/nettrace/nettrace.h"

void nt_forget_stacks(struct nt_file *f)
{
    f->stacks.len = 0;
    nt_ids_clear(&f->stack_ids);
}

void nt_read_stacks(struct nt_file *f, struct reader *r)
{
    uint32_t first = reader_u32(r), count = reader_count(r, 4, "stack");

    for (uint32_t i = 0; i < count && !r->failed; i++) {
        uint32_t size = reader_u32(r);
        struct bytes frames = reader_bytes(r, size);

        if (r->failed)
            break;
        nt_ids_set(&f->stack_ids, first + i, (uint32_t)f->stacks.len);
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
    uint32_t at = number ? nt_ids_get(&f->stack_ids, number) : NO_ID;

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
    at = nt_ids_get(&f->stack_ids, number);
    if (at == NO_ID) {
        f->no_stack++;
        return 0;
    }
    stack = &f->stacks.data[at];
    if (!stack->run)
        stack->run = nt_frames_run(f, stack->frames, stack->size) + 1;
    return stack->run - 1;
}
