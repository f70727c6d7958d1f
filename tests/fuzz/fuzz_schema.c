/*
 * A schema that nothing vouches for, and a payload: the first byte says which
 * form the schema has, the next two its size; the payload is the rest.
 */
#include "engine/events/trace_impl.h"
#include "engine/model/profile.h"
#include "tests/fuzz/target.h"

static void decode(const struct event_schema *schema, struct bytes payload)
{
    for (unsigned width = 4; width <= 8; width += 4) {
        struct event_decoder d = event_decode_bytes(schema, payload.data,
                                                    payload.len, width);
        struct out *text = out_memory();
        struct event_value v;

        while (event_next_field(&d, &v))
            event_value_text(text, &d, &v);
        /* Passing over fields reads the same. */
        d = event_decode_bytes(schema, payload.data, payload.len, width);
        while (event_next_field(&d, &v))
            continue;
        d = event_decode_bytes(schema, payload.data, payload.len, width);
        while (event_next_field(&d, &v))
            event_value_json(text, &d, &v);
        event_rest(&d);
        out_close(text, NULL);
    }
}

/* All events of a manifest. */
static void read_manifest(struct event_trace *trace, struct bytes xml)
{
    const uint8_t guid[16] = {1};
    struct found_manifest *m = manifest_read(trace, guid, xml.data, xml.len);
    struct event_id id;
    struct described d;

    for (uint32_t i = 0; m && manifest_event(m, i, &id); i++) {
        manifest_describe(m, i, &d);
        decode(d.schema, xml);
    }
    if (m)
        manifest_free(m);
}

FUZZ(schema)
{
    struct event_trace trace = {.texts = {.left = 1 << 16}};
    struct described d = {.schema = NULL};
    struct found_names names;
    struct bytes schema, payload;

    if (size < 3)
        return 0;
    schema.data = data + 3;
    schema.len = load_u16(data + 1) < size - 3 ? load_u16(data + 1) : size - 3;
    trace.notes = profile_new();
    payload.data = schema.data + schema.len;
    payload.len = size - 3 - schema.len;
    switch (data[0] % 6) {
    case 0:
        tei_read(&trace, schema, &d);
        break;
    case 1:
        tracelogging_read(&trace.arena, schema, &d);
        break;
    case 2:
        nettrace_fields_read(&trace.arena, schema, false, &d);
        break;
    case 3:
        nettrace_fields_read(&trace.arena, schema, true, &d);
        break;
    case 4:
        event_map_read(&trace, schema, &names);
        break;
    default:
        read_manifest(&trace, schema);
    }
    if (d.schema)
        decode(d.schema, payload);
    schemas_release(&trace);
    arena_release(&trace.arena);
    profile_free(trace.notes);
    return 0;
}
