#include "report/page/page_source.h"

#include <string.h>

#include "engine/base/json.h"
#include "engine/base/map.h"
#include "report/profile/annotate.h"
#include "report/profile/list_rows.h"

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

static void write_section(struct writing *w, const struct list *l,
                          const struct list_section *s)
{
    struct json *json = &w->json;

    json_object(json, NULL);
    json_text(json, "file", s->file);
    json_maybe(json, "found", s->source ? textfile_path(s->source) : "");
    json_bool(json, "too_short", s->is_beyond);
    json_array(json, "lines");
    for (size_t i = s->first; i < s->end; i++) {
        const struct list_row *row = &l->rows.data[i];

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

static void write_files(struct writing *w, const struct list *l,
                        size_t function)
{
    json_array(&w->json, "files");
    for (size_t k = l->section_of[function]; k < l->section_of[function + 1];
         k++)
        if (*l->sections.data[k].file)
            write_section(w, l, &l->sections.data[k]);
    json_end(&w->json);
}

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

static void write_code(struct writing *w, const struct annotated *a)
{
    json_array(&w->json, "code");
    for (size_t i = 0; i < a->parts.len; i++)
        if (a->parts.data[i].instructions.len)
            write_part(w, &a->parts.data[i]);
    json_end(&w->json);
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
    uint32_t id = side->subject.functions[function]->id, on_page;

    on_page = map_get(&w->page_of, side->unit_of ? side->unit_of[id] : id, 0);
    if (on_page == MAP_NONE ||
        !(has_lines(&side->list, function) || has_code(a)))
        return false;
    json_object(&w->json, NULL);
    json_u64(&w->json, "function", on_page);
    json_u64(&w->json, "side", which);
    write_files(w, &side->list, function);
    write_code(w, a);
    json_end(&w->json);
    return true;
}

/* Of the first `most` functions of each side; how many have any. */
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

void page_source(struct page_data *d, const struct subject *sides, size_t count,
                 const uint32_t *const unit_of[])
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
