/*
 * event_info - TRACE_EVENT_INFO, the schema of an event that is embedded when
 * logs are merged (layout: engine/events/schema_event_info.c).
 *
 *     struct event_info b;
 *
 *     event_info_begin(&b, guid, 1);
 *     event_info_set(&b, INFO_ID, 9);
 *     event_info_set_text(&b, INFO_TASK, "Request");
 *     event_info_property(&b, 0, 0, "n", 6, 1); // u16 n
 *     ... b.bytes, b.size
 */
#ifndef TOPFN_TESTS_EVENT_INFO_H
#define TOPFN_TESTS_EVENT_INFO_H

#include <stddef.h>
#include <stdint.h>

struct event_info {
    uint8_t bytes[1024];
    size_t size;
};

/* Offsets of what is set: numbers, then where texts begin. */
enum {
    INFO_ID = 32, /* and version in bits 16 to 23 */
    INFO_OPCODES = 36, /* level, opcode in bits 8 to 15, task */
    INFO_SOURCE = 48,
    INFO_PROVIDER = 52,
    INFO_TASK = 68,
    INFO_OPCODE = 72,
    INFO_MESSAGE = 76,
    INFO_COUNT = 100,
    INFO_TOP = 104,
    INFO_PROPERTIES = 112,
};

/* With room for so many properties, all of them the event's own. */
void event_info_begin(struct event_info *b, const uint8_t *provider,
                      unsigned properties);
void event_info_set(struct event_info *b, size_t at, uint32_t value);
void event_info_set_text(struct event_info *b, size_t at, const char *text);

/* `types`: in type, out type << 16; of a struct its first member, their count
 * << 16. `lengths`: count, length << 16. */
void event_info_property(struct event_info *b, unsigned number, uint32_t flags,
                         const char *name, uint32_t types, uint32_t lengths);

#endif
