#include "engine/attribution/perf_map_rows.h"

#include "engine/base/hex.h"

enum { LONGEST_FIRST_LINE = 4096 };

/* A number and the blanks after it; false if there is none. */
static bool take_hex(struct bytes *line, uint64_t *value)
{
    size_t i = 0, digits = 0;
    int digit;

    if (line->len > 1 && line->data[0] == '0' && (line->data[1] | 0x20) == 'x')
        i = 2;
    for (*value = 0; i < line->len; i++, digits++) {
        digit = hex_digit(line->data[i]);
        if (digit < 0)
            break;
        *value = *value << 4 | (uint64_t)digit;
    }
    if (!digits || digits > 16 || i == line->len || line->data[i] != ' ')
        return false;
    while (i < line->len && line->data[i] == ' ')
        i++;
    line->data += i;
    line->len -= i;
    return true;
}

static struct bytes next_line(const uint8_t *data, size_t size, size_t *at)
{
    const uint8_t *start = data + *at;
    const uint8_t *end = memchr(start, '\n', size - *at);
    struct bytes line = {start, end ? (size_t)(end - start) : size - *at};

    *at += line.len + (end != NULL);
    while (line.len &&
           (line.data[line.len - 1] == '\r' || line.data[line.len - 1] == ' '))
        line.len--;
    return line;
}

/* The rest of the line is the name. */
static bool parse_line(struct bytes line, struct perf_map_row *row)
{
    if (!take_hex(&line, &row->start) || !take_hex(&line, &row->size))
        return false;
    row->name = line;
    return line.len && *line.data && row->size <= UINT64_MAX - row->start;
}

bool perf_map_next(const uint8_t *data, size_t size, size_t *at,
                   struct perf_map_row *row)
{
    while (*at < size)
        if (parse_line(next_line(data, size, at), row))
            return true;
    return false;
}

bool perf_map_probe(const uint8_t *data, size_t size)
{
    struct perf_map_row row;
    size_t at = 0;

    if (!size || hex_digit(data[0]) < 0)
        return false;
    if (size > LONGEST_FIRST_LINE)
        size = LONGEST_FIRST_LINE;
    return parse_line(next_line(data, size, &at), &row);
}
