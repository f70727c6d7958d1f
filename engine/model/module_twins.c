#include "engine/model/module_twins.h"

#include <stdio.h>
#include <string.h>

#include "engine/base/hex.h"
#include "engine/model/profile.h"

enum { NAMED_MOST = 16 }; /* modules of one name without an identity */

/* A build ID or GUID is enough; a time stamp and size are not without the name.
 * False: the module has only its name. */
static bool identity_key(const struct module *m, char *key, size_t room)
{
    const struct identity *id = &m->identity;
    char build[HEX_SIZE(sizeof(id->build_id))], guid[HEX_SIZE(16)];
    bool is_sure;

    hex_text(id->build_id, id->build_id_size, build);
    hex_text(id->guid, sizeof(id->guid), guid);
    is_sure = *build || strspn(guid, "0") < strlen(guid);
    snprintf(key, room, "%s %s %x %x %x %x %d", build, guid, id->age,
             id->timestamp, id->image_size, is_sure ? 0 : m->name,
             m->by_file_offset);
    return is_sure || id->timestamp;
}

uint32_t module_twins_add(struct module_twins *twins,
                          const struct module *modules, uint32_t module)
{
    char key[256];
    bool has_identity = identity_key(&modules[module], key, sizeof(key));
    uint32_t id;

    if (!twins->keys)
        twins->keys = strings_new();
    id = strings_add(twins->keys, key, strlen(key)) - 1;
    if (id == twins->groups.len)
        *vec_add(&twins->groups) = (struct module_group){.first = module};
    if (has_identity)
        return twins->groups.data[id].first;
    return ++twins->groups.data[id].count <= NAMED_MOST ? module : NO_ID;
}

void module_twins_release(struct module_twins *twins)
{
    if (twins->keys)
        strings_free(twins->keys);
    vec_release(&twins->groups);
}
