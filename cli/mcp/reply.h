/*
 * reply - messages that the server writes: results, errors, notifications.
 *
 *     struct json json = reply_begin_result(out, id, true);
 *     json_text(&json, "name", "value");
 *     reply_send(&json);
 *
 * A message is one line, written at once.
 */
#ifndef TOPFN_CLI_MCP_REPLY_H
#define TOPFN_CLI_MCP_REPLY_H

#include "engine/base/json.h"
#include "engine/base/json_read.h"

/* The prefix of members that the protocol has in "_meta". */
#define META(name) "io.modelcontextprotocol/" name

enum rpc_error {
    RPC_PARSE = -32700,
    RPC_REQUEST = -32600,
    RPC_METHOD = -32601,
    RPC_PARAMS = -32602,
    RPC_VERSION = -32022, /* a revision that the server does not know */
};

/* Ids of requests and tokens of progress are texts or whole numbers. */
bool reply_is_id(struct json_value id);
bool reply_is_same_id(struct json_value a, struct json_value b);
void reply_id(struct json *json, const char *key, struct json_value id);

/* A notification, which is to get "method" and "params". */
struct json reply_begin(struct out *out);

/* Inside "result". `modern`: as revision 2026-07-28 has it. */
struct json reply_begin_result(struct out *out, struct json_value id,
                               bool modern);
void reply_server_info(struct json *json, const char *key);

/* Inside "error". An id that cannot be one is left out. */
struct json reply_begin_error(struct out *out, struct json_value id,
                              enum rpc_error code, const char *message);
void reply_send_error(struct out *out, struct json_value id,
                      enum rpc_error code, const char *message);

/* Ends all that is open, and the line. */
void reply_send(struct json *json);

#endif
