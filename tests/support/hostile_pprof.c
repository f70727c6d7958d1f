#include "tests/support/hostile.h"

#include <stdlib.h>

/* Profiles of pprof: messages of fields, each a key and a number or bytes. */

static void put_varint(struct blob *b, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        blob_u8(b, (uint8_t)(value | 0x80));
    blob_u8(b, (uint8_t)value);
}

static void put_number(struct blob *b, unsigned field, uint64_t value)
{
    put_varint(b, field << 3);
    put_varint(b, value);
}

static void put_bytes(struct blob *b, unsigned field, const void *bytes,
                      size_t n)
{
    put_varint(b, field << 3 | 2);
    put_varint(b, n);
    blob_bytes(b, bytes, n);
}

/* The message becomes a field, and is empty again. */
static void put_message(struct blob *b, unsigned field, struct blob *message)
{
    put_bytes(b, field, message->data, message->len);
    message->len = 0;
}

static void put_string(struct blob *b, const char *text)
{
    put_bytes(b, 6, text, strlen(text));
}

static void put_long_string(struct blob *b, size_t n)
{
    char *text = mem_new(n, 1);

    memset(text, 'n', n);
    put_bytes(b, 6, text, n);
    free(text);
}

/* Strings: 1 "samples", 2 "count", 3 a long one, 4 "thread". */
static void begin(struct blob *b, size_t longest)
{
    struct blob m = {0};

    put_number(&m, 1, 1);
    put_number(&m, 2, 2);
    put_message(b, 1, &m);
    free(m.data);
    put_string(b, "");
    put_string(b, "samples");
    put_string(b, "count");
    put_long_string(b, longest);
    put_string(b, "thread");
    put_string(b, "tid");
}

static void put_function(struct blob *b, uint64_t id, uint64_t name)
{
    struct blob m = {0};

    put_number(&m, 1, id);
    put_number(&m, 2, name);
    put_number(&m, 4, name);
    put_message(b, 5, &m);
    free(m.data);
}

static void put_line(struct blob *location, uint64_t function, uint64_t line)
{
    struct blob m = {0};

    put_number(&m, 1, function);
    put_number(&m, 2, line);
    put_message(location, 4, &m);
    free(m.data);
}

static void put_location(struct blob *b, uint64_t id, uint64_t mapping,
                         uint64_t function)
{
    struct blob m = {0};

    put_number(&m, 1, id);
    if (mapping)
        put_number(&m, 2, mapping);
    put_line(&m, function, id);
    put_message(b, 4, &m);
    free(m.data);
}

static void put_sample(struct blob *b, uint64_t location)
{
    struct blob m = {0};

    put_number(&m, 1, location);
    put_number(&m, 2, 1);
    put_message(b, 2, &m);
    free(m.data);
}

/* Every function has the same long name and file. */
static void one_name(struct blob *b, size_t size)
{
    begin(b, size / 2);
    for (uint64_t i = 1; b->len < size; i++) {
        put_function(b, i, 3);
        put_location(b, i, 0, i);
        put_sample(b, i);
    }
}

/* Every mapping is of the same long path. */
static void one_path(struct blob *b, size_t size)
{
    struct blob m = {0};

    begin(b, size / 2);
    put_function(b, 1, 1);
    for (uint64_t i = 1; b->len < size; i++) {
        put_number(&m, 1, i);
        put_number(&m, 2, i << 12);
        put_number(&m, 5, 3);
        put_message(b, 3, &m);
        put_location(b, i, i, 1);
        put_sample(b, i);
    }
    free(m.data);
}

static void put_label(struct blob *sample, uint64_t key, uint64_t text,
                      uint64_t number)
{
    struct blob m = {0};

    put_number(&m, 1, key);
    put_number(&m, text ? 2 : 3, text ? text : number);
    put_message(sample, 3, &m);
    free(m.data);
}

/* Every sample is of a thread of its own with the same long name. */
static void one_thread_name(struct blob *b, size_t size)
{
    struct blob m = {0};

    begin(b, size / 2);
    put_function(b, 1, 1);
    put_location(b, 1, 0, 1);
    for (uint64_t i = 1; b->len < size; i++) {
        put_number(&m, 1, 1);
        put_number(&m, 2, 1);
        put_label(&m, 4, 3, 0);
        put_label(&m, 5, 0, i);
        put_message(b, 2, &m);
    }
    free(m.data);
}

/* One location of many inlined functions, one sample of many locations. */
static void inlined(struct blob *b, size_t size)
{
    struct blob location = {0}, sample = {0};

    begin(b, 8);
    put_function(b, 1, 1);
    put_number(&location, 1, 1);
    while (location.len < size / 2)
        put_line(&location, 1, location.len);
    put_message(b, 4, &location);
    for (size_t i = 0; i < size / 4; i++)
        put_number(&sample, 1, 1);
    put_number(&sample, 2, 1);
    put_message(b, 2, &sample);
    free(location.data);
    free(sample.data);
}

/* Deep stacks that differ in their outermost location. */
static void roots(struct blob *b, size_t size)
{
    struct blob m = {0};

    begin(b, 8);
    put_function(b, 1, 1);
    for (uint64_t i = 1; i < size / 600; i++)
        put_location(b, i, 0, 1);
    for (uint64_t i = 1; b->len < size; i++) {
        for (unsigned k = 0; k < 256; k++)
            put_number(&m, 1, 1 + k % 2);
        put_number(&m, 1, i);
        put_number(&m, 2, 1);
        put_message(b, 2, &m);
    }
    free(m.data);
}

const struct hostile_kind hostile_pprof[] = {
    {"one-name.pprof", one_name},
    {"one-path.pprof", one_path},
    {"one-thread-name.pprof", one_thread_name},
    {"inlined.pprof", inlined},
    {"roots.pprof", roots},
    {NULL, NULL},
};
