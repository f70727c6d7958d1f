#include "engine/clr.h"

#include <string.h>

/* What an event id means; ids differ between the two providers. */
enum shape { NOT_WANTED, METHOD, METHOD_VERBOSE, MODULE, DOMAIN_MODULE };

struct kind {
    uint8_t shape;
    uint8_t event; /* enum fact_event */
};

enum { FIRST_ID = 137, LAST_ID = 154 };

static const struct kind runtime_kinds[LAST_ID - FIRST_ID + 1] = {
    [137 - FIRST_ID] = {METHOD, FACT_AT_START},
    [138 - FIRST_ID] = {METHOD, FACT_AT_STOP},
    [139 - FIRST_ID] = {METHOD_VERBOSE, FACT_AT_START},
    [140 - FIRST_ID] = {METHOD_VERBOSE, FACT_AT_STOP},
    [141 - FIRST_ID] = {METHOD, FACT_BEGIN},
    [142 - FIRST_ID] = {METHOD, FACT_END},
    [143 - FIRST_ID] = {METHOD_VERBOSE, FACT_BEGIN},
    [144 - FIRST_ID] = {METHOD_VERBOSE, FACT_END},
    [149 - FIRST_ID] = {MODULE, FACT_AT_START},
    [150 - FIRST_ID] = {MODULE, FACT_AT_STOP},
    [151 - FIRST_ID] = {DOMAIN_MODULE, FACT_BEGIN},
    [152 - FIRST_ID] = {MODULE, FACT_BEGIN},
    [153 - FIRST_ID] = {MODULE, FACT_END},
};

static const struct kind rundown_kinds[LAST_ID - FIRST_ID + 1] = {
    [141 - FIRST_ID] = {METHOD, FACT_AT_START},
    [142 - FIRST_ID] = {METHOD, FACT_AT_STOP},
    [143 - FIRST_ID] = {METHOD_VERBOSE, FACT_AT_START},
    [144 - FIRST_ID] = {METHOD_VERBOSE, FACT_AT_STOP},
    [151 - FIRST_ID] = {DOMAIN_MODULE, FACT_AT_START},
    [152 - FIRST_ID] = {DOMAIN_MODULE, FACT_AT_STOP},
    [153 - FIRST_ID] = {MODULE, FACT_AT_START},
    [154 - FIRST_ID] = {MODULE, FACT_AT_STOP},
};

static struct kind kind_of(enum clr_provider provider, uint16_t id)
{
    if (id < FIRST_ID || id > LAST_ID)
        return (struct kind){NOT_WANTED, 0};
    return provider == CLR_RUNTIME ? runtime_kinds[id - FIRST_ID]
                                   : rundown_kinds[id - FIRST_ID];
}

bool clr_event_wanted(enum clr_provider provider, uint16_t id)
{
    return kind_of(provider, id).shape != NOT_WANTED;
}

static struct text_slice utf16_slice(struct reader *r)
{
    struct bytes b = reader_utf16(r);

    return (struct text_slice){b.data, (uint32_t)b.len, true};
}

/* The flag bits of a method event that we use. */
enum { FLAG_JITTED = 0x8, TIER_SHIFT = 7, TIER_MASK = 7 };

static bool take_method(struct facts *facts, const struct clr_event *event,
                        struct kind kind, struct reader *r)
{
    struct method_fact m = {
        .time = event->time,
        .event = kind.event,
        .pid = event->pid,
        .kind = CODE_MANAGED,
    };
    uint32_t flags;

    m.method_id = reader_u64(r);
    m.module_id = reader_u64(r);
    m.start = reader_u64(r);
    m.size = reader_u32(r);
    m.token = reader_u32(r);
    flags = reader_u32(r);
    if (flags & FLAG_JITTED)
        m.tier = flags >> TIER_SHIFT & TIER_MASK;
    if (kind.shape == METHOD_VERBOSE) {
        m.space = utf16_slice(r);
        m.name = utf16_slice(r);
        m.signature = utf16_slice(r);
    }
    if (r->failed)
        return false;
    if (m.size)
        facts_method(facts, &m);
    return true;
}

static void strip_extension(struct strings *s, uint32_t *path)
{
    const char *text = strings_get(s, *path), *dot = strrchr(text, '.');

    if (dot && dot != text && !strpbrk(dot, "/\\"))
        *path = strings_add(s, text, (size_t)(dot - text));
}

/* GUID, age and path of one debug file. */
static void take_pdb(struct facts *facts, struct reader *r,
                     struct identity *identity)
{
    struct bytes guid = reader_bytes(r, sizeof(identity->guid));
    uint32_t age = reader_u32(r);
    struct bytes path = reader_utf16(r);

    if (r->failed || !path.len)
        return;
    memcpy(identity->guid, guid.data, guid.len);
    identity->age = age;
    identity->pdb_name =
        strings_add_utf16(facts->profile->strings, path.data, path.len / 2);
}

static bool take_module(struct facts *facts, const struct clr_event *event,
                        struct kind kind, struct reader *r)
{
    struct strings *s = facts->profile->strings;
    struct managed_module_fact fact = {.pid = event->pid};
    struct module module = {.managed = true};
    struct bytes path;

    fact.module_id = reader_u64(r);
    reader_skip(r, 8);
    if (kind.shape == DOMAIN_MODULE)
        reader_skip(r, 8);
    reader_skip(r, 8);
    path = reader_utf16(r);
    reader_utf16(r);
    if (r->failed)
        return false;
    if (kind.shape == MODULE && event->version >= 2 && reader_more(r)) {
        reader_skip(r, 2);
        take_pdb(facts, r, &module.identity);
    }
    module.path = strings_add_utf16(s, path.data, path.len / 2);
    if (event->name_without_extension)
        strip_extension(s, &module.path);
    if (!module.path)
        return true;
    fact.module = facts_module(facts, &module);
    facts_managed_module(facts, &fact);
    return true;
}

bool clr_event_take(struct facts *facts, const struct clr_event *event,
                    struct reader *payload)
{
    struct kind kind = kind_of(event->provider, event->id);

    switch (kind.shape) {
    case METHOD:
    case METHOD_VERBOSE:
        return take_method(facts, event, kind, payload);
    case MODULE:
    case DOMAIN_MODULE:
        return take_module(facts, event, kind, payload);
    }
    return true;
}
