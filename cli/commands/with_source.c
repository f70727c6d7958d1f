#include "cli/commands/with_source.h"

#include <stdlib.h>

/* Enough to look into; images are read and taken apart. */
enum { FUNCTIONS_MOST = 1000, ANNOTATED_MOST = 100 };

void with_source_find(struct with_source *w, struct subject *s,
                      const struct recording *r, const struct options *o,
                      const char *const *files, size_t count)
{
    size_t n;

    *w = (struct with_source){
        .ranking = ranking_new(s->p, s->sel, RANK_FUNCTION, SORT_EXCLUSIVE)};
    source_places(&w->places, r, o, files, count);
    w->places.places.wants_code = true;
    w->annotator = annotator_new(s->p, s->sel, &w->places.places, o);
    n = w->ranking->len < FUNCTIONS_MOST ? w->ranking->len : FUNCTIONS_MOST;
    w->functions = mem_new(n, sizeof(*w->functions));
    w->annotated = mem_new(n, sizeof(*w->annotated));
    for (size_t i = 0; i < n; i++) {
        const struct rank_row *row = &w->ranking->rows[i];

        w->functions[i] = row;
        if (i < ANNOTATED_MOST && row->exclusive)
            w->annotated[i] = annotator_function(w->annotator, row);
    }
    w->count = n;
    s->functions = w->functions;
    s->function_count = n;
    s->annotated = w->annotated;
    s->sources = (struct source_finder){source_places_find, &w->places};
}

static const struct recording *recording_of(const struct compared *c,
                                            const struct profile *p)
{
    size_t i = 0;

    while (c->recordings[i]->profile != p)
        i++;
    return c->recordings[i];
}

void with_source_of_sides(struct with_source with[2], struct subject sides[2],
                          const struct compared *c, const struct options *o,
                          const char *const *files, size_t count)
{
    for (size_t i = c->count; i-- > 0;) {
        bool after = c->inputs[i].after;

        sides[after].p = c->inputs[i].p;
        sides[after].sel = c->inputs[i].sel;
    }
    for (size_t k = 0; k < 2; k++)
        with_source_find(&with[k], &sides[k], recording_of(c, sides[k].p), o,
                         files, count);
}

void with_source_release(struct with_source *w)
{
    source_places_say(&w->places);
    for (size_t i = 0; i < w->count; i++)
        annotated_release(&w->annotated[i]);
    free(w->annotated);
    free(w->functions);
    annotator_free(w->annotator);
    ranking_free(w->ranking);
    source_places_release(&w->places);
}
