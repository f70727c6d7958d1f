#include "tests/support/profile_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/analysis/filter.h"
#include "engine/base/out.h"
#include "engine/input/recording.h"
#include "engine/model/profile.h"
#include "tests/support/recipe.h"

static const char *string(const struct profile *p, uint32_t id)
{
    return strings_get(p->strings, id);
}

static void add_header(struct out *out, const struct profile *p)
{
    const struct trace_info *t = &p->trace;

    out_fmt(out, "%s", profile_metric_word(p));
    if (!profile_counts_samples(p))
        out_fmt(out, " in %s", profile_unit(p));
    if (p->trace.metric.decimals)
        out_fmt(out, " e-%u", p->trace.metric.decimals);
    if (t->interval_ns)
        out_fmt(out, ", every %" PRId64, t->interval_ns);
    if (t->duration_ns)
        out_fmt(out, ", for %" PRId64, t->duration_ns);
    if (t->start_unix_ns)
        out_fmt(out, ", from %" PRId64, t->start_unix_ns);
    out_str(out, "\n");
    for (size_t i = 0; i < t->facts.len; i++)
        out_fmt(out, "%s: %s\n", string(p, t->facts.data[i].name),
                string(p, t->facts.data[i].value));
    for (size_t i = 0; i < t->event_counts.len; i++)
        out_fmt(out, "%s x %" PRIu64 "\n",
                string(p, t->event_counts.data[i].name),
                t->event_counts.data[i].count);
    if (p->quality.malformed)
        out_fmt(out, "malformed: %" PRIu64 "\n", p->quality.malformed);
    for (size_t i = 0; i < p->quality.warnings.len; i++)
        out_fmt(out, "%s\n", string(p, p->quality.warnings.data[i]));
}

static void add_number(struct out *out, uint32_t number)
{
    if (number == NO_PID)
        out_str(out, "-");
    else
        out_fmt(out, "%" PRIu32, number);
}

static void add_threads(struct out *out, const struct profile *p)
{
    for (size_t i = 0; i < p->processes.len; i++) {
        out_str(out, "process ");
        add_number(out, p->processes.data[i].pid);
        out_fmt(out, " %s:", string(p, p->processes.data[i].name));
        for (size_t k = 0; k < p->threads.len; k++) {
            const struct thread *t = &p->threads.data[k];

            if (t->process != i)
                continue;
            out_str(out, " ");
            add_number(out, t->tid);
            out_fmt(out, "%s%s", *string(p, t->name) ? "=" : "",
                    string(p, t->name));
        }
        out_str(out, "\n");
    }
}

static void add_bytes(struct out *out, const char *what, const uint8_t *bytes,
                      size_t n)
{
    out_fmt(out, " %s ", what);
    for (size_t i = 0; i < n; i++)
        out_fmt(out, "%02x", bytes[i]);
}

static void add_modules(struct out *out, const struct profile *p)
{
    for (size_t i = 0; i < p->modules.len; i++) {
        const struct module *m = &p->modules.data[i];

        out_fmt(out, "module %s", string(p, m->path));
        if (m->identity.pdb_name) {
            out_fmt(out, " %s %u", string(p, m->identity.pdb_name),
                    m->identity.age);
            add_bytes(out, "guid", m->identity.guid, 16);
        }
        if (m->identity.build_id_size)
            add_bytes(out, "id", m->identity.build_id,
                      m->identity.build_id_size);
        out_str(out, "\n");
    }
}

static void add_frame(struct out *out, const struct profile *p,
                      const struct frame *f, uint64_t address)
{
    const struct function *of = &p->functions.data[f->function];
    char name[FUNCTION_NAME_SIZE];

    out_fmt(out, " %s%s", f->inlined ? "(" : "",
            profile_function_name(p, f->function, name));
    if (*string(p, of->module))
        out_fmt(out, " [%s]", string(p, of->module));
    if (f->file || f->line)
        out_fmt(out, " %s:%u", string(p, f->file), f->line);
    if (of->kind != CODE_UNKNOWN)
        out_fmt(out, " %s", code_kind_name(of->kind));
    if (address)
        out_fmt(out, " +%" PRIx64, address);
}

static void add_sample(struct out *out, const struct profile *p, size_t i)
{
    uint32_t stack = p->samples.stack[i];

    out_fmt(out, "%" PRId64 " #%u", p->samples.time[i], p->samples.thread[i]);
    if (sample_weight(p, i) != 1)
        out_fmt(out, " x%llu", (unsigned long long)sample_weight(p, i));
    if (p->samples.flags[i] & SAMPLE_IDLE)
        out_str(out, " idle");
    out_str(out, ":");
    for (; stack; stack = p->stacks.data[stack].parent) {
        uint32_t id = p->stacks.data[stack].location;
        uint32_t end = p->frame_start.data[id + 1];

        for (uint32_t f = p->frame_start.data[id]; f < end; f++)
            add_frame(out, p, &p->frames.data[f],
                      f + 1 < end ? 0 : p->locations.data[id].address);
        if (p->stacks.data[stack].parent)
            out_str(out, " <-");
    }
    out_str(out, "\n");
}

static char *taken(struct out *out)
{
    size_t n;
    const char *text = out_text(out, &n);
    char *copy = calloc(n + 1, 1);

    if (!copy)
        abort();
    memcpy(copy, text, n);
    out_close(out, NULL);
    return copy;
}

char *profile_text(const struct profile *p)
{
    struct out *out = out_memory();

    add_header(out, p);
    add_threads(out, p);
    add_modules(out, p);
    for (size_t i = 0; i < p->samples.len; i++)
        add_sample(out, p, i);
    return taken(out);
}

char *profile_text_of_bytes(const struct trace_format *format,
                            const void *bytes, size_t size, const char *event)
{
    struct read_options options = {.threads = 1, .event = event};
    struct entry entry = {
        .name = "a", .inner = "", .data = bytes, .size = size};
    struct profile *p = profile_new();
    struct err err = {0};
    char *text;

    if (recording_read(format, &entry, 1, &options, p, &err)) {
        struct out *out = out_memory();

        out_str(out, err.message);
        profile_free(p);
        return taken(out);
    }
    profile_finish(p);
    text = profile_text(p);
    profile_free(p);
    return text;
}

char *profile_text_quoted(const char *text)
{
    char *quoted = strdup(text);

    if (!quoted)
        abort();
    for (char *c = quoted; (c = strchr(c, '\''));)
        *c = '"';
    return quoted;
}

enum { SCRIPT_TEXT = 1 << 14 };

/* Adds a line of a script to the text. */
static void add_line(char *text, const char *line)
{
    static const char letters[] = "n\nr\rt\t\\\\";
    char *to = text + strlen(text);
    const char *known;
    bool joined = false;
    unsigned byte;

    ck_assert_uint_lt(strlen(text) + strlen(line) + 2, SCRIPT_TEXT);
    for (; *line; line++) {
        if (*line != '\\') {
            *to++ = *line;
        } else if (!*++line) {
            joined = true;
            break;
        } else if (*line == 'x' && sscanf(line + 1, "%2x", &byte) == 1) {
            *to++ = (char)byte;
            line += 2;
        } else {
            known = strchr(letters, *line);
            ck_assert_msg(known, "\\%c", *line);
            *to++ = known[1];
        }
    }
    memcpy(to, joined ? "" : "\n", joined ? 1 : 2);
}

static const char *probed(const struct trace_format *format, const void *bytes,
                          size_t size)
{
    static const char *const words[] = {
        [PROBE_NO] = "no", [PROBE_MAYBE] = "maybe", [PROBE_YES] = "yes"};

    return words[format->probe(size ? bytes : "", size)];
}

static void check_probe(const struct trace_format *format, char *line,
                        const char *where)
{
    char text[SCRIPT_TEXT] = "", *rest = line + strcspn(line, " ");
    const char *word;

    add_line(text, *rest ? rest + 1 : rest);
    word = probed(format, text, strlen(text) - 1);
    *rest = '\0';
    ck_assert_msg(strcmp(word, line) == 0, "%s: %s", where, word);
}

void profile_text_script(const struct trace_format *format, const char *path)
{
    static char text[SCRIPT_TEXT], said[SCRIPT_TEXT];
    char line[SCRIPT_TEXT], where[100], last = 0, *got;
    FILE *file = fopen(path, "r");
    unsigned checks = 0, number = 0;

    ck_assert_msg(file, "%s", path);
    *text = *said = '\0';
    do {
        if (!fgets(line, sizeof(line), file))
            *line = '\0';
        snprintf(where, sizeof(where), "%s:%u", path, ++number);
        line[strcspn(line, "\n")] = '\0';
        if (last == '>' && *line != '>') {
            got = profile_text_of_bytes(format, text, strlen(text), NULL);
            ck_assert_msg(strcmp(got, said) == 0, "%s: %s", where, got);
            free(got);
            *text = *said = '\0';
            checks++;
        }
        if (*line == '<' || *line == '>')
            add_line(*line == '<' ? text : said, line + (line[1] ? 2 : 1));
        else if (*line && *line != '#')
            check_probe(format, line, where);
        last = *line;
    } while (!feof(file));
    fclose(file);
    ck_assert_uint_gt(checks, 0);
}

static void check_recipe(const struct trace_format *format,
                         const struct recipes *all, const char *name)
{
    const char *probe = recipe_note(all, name, "probe", 0), *note, *at, *has;
    struct blob b = {0};
    char *said;

    recipe_make(all, name, 0, &b);
    if (probe)
        ck_assert_msg(strcmp(probed(format, b.data, b.len), probe) == 0, "%s",
                      name);
    has = recipe_note(all, name, "has", 0);
    if (!has && !recipe_note(all, name, ">", 0)) {
        free(b.data);
        return;
    }
    said = profile_text_of_bytes(format, b.data, b.len,
                                 recipe_note(all, name, "event", 0));
    at = said;
    for (size_t i = 0; (note = recipe_note(all, name, ">", i)); i++) {
        size_t n = strlen(note);

        ck_assert_msg(strncmp(at, note, n) == 0 && (!at[n] || at[n] == '\n'),
                      "%s: \"%s\" is not in %s", name, note, said);
        at += n + (at[n] == '\n');
    }
    ck_assert_msg(has || !*at, "%s: %s", name, said);
    for (size_t i = 0; (note = recipe_note(all, name, "has", i)); i++)
        ck_assert_msg(strstr(said, note), "%s: \"%s\" is not in %s", name, note,
                      said);
    free(said);
    free(b.data);
}

void profile_text_recipes(const struct trace_format *format, const char *path)
{
    struct recipes *all = recipes_read(path);
    const char *name;

    for (size_t i = 0; (name = recipe_name(all, i)); i++)
        check_recipe(format, all, name);
    recipes_free(all);
}
