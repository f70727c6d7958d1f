#include <string.h>

#include "engine/base/text.h"
#include "report/table/table.h"

static void set_scale(struct value *v, const struct profile *p)
{
    v->whole = unit_nanoseconds(profile_unit(p));
    v->scale = v->whole                  ? SCALE_TIME
               : profile_counts_bytes(p) ? SCALE_BYTES
                                         : SCALE_NONE;
}

struct value value_weight(const struct profile *p, uint64_t weight)
{
    struct value v = {.type = VALUE_COUNT,
                      .number = weight,
                      .decimals = p->trace.metric.decimals};

    set_scale(&v, p);
    return v;
}

struct value value_amount(const struct profile *p, double amount, bool sign)
{
    struct value v = value_real(amount, 2, sign);

    set_scale(&v, p);
    return v;
}

struct value value_diff(const struct diff *d, double value, bool sign)
{
    if (d->options.normalize == DIFF_SAMPLES ||
        d->options.normalize == DIFF_NONE)
        return value_amount(d->inputs[0].p, value, sign);
    return value_real(value, 2, sign);
}

void out_diff(struct out *out, const struct diff *d, double value, bool sign,
              bool unit)
{
    struct value v = value_diff(d, value, sign);

    value_print(out, &v, 0);
    if (unit && v.scale == SCALE_NONE) {
        const char *name = diff_unit_name(d, d->options.normalize);

        out_char(out, ' ');
        out_plain(out, sign && !strcmp(name, "%") ? "points" : name);
    }
}

void out_weight(struct out *out, const struct profile *p, uint64_t weight)
{
    struct value v = value_weight(p, weight);

    value_print(out, &v, 0);
}

const char *weight_title(const struct profile *p)
{
    return profile_counts_time(p) ? "time" : profile_unit_text(p, 0);
}

void out_weight_unit(struct out *out, const struct profile *p, uint64_t weight)
{
    struct value v = value_weight(p, weight);

    value_print(out, &v, 0);
    if (v.scale == SCALE_NONE) {
        out_char(out, ' ');
        out_plain(out, profile_unit_text(p, weight));
    }
}

void json_weight(struct json *json, const char *key, const struct profile *p,
                 uint64_t weight)
{
    json_decimal(json, key, weight, p->trace.metric.decimals);
}

char *whole_unit(const struct profile *p)
{
    const char *unit = profile_unit(p);
    struct out *out = out_memory();
    char *copy;
    size_t n;

    if (p->trace.metric.decimals && profile_counts_time(p)) {
        out_str(out, "nanoseconds");
    } else {
        if (p->trace.metric.decimals) {
            out_decimal(out, 1, p->trace.metric.decimals, false);
            out_char(out, ' ');
        }
        out_str(out, unit);
    }
    out_text(out, &n);
    copy = text_copy(out_text(out, NULL), n);
    out_close(out, NULL);
    return copy;
}

uint64_t whole_weight(const struct profile *p, uint64_t weight)
{
    return p->trace.metric.decimals && profile_counts_time(p)
               ? profile_nanoseconds(p, weight)
               : weight;
}
