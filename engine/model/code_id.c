#include "engine/model/code_id.h"

#include <stdio.h>
#include <string.h>

enum { TIMESTAMP_DIGITS = 8, MOST_PE_DIGITS = 15, MOST_GO = 128 };

void code_id_of_pe(const struct identity *id, char text[CODE_ID_SIZE])
{
    *text = '\0';
    if (id->timestamp && id->image_size)
        snprintf(text, CODE_ID_SIZE, "%08X%x", id->timestamp, id->image_size);
}

void code_id_text(const struct identity *id, char text[CODE_ID_SIZE])
{
    if (id->build_id_size)
        hex_text(id->build_id, id->build_id_size, text);
    else
        code_id_of_pe(id, text);
}

static bool are_digits(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (hex_digit(text[i]) < 0)
            return false;
    return true;
}

static void read_pe(struct identity *id, const char *text, size_t n)
{
    uint32_t parts[2] = {0, 0};

    for (size_t i = 0; i < n; i++) {
        uint32_t *part = &parts[i >= TIMESTAMP_DIGITS];

        *part = *part << 4 | (uint32_t)hex_digit(text[i]);
    }
    id->timestamp = parts[0];
    id->image_size = parts[1];
}

bool code_id_take_go(struct identity *id, struct bytes text)
{
    enum { LEAST = 40, HASHES = 4 };
    size_t hashes = 1;

    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] <= ' ' || text.data[i] > '~')
            return false;
        hashes += text.data[i] == '/';
    }
    if (text.len < LEAST || hashes != HASHES)
        return false;
    id->build_id_size = sizeof(id->build_id);
    memcpy(id->build_id, text.data, sizeof(id->build_id));
    return true;
}

static void read_go_digits(struct identity *id, const char *text, size_t n)
{
    uint8_t bytes[MOST_GO] = {0};

    if (n % 2 || n / 2 > sizeof(bytes))
        return;
    hex_bytes(text, n / 2, bytes);
    code_id_take_go(id, (struct bytes){bytes, n / 2});
}

void code_id_read(struct identity *id, const char *text, size_t n)
{
    if (!n)
        return;
    if (!are_digits(text, n)) {
        code_id_take_go(id, (struct bytes){(const uint8_t *)text, n});
        return;
    }
    if (n > TIMESTAMP_DIGITS && n <= MOST_PE_DIGITS) {
        read_pe(id, text, n);
        return;
    }
    if (n / 2 > sizeof(id->build_id)) {
        read_go_digits(id, text, n);
        return;
    }
    if (n % 2)
        return;
    id->build_id_size = (uint8_t)(n / 2);
    hex_bytes(text, n / 2, id->build_id);
}
