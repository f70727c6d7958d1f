/*
 * Records about code that has no image of its own: methods that .NET compiled
 * or precompiled, and functions of scripts. (format.md, sections 4.9 and 4.10)
 */
#include "engine/format/etl/records.h"

static void take_clr(struct etl_records *r, const struct etl_event *e,
                     enum clr_provider provider)
{
    struct reader in = payload_of(e);
    struct clr_event event = {
        .provider = provider,
        .id = load_u16(e->at + 40),
        .version = e->at[42],
        .width = (uint8_t)e->width,
        .pid = load_u32(e->at + 12),
        .thread = load_u32(e->at + 8),
        .time = time_of(r, e),
    };
    enum clr_use use = clr_event_use(provider, event.id);
    bool taken;

    if (use == CLR_METHOD)
        clr_method_met(r->seen, &event, in.base, in.len);
    if (use == CLR_JIT)
        clr_jit_take(r->seen, &event, in.base, in.len);
    if (use == CLR_IL_MAP)
        taken = clr_il_map_take(r->seen, &event, in.base, in.len);
    else
        taken = clr_event_take(r->seen, &event, &in);
    if (!taken)
        r->profile->quality.malformed++;
}

/* CLR 2.0 logs classic events; opcodes 33 to 40 stand for what later has
 * the ids 141 to 144. Method and module payloads are those of version 0. */
static void take_classic_clr(struct etl_records *r, const struct etl_event *e,
                             bool method, bool rundown)
{
    /* opcode - 33 -> id: load, unload, start, stop; then verbose. */
    static const uint16_t methods[8] = {141, 142, 141, 142, 143, 144, 143, 144};
    static const uint16_t modules[8] = {152, 153, 153, 154};
    uint8_t opcode = e->at[4];
    struct reader in = payload_of(e);
    struct clr_event event = {
        .pid = load_u32(e->at + 12),
        .time = time_of(r, e),
    };

    if (opcode < 33 || opcode > 40)
        return;
    event.id = method ? methods[opcode - 33] : modules[opcode - 33];
    event.provider =
        rundown || opcode == 35 || opcode == 36 || opcode == 39 || opcode == 40
            ? CLR_RUNDOWN
            : CLR_RUNTIME;
    if (event.id && !clr_event_take(r->seen, &event, &in))
        r->profile->quality.malformed++;
}

/* Script sources: u64 id, ptr context, u32 flags, url. Their base name goes
 * before the function's. */
static void take_script_source(struct etl_records *r, const struct etl_event *e)
{
    struct reader in = payload_of(e);
    uint64_t id = reader_u64(&in);
    uint32_t url;

    reader_skip(&in, e->width + 4u);
    url = utf16_string(r, &in);
    if (in.failed)
        r->profile->quality.malformed++;
    else
        map_set(&r->script_sources, id, load_u32(e->at + 12), url);
}

/* ptr context, ptr start, u64 size, u32 id, u16, u16, u64 source, u32 line,
 * u32 column, name. */
static void take_script_method(struct etl_records *r, const struct etl_event *e)
{
    static const enum observed_event events[] = {
        [5] = SEEN_AT_START,
        [6] = SEEN_AT_STOP,
        [9] = SEEN_BEGIN,
        [10] = SEEN_END,
    };
    struct reader in = payload_of(e);
    struct observed_method m = {
        .time = time_of(r, e),
        .event = events[load_u16(e->at + 40)],
        .pid = load_u32(e->at + 12),
        .kind = CODE_SCRIPT,
    };
    struct bytes name;
    uint64_t size;

    reader_ptr(&in, e->width);
    m.start = reader_ptr(&in, e->width);
    size = reader_u64(&in);
    m.method_id = reader_u32(&in);
    reader_skip(&in, 4);
    m.module_id = reader_u64(&in);
    reader_skip(&in, 8);
    name = reader_utf16(&in);
    if (in.failed || size > UINT32_MAX) {
        r->profile->quality.malformed++;
        return;
    }
    m.size = (uint32_t)size;
    m.name = (struct text_slice){name.data, (uint32_t)name.len, true};
    if (m.size)
        observe_method(r->seen, &m);
}

void records_take_code(struct etl_records *r, const struct etl_event *e)
{
    switch (etl_provider_of(e->at + 24)) {
    case PROVIDER_CLR_RUNTIME:
        take_clr(r, e, CLR_RUNTIME);
        break;
    case PROVIDER_CLR_RUNDOWN:
        take_clr(r, e, CLR_RUNDOWN);
        break;
    case PROVIDER_JSCRIPT:
        if (load_u16(e->at + 40) >= 39)
            take_script_source(r, e);
        else
            take_script_method(r, e);
        break;
    case CLASS_CLR_METHOD:
        take_classic_clr(r, e, true, false);
        break;
    case CLASS_CLR_LOADER:
        take_classic_clr(r, e, false, false);
        break;
    case CLASS_CLR_RUNDOWN_METHOD:
        take_classic_clr(r, e, true, true);
        break;
    case CLASS_CLR_RUNDOWN_LOADER:
        take_classic_clr(r, e, false, true);
        break;
    case CLASS_IMAGE_ID:
    case CLASS_SYSTEM_CONFIG:
    case PROVIDER_OTHER:
        break;
    }
}

/* Functions of one source share a module, named by its URL. */
void records_name_sources(struct etl_records *r)
{
    for (size_t i = 0; i < r->seen->methods.len; i++) {
        const struct observed_method *m = &r->seen->methods.data[i];
        uint32_t url;
        struct module module = {.managed = true};

        if (m->kind != CODE_SCRIPT)
            continue;
        url = map_get(&r->script_sources, m->module_id, m->pid);
        if (url == MAP_NONE || !url)
            continue;
        module.path = url;
        observe_managed_module(r->seen,
                               &(struct observed_managed_module){
                                   .pid = m->pid,
                                   .module_id = m->module_id,
                                   .module = observe_module(r->seen, &module),
                               });
    }
}
