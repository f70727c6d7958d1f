#include "cli/load/source_places.h"

#include "cli/load/symbol_places.h"
#include "cli/terminal/say.h"

void source_places(struct source_places *s, const struct recording *r,
                   const struct options *o, const char *const *files,
                   size_t count)
{
    *s = (struct source_places){.has_missed = false};
    for (size_t i = 0; i < o->source_maps.len; i++)
        sources_map(&s->sources, o->source_maps.data[i]);
    for (size_t i = 0; i < o->sources.len; i++)
        sources_add(&s->sources, o->sources.data[i]);
    symbol_places_of_trace(&s->places, r, o);
    for (size_t i = 0; i < count; i++)
        places_add_beside(&s->places, files[i]);
}

struct textfile *source_places_find(void *s, const char *path)
{
    struct source_places *places = s;
    struct textfile *found = sources_find(&places->sources, path);

    places->has_missed |= !found;
    return found;
}

void source_places_say(const struct source_places *s)
{
    if (s->sources.refused)
        say_warning("source not opened: %s: --source DIR allows what is below "
                    "DIR",
                    s->sources.refused);
    else if (s->has_missed)
        say_hint("source not found: --source DIR tells where to look, "
                 "--source-map FROM=TO where it is");
}

void source_places_release(struct source_places *s)
{
    sources_release(&s->sources);
    symbol_places_release(&s->places);
}
