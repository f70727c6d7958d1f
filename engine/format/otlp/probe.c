/* Recognises an OTLP file, which has no magic number. */
#include "engine/format/otlp/messages.h"

#include "engine/base/json_peek.h"

bool otlp_is_json(const uint8_t *data, size_t size)
{
    return json_peek_is(data, size, "resourceProfiles", '[') ||
           json_peek_is(data, size, "dictionary.stringTable", '[') ||
           json_peek_is(data, size, "dictionary.mappingTable", '[');
}

/* A collector writes the size of each message in front of it, the highest byte
 * first: a message would not begin with a 0. */
bool otlp_is_sized(const uint8_t *data, size_t size)
{
    return size > sizeof(uint32_t) && !data[0];
}

struct reader otlp_next_sized(struct reader *r)
{
    uint32_t size = __builtin_bswap32(reader_u32(r));
    size_t left = reader_left(r);

    return reader_sub(r, size < left ? size : left, "message");
}

/* A profile of any version has a type of samples: two numbers, no bytes. */
static bool is_profile(struct reader r)
{
    struct wire_field field, type;

    while (wire_next(&r, &field)) {
        bool types = false;

        if (field.number != 1 || !field.is_message)
            continue;
        while (wire_next(&field.message, &type)) {
            if (type.number > 3 || type.is_message)
                return false;
            types = true;
        }
        return types && !field.message.failed;
    }
    return false;
}

/* Fields as the tables of a dictionary are. */
static bool is_dictionary(struct reader r)
{
    enum { TABLES = 15, ROWS_PROBED = 1000 };
    struct wire_field field;

    for (size_t i = 0; i < ROWS_PROBED && wire_next(&r, &field); i++)
        if (field.number > TABLES || !field.is_message)
            return false;
    return !r.failed;
}

/* PROBE_MAYBE: it has no profiles, by which they are told from the other
 * signals of OpenTelemetry, whose outer messages are the same. */
static enum format_probe probe_resource(struct reader r)
{
    struct wire_field field, part;

    while (wire_next(&r, &field)) {
        if (field.number > 3 || !field.is_message)
            return PROBE_NO;
        while (field.number == 2 && wire_next(&field.message, &part)) {
            if (part.number > 3 || !part.is_message)
                return PROBE_NO;
            if (part.number == 2)
                return is_profile(part.message) ? PROBE_YES : PROBE_NO;
        }
    }
    return r.failed ? PROBE_NO : PROBE_MAYBE;
}

static enum format_probe probe_message(struct reader r)
{
    enum { FIELDS_MOST = 8 }; /* of 1.6, which is refused by name */
    enum format_probe answer;
    struct wire_field field;
    bool dictionary = false;

    while (wire_next(&r, &field)) {
        if (field.number > FIELDS_MOST || !field.is_message ||
            (field.number == 2 && !is_dictionary(field.message)))
            return PROBE_NO;
        dictionary |= field.number == 2 && field.message.len;
        answer =
            field.number == 1 ? probe_resource(field.message) : PROBE_MAYBE;
        if (answer != PROBE_MAYBE)
            return answer;
    }
    return dictionary && !r.failed ? PROBE_MAYBE : PROBE_NO;
}

enum format_probe otlp_probe(const uint8_t *data, size_t size)
{
    struct reader r = reader_of("", data, size, 0, NULL);

    if (otlp_is_json(data, size))
        return PROBE_YES;
    return probe_message(otlp_is_sized(data, size) ? otlp_next_sized(&r) : r);
}
