#include "engine/model/code_id.h"

#include <stdio.h>

enum { TIMESTAMP_DIGITS = 8, MOST_PE_DIGITS = 15 };

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

void code_id_read(struct identity *id, const char *text, size_t n)
{
    if (!n || !are_digits(text, n))
        return;
    if (n > TIMESTAMP_DIGITS && n <= MOST_PE_DIGITS) {
        read_pe(id, text, n);
        return;
    }
    if (n % 2 || n / 2 > sizeof(id->build_id))
        return;
    id->build_id_size = (uint8_t)(n / 2);
    hex_bytes(text, n / 2, id->build_id);
}
