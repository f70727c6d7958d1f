/*
 * json - one JSON value, written piece by piece.
 *
 *     struct json json = json_to(out);
 *     json_object(&json, NULL);
 *     json_text(&json, "name", "app.exe");
 *     json_array(&json, "rows");
 *     json_line(&json, 2);
 *     json_u64(&json, NULL, 7);
 *     json_end(&json);
 *     json_end(&json);
 *
 *     {"name":"app.exe","rows":[
 *       7]}
 *
 * The first argument behind the writer is the member's key: members of an
 * object have one, elements of an array and the outermost value do not
 * (NULL). Commas are placed here, ends of lines where they are asked for.
 * Nothing fails: what the output cannot take shows at out_close.
 */
#ifndef TOPFN_JSON_H
#define TOPFN_JSON_H

#include "engine/base/out.h"

struct json {
    struct out *out;
    unsigned depth;  /* objects and arrays that are open */
    uint64_t arrays; /* by depth, a bit each: whether it is an array, */
    uint64_t filled; /* whether it has something in it */
    bool breaks;     /* before what comes next; with this many blanks: */
    unsigned indent;
};

/* The value is written to `out`, where something may stand before it. */
struct json json_to(struct out *out);

/* Opened ones are closed by json_end, at most 64 inside each other. */
void json_object(struct json *json, const char *key);
void json_array(struct json *json, const char *key);
void json_end(struct json *json);

/* The next value or closing bracket begins a line. */
void json_line(struct json *json, unsigned indent);

void json_null(struct json *json, const char *key);
void json_bool(struct json *json, const char *key, bool value);
void json_u64(struct json *json, const char *key, uint64_t value);
void json_i64(struct json *json, const char *key, int64_t value);

/* 1234500 with three decimals as 1234.5 (out_decimal). */
void json_decimal(struct json *json, const char *key, uint64_t value,
                  unsigned decimals);

/* These are written as out_real, out_shortest and out_percent write them; the
 * shortest of a number that is one. */
void json_real(struct json *json, const char *key, double value,
               unsigned decimals);
void json_shortest(struct json *json, const char *key, double value,
                   bool single);
void json_percent(struct json *json, const char *key, uint64_t part,
                  uint64_t whole);

/* A number, or true or false, as its text is. */
void json_bare(struct json *json, const char *key, const char *text);

/* UTF-8; NULL is null. */
void json_text(struct json *json, const char *key, const char *text);

/* An empty text is null, too. */
void json_maybe(struct json *json, const char *key, const char *text);

/* "0x1a2b": numbers of JSON lose bits beyond the 53rd in many readers. */
void json_address(struct json *json, const char *key, uint64_t address);

#endif
