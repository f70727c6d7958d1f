/*
 * The hot path through stacks that are rows.
 *
 * Rows of many stacks begin with the same calls, and to go from callers to
 * callees in all of them at once would look at each as often as the path has
 * steps. So the rows of the next step are compared with one of them, as far as
 * each calls the same functions: that tells the samples of all steps in which
 * it has most, and another one leads the way from there.
 */
#include "engine/analysis/hot_path_impl.h"

/* Where stacks that have a row are on the way: before this frame. */
struct place {
    uint64_t samples; /* of stacks that come by there */
    uint32_t row;
    uint32_t at;    /* location of the row, from the outermost one on */
    uint32_t frame; /* id, of this location */
    bool inner;     /* the row is on top of another one */
};

struct walk {
    const struct profile *p;
    const struct selection *sel;
    VEC(struct place) places;
    struct hot_callees callees;
    VEC(uint32_t) leader; /* functions that it calls, to the end of its row */
    VEC(uint64_t) sums;   /* samples that call so many of these, or more */
    /* Of stacks of two rows: the last one that begins with a row, and by stack
     * the one before it that does so too; plus one, 0: none. NULL: not yet
     * needed. */
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

static void add_rows(struct walk *w)
{
    vec_reserve(&w->places, w->p->rows.list.len);
    for (uint32_t i = 0; i < w->p->rows.list.len; i++)
        if (w->sel->row_counts[i].outer)
            *vec_add(&w->places) =
                place_of(w, i, false, w->sel->row_counts[i].outer);
}

static struct hot_callee next_step(struct walk *w)
{
    for (size_t i = 0; i < w->places.len; i++)
        hot_callees_add(&w->callees, function_at(w, &w->places.data[i]),
                        w->places.data[i].samples);
    return hot_callees_take(&w->callees, w->p);
}

/* The place with most samples of those that call a function leads. */
static void choose_leader(struct walk *w, uint32_t function)
{
    struct place leader = {.samples = 0};

    for (size_t i = 0; i < w->places.len; i++)
        if (w->places.data[i].samples > leader.samples &&
            function_at(w, &w->places.data[i]) == function)
            leader = w->places.data[i];
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

static void list_stacks(struct walk *w)
{
    const struct stack_rows *rows = &w->p->rows;

    w->last = mem_new(rows->list.len, sizeof(*w->last));
    w->before = mem_new(rows->stacks.len, sizeof(*w->before));
    for (uint32_t i = 0; i < rows->stacks.len; i++) {
        struct row_pair stack = rows->stacks.data[i];

        if (stack.inner == NO_ID || !w->sel->stack_counts[i])
            continue;
        w->before[i] = w->last[stack.outer];
        w->last[stack.outer] = i + 1;
    }
}

/* The last stack, plus one, that goes on behind an outer row; 0: none does. */
static uint32_t stacks_behind(struct walk *w, uint32_t outer)
{
    if (!w->last)
        list_stacks(w);
    return w->last[outer];
}

static struct place inner_place(const struct walk *w, uint32_t stack)
{
    return place_of(w, w->p->rows.stacks.data[stack].inner, true,
                    w->sel->stack_counts[stack]);
}

static void compare_stacks(struct walk *w, uint32_t outer, uint32_t steps)
{
    w->sums.data[steps] += w->sel->row_counts[outer].alone;
    for (uint32_t i = stacks_behind(w, outer); i; i = w->before[i - 1]) {
        struct place at = inner_place(w, i - 1);
        uint32_t same = go_along(w, &at, steps, (uint32_t)w->leader.len);

        w->sums.data[same] += at.samples;
    }
}

static void compare_with_leader(struct walk *w)
{
    w->sums.len = 0;
    for (size_t i = 0; i <= w->leader.len; i++)
        *vec_add(&w->sums) = 0;
    for (size_t i = 0; i < w->places.len; i++) {
        struct place at = w->places.data[i];
        uint32_t same = go_along(w, &at, 0, (uint32_t)w->leader.len);

        if (!at.inner && is_at_end(w, &at))
            compare_stacks(w, at.row, same);
        else
            w->sums.data[same] += at.samples;
    }
    for (size_t i = w->leader.len; i-- > 0;)
        w->sums.data[i] += w->sums.data[i + 1];
}

/* Adds stacks that come to the end of an outer row with so many steps, and go
 * on with the leader behind it. */
static void follow_stacks(struct walk *w, uint32_t outer, uint32_t from,
                          uint32_t steps)
{
    for (uint32_t i = stacks_behind(w, outer); i; i = w->before[i - 1]) {
        struct place at = inner_place(w, i - 1);

        if (go_along(w, &at, from, steps) == steps && !is_at_end(w, &at))
            *vec_add(&w->places) = at;
    }
}

/* So many steps with the leader; what does not call the same is left. Stacks
 * that go on in inner rows come behind the others. */
static void follow(struct walk *w, uint32_t steps)
{
    size_t kept = 0, n = w->places.len;

    for (size_t i = 0; i < n; i++) {
        struct place at = w->places.data[i];
        uint32_t same = go_along(w, &at, 0, steps);

        if (!is_at_end(w, &at)) {
            if (same == steps)
                w->places.data[kept++] = at;
        } else if (!at.inner) {
            follow_stacks(w, at.row, same, steps);
        }
    }
    for (size_t i = n; i < w->places.len; i++)
        w->places.data[kept++] = w->places.data[i];
    w->places.len = kept;
}

void hot_path_of_rows(struct hot_path *path, const struct profile *p,
                      const struct selection *sel)
{
    struct walk w = {.p = p, .sel = sel, .callees = hot_callees_of(p)};
    struct hot_callee next;
    uint64_t before = 0;

    add_rows(&w);
    while ((next = next_step(&w)).samples > before / 2) {
        uint32_t steps = 0;

        choose_leader(&w, next.function);
        compare_with_leader(&w);
        do {
            next = (struct hot_callee){w.leader.data[steps],
                                       w.sums.data[steps + 1]};
            hot_path_add(path, &next);
            before = next.samples;
            steps++;
        } while (steps < w.leader.len && w.sums.data[steps + 1] > before / 2);
        follow(&w, steps);
    }
    hot_callees_release(&w.callees);
    vec_release(&w.places);
    vec_release(&w.leader);
    vec_release(&w.sums);
    free(w.last);
    free(w.before);
}
