/*
 * values - what stands after an option, as numbers.
 *
 * Every function is false for text that is not exactly such a value; no
 * locale is asked.
 */
#ifndef TOPFN_CLI_VALUES_H
#define TOPFN_CLI_VALUES_H

#include <stdbool.h>
#include <stdint.h>

/* Decimal, or hexadecimal after 0x, at most `most`. */
bool parse_number(const char *text, uint64_t most, uint64_t *value);

/* "1.5s", "200ms", "3us", "10ns"; plain numbers are seconds. */
bool parse_time(const char *text, int64_t *ns);

/* "7d", "12h", "30m" before now, or a day, "2026-11-01": when that was, in
 * seconds since 1970. */
bool parse_since(const char *text, int64_t now, int64_t *since);

/* "512M", "1.5G"; plain numbers are bytes. */
bool parse_size(const char *text, uint64_t *bytes);

/* "FROM,TO" of times. Either may be empty: INT64_MIN, INT64_MAX. */
bool parse_time_range(const char *text, int64_t *from, int64_t *to);

/* Parses "25%,50%" into hundredths of a percent. */
bool parse_percent_range(const char *text, int64_t *from, int64_t *to);

/* The first of "0,2-5", as a range; *text moves behind it. */
bool parse_span(const char **text, uint16_t *from, uint16_t *to);

/* True for a pattern of names (pattern.h) that is not empty. */
bool is_pattern(const char *text);

/* "0.5", "2", "2%": in hundredths of a percent, at most 10000. */
bool parse_percent(const char *text, uint32_t *hundredths);

#endif
