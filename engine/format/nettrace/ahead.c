/*
 * A third of the time that a file takes goes into mapping its pages, each when
 * it is first touched. So a file is read by stretches, and while one is read
 * the next one is touched: by another thread or, where there is none, at once,
 * which takes less than fault by fault between events.
 */
#include "engine/base/pages.h"
#include "engine/base/threads.h"
#include "engine/format/nettrace/nettrace.h"

enum { STRETCH = 2 << 20 };

struct stretch {
    struct nt_file *file;
    size_t pos; /* of the next block */
    size_t end; /* blocks that begin before it are read */
    bool more;  /* false when the last block was */
};

static size_t next_end(const struct stretch *s)
{
    size_t left = s->file->size - s->end;

    return s->end + (left < STRETCH ? left : STRETCH);
}

static void read_or_touch(void *context, size_t task, unsigned worker)
{
    struct stretch *s = context;

    (void)worker;
    if (task)
        pages_touch(s->file->data + s->end, next_end(s) - s->end);
    else
        while (s->more && s->pos < s->end)
            s->more = nt_step(s->file, &s->pos);
}

static unsigned workers(const struct nt_file *f)
{
    unsigned threads = f->recording->options->threads;

    if (!threads)
        threads = threads_online();
    return threads > 1 && f->size > STRETCH ? 2 : 1;
}

void nt_read_all(struct nt_file *f, size_t pos)
{
    struct threads *pool = threads_new(workers(f));
    struct stretch s = {.file = f, .pos = pos, .more = true};

    while (s.more && s.end < f->size) {
        s.end = next_end(&s);
        threads_run(pool, 2, read_or_touch, &s);
        progress_report(f->recording->options->progress, "reading", s.pos,
                        f->size);
    }
    threads_free(pool);
}
