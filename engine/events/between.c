#include "engine/events/between.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/pattern.h"
#include "engine/base/text.h"
#include "engine/events/events.h"

enum { NOT_ASKED, IS_NOT, IS };

/* Events of one name. */
struct mark {
    char *name;
    struct pattern *pattern;
    VEC(uint8_t) kinds; /* by kind, whether it is meant */
    uint64_t met;
};

static bool mark_matches(struct mark *m, const struct event_kind *kind)
{
    char full[512];

    if (pattern_match(m->pattern, kind->full_name))
        return true;
    snprintf(full, sizeof(full), "%s/%s", kind->provider, kind->full_name);
    return pattern_match(m->pattern, full);
}

static bool is_meant(struct mark *m, const struct event_kind *kind)
{
    uint8_t *asked;

    while (m->kinds.len <= kind->index)
        *vec_add(&m->kinds) = NOT_ASKED;
    asked = &m->kinds.data[kind->index];
    if (*asked == NOT_ASKED)
        *asked = mark_matches(m, kind) ? IS : IS_NOT;
    m->met += *asked == IS;
    return *asked == IS;
}

static enum err_code mark_init(struct mark *m, const char *name, size_t n,
                               struct err *err)
{
    m->name = text_copy(name, n);
    m->pattern = n ? pattern_new(m->name, err) : NULL;
    if (!m->pattern)
        return err_set(err, ERR_USAGE,
                       "--between takes EVENT or FROM,TO, names of events");
    return ERR_NONE;
}

static void mark_release(struct mark *m)
{
    free(m->name);
    pattern_free(m->pattern);
    vec_release(&m->kinds);
}

/* ---- ranges ---- */

static void add_range(time_ranges *ranges, int64_t from, int64_t to)
{
    if (from < to)
        *vec_add(ranges) = (struct time_range){from, to};
}

static void find_pairs(struct event_cursor *c, struct mark *a, struct mark *b,
                       time_ranges *ranges)
{
    const struct event *e;
    bool open = false;
    int64_t from = 0;

    while ((e = event_next(c))) {
        if (is_meant(b, e->kind) && open) {
            add_range(ranges, from, e->time);
            open = false;
        }
        if (is_meant(a, e->kind) && !open) {
            from = e->time;
            open = true;
        }
    }
    if (open)
        add_range(ranges, from, TIME_MAX);
}

static void find_extent(struct event_cursor *c, struct mark *a,
                        time_ranges *ranges)
{
    const struct event *e;
    int64_t from = TIME_MAX, to = TIME_MIN;

    while ((e = event_next(c))) {
        if (!is_meant(a, e->kind))
            continue;
        if (e->time < from)
            from = e->time;
        if (e->time > to)
            to = e->time;
    }
    add_range(ranges, from, to);
}

static const char *event_at(const void *trace, size_t i)
{
    return i < event_kind_count(trace) ? event_kind_at(trace, i)->full_name
                                       : NULL;
}

static enum err_code check_mark(const struct event_trace *trace,
                                const struct mark *m, uint64_t needed,
                                const char *path, struct err *err)
{
    const char *near = m->met ? NULL : text_nearest(m->name, event_at, trace);

    if (!m->met)
        return err_set(err, ERR_NOT_FOUND,
                       "%s: --between: no event is called \"%s\"%s%s%s; topfn "
                       "events lists them",
                       path, m->name, near ? "; did you mean " : "",
                       near ? near : "", near ? "?" : "");
    if (m->met < needed)
        return err_set(err, ERR_NOT_FOUND,
                       "%s: --between: \"%s\" occurs only once; name the event "
                       "that ends the range, too: FROM,TO",
                       path, m->name);
    return ERR_NONE;
}

static enum err_code find_ranges(struct event_trace *trace, const char *path,
                                 struct mark marks[2], time_ranges *ranges,
                                 struct err *err)
{
    struct event_options options = {.no_subjects = true};
    struct event_cursor *c = event_cursor_new(trace, &options);
    bool pairs = marks[1].pattern;

    if (pairs)
        find_pairs(c, &marks[0], &marks[1], ranges);
    else
        find_extent(c, &marks[0], ranges);
    event_cursor_free(c);
    if (check_mark(trace, &marks[0], pairs ? 1 : 2, path, err))
        return ERR_NOT_FOUND;
    return pairs ? check_mark(trace, &marks[1], 1, path, err) : ERR_NONE;
}

enum err_code events_between(struct event_trace *trace, const char *path,
                             const char *words, time_ranges *ranges,
                             struct err *err)
{
    struct mark marks[2] = {{.met = 0}, {.met = 0}};
    const char *comma = strncmp(words, "re:", 3) ? strchr(words, ',') : NULL;
    enum err_code code = mark_init(
        &marks[0], words, comma ? (size_t)(comma - words) : strlen(words), err);

    if (!code && comma)
        code = mark_init(&marks[1], comma + 1, strlen(comma + 1), err);
    if (!code)
        code = find_ranges(trace, path, marks, ranges, err);
    mark_release(&marks[0]);
    mark_release(&marks[1]);
    return code;
}
