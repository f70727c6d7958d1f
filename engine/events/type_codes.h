/*
 * type_codes - the numbers by which schemas of Windows name types: TDH in
 * types, and out types as manifests and as TraceLogging count them.
 * (engine/format/etl/format.md, section 6)
 */
#ifndef TOPFN_EVENTS_TYPE_CODES_H
#define TOPFN_EVENTS_TYPE_CODES_H

#include "engine/events/schema.h"

enum event_format manifest_format(unsigned out_type);
enum event_format tracelogging_format(unsigned out_type);

/* Type and format of a field; unknown codes are bytes to the end. `utf8`: an
 * 8-bit text is. */
struct event_field field_of_codes(unsigned in_type, enum event_format format,
                                  bool utf8);

/* The numbers of "win:UInt32" and "xs:..." or "win:HexInt32"; 0 for none. */
unsigned in_type_named(const char *name);
unsigned out_type_named(const char *name);

#endif
