#include <string.h>

#include "engine/base/json.h"
#include "engine/base/keysort.h"
#include "engine/diff/diff.h"
#include "engine/model/profile.h"
#include "report/diff/diff.h"
#include "report/header/header.h"
#include "report/page/page.h"
#include "report/profile/annotate.h"
#include "report/profile/list.h"
#include "report/report.h"

/*
 * page - one HTML file that shows a profile, or a diff, and asks for nothing.
 *
 *     <script type="application/json" id="data-about">  topfn.page/1
 *     <script type="text/plain" id="data-names">    page.h, as base64
 *     <script type="text/plain" id="data-tree">
 *     <script type="text/plain" id="data-samples">  not of a diff
 *     <script type="text/plain" id="data-source">   --with-source
 *
 * Its policy allows the script and the style that are in it, by their hashes,
 * and nothing else: no request, no other script, no frame. Names are data
 * alone, without the characters that end a script.
 */

enum { LINE_MOST = 400 };

struct side {
    struct list list; /* of all functions */
    struct subject subject;
    struct report_options options;
    const uint32_t *unit_of; /* by function; NULL: it is its own */
};

struct writing {
    struct side sides[2];
    size_t count;
    struct map page_of; /* unit -> function of the page */
    struct json json;
};

static struct map page_functions(const struct page_tree *t)
{
    struct map page_of = {0};

    /* The last is "[other]". */
    for (uint32_t i = 0; i + 1 < t->functions.len; i++)
        map_add(&page_of, t->functions.data[i].id, 0, i);
    return page_of;
}

/* Without the end of a line that is too long; null where there is none. */
static void json_cut(struct json *json, const char *text)
{
    size_t n = text ? strlen(text) : 0;
    struct out *out;

    if (n <= LINE_MOST) {
        json_text(json, NULL, text);
        return;
    }
    for (n = LINE_MOST; n && (text[n] & 0xC0) == 0x80;)
        n--;
    out = out_memory();
    out_bytes(out, text, n);
    out_str(out, "\xE2\x80\xA6");
    json_text(json, NULL, out_text(out, NULL));
    out_close(out, NULL);
}

static void json_count(struct json *json, bool is_counted, uint64_t count)
{
    if (is_counted)
        json_u64(json, NULL, count);
    else
        json_null(json, NULL);
}

/* ---- source ---- */

/* ---- instructions ---- */

static void write_instruction(struct writing *w,
                              const struct annotated_part *part,
                              const struct annotated_instruction *at)
{
    const struct annotated_frame *frame =
        at->frame_count ? &part->frames.data[at->frame] : NULL;
    struct json *json = &w->json;

    json_array(json, NULL);
    json_u64(json, NULL, at->address);
    json_u64(json, NULL, at->samples);
    json_u64(json, NULL, frame ? frame->line : 0);
    json_text(json, NULL, frame ? frame->file : NULL);
    json_cut(json, at->text);
    json_end(json);
}

static void write_part(struct writing *w, const struct annotated_part *part)
{
    struct json *json = &w->json;

    json_object(json, NULL);
    json_text(json, "module", part->module);
    json_text(json, "name", part->name);
    json_array(json, "lines");
    for (size_t i = 0; i < part->instructions.len; i++)
        write_instruction(w, part, &part->instructions.data[i]);
    json_end(json);
    json_end(json);
}

/* ---- all ---- */

static bool has_lines(const struct list *l, size_t function)
{
    for (size_t k = l->section_of[function]; k < l->section_of[function + 1];
         k++)
        if (*l->sections.data[k].file)
            return true;
    return false;
}

static bool has_code(const struct annotated *a)
{
    for (size_t i = 0; i < a->parts.len; i++)
        if (a->parts.data[i].instructions.len)
            return true;
    return false;
}

static bool write_function(struct writing *w, size_t which, size_t function)
{
    const struct side *side = &w->sides[which];
    const struct annotated *a = &side->subject.annotated[function];
    uint32_t id = side->subject.functions[function].id, on_page;

    on_page = map_get(&w->page_of, side->unit_of ? side->unit_of[id] : id, 0);
    if (on_page == MAP_NONE ||
        !(has_lines(&side->list, function) || has_code(a)))
        return false;
    json_object(&w->json, NULL);
    json_u64(&w->json, "function", on_page);
    json_u64(&w->json, "side", which);
    json_array(&w->json, "files");
    for (size_t k = side->list.section_of[function];
         k < side->list.section_of[function + 1]; k++)
        if (*side->list.sections.data[k].file) {
            struct json *json = &w->json;

            json_object(json, NULL);
            json_text(json, "file", side->list.sections.data[k].file);
            json_maybe(json, "found",
                       side->list.sections.data[k].source
                           ? textfile_path(side->list.sections.data[k].source)
                           : "");
            json_bool(json, "too_short", side->list.sections.data[k].is_beyond);
            json_array(json, "lines");
            for (size_t i = side->list.sections.data[k].first;
                 i < side->list.sections.data[k].end; i++) {
                const struct list_row *row = &side->list.rows.data[i];

                json_array(json, NULL);
                json_u64(json, NULL, row->line);
                json_count(json, row->is_counted, row->count.exclusive);
                json_count(json, row->is_counted, row->count.inclusive);
                json_cut(json, row->text);
                json_end(json);
            }
            json_end(json);
            json_end(json);
        }
    json_end(&w->json);
    json_array(&w->json, "code");
    for (size_t i = 0; i < a->parts.len; i++)
        if (a->parts.data[i].instructions.len)
            write_part(w, &a->parts.data[i]);
    json_end(&w->json);
    json_end(&w->json);
    return true;
}

/* Writes the first `most` functions of each side; returns how many of them
 * have source. */
static size_t write(struct writing *w, struct page_bytes *to, size_t most)
{
    struct out *out = out_memory();
    size_t n = 0, size;
    const char *text;

    w->json = json_to(out);
    json_array(&w->json, NULL);
    for (size_t k = 0; k < w->count; k++)
        for (size_t i = 0; i < w->sides[k].subject.function_count && i < most;
             i++)
            n += write_function(w, k, i);
    json_end(&w->json);
    text = out_text(out, &size);
    page_bytes_release(to);
    page_bytes_text(to, text, size);
    page_bytes_pack(to);
    out_close(out, NULL);
    return n;
}

static void begin_side(struct side *side, const struct subject *s,
                       const uint32_t *unit_of)
{
    side->options = *s->options;
    side->options.rows = 0;
    side->options.format = FORMAT_JSON;
    side->subject = *s;
    side->subject.options = &side->options;
    side->unit_of = unit_of;
    side->list.subject = &side->subject;
    list_collect(&side->list);
}

/* Call it after the tree is made. With two sides, `unit_of` has the units of
 * the functions of each (diff/pair.h); with one side, it is NULL. */
static void page_source(struct page_data *d, const struct subject *sides,
                        size_t count, const uint32_t *const unit_of[])
{
    struct writing w = {.count = count, .page_of = page_functions(&d->tree)};
    size_t most = 0;

    for (size_t k = 0; k < count; k++) {
        begin_side(&w.sides[k], &sides[k], unit_of ? unit_of[k] : NULL);
        if (sides[k].function_count > most)
            most = sides[k].function_count;
    }
    d->sources = write(&w, &d->source, most);
    while (page_bytes_text_size(&d->source) > PAGE_SOURCE_MOST && most) {
        most /= 2;
        d->sources = write(&w, &d->source, most);
        d->sources_cut = true;
    }
    for (size_t k = 0; k < count; k++)
        list_release(&w.sides[k].list);
    map_release(&w.page_of);
}

static void html(struct out *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            out_str(out, "&lt;");
        else if (*text == '&')
            out_str(out, "&amp;");
        else
            out_char(out, *text);
    }
}

/* JSON has "<" in texts only. */
static void json_in_html(struct out *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            out_str(out, "\\u003c");
        else
            out_char(out, *text);
    }
}

static void begin(struct out *out, const char *title)
{
    out_str(out, "<!doctype html>\n<html lang=\"en\">\n<head>\n"
                 "<meta charset=\"utf-8\">\n"
                 "<meta http-equiv=\"Content-Security-Policy\" "
                 "content=\"default-src 'none'; script-src '");
    out_str(out, page_script_hash);
    out_str(out, "'; style-src '");
    out_str(out, page_style_hash);
    out_str(out, "'; base-uri 'none'; form-action 'none'\">\n"
                 "<meta name=\"viewport\" "
                 "content=\"width=device-width, initial-scale=1\">\n"
                 "<meta name=\"color-scheme\" content=\"light dark\">\n"
                 "<title>");
    html(out, title);
    out_str(out, "</title>\n<style>");
    out_bytes(out, page_style, page_style_size);
    out_str(out, "</style>\n</head>\n");
    out_bytes(out, page_body, page_body_size);
}

enum { ROWS_WITHOUT_SCRIPT = 30 };

static void cell(struct out *out, const char *text)
{
    out_str(out, "<td>");
    html(out, text);
}

/* A table for a browser that runs no scripts: functions of the first side, or
 * of the only one, with most exclusive samples. */
static void without_script(struct out *out, const struct page_data *d)
{
    const struct page_tree *t = &d->tree;
    size_t n = t->functions.len;
    struct keyed *own = mem_new(n, sizeof(*own));
    uint64_t all = 0;

    for (size_t i = 0; i < n; i++)
        own[i].value = (uint32_t)i;
    for (size_t i = 0; i < t->nodes.len; i++) {
        const struct page_node *node = &t->nodes.data[i];

        if (i)
            own[node->function].key += node->count[0];
        all += node->count[0];
    }
    keysort(own, n);
    out_str(out, "<noscript><p>This browser runs no scripts, so the page shows "
                 "only its functions with most samples. It asks for nothing "
                 "from anywhere.</p>\n<table><tr><th>exclusive<th>inclusive"
                 "<th>module<th>function\n");
    for (size_t i = n; i-- > 0 && n - i <= ROWS_WITHOUT_SCRIPT && own[i].key;) {
        const struct page_function *f = &t->functions.data[own[i].value];

        out_str(out, "<tr><td class=\"number\">");
        out_percent(out, own[i].key, all, 1);
        out_str(out, " %<td class=\"number\">");
        out_percent(out, f->inclusive[0], all, 1);
        out_str(out, " %");
        cell(out, f->module);
        cell(out, f->label);
        out_char(out, '\n');
    }
    out_str(out, "</table></noscript>\n");
    free(own);
}

static void block(struct out *out, const char *id,
                  const struct page_bytes *bytes)
{
    out_fmt(out, "<script type=\"text/plain\" id=\"%s\">", id);
    page_bytes_base64(bytes, out);
    out_str(out, "</script>\n");
}

static void end(struct out *out, const struct page_data *d, struct out *about)
{
    out_str(out, "<script type=\"application/json\" id=\"data-about\">");
    json_in_html(out, out_text(about, NULL));
    out_str(out, "</script>\n");
    without_script(out, d);
    block(out, "data-names", &d->names);
    block(out, "data-tree", &d->nodes);
    if (d->samples.bytes.len)
        block(out, "data-samples", &d->samples);
    if (d->source.bytes.len)
        block(out, "data-source", &d->source);
    out_str(out, "<script type=\"module\">");
    out_bytes(out, page_script, page_script_size);
    out_str(out, "</script>\n</body>\n</html>\n");
    out_close(about, NULL);
}

static void json_plain(struct json *json, const char *key, struct out *text)
{
    json_text(json, key, out_text(text, NULL));
    out_close(text, NULL);
}

/* The lines that every report begins with. */
static void json_trust(const struct subject *s, const struct selection *running,
                       struct json *json)
{
    struct report_options wide = *s->options;
    struct subject subject = *s;
    struct out *text = out_memory(), *more = out_memory();

    wide.width = 0;
    wide.format = FORMAT_TEXT;
    subject.options = &wide;
    subject.sel = running ? running : s->sel;
    overview(&subject, more);
    header_text(&subject, out_text(more, NULL), text);
    json_plain(json, "trust", text);
    out_close(more, NULL);
}

/* The selection without waiting threads, as `top` has it; NULL if no thread
 * waits, or all do. The caller frees it. */
static struct selection *running_samples(const struct subject *s)
{
    struct filter filter = s->sel->filter;
    struct selection *running;

    filter.waits = WAITS_LEFT_OUT;
    running = selection_new(s->p, &filter);
    if (running->samples && running->waiting)
        return running;
    selection_free(running);
    return NULL;
}

static void json_size(const struct page_data *d, struct json *json)
{
    json_line(json, 1);
    json_object(json, "data");
    json_u64(json, "functions", d->tree.functions.len);
    json_u64(json, "nodes", d->tree.nodes.len);
    json_u64(json, "rows", d->rows);
    json_bool(json, "processors", d->has_cpus);
    json_i64(json, "step_ns", d->step);
    json_i64(json, "begin_ns", d->begin);
    json_i64(json, "end_ns", d->end);
    json_bool(json, "waits", d->stacks.has_running);
    json_u64(json, "nodes_left_out", d->tree.left_out);
    json_u64(json, "samples_left_out", d->tree.left_out_samples);
    json_u64(json, "samples", d->sample_count);
    json_u64(json, "megabytes", d->megabytes);
    if (d->wants_source) {
        json_u64(json, "sources", d->sources);
        json_bool(json, "sources_cut", d->sources_cut);
        json_bool(json, "sources_of_first_run", d->sources_of_first);
    }
    json_end(json);
}

static void json_title(struct json *json, const char *title)
{
    json_line(json, 1);
    json_text(json, "title", title);
}

/* The unit of the page's numbers. */
static void json_unit(const struct profile *p, struct json *json)
{
    json_text(json, "unit", profile_unit_text(p, 0));
    json_u64(json, "decimals", p->trace.metric.decimals);
    json_u64(json, "unit_ns", unit_nanoseconds(profile_unit(p)));
}

static void write_page(const struct subject *s, struct out *out)
{
    struct selection *running = running_samples(s);
    struct page_side side = {.p = s->p, .sel = s->sel, .running = running};
    struct out *title = out_memory(), *about = out_memory();
    struct json json = report_json("page", about);
    struct page_data d = {.wants_source = s->options->with_source,
                          .megabytes = s->options->page_size};

    page_data_make(&d, &side, 1);
    if (d.wants_source)
        page_source(&d, s, 1, NULL);
    out_plain(title, profile_file(s->p));
    begin(out, out_text(title, NULL));
    json_title(&json, out_text(title, NULL));
    json_unit(s->p, &json);
    json_text(&json, "sort",
              s->options->sort == SORT_INCLUSIVE ? "total" : "self");
    json_trust(s, running, &json);
    header_json(s->p, s->sel, &json);
    json_size(&d, &json);
    report_json_end(&json);
    end(out, &d, about);
    out_close(title, NULL);
    page_data_release(&d);
    selection_free(running);
}

/* ---- two sides ---- */

/* The lines above the rows of a diff, and its rows as topfn.diff/1. */
static void json_diff(const struct subject *s, struct json *json)
{
    struct report_options all = *s->options;
    struct subject subject = *s;
    struct out *text = out_memory();
    const char *at;

    all.rows = 0;
    all.all = true;
    all.width = 0;
    all.format = FORMAT_JSON;
    subject.options = &all;
    diff_json(&subject, text);
    at = out_text(text, NULL);
    json_text(json, "diff", at);
    out_close(text, NULL);
}

/* The lines above the rows of `topfn diff`. */
static void json_heading(const struct subject *s, struct json *json)
{
    struct report_options wide = *s->options;
    struct out *text = out_memory();

    wide.width = 0;
    wide.format = FORMAT_TEXT;
    diff_print_head(s->diff, &wide, text);
    json_plain(json, "trust", text);
}

static bool is_side(const struct diff_input *input, const struct subject *side)
{
    return input->p == side->p && input->sel == side->sel;
}

static void write_diff_page(const struct subject *s, struct out *out)
{
    struct page_side *sides = mem_new(s->input_count, sizeof(*sides));
    struct out *about = out_memory();
    struct json json = report_json("page", about);
    struct page_data d = {.wants_source = s->sides != NULL,
                          .megabytes = s->options->page_size};

    for (size_t i = 0; i < s->input_count; i++)
        sides[i] = (struct page_side){.p = s->inputs[i].p,
                                      .sel = s->inputs[i].sel,
                                      .after = s->inputs[i].after,
                                      .pairs = s->diff->pairs,
                                      .unit_of = s->diff->pairs->unit_of[i]};
    page_data_make(&d, sides, s->input_count);
    if (d.wants_source) {
        const uint32_t *unit_of[2] = {NULL, NULL};
        size_t runs[2] = {0, 0};

        for (size_t i = 0; i < s->input_count; i++) {
            bool after = s->inputs[i].after;

            runs[after]++;
            if (is_side(&s->inputs[i], &s->sides[after]))
                unit_of[after] = s->diff->pairs->unit_of[i];
        }
        d.sources_of_first = runs[0] > 1 || runs[1] > 1;
        page_source(&d, s->sides, 2, unit_of);
    }
    begin(out, "What changed");
    json_title(&json, "What changed");
    json_unit(s->inputs[0].p, &json);
    json_heading(s, &json);
    json_diff(s, &json);
    json_size(&d, &json);
    report_json_end(&json);
    end(out, &d, about);
    page_data_release(&d);
    free(sides);
}

static const struct report page_diff_report = {
    .for_file = true,
    .name = "page --diff",
    .about = ABOUT_CHANGES,
    .write = {[FORMAT_TEXT] = write_diff_page},
};

const struct report page_report = {
    .for_file = true,
    .name = "page",
    .help = "one HTML file: timeline, flame graph, tables",
    .takes = TAKES_FOLDED | TAKES_SIDES | TAKES_SOURCES | TAKES_PAGE,
    .needs_times = true,
    .two_sides = &page_diff_report,
    .write = {[FORMAT_TEXT] = write_page},
};
