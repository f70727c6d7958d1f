/*
 * The hot path through stacks that are rows.
 *
 * Rows of many stacks begin with the same calls, and to go from callers to
 * callees in all of them at once would look at each as often as the path has
 * steps. So the rows of the next step are compared with one of them, as far as
 * each calls the same functions: that tells the samples of all steps in which
 * it has most, and another one leads the way from there.
 *
 * Rows are shared out, and each share goes its way beside the others: sums of
 * all shares decide.
 */
#include "engine/analysis/hot_path_impl.h"
#include "engine/base/threads.h"

enum { ROWS_A_SHARE = 1 << 13 };

/* Where stacks that have a row are on the way: before this frame. */
struct place {
    uint64_t samples; /* of stacks that come by there */
    uint32_t row;
    uint32_t at;    /* location of the row, from the outermost one on */
    uint32_t frame; /* id, of this location */
    bool inner;     /* the row is on top of another one */
};

/* Of some rows. */
struct share {
    VEC(struct place) places;
    /* Samples that call so many of the leader's functions, and no more. */
    VEC(uint64_t) sums;
};

struct walk {
    const struct profile *p;
    const struct selection *sel;
    struct share *shares;
    size_t share_count;
    struct hot_callees *callees; /* by worker */
    struct threads *pool;
    VEC(uint32_t) leader; /* functions that it calls, to the end of its row */
    VEC(uint64_t) sums;   /* samples that call so many of these, or more */
    uint32_t steps;       /* to go with it */
    /* Of stacks of two rows: the last one that begins with a row, and by stack
     * the one before it that does so too; plus one, 0: none. */
    uint32_t *last, *before;
};

static const struct location_row *row_of(const struct walk *w,
                                         const struct place *place)
{
    return &w->p->rows.list.data[place->row];
}

/* To the outermost frame of its location, if the row goes so far. */
static void set_frame(const struct walk *w, struct place *place)
{
    const struct location_row *row = row_of(w, place);

    if (place->at < row->count)
        place->frame =
            w->p->frame_start.data[row->locations[place->at] + 1] - 1;
}

static struct place place_of(const struct walk *w, uint32_t row, bool inner,
                             uint64_t samples)
{
    struct place place = {.samples = samples, .row = row, .inner = inner};

    set_frame(w, &place);
    return place;
}

static bool is_at_end(const struct walk *w, const struct place *place)
{
    return place->at == row_of(w, place)->count;
}

static uint32_t function_at(const struct walk *w, const struct place *place)
{
    return w->p->frames.data[place->frame].function;
}

/* Past a frame, to what it calls. */
static void go_on(const struct walk *w, struct place *place)
{
    uint32_t location = row_of(w, place)->locations[place->at];

    if (place->frame-- > w->p->frame_start.data[location])
        return;
    place->at++;
    set_frame(w, place);
}

static void list_stacks(struct walk *w)
{
    const struct stack_rows *rows = &w->p->rows;

    for (uint32_t i = 0; i < rows->stacks.len; i++) {
        struct row_pair stack = rows->stacks.data[i];

        if (stack.inner == NO_ID || !w->sel->stack_counts[i])
            continue;
        w->before[i] = w->last[stack.outer];
        w->last[stack.outer] = i + 1;
    }
}

static void add_callees(const struct walk *w, const struct share *share,
                        unsigned worker)
{
    for (size_t i = 0; i < share->places.len; i++)
        hot_callees_add(&w->callees[worker],
                        function_at(w, &share->places.data[i]),
                        share->places.data[i].samples);
}

static void begin_share(const struct walk *w, size_t number, unsigned worker)
{
    const struct row_count *counts = w->sel->row_counts;
    struct share *share = &w->shares[number];
    size_t from = number * ROWS_A_SHARE, to = from + ROWS_A_SHARE;

    to = to < w->p->rows.list.len ? to : w->p->rows.list.len;
    vec_reserve(&share->places, to - from);
    for (size_t i = from; i < to; i++)
        if (counts[i].outer)
            *vec_add(&share->places) =
                place_of(w, (uint32_t)i, false, counts[i].outer);
    add_callees(w, share, worker);
}

/* The list of stacks is one of the tasks, and no share needs it yet. */
static void begin(void *context, size_t task, unsigned worker)
{
    if (task)
        begin_share(context, task - 1, worker);
    else
        list_stacks(context);
}

static struct hot_callee next_step(const struct walk *w)
{
    for (unsigned i = 1; i < threads_count(w->pool); i++)
        hot_callees_move(&w->callees[i], &w->callees[0]);
    return hot_callees_take(&w->callees[0], w->p);
}

/* The place with most samples of those that call a function leads. */
static void choose_leader(struct walk *w, uint32_t function)
{
    struct place leader = {.samples = 0};

    for (size_t i = 0; i < w->share_count; i++) {
        const struct share *share = &w->shares[i];

        for (size_t k = 0; k < share->places.len; k++)
            if (share->places.data[k].samples > leader.samples &&
                function_at(w, &share->places.data[k]) == function)
                leader = share->places.data[k];
    }
    for (w->leader.len = 0; !is_at_end(w, &leader); go_on(w, &leader))
        *vec_add(&w->leader) = function_at(w, &leader);
}

/* Goes on as long as the leader, who has done `from` steps, calls the same
 * functions, up to `to` steps. Returns how many they are then. */
static uint32_t go_along(const struct walk *w, struct place *place,
                         uint32_t from, uint32_t to)
{
    while (from < to && !is_at_end(w, place) &&
           function_at(w, place) == w->leader.data[from]) {
        from++;
        go_on(w, place);
    }
    return from;
}

static struct place inner_place(const struct walk *w, uint32_t stack)
{
    return place_of(w, w->p->rows.stacks.data[stack].inner, true,
                    w->sel->stack_counts[stack]);
}

/* What goes on behind an outer row, after so many steps. */
static void compare_stacks(const struct walk *w, struct share *share,
                           uint32_t outer, uint32_t steps)
{
    share->sums.data[steps] += w->sel->row_counts[outer].alone;
    for (uint32_t i = w->last[outer]; i; i = w->before[i - 1]) {
        struct place at = inner_place(w, i - 1);
        uint32_t same = go_along(w, &at, steps, (uint32_t)w->leader.len);

        share->sums.data[same] += at.samples;
    }
}

static void compare_share(void *context, size_t number, unsigned worker)
{
    const struct walk *w = context;
    struct share *share = &w->shares[number];

    (void)worker;
    share->sums.len = 0;
    for (size_t i = 0; i <= w->leader.len; i++)
        *vec_add(&share->sums) = 0;
    for (size_t i = 0; i < share->places.len; i++) {
        struct place at = share->places.data[i];
        uint32_t same = go_along(w, &at, 0, (uint32_t)w->leader.len);

        if (!at.inner && is_at_end(w, &at))
            compare_stacks(w, share, at.row, same);
        else
            share->sums.data[same] += at.samples;
    }
}

/* Adds stacks that come to the end of an outer row with so many steps, and go
 * on with the leader behind it. */
static void follow_stacks(const struct walk *w, struct share *share,
                          uint32_t outer, uint32_t steps)
{
    for (uint32_t i = w->last[outer]; i; i = w->before[i - 1]) {
        struct place at = inner_place(w, i - 1);

        if (go_along(w, &at, steps, w->steps) == w->steps && !is_at_end(w, &at))
            *vec_add(&share->places) = at;
    }
}

/* So many steps with the leader; what does not call the same is left. Stacks
 * that go on in inner rows come behind the others. */
static void follow_share(void *context, size_t number, unsigned worker)
{
    const struct walk *w = context;
    struct share *share = &w->shares[number];
    size_t kept = 0, n = share->places.len;

    for (size_t i = 0; i < n; i++) {
        struct place at = share->places.data[i];
        uint32_t same = go_along(w, &at, 0, w->steps);

        if (!is_at_end(w, &at)) {
            if (same == w->steps)
                share->places.data[kept++] = at;
        } else if (!at.inner) {
            follow_stacks(w, share, at.row, same);
        }
    }
    for (size_t i = n; i < share->places.len; i++)
        share->places.data[kept++] = share->places.data[i];
    share->places.len = kept;
    add_callees(w, share, worker);
}

static void compare_with_leader(struct walk *w)
{
    threads_run(w->pool, w->share_count, compare_share, w);
    w->sums.len = 0;
    for (size_t i = 0; i <= w->leader.len; i++)
        *vec_add(&w->sums) = 0;
    for (size_t i = 0; i < w->share_count; i++)
        for (size_t k = 0; k <= w->leader.len; k++)
            w->sums.data[k] += w->shares[i].sums.data[k];
    for (size_t i = w->leader.len; i-- > 0;)
        w->sums.data[i] += w->sums.data[i + 1];
}

static struct walk begin_walk(const struct profile *p,
                              const struct selection *sel)
{
    struct walk w = {.p = p, .sel = sel};

    w.share_count = p->rows.list.len / ROWS_A_SHARE + 1;
    w.shares = mem_new(w.share_count, sizeof(*w.shares));
    w.pool = threads_new_for(w.share_count, p->concurrency);
    w.callees = mem_new(threads_count(w.pool), sizeof(*w.callees));
    for (unsigned i = 0; i < threads_count(w.pool); i++)
        w.callees[i] = hot_callees_of(p);
    w.last = mem_new_table(p->rows.list.len, sizeof(*w.last));
    w.before = mem_new_table(p->rows.stacks.len, sizeof(*w.before));
    return w;
}

static void end_walk(struct walk *w)
{
    for (unsigned i = 0; i < threads_count(w->pool); i++)
        hot_callees_release(&w->callees[i]);
    threads_free(w->pool);
    for (size_t i = 0; i < w->share_count; i++) {
        vec_release(&w->shares[i].places);
        vec_release(&w->shares[i].sums);
    }
    free(w->callees);
    free(w->shares);
    free(w->last);
    free(w->before);
    vec_release(&w->leader);
    vec_release(&w->sums);
}

void hot_path_of_rows(struct hot_path *path, const struct profile *p,
                      const struct selection *sel)
{
    struct walk w = begin_walk(p, sel);
    struct hot_callee next;
    uint64_t before = 0;

    threads_run(w.pool, w.share_count + 1, begin, &w);
    while ((next = next_step(&w)).samples > before / 2) {
        choose_leader(&w, next.function);
        compare_with_leader(&w);
        w.steps = 0;
        do {
            next = (struct hot_callee){w.leader.data[w.steps],
                                       w.sums.data[w.steps + 1]};
            hot_path_add(path, &next);
            before = next.samples;
            w.steps++;
        } while (w.steps < w.leader.len &&
                 w.sums.data[w.steps + 1] > before / 2);
        threads_run(w.pool, w.share_count, follow_share, &w);
    }
    end_walk(&w);
}
