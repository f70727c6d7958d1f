#include "symbols/find/opened.h"

#include <stdlib.h>

#include "symbols/elf/elf.h"
#include "symbols/find/companions.h"
#include "symbols/find/expand.h"

static void find_companions(struct opened *o, const struct places *places)
{
    struct elf_finder finder = {.find = companions_find};

    if (!o->file->kind->set_finder)
        return;
    o->companions = companions_new(o->file->name, places);
    finder.context = o->companions;
    o->file->kind->set_finder(o->file, &finder);
}

static bool open_bytes(struct opened *o, const char *name,
                       const uint8_t *data, size_t size,
                       const struct places *places, struct err *err)
{
    struct err own = {0};

    if (expand_probe(data, size)) {
        if (expand_cab(data, size, EXPAND_MOST, &o->unpacked, &size, &own)) {
            err_set(err, own.code, "%s: %s", name, own.message);
            return false;
        }
        data = o->unpacked;
    }
    o->file = debug_open(name, data, size, err);
    if (o->file)
        find_companions(o, places);
    return o->file;
}

bool opened_bytes(struct opened *o, const char *name, const uint8_t *data,
                  size_t size, const struct places *places, struct err *err)
{
    *o = (struct opened){.file = NULL};
    if (open_bytes(o, name, data, size, places, err))
        return true;
    opened_close(o);
    return false;
}

bool opened_path(struct opened *o, const char *path,
                 const struct places *places, struct err *err)
{
    struct container *c = container_open(path, err);

    *o = (struct opened){.container = c};
    if (c && !c->count)
        err_set(err, ERR_UNSUPPORTED, "%s: is empty", path);
    else if (c && open_bytes(o, path, c->entries[0].data, c->entries[0].size,
                             places, err))
        return true;
    opened_close(o);
    return false;
}

void opened_close(struct opened *o)
{
    debug_close(o->file);
    companions_free(o->companions);
    free(o->unpacked);
    container_close(o->container);
    *o = (struct opened){.file = NULL};
}
