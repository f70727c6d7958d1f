#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/mcp/folders.h"
#include "cli/mcp/reply.h"
#include "cli/mcp/tools.h"
#include "cli/mcp/worker.h"
#include "engine/base/json.h"
#include "engine/base/json_read.h"

/*
 * mcp: a server of the Model Context Protocol over standard input and output.
 *
 * A message is a line of JSON (JSON-RPC 2.0). Revision 2026-07-28 has no
 * sessions: each request names its revision in _meta. Clients of the two
 * revisions before it begin with "initialize". Both are answered, a request at
 * a time, and nothing that a request says is remembered for a later one.
 *
 * Facts: modelcontextprotocol.io/specification/2026-07-28 (basic, versioning,
 * transports/stdio, server/tools, patterns/progress and cancellation), and
 * /specification/2025-11-25/basic/lifecycle.
 */

#define NEWEST "2026-07-28"
static const char *const older[] = {"2025-11-25", "2025-06-18"};

static const char instructions[] =
    "topfn reads CPU sampling profiles (Windows ETL, .NET nettrace, Linux "
    "perf.data, Visual Studio and other tools' files). Tools are commands of "
    "topfn and their arguments its options. Ask recordings for the files, info "
    "for the quality of one, then top, then callers, tree or list about a hot "
    "function; diff compares. Filters (process, module, time, focus, ...) work "
    "in all of them. A second question about a file is faster. The tool guide "
    "has more.";

enum { MESSAGE_MOST = 1 << 20 };

/* A call that a worker answers, by the worker's number. */
struct call {
    struct json_text *message; /* that asked; NULL: none did */
    struct json_value id, token, arguments;
    const struct tool *tool;
    bool modern;
    unsigned shrunk;
    char step[40]; /* said of its progress last, and the step's number */
    unsigned steps;
    uint64_t progress;
};

struct server {
    struct tool_server tools;
    struct workers workers;
    struct call calls[WORKERS];
    struct out *out;
    VEC(char) input; /* of a line that is not complete */
    bool too_long;   /* and is skipped */
};

/* A message with the members that each request has. */
struct request {
    struct json_text *message;
    struct json_value id, params, meta;
    const char *method;
    bool modern; /* of the newest revision */
};

/* How long a client may keep what does not change while the server runs. */
static void write_lifetime(struct json *json, bool modern)
{
    enum { HOUR_MS = 3600000 };

    if (!modern)
        return;
    json_u64(json, "ttlMs", HOUR_MS);
    json_text(json, "cacheScope", "private");
}

static void write_capabilities(struct json *json)
{
    json_object(json, "capabilities");
    json_object(json, "tools");
    json_end(json);
    json_end(json);
    json_text(json, "instructions", instructions);
}

static void write_versions(struct json *json, const char *key)
{
    json_array(json, key);
    json_text(json, NULL, NEWEST);
    for (size_t i = 0; i < sizeof(older) / sizeof(*older); i++)
        json_text(json, NULL, older[i]);
    json_end(json);
}

/* ---- answers of tools ---- */

static void write_text(struct json *json, const char *text)
{
    json_object(json, NULL);
    json_text(json, "type", "text");
    json_text(json, "text", text);
    json_end(json);
}

/* `answer`: JSON of a report, or a text; `notes` may be empty. */
static void send_answer(struct server *s, const struct call *c,
                        const char *answer, const char *notes, bool wrong)
{
    struct json json = reply_begin_result(s->out, c->id, c->modern);

    json_array(&json, "content");
    if (*answer)
        write_text(&json, answer);
    if (*notes || !*answer)
        write_text(&json, notes);
    json_end(&json);
    if (c->tool->schema && !wrong)
        json_bare(&json, "structuredContent", answer);
    json_bool(&json, "isError", wrong);
    reply_send(&json);
}

/* Tells a client that there is more than it got. */
static void note_rest(const struct call *c, struct json_value root,
                      struct out *notes)
{
    static const char *const lists[][2] = {{"rows", "total_rows"},
                                           {"functions", "total_functions"},
                                           {"processes", "total_processes"},
                                           {"events", "total_events"}};

    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
        size_t shown = json_length(json_member(root, lists[i][0]));
        uint64_t all = json_get_number(root, lists[i][1], 0);

        if (all > shown)
            out_fmt(notes, "%zu of %llu %s are shown.\n", shown,
                    (unsigned long long)all, lists[i][0]);
    }
    if (c->shrunk)
        out_fmt(notes,
                "More would exceed %d KiB: ask with filters, or in parts.\n",
                TOOL_ANSWER >> 10);
    else if (*out_text(notes, NULL) && strstr(c->tool->takes, "limit"))
        out_str(notes, "A larger limit (up to 1000) shows more.\n");
}

static void end_call(struct server *s, size_t i)
{
    json_close(s->calls[i].message);
    s->calls[i] = (struct call){.message = NULL};
}

/* The report of a command that was successful. */
static void answer_report(struct server *s, struct call *c, struct worker *w)
{
    struct out *notes = out_memory();
    struct err err = {0};
    struct json_text *report = NULL;
    size_t whole;

    for (size_t i = 0; i < w->answer.len && c->tool->schema; i++)
        if (w->answer.data[i] == '\n')
            w->answer.data[i] = ' ';
    *vec_add(&w->answer) = '\0';
    *vec_add(&w->said) = '\0';
    if (c->tool->schema)
        report = json_read("answer", (const uint8_t *)w->answer.data,
                           w->answer.len - 1, &whole, &err);
    if (err.code) {
        send_answer(s, c, "",
                    "the answer is not one JSON document; ask for "
                    "one statement at a time",
                    true);
    } else {
        if (report)
            note_rest(c, json_root(report), notes);
        out_str(notes, w->said.data);
        send_answer(s, c, w->answer.data, out_text(notes, NULL), false);
    }
    json_close(report);
    out_close(notes, NULL);
}

static void answer_failure(struct server *s, struct call *c, struct worker *w)
{
    struct out *text = out_memory();

    *vec_add(&w->said) = '\0';
    if (w->status == STATUS_CANNOT_WRITE)
        out_fmt(text,
                "The answer is longer than %d KiB. Ask for less: filters, or "
                "LIMIT and OFFSET and fewer columns in SQL.",
                TOOL_ANSWER >> 10);
    else
        out_str(text, *w->said.data ? w->said.data : "no answer");
    send_answer(s, c, "", out_text(text, NULL), true);
    out_close(text, NULL);
}

/* Gives the call to a worker; answers it when that is not possible. */
static void start_call(struct server *s, struct call call)
{
    struct command_line line = {.file = NULL};
    struct err err = {0};
    struct worker *w = NULL;

    if (!tool_command(call.tool, call.arguments, &s->tools, call.shrunk, &line,
                      &err)) {
        send_answer(s, &call, "", err.message, true);
    } else if (!(w = workers_find(&s->workers, line.key ? line.key : ""))) {
        send_answer(s, &call, "",
                    "other calls are running; ask again when one "
                    "of them is answered",
                    true);
    } else if (!worker_ask(&s->workers, w, call.tool, &line)) {
        worker_end(w);
        send_answer(s, &call, "", "the process for the call has ended", true);
        w = NULL;
    }
    if (w)
        s->calls[w - s->workers.list] = call;
    else
        json_close(call.message);
    command_line_release(&line);
}

static void finish_call(struct server *s, size_t i)
{
    struct worker *w = &s->workers.list[i];
    struct call call = s->calls[i];

    if (w->status == STATUS_CANNOT_WRITE &&
        tool_can_shrink(call.tool, call.shrunk)) {
        call.shrunk++;
        s->calls[i] = (struct call){.message = NULL};
        worker_idle(w);
        start_call(s, call);
        return;
    }
    if (w->status)
        answer_failure(s, &s->calls[i], w);
    else
        answer_report(s, &s->calls[i], w);
    end_call(s, i);
    worker_idle(w);
}

/* ---- progress ---- */

/* Steps follow each other, and each begins with 0 percent; the sum grows. */
static void send_progress(struct server *s, struct call *c,
                          const struct worker *w)
{
    struct json json;
    uint64_t progress;

    if (!reply_is_id(c->token) || !*w->step)
        return;
    if (strcmp(c->step, w->step) != 0) {
        c->steps += *c->step ? 100 : 0;
        memcpy(c->step, w->step, sizeof(c->step));
    }
    progress = c->steps + (w->percent < 99 ? w->percent : 99) + 1;
    if (progress <= c->progress)
        return;
    c->progress = progress;
    json = reply_begin(s->out);
    json_text(&json, "method", "notifications/progress");
    json_object(&json, "params");
    reply_id(&json, "progressToken", c->token);
    json_u64(&json, "progress", progress);
    json_text(&json, "message", c->step);
    reply_send(&json);
}

static void listen_to(struct server *s, size_t i)
{
    struct worker *w = &s->workers.list[i];
    bool reached = worker_read(w);

    if (w->busy && s->calls[i].message && reached)
        send_progress(s, &s->calls[i], w);
    if (w->busy && w->done) {
        finish_call(s, i);
    } else if (!reached) {
        if (s->calls[i].message)
            send_answer(s, &s->calls[i], "",
                        "the process for the call has ended", true);
        end_call(s, i);
        worker_end(w);
    }
}

/* ---- what clients ask ---- */

static void cancel(struct server *s, struct json_value params)
{
    struct json_value id = json_member(params, "requestId");

    for (size_t i = 0; i < WORKERS; i++)
        if (s->calls[i].message && reply_is_same_id(id, s->calls[i].id)) {
            worker_end(&s->workers.list[i]);
            end_call(s, i);
        }
}

static void discover(struct server *s, struct request *r)
{
    struct json json = reply_begin_result(s->out, r->id, true);

    write_versions(&json, "supportedVersions");
    write_capabilities(&json);
    write_lifetime(&json, true);
    reply_send(&json);
}

/* A client that asks for another revision learns which one it gets. */
static void initialize(struct server *s, struct request *r)
{
    const char *asked = json_get_text(r->params, "protocolVersion");
    const char *version = older[0];
    struct json json = reply_begin_result(s->out, r->id, false);

    for (size_t i = 0; i < sizeof(older) / sizeof(*older); i++)
        if (!strcmp(older[i], asked))
            version = older[i];
    json_text(&json, "protocolVersion", version);
    reply_server_info(&json, "serverInfo");
    write_capabilities(&json);
    reply_send(&json);
}

static void ping(struct server *s, struct request *r)
{
    struct json json = reply_begin_result(s->out, r->id, r->modern);

    reply_send(&json);
}

static void list_tools(struct server *s, struct request *r)
{
    struct json json = reply_begin_result(s->out, r->id, r->modern);

    tools_write(&json, s->tools.options->online);
    write_lifetime(&json, r->modern);
    reply_send(&json);
}

static void call_tool(struct server *s, struct request *r)
{
    const struct tool *tool = tool_find(json_get_text(r->params, "name"));
    struct json_value arguments = json_member(r->params, "arguments");

    if (!tool) {
        reply_send_error(s->out, r->id, RPC_PARAMS, "there is no such tool");
        return;
    }
    if (json_is_there(arguments) && !json_is_object(arguments)) {
        reply_send_error(s->out, r->id, RPC_PARAMS, "arguments is no object");
        return;
    }
    start_call(s, (struct call){.message = r->message,
                                .id = r->id,
                                .token = json_member(r->meta, "progressToken"),
                                .arguments = arguments,
                                .tool = tool,
                                .modern = r->modern});
    r->message = NULL; /* is the call's now */
}

static const struct {
    const char *name;
    void (*answer)(struct server *s, struct request *r);
} methods[] = {
    {"server/discover", discover}, {"initialize", initialize}, {"ping", ping},
    {"tools/list", list_tools},    {"tools/call", call_tool},
};

/* Refuses a revision that the server does not know, and a request of the newest
 * one without what it must have. */
static bool knows_version(struct server *s, struct request *r)
{
    struct json_value asked = json_member(r->meta, META("protocolVersion"));
    const char *version = json_text_of(asked);
    struct json json;

    r->modern = json_is_there(asked);
    if (!r->modern)
        return true;
    if (!version || strcmp(version, NEWEST) != 0) {
        json = reply_begin_error(s->out, r->id, RPC_VERSION,
                                 "Unsupported protocol version");
        json_object(&json, "data");
        write_versions(&json, "supported");
        json_text(&json, "requested", version ? version : "");
        reply_send(&json);
        return false;
    }
    if (json_is_object(json_member(r->meta, META("clientCapabilities"))))
        return true;
    reply_send_error(s->out, r->id, RPC_PARAMS,
                     "_meta has no " META("clientCapabilities"));
    return false;
}

static void answer_request(struct server *s, struct request *r)
{
    if (!knows_version(s, r))
        return;
    for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++)
        if (!strcmp(methods[i].name, r->method)) {
            methods[i].answer(s, r);
            return;
        }
    reply_send_error(s->out, r->id, RPC_METHOD, "there is no such method");
}

/* Notifications get no answer, whatever is wrong with them. */
static void take_message(struct server *s, const char *text, size_t n)
{
    struct err err = {0};
    size_t whole;
    struct request r = {.message = json_read("message", (const uint8_t *)text,
                                             n, &whole, &err)};
    struct json_value root =
        r.message ? json_root(r.message) : (struct json_value){NULL, 0};
    struct json_value id = json_member(root, "id");

    r.id = id;
    r.method = json_text_of(json_member(root, "method"));
    r.params = json_member(root, "params");
    r.meta = json_member(r.params, "_meta");
    if (err.code)
        reply_send_error(s->out, (struct json_value){NULL, 0}, RPC_PARSE,
                         err.message);
    else if (json_is_array(root))
        reply_send_error(s->out, id, RPC_REQUEST,
                         "batches are not part of the protocol");
    else if (strcmp(json_get_text(root, "jsonrpc"), "2.0") != 0)
        reply_send_error(s->out, id, RPC_REQUEST, "jsonrpc is not \"2.0\"");
    else if (!r.method && !json_is_there(json_member(root, "result")) &&
             !json_is_there(json_member(root, "error")))
        reply_send_error(s->out, id, RPC_REQUEST, "method is no text");
    else if (json_is_there(id) && !reply_is_id(id))
        reply_send_error(s->out, id, RPC_REQUEST,
                         "id is neither a text nor an integer");
    else if (r.method && json_is_there(id))
        answer_request(s, &r);
    else if (r.method && !strcmp(r.method, "notifications/cancelled"))
        cancel(s, r.params);
    json_close(r.message);
}

/* ---- the server ---- */

static bool is_blank(const char *text, size_t n)
{
    return strspn(text, " \t\r") == n;
}

static void end_line(struct server *s)
{
    size_t n = s->input.len;

    *vec_add(&s->input) = '\0';
    if (s->too_long)
        reply_send_error(s->out, (struct json_value){NULL, 0}, RPC_REQUEST,
                         "the message is longer than 1 MiB");
    else if (!is_blank(s->input.data, n))
        take_message(s, s->input.data, n);
    s->input.len = 0;
    s->too_long = false;
}

/* False at the end of the input. */
static bool read_input(struct server *s)
{
    char bytes[4096];
    ssize_t n = read(STDIN_FILENO, bytes, sizeof(bytes));

    for (ssize_t i = 0; i < n; i++) {
        if (bytes[i] == '\n')
            end_line(s);
        else if (s->input.len < MESSAGE_MOST)
            *vec_add(&s->input) = bytes[i];
        else
            s->too_long = true;
    }
    return n > 0 || (n < 0 && errno == EINTR);
}

/* Calls that run when the client closes its end are still answered. */
static bool is_busy(const struct server *s)
{
    for (size_t i = 0; i < WORKERS; i++)
        if (s->workers.list[i].busy)
            return true;
    return false;
}

static void serve_client(struct server *s)
{
    bool open = true;

    while (open || is_busy(s)) {
        struct pollfd fds[1 + 2 * WORKERS] = {
            {.fd = open ? STDIN_FILENO : -1, .events = POLLIN}};

        for (size_t i = 0; i < WORKERS; i++) {
            const struct worker *w = &s->workers.list[i];

            fds[1 + 2 * i] =
                (struct pollfd){.fd = w->pid ? w->out : -1, .events = POLLIN};
            fds[2 + 2 * i] =
                (struct pollfd){.fd = w->pid ? w->err : -1, .events = POLLIN};
        }
        if (poll(fds, 1 + 2 * WORKERS, -1) < 0 && errno != EINTR)
            break;
        for (size_t i = 0; i < WORKERS; i++)
            if (s->workers.list[i].pid &&
                (fds[1 + 2 * i].revents || fds[2 + 2 * i].revents))
                listen_to(s, i);
        if (fds[0].revents)
            open = read_input(s);
    }
}

static enum status run(const struct command *command, const struct options *o,
                       const char *const *folders, size_t count)
{
    struct server s = {.tools = {.options = o}};
    struct err err = {0};

    (void)command;
    for (size_t i = 0; i < count && !err.code; i++)
        (void)folders_add(&s.tools.folders, folders[i], &err);
    if (err.code) {
        say("%s", err.message);
        folders_release(&s.tools.folders);
        return STATUS_NO_INPUT;
    }
    if (isatty(STDIN_FILENO))
        say_hint("topfn mcp waits for messages of a client; man topfn-mcp "
                 "shows how a client starts it");
    signal(SIGPIPE, SIG_IGN); /* a worker or the client may be gone */
    s.workers.server = &s.tools;
    s.out = out_stream(stdout);
    serve_client(&s);
    for (size_t i = 0; i < WORKERS; i++) {
        end_call(&s, i);
        worker_end(&s.workers.list[i]);
    }
    vec_release(&s.input);
    folders_release(&s.tools.folders);
    (void)out_close(s.out, &err);
    return status_of_output(err.code);
}

const struct command mcp_command = {
    .name = "mcp",
    .arguments = "DIR...",
    .help = "serve the recordings in folders to an assistant (MCP)",
    .takes = USE_SYMBOLS | TAKES_SOURCES,
    .run = run,
    .starts_processes = true,
};
