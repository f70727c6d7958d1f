#include <string.h>

#include "report/header/header.h"
#include "report/profile/info.h"
#include "report/table/weight.h"

/*
 * info - what is in this file and how good it is.
 *
 * Everything is a fact (section, name, value): CSV and Markdown list them,
 * text shows each section as a small table. JSON (info_json.c) has the same
 * facts as objects.
 */

/* Rows are the facts of one section, or all of them. */
static struct value section(const void *rows, size_t row)
{
    return value_text(((const struct fact *)rows)[row].section);
}

static struct value name(const void *rows, size_t row)
{
    return value_text(((const struct fact *)rows)[row].name);
}

static struct value fact_value(const void *rows, size_t row)
{
    return ((const struct fact *)rows)[row].value;
}

static void print_all(const struct subject *s, const struct info *info,
                      struct out *out)
{
    static const struct column columns[] = {
        {"section", "section", false, section},
        {"name", "name", true, name},
        {"value", "value", false, fact_value},
    };
    struct table table = {.columns = columns,
                          .column_count = 3,
                          .rows = info->facts.data,
                          .row_count = info->facts.len};

    if (s->options->format == FORMAT_MARKDOWN)
        header_text(s, NULL, out);
    table_write(&table, s->options->format, 0, out);
}

enum { LIST_SHOWN = 20 };

/* Lists may be long; what the trace and its quality are is not. */
static bool is_list(const char *section)
{
    return !strcmp(section, "processes") || !strcmp(section, "events") ||
           !strcmp(section, "container");
}

/* How many facts of a long list are shown: processes without samples follow
 * those that have some, and tell nothing beside them. */
static size_t shown_of_list(const struct fact *facts)
{
    size_t n = LIST_SHOWN;

    while (n && facts[n - 1].value.type == VALUE_COUNT &&
           !facts[n - 1].value.number)
        n--;
    return n ? n : LIST_SHOWN;
}

static void print_section(const struct fact *facts, size_t count,
                          const struct subject *s, struct out *out)
{
    const struct report_options *o = s->options;
    bool list = is_list(facts->section);
    bool cut = list && !o->all && count > LIST_SHOWN;
    size_t shown = cut ? shown_of_list(facts) : count;
    struct column columns[] = {
        {NULL, facts->section, list, name},
        {NULL, "value", false, fact_value},
    };
    struct table table = {.columns = columns,
                          .column_count = 2,
                          .rows = facts,
                          .row_count = shown};

    if (!strcmp(facts->section, "processes"))
        columns[1].header = profile_unit_text(s->p, 0);
    if (!strcmp(facts->section, "events"))
        columns[1].header = "count";
    table_write(&table, FORMAT_TEXT, o->width, out);
    if (cut) {
        out_grouped(out, count - shown);
        out_str(out, " more; --all shows them\n");
    }
}

static void print_number(struct out *out, const char *before, uint64_t n,
                         const char *what)
{
    out_str(out, before);
    out_grouped(out, n);
    out_fmt(out, " %s%s", what, n == 1 ? "" : "s");
}

/* What was left out of what was read. */
static void print_damage(const struct quality *q, struct out *out)
{
    const struct {
        uint64_t n;
        const char *what;
    } damage[] = {
        {q->lost_events, "lost event"},
        {q->lost_buffers, "lost buffer"},
        {q->skipped_ranges, "skipped range"},
        {q->malformed, "malformed record"},
        {q->cut_stacks, "cut stack"},
        {q->warnings.len, "warning"},
    };
    const char *before = " · ";

    for (size_t i = 0; i < sizeof(damage) / sizeof(*damage); i++) {
        if (!damage[i].n)
            continue;
        print_number(out, before, damage[i].n, damage[i].what);
        before = ", ";
    }
    out_str(out, *before == ',' ? "\n" : " · read whole\n");
}

/* The end of what may be several screens. */
static void print_summary(const struct subject *s, const struct info *info,
                          struct out *out)
{
    const struct profile *p = s->p;
    struct out *line = out_memory();

    out_str(line, "in short: ");
    print_number(line, "", p->trace.events, "event");
    print_number(line, ", ", s->sel->samples, "sample");
    print_number(line, " of ", info->thread_count, "thread");
    out_str(line, " in ");
    out_grouped(line, info->process_count);
    out_str(line, info->process_count == 1 ? " process" : " processes");
    print_damage(&p->quality, line);
    out_char(out, '\n');
    header_lines(out_text(line, NULL), s->options, "", out);
    out_close(line, NULL);
}

static void print_sections(const struct subject *s, const struct info *info,
                           struct out *out)
{
    const struct fact *facts = info->facts.data;
    size_t start = 0;

    header_text(s, NULL, out);
    for (size_t i = 0; i < info->facts.len; i++) {
        if (i + 1 < info->facts.len &&
            facts[i + 1].section == facts[start].section)
            continue;
        if (start)
            out_char(out, '\n');
        print_section(facts + start, i + 1 - start, s, out);
        start = i + 1;
    }
    print_summary(s, info, out);
}
static void write_json(const struct subject *s, struct out *out)
{
    struct info info = info_gather(s);

    info_json(&info, out);
    info_release(&info);
}

static void write_text(const struct subject *s, struct out *out)
{
    struct info info = info_gather(s);

    info_add_facts(&info);
    print_sections(s, &info, out);
    info_release(&info);
}

static void write_facts(const struct subject *s, struct out *out)
{
    struct info info = info_gather(s);

    info_add_facts(&info);
    print_all(s, &info, out);
    info_release(&info);
}

const struct report info_report = {
    .name = "info",
    .help = "what is in a file and how good it is",
    .takes = TAKES_CONTENTS,
    .lists_contents = true,
    .write = {[FORMAT_TEXT] = write_text,
              [FORMAT_JSON] = write_json,
              [FORMAT_CSV] = write_facts,
              [FORMAT_MARKDOWN] = write_facts},
};
