#include "cli/options/values.h"

#include <string.h>
#include <time.h>

#include "engine/base/pattern.h"
#include "engine/base/text_line.h"

bool parse_number(const char *text, uint64_t most, uint64_t *value)
{
    struct text_line l = {text, text + strlen(text)};

    return line_number(&l, value) && l.at == l.end && *value <= most;
}

/* A decimal number times `unit`, digits below 1 dropped. Returns what
 * follows it, NULL when there is no number or too large a one. */
static const char *parse_decimal(const char *text, int64_t unit,
                                 int64_t *value)
{
    const char *start = text;
    int64_t n = 0;

    for (; *text >= '0' && *text <= '9'; text++) {
        if (__builtin_mul_overflow(n, 10, &n) ||
            __builtin_add_overflow(n, *text - '0', &n))
            return NULL;
    }
    if (text == start || __builtin_mul_overflow(n, unit, &n))
        return NULL;
    if (*text == '.') {
        for (text++; *text >= '0' && *text <= '9'; text++) {
            unit /= 10;
            if (__builtin_add_overflow(n, (*text - '0') * unit, &n))
                return NULL;
        }
    }
    *value = n;
    return text;
}

bool parse_time(const char *text, int64_t *ns)
{
    static const struct {
        const char *name;
        int64_t ns;
    } units[] = {
        {"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1},
        {"", 1000000000},
    };
    const char *name = text + strspn(text, "0123456789.");

    for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
        if (!strcmp(name, units[i].name))
            return parse_decimal(text, units[i].ns, ns) == name;
    return false;
}

/* "2026-11-01", in UTC. */
static bool parse_day(const char *text, int64_t *seconds)
{
    struct tm day = {0};
    const char *end = strptime(text, "%Y-%m-%d", &day);

    if (!end || *end)
        return false;
    *seconds = timegm(&day);
    return *seconds >= 0;
}

bool parse_since(const char *text, int64_t now, int64_t *since)
{
    static const char units[] = "dhm";
    static const int64_t unit_seconds[] = {86400, 3600, 60};
    const char *unit = text + strspn(text, "0123456789");
    const char *found = *unit ? strchr(units, *unit) : NULL;
    int64_t ago;

    if (!found || unit[1])
        return parse_day(text, since);
    if (parse_decimal(text, unit_seconds[found - units], &ago) != unit)
        return false;
    *since = ago < now ? now - ago : 0;
    return true;
}

bool parse_size(const char *text, uint64_t *bytes)
{
    static const char units[] = "KMGT";
    int64_t value, unit = 1;
    size_t digits = strspn(text, "0123456789.");
    const char *end = text + digits;
    const char *found = *end ? strchr(units, *end) : NULL;

    if (*end && (!found || end[1]))
        return false;
    for (const char *u = units; found && u <= found; u++)
        unit *= 1024;
    if (parse_decimal(text, unit, &value) != end)
        return false;
    *bytes = (uint64_t)value;
    return true;
}

/* Both parts of "FROM,TO"; either may be empty. */
static bool parse_range(const char *text,
                        bool (*parse)(const char *text, int64_t *value),
                        int64_t *from, int64_t *to)
{
    const char *comma = strchr(text, ',');
    size_t n = comma ? (size_t)(comma - text) : 0;
    char first[40];

    if (!comma || n >= sizeof(first))
        return false;
    memcpy(first, text, n);
    first[n] = '\0';
    *from = INT64_MIN;
    *to = INT64_MAX;
    return (!*first || parse(first, from)) &&
           (!comma[1] || parse(comma + 1, to)) && *from <= *to;
}

bool parse_time_range(const char *text, int64_t *from, int64_t *to)
{
    return parse_range(text, parse_time, from, to);
}

static bool parse_part(const char *text, int64_t *hundredths)
{
    const char *end = parse_decimal(text, 100, hundredths);

    return end && *hundredths <= 10000 && end[0] == '%' && !end[1];
}

bool parse_percent_range(const char *text, int64_t *from, int64_t *to)
{
    return strchr(text, '%') && parse_range(text, parse_part, from, to);
}

/* Digits alone. */
static const char *parse_u16(const char *text, uint16_t *value)
{
    uint32_t n = 0;
    const char *at = text;

    for (; *at >= '0' && *at <= '9' && n <= UINT16_MAX; at++)
        n = n * 10 + (uint32_t)(*at - '0');
    *value = (uint16_t)n;
    return at > text && n <= UINT16_MAX ? at : NULL;
}

bool parse_span(const char **text, uint16_t *from, uint16_t *to)
{
    const char *at = parse_u16(*text, from);

    *to = *from;
    if (at && *at == '-')
        at = parse_u16(at + 1, to);
    if (!at || *from > *to || (*at && *at != ',') || (*at == ',' && !at[1]))
        return false;
    *text = at + (*at == ',');
    return true;
}

bool is_pattern(const char *text)
{
    struct pattern *pattern = *text ? pattern_new(text, NULL) : NULL;

    pattern_free(pattern);
    return pattern != NULL;
}

bool parse_percent(const char *text, uint32_t *hundredths)
{
    int64_t value;
    const char *end = parse_decimal(text, 100, &value);

    if (!end || value > 10000)
        return false;
    if (*end == '%')
        end++;
    if (*end)
        return false;
    *hundredths = (uint32_t)value;
    return true;
}
