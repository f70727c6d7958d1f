#include "report/header/heading.h"
#include "report/table/weight.h"

static void print_share(uint64_t part, uint64_t whole, struct out *out)
{
    out_str(out, " (");
    out_percent(out, part, whole, 1);
    out_str(out, " %)");
}

void heading_function(const struct subject *s, const struct rank_row *f,
                      struct out *out)
{
    struct out *line = out_memory();

    out_plain(line, f->label);
    out_str(line, " · ");
    out_plain(line, f->module);
    out_str(line, " · ");
    header_count(s->p, f->exclusive, line);
    print_share(f->exclusive, s->sel->samples, line);
    out_str(line, ", with what it calls ");
    out_weight(line, s->p, f->inclusive);
    print_share(f->inclusive, s->sel->samples, line);
    out_char(line, '\n');
    header_lines(out_text(line, NULL), s->options, "## ", out);
    out_close(line, NULL);
}

void heading_json(const struct subject *s, const struct rank_row *f,
                  struct json *json)
{
    json_line(json, 1);
    json_object(json, NULL);
    json_text(json, "name", f->name);
    json_text(json, "label", f->label);
    json_text(json, "module", f->module);
    json_text(json, "kind", code_kind_name((enum code_kind)f->kind));
    json_weight(json, "exclusive", s->p, f->exclusive);
    json_percent(json, "exclusive_percent", f->exclusive, s->sel->samples);
    json_weight(json, "inclusive", s->p, f->inclusive);
    json_percent(json, "inclusive_percent", f->inclusive, s->sel->samples);
}

void heading_rest(const struct subject *s, struct out *out)
{
    size_t more = s->function_count - subject_functions_shown(s);
    struct out *line;

    if (!more)
        return;
    out_char(out, '\n');
    line = out_memory();
    out_grouped(line, more);
    out_str(line,
            more == 1 ? " more function matches" : " more functions match");
    out_str(line, "; -n 0 shows all\n");
    header_lines(out_text(line, NULL), s->options, "", out);
    out_close(line, NULL);
}
