#include "engine/trace.h"

#include <string.h>

#include "engine/format/format.h"
#include "engine/store.h"

struct opened {
    VEC(struct container *) containers;
    VEC(struct entry) entries; /* of all containers, in order */
};

static void close_all(struct opened *o)
{
    for (size_t i = 0; i < o->containers.len; i++)
        container_close(o->containers.data[i]);
    vec_release(&o->containers);
    vec_release(&o->entries);
}

static enum err_code open_all(struct opened *o, const char *const *paths,
                              size_t count, struct err *err)
{
    for (size_t i = 0; i < count; i++) {
        struct container *c = container_open(paths[i], err);

        if (!c)
            return err->code;
        *vec_add(&o->containers) = c;
        for (size_t j = 0; j < c->count; j++)
            *vec_add(&o->entries) = c->entries[j];
    }
    return ERR_NONE;
}

/* The one format of all entries. */
static const struct trace_format *common_format(const struct opened *o,
                                                struct err *err)
{
    const struct trace_format *common = NULL;

    for (size_t i = 0; i < o->entries.len; i++) {
        const struct entry *e = &o->entries.data[i];
        const struct trace_format *format =
            trace_format_of(e->data, e->size);

        if (!e->size) {
            err_set(err, ERR_TRUNCATED, "%s: the file is empty", e->name);
            return NULL;
        }
        if (!format) {
            err_set(err, ERR_UNSUPPORTED,
                    "%s: offset 0x0: not a trace of a known format", e->name);
            return NULL;
        }
        if (common && format != common) {
            err_set(err, ERR_UNSUPPORTED,
                    "%s: is %s, but %s is %s: read them one by one", e->name,
                    format->name, o->entries.data[0].name, common->name);
            return NULL;
        }
        common = format;
    }
    return common;
}

static struct profile *read_traces(const struct opened *o,
                                   const char *const *paths, size_t count,
                                   const struct trace_options *options,
                                   struct err *err)
{
    const struct trace_format *format = common_format(o, err);
    struct profile *p;

    if (!format)
        return NULL;
    p = profile_new();
    p->trace.format =
        strings_add(p->strings, format->name, strlen(format->name));
    for (size_t i = 0; i < count; i++)
        *vec_add(&p->trace.files) =
            strings_add(p->strings, paths[i], strlen(paths[i]));
    if (!format->read(o->entries.data, o->entries.len, options, p, err))
        return p;
    profile_free(p);
    return NULL;
}

static bool is_database(const struct opened *o)
{
    return o->entries.len == 1 &&
           store_probe(o->entries.data[0].data, o->entries.data[0].size);
}

struct profile *trace_open(const char *const *paths, size_t count,
                           const struct trace_options *options,
                           struct err *err)
{
    struct store_options store = {.times = !options->without_times};
    struct opened o = {0};
    struct profile *p = NULL;

    if (open_all(&o, paths, count, err))
        p = NULL;
    else if (is_database(&o) && options->event)
        err_set(err, ERR_USAGE,
                "%s: a database holds the events it was made with: choose "
                "them when importing",
                paths[0]);
    else
        p = is_database(&o) ? store_read(paths[0], &store, err)
                            : read_traces(&o, paths, count, options, err);
    close_all(&o);
    return p;
}
