#include "engine/format/otlp/json.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum json_kind { NUMBER, FIXED, TEXT, MESSAGE };

enum json_message {
    NONE, /* no member of it is read: only the number of links counts */
    ANY_VALUE,
    KEY_VALUE,
    ATTRIBUTE,
    RESOURCE,
    SCOPE,
    VALUE_TYPE,
    SAMPLE,
    PROFILE,
    SCOPE_PROFILES,
    RESOURCE_PROFILES,
    MAPPING,
    LINE,
    LOCATION,
    FUNCTION,
    STACK,
    DICTIONARY,
    PROFILES_DATA,
};

/* The members of each message. An array is a list of such members. */
static const struct json_field {
    const char *name;
    uint8_t of;      /* enum json_message that it is a member of */
    uint8_t number;  /* of the field */
    uint8_t kind;    /* enum json_kind */
    uint8_t message; /* enum json_message */
} fields[] = {
    {"stringValue", ANY_VALUE, 1, TEXT, NONE},
    {"intValue", ANY_VALUE, 3, NUMBER, NONE},
    {"stringValueStrindex", ANY_VALUE, 8, NUMBER, NONE},
    {"key", KEY_VALUE, 1, TEXT, NONE},
    {"value", KEY_VALUE, 2, MESSAGE, ANY_VALUE},
    {"keyStrindex", KEY_VALUE, 3, NUMBER, NONE},
    {"keyStrindex", ATTRIBUTE, 1, NUMBER, NONE},
    {"value", ATTRIBUTE, 2, MESSAGE, ANY_VALUE},
    {"attributes", RESOURCE, 1, MESSAGE, KEY_VALUE},
    {"name", SCOPE, 1, TEXT, NONE},
    {"version", SCOPE, 2, TEXT, NONE},
    {"typeStrindex", VALUE_TYPE, 1, NUMBER, NONE},
    {"unitStrindex", VALUE_TYPE, 2, NUMBER, NONE},
    {"stackIndex", SAMPLE, 1, NUMBER, NONE},
    {"attributeIndices", SAMPLE, 2, NUMBER, NONE},
    {"linkIndex", SAMPLE, 3, NUMBER, NONE},
    {"values", SAMPLE, 4, NUMBER, NONE},
    {"timestampsUnixNano", SAMPLE, 5, FIXED, NONE},
    {"sampleType", PROFILE, 1, MESSAGE, VALUE_TYPE},
    {"samples", PROFILE, 2, MESSAGE, SAMPLE},
    {"sample", PROFILE, 2, MESSAGE, SAMPLE}, /* 1.8 */
    {"timeUnixNano", PROFILE, 3, FIXED, NONE},
    {"durationNano", PROFILE, 4, NUMBER, NONE},
    {"periodType", PROFILE, 5, MESSAGE, VALUE_TYPE},
    {"period", PROFILE, 6, NUMBER, NONE},
    {"scope", SCOPE_PROFILES, 1, MESSAGE, SCOPE},
    {"profiles", SCOPE_PROFILES, 2, MESSAGE, PROFILE},
    {"resource", RESOURCE_PROFILES, 1, MESSAGE, RESOURCE},
    {"scopeProfiles", RESOURCE_PROFILES, 2, MESSAGE, SCOPE_PROFILES},
    {"memoryStart", MAPPING, 1, NUMBER, NONE},
    {"memoryLimit", MAPPING, 2, NUMBER, NONE},
    {"fileOffset", MAPPING, 3, NUMBER, NONE},
    {"filenameStrindex", MAPPING, 4, NUMBER, NONE},
    {"attributeIndices", MAPPING, 5, NUMBER, NONE},
    {"functionIndex", LINE, 1, NUMBER, NONE},
    {"line", LINE, 2, NUMBER, NONE},
    {"mappingIndex", LOCATION, 1, NUMBER, NONE},
    {"address", LOCATION, 2, NUMBER, NONE},
    {"lines", LOCATION, 3, MESSAGE, LINE},
    {"line", LOCATION, 3, MESSAGE, LINE}, /* 1.8 */
    {"attributeIndices", LOCATION, 4, NUMBER, NONE},
    {"nameStrindex", FUNCTION, 1, NUMBER, NONE},
    {"systemNameStrindex", FUNCTION, 2, NUMBER, NONE},
    {"filenameStrindex", FUNCTION, 3, NUMBER, NONE},
    {"locationIndices", STACK, 1, NUMBER, NONE},
    {"mappingTable", DICTIONARY, 1, MESSAGE, MAPPING},
    {"locationTable", DICTIONARY, 2, MESSAGE, LOCATION},
    {"functionTable", DICTIONARY, 3, MESSAGE, FUNCTION},
    {"linkTable", DICTIONARY, 4, MESSAGE, NONE},
    {"stringTable", DICTIONARY, 5, TEXT, NONE},
    {"attributeTable", DICTIONARY, 6, MESSAGE, ATTRIBUTE},
    {"stackTable", DICTIONARY, 7, MESSAGE, STACK},
    {"resourceProfiles", PROFILES_DATA, 1, MESSAGE, RESOURCE_PROFILES},
    {"dictionary", PROFILES_DATA, 2, MESSAGE, DICTIONARY},
};

/* A number, or a text of one; numbers below 0 as Protocol Buffers have them. */
static uint64_t json_integer(struct json_value value)
{
    const char *text = json_text_of(value);
    uint64_t whole = json_whole_of(value, UINT64_MAX);
    double number;

    if (text)
        return *text == '-' ? (uint64_t)strtoll(text, NULL, 10)
                            : strtoull(text, NULL, 10);
    if (whole != UINT64_MAX)
        return whole;
    number = json_number_of(value);
    return number > -9e18 && number < 0 ? (uint64_t)(int64_t)number : 0;
}

/* A list is packed. */
static void put_numbers(const struct json_field *f, struct json_value value,
                        struct proto *to)
{
    struct proto packed = {0};

    if (!json_is_array(value)) {
        if (f->kind == FIXED)
            proto_fixed64(to, f->number, json_integer(value));
        else
            proto_number(to, f->number, json_integer(value));
        return;
    }
    for (size_t i = 0; i < json_length(value); i++)
        (f->kind == FIXED ? proto_eight : proto_varint)(
            &packed, json_integer(json_element(value, i)));
    proto_message(to, f->number, &packed);
    proto_release(&packed);
}

/* Calls itself for messages in messages, as deep as the table above nests. */
static void put_fields(enum json_message message, struct json_value from,
                       struct proto *to)
{
    for (size_t k = 0; k < sizeof(fields) / sizeof(*fields); k++) {
        const struct json_field *f = &fields[k];
        struct proto part = {0};
        struct json_value value;
        size_t count;
        bool list;

        if (f->of != message)
            continue;
        value = json_member(from, f->name);
        list = json_is_array(value);
        count = list ? json_length(value) : json_is_there(value);
        if (f->kind == NUMBER || f->kind == FIXED) {
            if (count)
                put_numbers(f, value, to);
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            struct json_value one = list ? json_element(value, i) : value;
            const char *text = json_text_of(one);

            if (f->kind == MESSAGE) {
                put_fields(f->message, one, &part);
                proto_message(to, f->number, &part);
            } else {
                proto_element(to, f->number, text ? text : "",
                              text ? strlen(text) : 0);
            }
        }
        proto_release(&part);
    }
}

void otlp_json_to_wire(struct json_value root, struct proto *wire)
{
    put_fields(PROFILES_DATA, root, wire);
}

static struct json_value first_of(struct json_value from, const char *member)
{
    return json_element(json_member(from, member), 0);
}

bool otlp_json_is_old(struct json_value root)
{
    struct json_value scopes =
        json_member(first_of(root, "resourceProfiles"), "scopeProfiles");
    struct json_value tables = json_member(root, "dictionary");
    struct json_value first = first_of(json_element(scopes, 0), "profiles");
    struct json_value one = first_of(first, "sample");

    return json_is_there(json_member(tables, "attributeUnits")) ||
           json_is_there(json_member(first, "locationIndices")) ||
           json_is_there(json_member(first, "stringTable")) ||
           json_is_there(json_member(one, "locationsLength"));
}
