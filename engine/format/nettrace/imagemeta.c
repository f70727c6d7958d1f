/*
 * JSON on a mapped file, one flat object:
 *
 *   ELF  type, build_id (hex), debug_link, p_vaddr, p_offset
 *   PE   type, name (of the PDB), date_time, age, signature (GUID, its bytes
 *        in the order of the file)
 *
 * Any key but the type may be missing, numbers come as numbers, decimal text
 * or hexadecimal text with 0x, and strings are not escaped: so this is no
 * JSON reader, but looks for a key and takes what stands behind it.
 * (format.md, section 8.1)
 */
#include <string.h>

#include "engine/base/hex.h"
#include "engine/format/nettrace/universal.h"

static const uint8_t *skip_spaces(const uint8_t *at, const uint8_t *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* The value of a key, without quotes; empty when there is none. */
static struct bytes value_of(struct bytes json, const char *key)
{
    const uint8_t *end = json.data + json.len, *at, *start;
    size_t n = strlen(key);

    if (!json.len)
        return (struct bytes){0};
    at = memmem(json.data, json.len, key, n);
    if (!at)
        return (struct bytes){0};
    at = skip_spaces(at + n, end);
    if (at == end || *at != ':')
        return (struct bytes){0};
    start = skip_spaces(at + 1, end);
    if (start < end && *start == '"') {
        start++;
        at = memchr(start, '"', (size_t)(end - start));
        return (struct bytes){start, (size_t)((at ? at : end) - start)};
    }
    at = start;
    while (at < end && *at != ',' && *at != '}')
        at++;
    return (struct bytes){start, (size_t)(at - start)};
}

/* False when it is not one. */
static bool number(struct bytes text, uint64_t *value)
{
    unsigned base = 10;
    size_t i = 0;

    if (text.len > 2 && text.data[0] == '0' && (text.data[1] | 0x20) == 'x') {
        base = 16;
        i = 2;
    }
    *value = 0;
    for (; i < text.len; i++) {
        int d = hex_digit(text.data[i]);

        if (d < 0 || d >= (int)base || *value > UINT64_MAX / base - 1)
            return false;
        *value = *value * base + (unsigned)d;
    }
    return text.len;
}

static uint32_t number32(struct bytes text)
{
    uint64_t value;

    return number(text, &value) ? (uint32_t)value : 0;
}

/* Pairs of hexadecimal digits; how many bytes that was. */
static uint8_t read_bytes(struct bytes text, uint8_t *out, size_t max)
{
    size_t n = text.len / 2 < max ? text.len / 2 : max;

    return hex_bytes((const char *)text.data, n, out) ? (uint8_t)n : 0;
}

static void parse_elf(struct nt_image_metadata *out, struct bytes json)
{
    out->identity.build_id_size =
        read_bytes(value_of(json, "\"build_id\""), out->identity.build_id,
                   sizeof(out->identity.build_id));
    out->has_segment =
        number(value_of(json, "\"p_vaddr\""), &out->segment_address) &&
        number(value_of(json, "\"p_offset\""), &out->segment_offset);
}

static void parse_pe(struct nt_image_metadata *out, struct bytes json,
                     struct strings *strings)
{
    struct identity *id = &out->identity;
    struct bytes name = value_of(json, "\"name\"");

    id->timestamp = number32(value_of(json, "\"date_time\""));
    if (!name.len ||
        read_bytes(value_of(json, "\"signature\""), id->guid,
                   sizeof(id->guid)) != sizeof(id->guid))
        return;
    id->age = number32(value_of(json, "\"age\""));
    id->pdb_name = strings_add(strings, (const char *)name.data, name.len);
}

void nt_parse_image_metadata(struct nt_image_metadata *out, struct bytes json,
                             struct strings *strings)
{
    struct bytes type = value_of(json, "\"type\"");

    *out = (struct nt_image_metadata){0};
    if (type.len == 3 && !memcmp(type.data, "ELF", 3))
        parse_elf(out, json);
    else if (type.len == 2 && !memcmp(type.data, "PE", 2))
        parse_pe(out, json, strings);
}
