#include "cli/mcp/reply.h"

#include <stdio.h>
#include <string.h>

#include "cli/command.h"

bool reply_is_id(struct json_value v)
{
    double n = json_number_of(v);

    return json_text_of(v) ||
           (json_is_number(v) && n >= -9007199254740991 &&
            n <= 9007199254740991 && n == (double)(int64_t)n);
}

bool reply_is_same_id(struct json_value a, struct json_value b)
{
    const char *x = json_text_of(a), *y = json_text_of(b);

    if (x || y)
        return x && y && !strcmp(x, y);
    return reply_is_id(a) && reply_is_id(b) &&
           (int64_t)json_number_of(a) == (int64_t)json_number_of(b);
}

void reply_id(struct json *json, const char *key, struct json_value id)
{
    if (json_text_of(id))
        json_text(json, key, json_text_of(id));
    else
        json_i64(json, key, (int64_t)json_number_of(id));
}

struct json reply_begin(struct out *out)
{
    struct json json = json_to(out);

    json_object(&json, NULL);
    json_text(&json, "jsonrpc", "2.0");
    return json;
}

void reply_send(struct json *json)
{
    while (json->depth)
        json_end(json);
    out_char(json->out, '\n');
    out_flush(json->out);
    fflush(stdout);
}

struct json reply_begin_error(struct out *out, struct json_value id,
                              enum rpc_error code, const char *message)
{
    struct json json = reply_begin(out);

    if (reply_is_id(id))
        reply_id(&json, "id", id);
    json_object(&json, "error");
    json_i64(&json, "code", code);
    json_text(&json, "message", message);
    return json;
}

void reply_send_error(struct out *out, struct json_value id,
                      enum rpc_error code, const char *message)
{
    struct json json = reply_begin_error(out, id, code, message);

    reply_send(&json);
}

void reply_server_info(struct json *json, const char *key)
{
    json_object(json, key);
    json_text(json, "name", "topfn");
    json_text(json, "title", "topfn: sampling profiles");
    json_text(json, "version", TOPFN_VERSION);
    json_end(json);
}

struct json reply_begin_result(struct out *out, struct json_value id,
                               bool modern)
{
    struct json json = reply_begin(out);

    reply_id(&json, "id", id);
    json_object(&json, "result");
    if (modern) {
        json_text(&json, "resultType", "complete");
        json_object(&json, "_meta");
        reply_server_info(&json, META("serverInfo"));
        json_end(&json);
    }
    return json;
}
