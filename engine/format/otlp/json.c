#include "engine/format/otlp/json.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum json_kind { END, NUMBER, FIXED, TEXT, MESSAGE };

/* A member of a message. An array is a list of such members. */
struct json_field {
    const char *name;
    uint8_t number; /* of the field */
    uint8_t kind;   /* enum json_kind */
    const struct json_field *message;
};

static const struct json_field any_value[] = {
    {"stringValue", 1, TEXT, NULL},
    {"intValue", 3, NUMBER, NULL},
    {"stringValueStrindex", 8, NUMBER, NULL},
    {NULL, 0, END, NULL},
};

static const struct json_field key_value[] = {
    {"key", 1, TEXT, NULL},
    {"value", 2, MESSAGE, any_value},
    {"keyStrindex", 3, NUMBER, NULL},
    {NULL, 0, END, NULL},
};

static const struct json_field attribute[] = {
    {"keyStrindex", 1, NUMBER, NULL},
    {"value", 2, MESSAGE, any_value},
    {NULL, 0, END, NULL},
};

static const struct json_field resource[] = {
    {"attributes", 1, MESSAGE, key_value},
    {NULL, 0, END, NULL},
};

static const struct json_field scope[] = {
    {"name", 1, TEXT, NULL},
    {"version", 2, TEXT, NULL},
    {NULL, 0, END, NULL},
};

static const struct json_field value_type[] = {
    {"typeStrindex", 1, NUMBER, NULL},
    {"unitStrindex", 2, NUMBER, NULL},
    {NULL, 0, END, NULL},
};

static const struct json_field sample[] = {
    {"stackIndex", 1, NUMBER, NULL},
    {"attributeIndices", 2, NUMBER, NULL},
    {"linkIndex", 3, NUMBER, NULL},
    {"values", 4, NUMBER, NULL},
    {"timestampsUnixNano", 5, FIXED, NULL},
    {NULL, 0, END, NULL},
};

static const struct json_field profile[] = {
    {"sampleType", 1, MESSAGE, value_type},
    {"samples", 2, MESSAGE, sample},
    {"sample", 2, MESSAGE, sample}, /* 1.8 */
    {"timeUnixNano", 3, FIXED, NULL},
    {"durationNano", 4, NUMBER, NULL},
    {"periodType", 5, MESSAGE, value_type},
    {"period", 6, NUMBER, NULL},
    {NULL, 0, END, NULL},
};

static const struct json_field scope_profiles[] = {
    {"scope", 1, MESSAGE, scope},
    {"profiles", 2, MESSAGE, profile},
    {NULL, 0, END, NULL},
};

static const struct json_field resource_profiles[] = {
    {"resource", 1, MESSAGE, resource},
    {"scopeProfiles", 2, MESSAGE, scope_profiles},
    {NULL, 0, END, NULL},
};

static const struct json_field mapping[] = {
    {"memoryStart", 1, NUMBER, NULL},
    {"memoryLimit", 2, NUMBER, NULL},
    {"fileOffset", 3, NUMBER, NULL},
    {"filenameStrindex", 4, NUMBER, NULL},
    {"attributeIndices", 5, NUMBER, NULL},
    {NULL, 0, END, NULL},
};

static const struct json_field line[] = {
    {"functionIndex", 1, NUMBER, NULL},
    {"line", 2, NUMBER, NULL},
    {NULL, 0, END, NULL},
};

static const struct json_field location[] = {
    {"mappingIndex", 1, NUMBER, NULL},     {"address", 2, NUMBER, NULL},
    {"lines", 3, MESSAGE, line},           {"line", 3, MESSAGE, line}, /* 1.8 */
    {"attributeIndices", 4, NUMBER, NULL}, {NULL, 0, END, NULL},
};

static const struct json_field function[] = {
    {"nameStrindex", 1, NUMBER, NULL},
    {"systemNameStrindex", 2, NUMBER, NULL},
    {"filenameStrindex", 3, NUMBER, NULL},
    {NULL, 0, END, NULL},
};

static const struct json_field stack[] = {
    {"locationIndices", 1, NUMBER, NULL},
    {NULL, 0, END, NULL},
};

/* Only the number of links counts. */
static const struct json_field empty[] = {{NULL, 0, END, NULL}};

static const struct json_field dictionary[] = {
    {"mappingTable", 1, MESSAGE, mapping},
    {"locationTable", 2, MESSAGE, location},
    {"functionTable", 3, MESSAGE, function},
    {"linkTable", 4, MESSAGE, empty},
    {"stringTable", 5, TEXT, NULL},
    {"attributeTable", 6, MESSAGE, attribute},
    {"stackTable", 7, MESSAGE, stack},
    {NULL, 0, END, NULL},
};

static const struct json_field profiles_data[] = {
    {"resourceProfiles", 1, MESSAGE, resource_profiles},
    {"dictionary", 2, MESSAGE, dictionary},
    {NULL, 0, END, NULL},
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

/* Calls itself for messages in messages, as deep as the tables above nest. */
static void put_fields(const struct json_field *fields, struct json_value from,
                       struct proto *to)
{
    for (const struct json_field *f = fields; f->name; f++) {
        struct json_value value = json_member(from, f->name);
        bool list = json_is_array(value);
        size_t count = list ? json_length(value) : json_is_there(value);
        struct proto part = {0};

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
    put_fields(profiles_data, root, wire);
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
