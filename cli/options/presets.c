#include "cli/options/presets.h"

#include <stdlib.h>
#include <string.h>

#include "engine/analysis/algebra_impl.h"
#include "engine/base/textfile.h"

/* ---- words ---- */

static const char blanks[] = " \t";

/* One word, from its first character on; NULL: a quote does not end. */
static const char *take_word(const char *at, char *word)
{
    char quote = 0;

    for (; *at && (quote || !strchr(blanks, *at)); at++) {
        if (quote ? *at == quote : *at == '\'' || *at == '"')
            quote = (char)(quote ? 0 : *at);
        else if (*at == '\\' && quote != '\'' && at[1])
            *word++ = *++at;
        else
            *word++ = *at;
    }
    *word = '\0';
    return quote ? NULL : at;
}

bool preset_split(struct preset *preset, const char *line, struct arena *arena)
{
    for (;;) {
        char *word;

        line += strspn(line, blanks);
        if (!*line || *line == '#')
            return true;
        word = arena_new(arena, char, strlen(line) + 1);
        line = take_word(line, word);
        if (!line)
            return false;
        *vec_add(&preset->words) = word;
    }
}

/* ---- the file ---- */

static const char *path_in(const char *variable, const char *below,
                           struct arena *arena)
{
    const char *folder = getenv(variable);
    size_t n = folder ? strlen(folder) : 0, m = strlen(below);
    char *path;

    if (!n)
        return NULL;
    path = arena_new(arena, char, n + m + 1);
    memcpy(path, folder, n);
    memcpy(path + n, below, m + 1);
    return path;
}

static const char *presets_path(struct arena *arena)
{
    const char *path = path_in("XDG_CONFIG_HOME", "/topfn/presets", arena);

    return path ? path : path_in("HOME", "/.config/topfn/presets", arena);
}

/* What stands behind "NAME ="; NULL: the line is another's. */
static const char *options_of(const char *line, const char *name)
{
    size_t n = strlen(name);

    line += strspn(line, blanks);
    if (strncmp(line, name, n))
        return NULL;
    line += n;
    line += strspn(line, blanks);
    return *line == '=' ? line + 1 : NULL;
}

static enum err_code read_line(struct preset *preset, struct textfile *file,
                               const char *name, struct arena *arena,
                               struct err *err)
{
    for (size_t i = 1; i <= textfile_lines(file); i++) {
        const char *options = options_of(textfile_line(file, i), name);

        if (options && preset_split(preset, options, arena))
            return ERR_NONE;
        if (options)
            return err_set(err, ERR_USAGE, "%s:%zu: a quote does not end",
                           textfile_path(file), i);
    }
    return ERR_NOT_FOUND;
}

static enum err_code not_found(const char *name, const char *path,
                               struct err *err)
{
    return err_set(err, ERR_USAGE, "no preset \"%s\" in %s", name,
                   path ? path : "~/.config/topfn/presets");
}

static void use_rule(struct preset *preset, const char *name,
                     struct arena *arena)
{
    *vec_add(&preset->words) = arena_strndup(arena, "--group", 7);
    *vec_add(&preset->words) = arena_strndup(arena, name, strlen(name));
}

enum err_code preset_find(struct preset *preset, const char *name,
                          struct arena *arena, struct err *err)
{
    const char *path = presets_path(arena);
    struct err ignored = {0};
    struct textfile *file = path ? textfile_open(path, &ignored) : NULL;
    enum err_code code = ERR_NOT_FOUND;

    if (file)
        code = read_line(preset, file, name, arena, err);
    textfile_close(file);
    if (code != ERR_NOT_FOUND)
        return code;
    if (strstr(name, "->") || strstr(name, "=>") || !group_rule_is_valid(name))
        return not_found(name, path, err);
    use_rule(preset, name, arena);
    return ERR_NONE;
}
