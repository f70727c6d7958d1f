/* Arguments of tools, as clients of the Model Context Protocol send them. */
#include "cli/mcp/tools.h"
#include "tests/fuzz/target.h"

/* The server has no folder, so that no file of a name is there. */
FUZZ(mcp)
{
    struct options options = {.names = DEMANGLE_SHORT};
    struct tool_server server = {.options = &options};
    struct err unread = {0};
    size_t whole;
    struct json_text *json = json_read("a", data, size, &whole, &unread);

    for (const struct tool *t = tools; t->name && json; t++) {
        struct command_line line = {.file = NULL};
        struct err err = {0};
        bool made = tool_command(t, json_root(json), &server, 1, &line, &err);

        if (made == (err.code != ERR_NONE) || line.words.len < 2 || line.file)
            abort();
        command_line_release(&line);
    }
    json_close(json);
    return 0;
}
