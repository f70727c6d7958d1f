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
    uint8_t of; /* enum json_message */
    const char *name;
    uint8_t number;  /* of the field */
    uint8_t kind;    /* enum json_kind */
    uint8_t message; /* enum json_message */
} fields[] = {
    {ANY_VALUE, "stringValue", 1, TEXT, NONE},
    {ANY_VALUE, "intValue", 3, NUMBER, NONE},
    {ANY_VALUE, "stringValueStrindex", 8, NUMBER, NONE},
    {KEY_VALUE, "key", 1, TEXT, NONE},
    {KEY_VALUE, "value", 2, MESSAGE, ANY_VALUE},
    {KEY_VALUE, "keyStrindex", 3, NUMBER, NONE},
    {ATTRIBUTE, "keyStrindex", 1, NUMBER, NONE},
    {ATTRIBUTE, "value", 2, MESSAGE, ANY_VALUE},
    {RESOURCE, "attributes", 1, MESSAGE, KEY_VALUE},
    {SCOPE, "name", 1, TEXT, NONE},
    {SCOPE, "version", 2, TEXT, NONE},
    {VALUE_TYPE, "typeStrindex", 1, NUMBER, NONE},
    {VALUE_TYPE, "unitStrindex", 2, NUMBER, NONE},
    {SAMPLE, "stackIndex", 1, NUMBER, NONE},
    {SAMPLE, "attributeIndices", 2, NUMBER, NONE},
    {SAMPLE, "linkIndex", 3, NUMBER, NONE},
    {SAMPLE, "values", 4, NUMBER, NONE},
    {SAMPLE, "timestampsUnixNano", 5, FIXED, NONE},
    {PROFILE, "sampleType", 1, MESSAGE, VALUE_TYPE},
    {PROFILE, "samples", 2, MESSAGE, SAMPLE},
    {PROFILE, "sample", 2, MESSAGE, SAMPLE}, /* 1.8 */
    {PROFILE, "timeUnixNano", 3, FIXED, NONE},
    {PROFILE, "durationNano", 4, NUMBER, NONE},
    {PROFILE, "periodType", 5, MESSAGE, VALUE_TYPE},
    {PROFILE, "period", 6, NUMBER, NONE},
    {SCOPE_PROFILES, "scope", 1, MESSAGE, SCOPE},
    {SCOPE_PROFILES, "profiles", 2, MESSAGE, PROFILE},
    {RESOURCE_PROFILES, "resource", 1, MESSAGE, RESOURCE},
    {RESOURCE_PROFILES, "scopeProfiles", 2, MESSAGE, SCOPE_PROFILES},
    {MAPPING, "memoryStart", 1, NUMBER, NONE},
    {MAPPING, "memoryLimit", 2, NUMBER, NONE},
    {MAPPING, "fileOffset", 3, NUMBER, NONE},
    {MAPPING, "filenameStrindex", 4, NUMBER, NONE},
    {MAPPING, "attributeIndices", 5, NUMBER, NONE},
    {LINE, "functionIndex", 1, NUMBER, NONE},
    {LINE, "line", 2, NUMBER, NONE},
    {LOCATION, "mappingIndex", 1, NUMBER, NONE},
    {LOCATION, "address", 2, NUMBER, NONE},
    {LOCATION, "lines", 3, MESSAGE, LINE},
    {LOCATION, "line", 3, MESSAGE, LINE}, /* 1.8 */
    {LOCATION, "attributeIndices", 4, NUMBER, NONE},
    {FUNCTION, "nameStrindex", 1, NUMBER, NONE},
    {FUNCTION, "systemNameStrindex", 2, NUMBER, NONE},
    {FUNCTION, "filenameStrindex", 3, NUMBER, NONE},
    {STACK, "locationIndices", 1, NUMBER, NONE},
    {DICTIONARY, "mappingTable", 1, MESSAGE, MAPPING},
    {DICTIONARY, "locationTable", 2, MESSAGE, LOCATION},
    {DICTIONARY, "functionTable", 3, MESSAGE, FUNCTION},
    {DICTIONARY, "linkTable", 4, MESSAGE, NONE},
    {DICTIONARY, "stringTable", 5, TEXT, NONE},
    {DICTIONARY, "attributeTable", 6, MESSAGE, ATTRIBUTE},
    {DICTIONARY, "stackTable", 7, MESSAGE, STACK},
    {PROFILES_DATA, "resourceProfiles", 1, MESSAGE, RESOURCE_PROFILES},
    {PROFILES_DATA, "dictionary", 2, MESSAGE, DICTIONARY},
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
