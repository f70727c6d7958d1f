#include "cli/load/hints.h"

#include <stdio.h>
#include <string.h>

#include "cli/terminal/terminal.h"
#include "engine/analysis/algebra_impl.h"
#include "engine/analysis/match.h"
#include "engine/analysis/rank.h"
#include "engine/base/out.h"
#include "engine/input/formats.h"
#include "engine/model/labels.h"
#include "engine/model/waits.h"
#include "report/table/table.h"

/* The next most frequent event after *last, in order of count and table. */
static const struct event_count *next_event(const struct profile *p,
                                            const struct event_count *last)
{
    const struct event_count *best = NULL;

    for (size_t i = 0; i < p->trace.event_counts.len; i++) {
        const struct event_count *e = &p->trace.event_counts.data[i];
        bool later = !last || e->count < last->count ||
                     (e->count == last->count && e > last);

        if (later && (!best || e->count > best->count))
            best = e;
    }
    return best;
}

void explain_empty(const struct profile *p, const struct selection *sel)
{
    if (sel->samples)
        return;
    if (!p->samples.len && !sel->whole) {
        const struct event_count *e = NULL;
        struct out *out = out_memory();
        const struct trace_format *format;

        out_str(out, profile_file(p));
        out_str(out, ": no CPU samples; it holds ");
        out_count(out, p->trace.events, "event");
        for (int i = 0; i < 4 && (e = next_event(p, e)); i++) {
            out_str(out, i ? ", " : ": ");
            out_grouped(out, e->count);
            out_char(out, ' ');
            out_str(out, strings_get(p->strings, e->name));
        }
        if (p->trace.event_counts.len > 4)
            out_str(out, ", ...");
        say_warning("%s", out_text(out, NULL));
        out_close(out, NULL);
        format = trace_format_named(strings_get(p->strings, p->trace.format));
        if (format && format->how_to_record)
            say_warning("to record samples: %s", format->how_to_record);
    } else if (sel->idle) {
        say_warning("all %llu samples here are of idle processors; "
                    "--include-idle counts them",
                    (unsigned long long)sel->idle);
    } else {
        say_warning("no samples match the filter");
    }
}

enum { NEAREST = 3 };

static void say_stranger(const char *what, const char *word,
                         const struct ranking *there)
{
    const char *nearest[NEAREST], *before = "";
    size_t n = match_nearest(NULL, there, word, nearest, NEAREST);
    struct out *out = out_memory();

    for (size_t i = 0; i < n; i++) {
        if (!*nearest[i] || (i && !strcmp(nearest[i], nearest[i - 1])))
            continue;
        out_str(out, *before ? before : "; did you mean ");
        out_str(out, nearest[i]);
        before = ", ";
    }
    out_str(out, *before ? "?" : "");
    say_warning("no sampled %s is \"%s\"%s", what, word, out_text(out, NULL));
    out_close(out, NULL);
}

static bool is_there(const struct ranking *there, enum rank_by by,
                     const char *word)
{
    for (size_t i = 0; i < there->len; i++) {
        const struct rank_row *row = &there->rows[i];
        uint32_t id = by == RANK_PROCESS ? row->pid : row->tid;

        if (filter_word_is(word, id, row->name))
            return true;
    }
    return false;
}

static void check_words(const struct profile *p, enum rank_by by,
                        const char *what, const char *const *words, size_t n)
{
    const struct filter all = {.include_idle = true};
    struct selection *sel = n ? selection_new(p, &all) : NULL;
    struct ranking *there = n ? ranking_new(p, sel, by, SORT_EXCLUSIVE) : NULL;

    if (n && by == RANK_THREAD) {
        /* A row of a thread without a name is called as its process is. */
        for (size_t i = 0; i < there->len; i++) {
            struct rank_row *row = &there->rows[i];

            row->name = strings_get(p->strings, p->threads.data[row->id].name);
        }
    }
    for (size_t i = 0; i < n; i++)
        if (!is_there(there, by, words[i]))
            say_stranger(what, words[i], there);
    ranking_free(there);
    selection_free(sel);
}

static bool asks_just_my_code(const struct filter *f)
{
    for (size_t i = 0; i < f->groups.len; i++)
        if (!strcmp(f->groups.data[i], "just-my-code"))
            return true;
    return false;
}

void warn_of_strangers(const struct profile *p, const struct filter *f)
{
    if (!p->samples.len)
        return;
    if (f->mine.len && !asks_just_my_code(f))
        say_warning("--mine changes nothing without --group just-my-code");
    check_words(p, RANK_PROCESS, "process", f->processes.data,
                f->processes.len);
    check_words(p, RANK_THREAD, "thread", f->threads.data, f->threads.len);
    if (f->cpus.len && !profile_has_cpus(p))
        say_warning("--cpu: the recording does not tell on which processor a "
                    "sample was taken");
    if (f->has_time && !profile_has_times(p))
        say_warning("--time: the recording does not tell when a sample was "
                    "taken");
}

/* ---- patterns ---- */

/* All functions of stacks, or their modules, sampled or not. */
static struct ranking *list_all(const struct profile *p, bool modules)
{
    struct ranking *all = mem_new(1, sizeof(*all));
    bool *there = functions_there(p);

    all->rows = mem_new(p->functions.len, sizeof(*all->rows));
    for (uint32_t i = 0; i < p->functions.len; i++) {
        struct rank_row *row = &all->rows[all->len];

        if (!there[i])
            continue;
        all->len++;
        row->name =
            modules ? function_module(p, i) : function_label(p, i, &all->arena);
        row->id = i;
    }
    all->total = all->len;
    free(there);
    return all;
}

/* The names of rules are no names of functions. */
static bool has_near_names(const char *option)
{
    return strcmp(option, "group") != 0;
}

static void say_unmet(const struct profile *p, const struct algebra_note *note)
{
    bool module = !strcmp(note->option, "module");
    struct ranking *all;
    char what[40];

    if (!has_near_names(note->option)) {
        say_warning("no sampled function is one of --group \"%s\"", note->text);
        return;
    }
    all = list_all(p, module);
    snprintf(what, sizeof(what), "function of --%s", note->option);
    say_stranger(module ? "module" : what, note->text, all);
    ranking_free(all);
}

void say_part(const char *option, const char *text, size_t functions)
{
    say_warning("--%s: no function is called \"%s\"; it is taken as part of "
                "the name of %zu",
                option, text, functions);
}

void warn_of_patterns(const struct profile *p,
                      const struct algebra_notes *notes)
{
    for (size_t i = 0; i < notes->unmet.len && p->stacks.len > 1; i++)
        say_unmet(p, &notes->unmet.data[i]);
    for (size_t i = 0; i < notes->parts.len; i++)
        say_part(notes->parts.data[i].option, notes->parts.data[i].text,
                 notes->parts.data[i].functions);
    for (size_t i = 0; i < notes->slow.len; i++)
        say_warning("warning: --%s %s takes too long on some names, which "
                    "count as not matching",
                    notes->slow.data[i].option, notes->slow.data[i].text);
}

void out_shell_word(struct out *out, const char *text)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "0123456789_-./+,:@%";

    if (*text && !text[strspn(text, safe)]) {
        out_str(out, text);
        return;
    }
    out_char(out, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            out_str(out, "'\\'");
        out_char(out, *text);
    }
    out_char(out, '\'');
}

enum { COMMAND_PARTS = 3, CONTINUED = 7 /* columns before a blank */ };

/* "topfn WORDS NAME FILE AFTER" on a line, ready to be pasted. A command that
 * is wider than the screen is continued behind a backslash. */
static void say_command(bool first, const char *words, const char *name,
                        const char *file, const char *after)
{
    struct out *parts[COMMAND_PARTS], *line = out_memory();

    for (size_t i = 0; i < COMMAND_PARTS; i++)
        parts[i] = out_memory();
    out_str(parts[0], words);
    if (name)
        out_shell_word(parts[0], name);
    out_shell_word(parts[1], file);
    out_str(parts[2], after);
    out_str(line, first ? "next: topfn" : "      topfn");
    for (size_t i = 0; i < COMMAND_PARTS; i++) {
        const char *part = out_text(parts[i], NULL);
        const size_t room = strlen(" \\");

        if (*part && say_columns() &&
            out_columns(out_text(line, NULL)) + 1 + out_columns(part) + room >
                say_columns()) {
            say_hint("%s \\", out_text(line, NULL));
            out_close(line, NULL);
            line = out_memory();
            out_repeat(line, ' ',
                       CONTINUED + 1 + out_columns(part) > say_columns()
                           ? 1
                           : CONTINUED);
        }
        if (*part) {
            out_char(line, ' ');
            out_str(line, part);
        }
    }
    say_hint("%s", out_text(line, NULL));
    for (size_t i = 0; i < COMMAND_PARTS; i++)
        out_close(parts[i], NULL);
    out_close(line, NULL);
}

static bool is_worth_a_look(const struct profile *p, uint32_t function,
                            struct arena *arena)
{
    return p->functions.data[function].cause == CAUSE_NONE &&
           (!measures_wall_clock(p) ||
            !only_waits(function_name(p, function, arena)));
}

/* The function with most samples of its own, of those that have a name and do
 * more than wait; NULL: none. Names are asked for only of what would lead. */
static const char *busiest(const struct profile *p, const struct selection *sel,
                           struct arena *arena)
{
    uint64_t *counts = mem_new(p->functions.len, sizeof(*counts));
    uint32_t best = NO_ID;
    uint64_t most = 0;

    for (size_t i = 0; i < p->locations.len; i++)
        counts[profile_innermost(p, i)] += sel->location_counts[i];
    for (uint32_t i = 0; i < p->functions.len; i++) {
        if (counts[i] > most && is_worth_a_look(p, i, arena)) {
            most = counts[i];
            best = i;
        }
    }
    free(counts);
    return best == NO_ID ? NULL : function_label(p, best, arena);
}

/* True if code without names is of a file that a server can be asked for: not
 * the kernel's, which kallsyms names, and with an identity. */
static bool servers_may_help(const struct profile *p,
                             const struct selection *sel)
{
    for (size_t i = 0; i < p->locations.len; i++) {
        const struct location *l = &p->locations.data[i];
        const struct module *m =
            l->module == NO_ID ? NULL : &p->modules.data[l->module];

        if (sel->location_counts[i] && l->cause == CAUSE_NO_SYMBOLS && m &&
            *strings_get(p->strings, m->name) != '[' &&
            (m->identity.image_size || m->identity.build_id_size))
            return true;
    }
    return false;
}

void hint_next(const struct profile *p, const struct selection *sel,
               const char *file, bool online)
{
    bool nameless = sel->by_cause[CAUSE_NO_SYMBOLS] && !online &&
                    servers_may_help(p, sel);
    struct arena arena = {0};
    struct ranking *processes;
    struct out *chosen;
    const char *hot;

    if (!sel->samples || !say_is_watched())
        return;
    processes = ranking_new(p, sel, RANK_PROCESS, SORT_EXCLUSIVE);
    chosen = out_memory();
    hot = busiest(p, sel, &arena);
    if (processes->len > 1) {
        out_str(chosen, "--process ");
        out_shell_word(chosen, processes->rows[0].name);
    }
    if (nameless)
        say_command(true, "", NULL, file, "--online");
    if (hot)
        say_command(!nameless, "callers ", hot, file, "");
    say_command(!nameless && !hot, "tree", NULL, file, out_text(chosen, NULL));
    out_close(chosen, NULL);
    ranking_free(processes);
    arena_release(&arena);
}
