#include "cli/terminal/bar.h"

#include <stdio.h>
#include <time.h>

#include "cli/terminal/say.h"
#include "engine/base/out.h"

enum {
    PATIENCE_MS = 500,
    REFRESH_MS = 100,
    BAR_WIDTH = 30,
    LINE_WIDTH = 78
};

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void draw(const char *what, uint64_t done, uint64_t total)
{
    struct out *out = out_stream(stderr);
    uint64_t filled;

    if (!total || done > total)
        done = total;
    filled = total ? done / (total / BAR_WIDTH + 1) : 0;
    if (done == total)
        filled = BAR_WIDTH;
    out_str(out, "\r[");
    out_repeat(out, '#', (size_t)filled);
    out_repeat(out, '.', BAR_WIDTH - (size_t)filled);
    out_str(out, "] ");
    out_cell(out, what, LINE_WIDTH - BAR_WIDTH - 3, true);
    out_close(out, NULL);
}

static void show(void *context, const char *what, uint64_t done,
                 uint64_t total)
{
    struct bar *bar = context;
    int64_t now = now_ms();

    if (now - bar->start < PATIENCE_MS || now - bar->shown < REFRESH_MS)
        return;
    bar->shown = now;
    draw(what, done, total);
}

struct progress bar_start(struct bar *bar)
{
    *bar = (struct bar){.start = now_ms()};
    if (!say_is_watched())
        return (struct progress){NULL, NULL};
    return (struct progress){show, bar};
}

void bar_end(struct bar *bar)
{
    if (bar->shown)
        fprintf(stderr, "\r%*s\r", LINE_WIDTH, "");
}
