#include "tests/support/event_info.h"

#include <assert.h>
#include <string.h>

enum { PROPERTY = 24 };

void event_info_begin(struct event_info *b, const uint8_t *provider,
                      unsigned properties)
{
    memset(b, 0, sizeof(*b));
    b->size = INFO_PROPERTIES + (size_t)properties * PROPERTY;
    memcpy(b->bytes, provider, 16);
    event_info_set(b, INFO_COUNT, properties);
    event_info_set(b, INFO_TOP, properties);
}

void event_info_set(struct event_info *b, size_t at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        b->bytes[at + i] = (uint8_t)(value >> 8 * i);
}

void event_info_set_text(struct event_info *b, size_t at, const char *text)
{
    event_info_set(b, at, (uint32_t)b->size);
    for (;; text++) {
        assert(b->size + 2 <= sizeof(b->bytes));
        b->bytes[b->size] = (uint8_t)*text;
        b->size += 2;
        if (!*text)
            return;
    }
}

void event_info_property(struct event_info *b, unsigned number, uint32_t flags,
                         const char *name, uint32_t types, uint32_t lengths)
{
    size_t at = INFO_PROPERTIES + (size_t)number * PROPERTY;

    event_info_set(b, at, flags);
    event_info_set_text(b, at + 4, name);
    event_info_set(b, at + 8, types);
    event_info_set(b, at + 16, lengths);
}
