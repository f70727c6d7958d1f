#include "tests/support/jitdump_writer.h"

enum { PID = 7, TIME = 100 };

static void number(struct jitdump_writer *w, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++)
        blob_u8(&w->b,
                (uint8_t)(value >> 8 * (w->big_endian ? width - 1 - i : i)));
}

static void text(struct jitdump_writer *w, const char *text)
{
    blob_bytes(&w->b, text, strlen(text) + 1);
}

void jitdump_begin(struct jitdump_writer *w)
{
    number(w, 0x4A695444, 4);
    number(w, 1, 4);
    number(w, 40, 4);
    number(w, 62, 4); /* x86-64 */
    number(w, 0, 4);
    number(w, PID, 4);
    number(w, TIME, 8);
    number(w, 0, 8);
}

static void begin_record(struct jitdump_writer *w, uint32_t id, size_t size)
{
    number(w, id, 4);
    number(w, size + 16, 4);
    number(w, TIME, 8);
}

void jitdump_lines(struct jitdump_writer *w, uint64_t address,
                   const struct jitdump_line *lines, size_t n)
{
    size_t size = 16;

    for (size_t i = 0; i < n; i++)
        size += 16 + strlen(lines[i].file) + 1;
    begin_record(w, 2, size);
    number(w, address, 8);
    number(w, n, 8);
    for (size_t i = 0; i < n; i++) {
        number(w, lines[i].address, 8);
        number(w, lines[i].line, 4);
        number(w, 0, 4);
        text(w, lines[i].file);
    }
}

void jitdump_load(struct jitdump_writer *w, uint64_t address, uint64_t size,
                  uint64_t index, const char *name)
{
    begin_record(w, 0, 40 + strlen(name) + 1 + size);
    number(w, PID, 4);
    number(w, PID, 4);
    number(w, address, 8);
    number(w, address, 8);
    number(w, size, 8);
    number(w, index, 8);
    text(w, name);
    blob_zero(&w->b, size);
}

void jitdump_move(struct jitdump_writer *w, uint64_t from, uint64_t to,
                  uint64_t size, uint64_t index)
{
    begin_record(w, 1, 48);
    number(w, PID, 4);
    number(w, PID, 4);
    number(w, to, 8);
    number(w, from, 8);
    number(w, to, 8);
    number(w, size, 8);
    number(w, index, 8);
}

void jitdump_other(struct jitdump_writer *w, uint32_t id, size_t size)
{
    begin_record(w, id, size);
    blob_zero(&w->b, size);
}

void jitdump_unwinding(struct jitdump_writer *w, const void *frames,
                       size_t size)
{
    enum { HEADER = 20 };

    begin_record(w, 4, 24 + size + HEADER);
    number(w, size + HEADER, 8);
    number(w, HEADER, 8);
    number(w, 0, 8);
    blob_bytes(&w->b, frames, size);
    blob_zero(&w->b, HEADER);
}
