/*
 * Code made at run time: .NET and script methods, and manifest fillers.
 *
 *   method   u64 id, module, start; u32 size, token, flags;
 *            [verbose: wstr class, name, signature]; v1 u16 instance;
 *            [verbose v2: u64 ReJITID]
 *   IL map   u64 method, ReJITID; u8 0; u16 n; n i32 IL, n i32 native;
 *            u16 instance; v1 u64 0
 *   module   u64 module, assembly; u32 flags, 0; wstr IL, native path;
 *            v1 u16 instance; v2 twice: GUID, u32 age, wstr pdb
 * Ids and addresses are u64 in 32-bit processes too.
 */
#include "tests/support/etl_events.h"

#include <assert.h>
#include <string.h>

static const struct etl_guid clr_runtime = {
    0xe13c0d23, 0xccbc, 0x4e12,
    { 0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4 }
};
static const struct etl_guid clr_rundown = {
    0xa669021c, 0xc450, 0x4609,
    { 0xa0, 0x35, 0x5a, 0xf5, 0x9a, 0xf4, 0xdf, 0x18 }
};
static const struct etl_guid clr2_method = {
    0x3044f61a, 0x99b0, 0x4c21,
    { 0xb2, 0x03, 0xd3, 0x94, 0x23, 0xc7, 0x3b, 0x00 }
};
static const struct etl_guid clr2_rundown_method = {
    0x0bcd91db, 0xf943, 0x454a,
    { 0xa6, 0x62, 0x6e, 0xdb, 0xcf, 0xbb, 0x76, 0xd2 }
};
static const struct etl_guid jscript = {
    0x57277741, 0x3638, 0x4a4b,
    { 0xbd, 0xba, 0x0a, 0xc6, 0xe4, 0x5d, 0xa5, 0x6c }
};

static bool in_rundown(enum etl_method_event e)
{
    return e == ETL_METHOD_DC_START || e == ETL_METHOD_DC_END;
}

/* Rundown ids follow the runtime's numbering, START for LOAD and so on. */
static void begin_clr(struct etl_writer *w, struct etl_at at,
                      enum etl_method_event e, unsigned id, unsigned version,
                      unsigned opcode, unsigned task)
{
    struct etl_descriptor d = {
        .provider = in_rundown(e) ? clr_rundown : clr_runtime,
        .id = (uint16_t)id,
        .version = (uint8_t)version,
        .level = 4,
        .opcode = (uint8_t)opcode,
        .task = (uint16_t)task,
        .keyword = 0x30
    };

    etl_begin_event(w, at, &d);
}

static void put_method(struct etl_writer *w, const struct etl_method *m)
{
    etl_pack(w, "QQQIII", m->id, m->module_id, m->start, m->size, m->token,
             m->flags);
}

static void put_method_names(struct etl_writer *w, const struct etl_method *m)
{
    etl_put_wstr(w, m->class_name);
    etl_put_wstr(w, m->name);
    etl_put_wstr(w, m->signature);
}

static void put_instance(struct etl_writer *w, unsigned version)
{
    if (version >= 1)
        etl_put_u16(w, 9);
}

/* A recorder may be asked for the stack of every event of a provider: it
 * stands between the header and the payload. */
static void put_stack_item(struct etl_writer *w)
{
    static const uint8_t item[8 + 3 * 8] = { [8] = 1, [16] = 2, [24] = 3 };

    etl_put_item(w, ETL_ITEM_STACK64, item, sizeof(item), false);
}

void etl_method_verbose(struct etl_writer *w, struct etl_at at,
                        enum etl_method_event event, unsigned version,
                        const struct etl_method *m)
{
    static const unsigned ids[] = { 143, 144, 143, 144 };
    static const unsigned opcodes[] = { 37, 38, 39, 40 };

    begin_clr(w, at, event, ids[event], version, opcodes[event],
              in_rundown(event) ? 1 : 9);
    if (m->with_stack)
        put_stack_item(w);
    put_method(w, m);
    put_method_names(w, m);
    put_instance(w, version);
    if (version >= 2)
        etl_put_u64(w, m->rejit_id);
    etl_end(w);
}

void etl_method_clr2(struct etl_writer *w, struct etl_at at,
                     enum etl_method_event event, const struct etl_method *m)
{
    static const unsigned opcodes[] = { 37, 38, 39, 40 };

    etl_begin_full(w, at, in_rundown(event) ? &clr2_rundown_method
                                            : &clr2_method,
                   opcodes[event], 0);
    put_method(w, m);
    put_method_names(w, m);
    etl_end(w);
}

void etl_il_map(struct etl_writer *w, struct etl_at at,
                enum etl_method_event event, unsigned version,
                const struct etl_method *m, const struct etl_mapped *map,
                unsigned count)
{
    static const unsigned ids[] = { 190, 0, 149, 150 };
    static const unsigned opcodes[] = { 87, 0, 41, 42 };

    assert(event != ETL_METHOD_UNLOAD);
    begin_clr(w, at, event, ids[event], version, opcodes[event],
              in_rundown(event) ? 1 : 9);
    etl_pack(w, "QQBH", m->id, version ? m->rejit_id : 0, 0, (uint16_t)count);
    for (unsigned i = 0; i < count; i++)
        etl_put_u32(w, (uint32_t)map[i].il);
    for (unsigned i = 0; i < count; i++)
        etl_put_u32(w, map[i].native);
    put_instance(w, 1);
    if (version >= 1)
        etl_put_u64(w, 0);
    etl_end(w);
}

void etl_module(struct etl_writer *w, struct etl_at at,
                enum etl_method_event event, unsigned version,
                const struct etl_module *m)
{
    static const unsigned ids[] = { 152, 153, 153, 154 };
    static const unsigned opcodes[] = { 33, 34, 35, 36 };
    static const struct etl_guid none;

    begin_clr(w, at, event, ids[event], version, opcodes[event],
              in_rundown(event) ? 2 : 10);
    etl_pack(w, "QQII", m->id, m->assembly_id, m->flags, 0);
    etl_put_wstr(w, m->il_path);
    etl_put_wstr(w, m->native_path ? m->native_path : "");
    put_instance(w, version);
    if (version >= 2) {
        etl_put_guid(w, &m->pdb_guid);
        etl_put_u32(w, m->pdb_age);
        etl_put_wstr(w, m->pdb_path ? m->pdb_path : "");
        etl_put_guid(w, &none);
        etl_put_u32(w, 0);
        etl_put_wstr(w, "");
    }
    etl_end(w);
}

static void begin_jscript(struct etl_writer *w, struct etl_at at, unsigned id,
                          unsigned opcode)
{
    struct etl_descriptor d = {
        .provider = jscript,
        .id = (uint16_t)id,
        .level = 4,
        .opcode = (uint8_t)opcode,
        .task = 1,
        .keyword = 1
    };

    etl_begin_event(w, at, &d);
}

/* ptr context, ptr start, u64 size, u32 id, u16 flags, u16 range,
 * u64 source, u32 line, u32 column, wstr name */
void etl_script_method(struct etl_writer *w, struct etl_at at,
                       enum etl_method_event event,
                       const struct etl_script_method *m)
{
    static const unsigned ids[] = { 9, 10, 5, 6 };
    static const unsigned opcodes[] = { 10, 11, 12, 13 };

    begin_jscript(w, at, ids[event], opcodes[event]);
    etl_pack(w, "PPQIHHQII", m->context, m->start, m->size, m->id, 0, 0,
             m->source_id, m->line, m->column);
    etl_put_wstr(w, m->name);
    etl_end(w);
}

void etl_script_source(struct etl_writer *w, struct etl_at at,
                       enum etl_method_event event, uint64_t source_id,
                       uint64_t context, const char *url)
{
    static const unsigned ids[] = { 41, 42, 39, 40 };
    static const unsigned opcodes[] = { 12, 13, 14, 15 };

    begin_jscript(w, at, ids[event], opcodes[event]);
    etl_pack(w, "QPI", source_id, context, 0);
    etl_put_wstr(w, url);
    etl_end(w);
}

/* Schema: u16 size, tag, name, then per field: name, inType. */
void etl_tracelogging(struct etl_writer *w, struct etl_at at, uint32_t value,
                      const char *text)
{
    static const uint8_t schema[] = "\x18\0\0Progress\0step\0\x08note\0\x01";
    static const uint8_t traits[] = "\x0e\0Topfn.Tests";
    struct etl_descriptor d = {
        .provider = { 0x5e2b1c40, 0x7a11, 0x4d0e,
                      { 0x90, 0x3c, 0x11, 0x5a, 0x77, 0x02, 0x41, 0x9b } },
        .channel = 11,
        .level = 5
    };

    etl_begin_event(w, at, &d);
    etl_put_item(w, ETL_ITEM_SCHEMA, schema, sizeof(schema) - 1, true);
    etl_put_item(w, ETL_ITEM_TRAITS, traits, sizeof(traits), false);
    etl_put_u32(w, value);
    etl_put_wstr(w, text);
    etl_end(w);
}
