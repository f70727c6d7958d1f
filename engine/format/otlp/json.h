/*
 * otlp_json - an OTLP file in JSON as the Protocol Buffers that it stands for.
 *
 *     struct proto wire = {0};
 *     otlp_json_to_wire(root, &wire);
 *     ...
 *     proto_release(&wire);
 *
 * Members are called as their fields, in lowerCamelCase; 64-bit numbers are
 * texts or numbers. Unknown members are left out. (format.md, section 3)
 */
#ifndef TOPFN_OTLP_JSON_H
#define TOPFN_OTLP_JSON_H

#include "engine/base/json_read.h"
#include "engine/base/proto.h"

/* Writes the fields of the newest layout. */
void otlp_json_to_wire(struct json_value root, struct proto *wire);

/* True if the file is of a version before 1.8, by members that were gone then.
 */
bool otlp_json_is_old(struct json_value root);

#endif
