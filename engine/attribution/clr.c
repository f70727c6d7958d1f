#include "engine/attribution/clr.h"

#include <math.h>
#include <string.h>

#include "engine/base/text.h"

/* The use of an event by its id, which differs between the two providers. */
enum shape {
    NOT_WANTED,
    METHOD,
    METHOD_VERBOSE,
    MODULE,
    DOMAIN_MODULE,
    ASSEMBLY,
    IL_MAP
};

struct kind {
    uint8_t shape;
    uint8_t event; /* enum observed_event */
};

enum { FIRST_ID = 137, LAST_ID = 190 };

static const struct kind runtime_kinds[LAST_ID - FIRST_ID + 1] = {
    [137 - FIRST_ID] = {METHOD, SEEN_AT_START},
    [138 - FIRST_ID] = {METHOD, SEEN_AT_STOP},
    [139 - FIRST_ID] = {METHOD_VERBOSE, SEEN_AT_START},
    [140 - FIRST_ID] = {METHOD_VERBOSE, SEEN_AT_STOP},
    [141 - FIRST_ID] = {METHOD, SEEN_BEGIN},
    [142 - FIRST_ID] = {METHOD, SEEN_END},
    [143 - FIRST_ID] = {METHOD_VERBOSE, SEEN_BEGIN},
    [144 - FIRST_ID] = {METHOD_VERBOSE, SEEN_END},
    [149 - FIRST_ID] = {MODULE, SEEN_AT_START},
    [150 - FIRST_ID] = {MODULE, SEEN_AT_STOP},
    [151 - FIRST_ID] = {DOMAIN_MODULE, SEEN_BEGIN},
    [152 - FIRST_ID] = {MODULE, SEEN_BEGIN},
    [153 - FIRST_ID] = {MODULE, SEEN_END},
    [154 - FIRST_ID] = {ASSEMBLY, SEEN_BEGIN},
    [190 - FIRST_ID] = {IL_MAP, SEEN_BEGIN},
};

static const struct kind rundown_kinds[LAST_ID - FIRST_ID + 1] = {
    [141 - FIRST_ID] = {METHOD, SEEN_AT_START},
    [142 - FIRST_ID] = {METHOD, SEEN_AT_STOP},
    [143 - FIRST_ID] = {METHOD_VERBOSE, SEEN_AT_START},
    [144 - FIRST_ID] = {METHOD_VERBOSE, SEEN_AT_STOP},
    [149 - FIRST_ID] = {IL_MAP, SEEN_AT_START},
    [150 - FIRST_ID] = {IL_MAP, SEEN_AT_STOP},
    [151 - FIRST_ID] = {DOMAIN_MODULE, SEEN_AT_START},
    [152 - FIRST_ID] = {DOMAIN_MODULE, SEEN_AT_STOP},
    [153 - FIRST_ID] = {MODULE, SEEN_AT_START},
    [154 - FIRST_ID] = {MODULE, SEEN_AT_STOP},
    [155 - FIRST_ID] = {ASSEMBLY, SEEN_AT_START},
    [156 - FIRST_ID] = {ASSEMBLY, SEEN_AT_STOP},
};

static struct kind kind_of(enum clr_provider provider, uint16_t id)
{
    if (id < FIRST_ID || id > LAST_ID)
        return (struct kind){NOT_WANTED, 0};
    return provider == CLR_RUNTIME ? runtime_kinds[id - FIRST_ID]
                                   : rundown_kinds[id - FIRST_ID];
}

enum clr_use clr_event_use(enum clr_provider provider, uint16_t id)
{
    switch (kind_of(provider, id).shape) {
    case METHOD:
    case METHOD_VERBOSE:
        return CLR_METHOD;
    case MODULE:
    case DOMAIN_MODULE:
    case ASSEMBLY:
        return CLR_MODULE;
    case IL_MAP:
        return CLR_IL_MAP;
    }
    if (clr_is_jit_start(provider, id))
        return CLR_JIT;
    return clr_is_collection(provider, id) ? CLR_COLLECTION : CLR_UNUSED;
}

/* Both method events begin with u64 method, u64 module, u64 start, u32 size,
 * u32 token, u32 flags. */
bool clr_method_range(const uint8_t *payload, size_t size, uint64_t *start,
                      uint32_t *length)
{
    if (size < 36)
        return false;
    *start = load_u64(payload + 16);
    *length = load_u32(payload + 24);
    return true;
}

static struct text_slice utf16_slice(struct reader *r)
{
    struct bytes b = reader_utf16(r);

    return (struct text_slice){b.data, (uint32_t)b.len, true};
}

struct clr_code clr_code_of(uint32_t flags)
{
    enum { JITTED = 0x8, TIER_SHIFT = 7, EXTENT_SHIFT = 28 };
    bool compiled = flags & JITTED;

    return (struct clr_code){
        .compiled = compiled,
        .cold = flags >> EXTENT_SHIFT,
        .tier = compiled ? flags >> TIER_SHIFT & (CODE_TIERS - 1) : 0,
    };
}

/* Reads the number behind the signature. An event that ends before it is about
 * the first body. */
static uint64_t read_rejit_id(const struct clr_event *event, struct kind kind,
                              struct reader *r)
{
    if (kind.shape != METHOD_VERBOSE || event->version < 2)
        return 0;
    reader_skip(r, 2);
    return reader_u64(r);
}

static bool take_method(struct observations *seen,
                        const struct clr_event *event, struct kind kind,
                        struct reader *r)
{
    struct observed_method m = {
        .time = event->time,
        .event = kind.event,
        .pid = event->pid,
        .kind = CODE_MANAGED,
    };
    struct clr_code code;

    m.method_id = reader_u64(r);
    m.module_id = reader_u64(r);
    m.start = reader_u64(r);
    m.size = reader_u32(r);
    m.token = reader_u32(r);
    code = clr_code_of(reader_u32(r));
    m.tier = code.tier;
    m.cold = code.cold;
    if (kind.shape == METHOD_VERBOSE) {
        m.space = utf16_slice(r);
        m.name = utf16_slice(r);
        m.signature = utf16_slice(r);
    }
    if (r->failed)
        return false;
    m.rejit_id = read_rejit_id(event, kind, r);
    if (m.size)
        observe_method(seen, &m);
    return true;
}

/* The file name without the extension; where that is a native image's,
 * without its ".ni" too. */
static void name_without_image(struct strings *s, struct module *m, bool native)
{
    const char *text = path_base_name(strings_get(s, m->path));
    const char *dot = strrchr(text, '.'), *end = text + strlen(text);
    size_t n = (size_t)((dot && dot != text ? dot : end) - text);

    if (native && n > 3 && !memcmp(text + n - 3, ".ni", 3))
        n -= 3;
    m->name = strings_add(s, text, n);
    m->area = strings_addf(s, "%s%s", strings_get(s, m->name),
                           dot && dot != text ? dot : "");
}

/* GUID, age and path of one debug file. */
static void take_pdb(struct observations *seen, struct reader *r,
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
        strings_add_utf16(seen->profile->strings, path.data, path.len / 2);
}

static bool take_module(struct observations *seen,
                        const struct clr_event *event, struct kind kind,
                        struct reader *r)
{
    struct strings *s = seen->profile->strings;
    struct observed_managed_module fact = {.pid = event->pid};
    struct module module = {.managed = true};
    struct bytes path, native;

    fact.module_id = reader_u64(r);
    fact.assembly_id = reader_u64(r);
    if (kind.shape == DOMAIN_MODULE)
        reader_skip(r, 8);
    reader_skip(r, 8);
    path = reader_utf16(r);
    native = reader_utf16(r);
    if (r->failed)
        return false;
    if (kind.shape == MODULE && event->version >= 2 && reader_more(r)) {
        reader_skip(r, 2);
        take_pdb(seen, r, &module.identity);
    }
    module.path = strings_add_utf16(s, path.data, path.len / 2);
    if (!module.path)
        return true;
    if (event->without_images)
        name_without_image(s, &module,
                           native.len == path.len &&
                               !memcmp(native.data, path.data, path.len));
    fact.module = observe_module(seen, &module);
    observe_managed_module(seen, &fact);
    return true;
}

/* u64 assembly, u64 domain, since version 1 u64 binding, u32 flags, then
 * "name, Version=..., Culture=..., PublicKeyToken=...". */
static bool take_assembly(struct observations *seen,
                          const struct clr_event *event, struct reader *r)
{
    static const char token[] = "PublicKeyToken=";
    struct strings *s = seen->profile->strings;
    uint64_t id = reader_u64(r);
    struct bytes name;
    const char *key;

    reader_skip(r, event->version ? 8 + 8 + 4 : 8 + 4);
    name = reader_utf16(r);
    if (r->failed)
        return false;
    key = strstr(strings_get(s, strings_add_utf16(s, name.data, name.len / 2)),
                 token);
    if (key && strcmp(key + sizeof(token) - 1, "null") != 0)
        map_set(&seen->assembly_makers, id, event->pid,
                strings_addf(s, "%s", key));
    return true;
}

bool clr_event_take(struct observations *seen, const struct clr_event *event,
                    struct reader *payload)
{
    struct kind kind = kind_of(event->provider, event->id);

    switch (kind.shape) {
    case METHOD:
    case METHOD_VERBOSE:
        return take_method(seen, event, kind, payload);
    case MODULE:
    case DOMAIN_MODULE:
        return take_module(seen, event, kind, payload);
    case ASSEMBLY:
        return take_assembly(seen, event, payload);
    }
    if (clr_is_collection(event->provider, event->id))
        clr_collection_take(seen, event, payload);
    return true;
}

/* ---- how much was allocated (clr-events.md, section 5) ---- */

enum { SAMPLED = 303, MEAN = 102400 };

/* A tick has a u32, and since version 2 the whole number behind it. A sampled
 * allocation has u32 kind, u16 instance, ptr type, its name, ptr address, i64
 * size. */
uint64_t clr_allocation_bytes(uint16_t id, uint8_t version, unsigned width,
                              struct reader *payload)
{
    uint64_t amount, whole;
    double size;

    if (id == SAMPLED) {
        reader_skip(payload, 6u + width);
        reader_utf16(payload);
        reader_skip(payload, width);
        size = (double)reader_u64(payload);
        return payload->failed || size <= 0
                   ? 0
                   : (uint64_t)(size / -expm1(-size / MEAN) + 0.5);
    }
    amount = reader_u32(payload);
    if (version < 2 || payload->failed)
        return amount;
    reader_skip(payload, 6);
    whole = reader_u64(payload);
    return payload->failed ? amount : whole;
}
