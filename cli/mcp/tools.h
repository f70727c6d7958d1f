/*
 * tools - what a client of the Model Context Protocol can ask topfn.
 *
 *     const struct tool *tool = tool_find("top");
 *     struct command_line line = {0};
 *     if (tool_command(tool, arguments, &server, 0, &line, &err))
 *         run(line.words.data, line.words.len);
 *     command_line_release(&line);
 *
 * A tool is a command of topfn that writes JSON. Its arguments are options of
 * the command, with an underscore for a hyphen, so that the table of options
 * says how they are described and what they may be.
 */
#ifndef TOPFN_CLI_MCP_TOOLS_H
#define TOPFN_CLI_MCP_TOOLS_H

#include "cli/mcp/folders.h"
#include "cli/options/options.h"
#include "engine/base/json.h"
#include "engine/base/json_read.h"

/* Bytes of an answer, which a client can show to a model at once. */
enum { TOOL_ANSWER = 64 << 10 };

struct tool {
    const char *name, *title, *about;
    /* Names of arguments, parted by blanks; "!" behind a name: required. Files,
     * functions and SQL stand in the order of the command line. */
    const char *takes;
    const char *schema; /* of its answer (report/schemas.h); NULL: text */
    bool keeps;         /* later questions about its file are answered faster */
};

/* Ends with a row without a name. */
extern const struct tool tools[];

const struct tool *tool_find(const char *name);

/* The array "tools" with what a client must know to call them. */
void tools_write(struct json *json, bool online);

struct tool_server {
    const struct options *options; /* of `topfn mcp` */
    struct folders folders;
};

struct command_line {
    VEC(const char *) words; /* as main gets them, without a NULL */
    const char *file;        /* what the tool keeps, or NULL */
    const char *key;         /* equal for questions about one kept profile */
    struct arena arena;
};

/* Makes the command line of a call. `shrunk`: how often an answer was too long
 * before; the command then has a fourth of the rows each time. Returns false
 * when an argument is missing, unknown or of a wrong type, or names a file that
 * the server may not read. */
bool tool_command(const struct tool *tool, struct json_value arguments,
                  const struct tool_server *server, unsigned shrunk,
                  struct command_line *line, struct err *err);

/* True if fewer rows can be asked for. */
bool tool_can_shrink(const struct tool *tool, unsigned shrunk);
void command_line_release(struct command_line *line);

#endif
