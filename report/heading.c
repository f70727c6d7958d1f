#include "report/heading.h"

static void print_share(uint64_t part, uint64_t whole, struct out *out)
{
    out_str(out, " (");
    out_percent(out, part, whole, 1);
    out_str(out, " %)");
}

void heading_function(const struct profile *p, const struct selection *sel,
                      const struct rank_row *f, enum format format,
                      struct out *out)
{
    struct out *line = out_memory();

    out_plain(line, f->name);
    out_str(line, " · ");
    out_plain(line, f->module);
    out_str(line, " · ");
    header_count(p, f->exclusive, line);
    print_share(f->exclusive, sel->samples, line);
    out_str(line, ", with what it calls ");
    out_grouped(line, f->inclusive);
    print_share(f->inclusive, sel->samples, line);
    out_char(line, '\n');
    header_lines(out_text(line, NULL), format, "## ", out);
    out_close(line, NULL);
}

void heading_json(const struct selection *sel, const struct rank_row *f,
                  struct out *out)
{
    out_str(out, "\"name\":");
    out_json(out, f->name);
    out_str(out, ",\"module\":");
    out_json(out, f->module);
    out_fmt(out, ",\"kind\":\"%s\",\"exclusive\":",
            code_kind_name((enum code_kind)f->kind));
    out_u64(out, f->exclusive);
    out_str(out, ",\"exclusive_percent\":");
    out_percent(out, f->exclusive, sel->samples, 2);
    out_str(out, ",\"inclusive\":");
    out_u64(out, f->inclusive);
    out_str(out, ",\"inclusive_percent\":");
    out_percent(out, f->inclusive, sel->samples, 2);
}

void heading_rest(size_t shown, size_t total, enum format format,
                  struct out *out)
{
    struct out *line;

    if (shown == total || (format != FORMAT_TEXT && format != FORMAT_MARKDOWN))
        return;
    out_char(out, '\n');
    line = out_memory();
    out_grouped(line, total - shown);
    out_str(line, total - shown == 1 ? " more function matches"
                                     : " more functions match");
    out_str(line, "; -n 0 shows all\n");
    header_lines(out_text(line, NULL), format, "", out);
    out_close(line, NULL);
}
