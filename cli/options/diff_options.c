#include "cli/options/diff_options.h"

#include <string.h>

#include "cli/options/values.h"

void diff_settings_release(struct diff_settings *s)
{
    vec_release(&s->marks);
    vec_release(&s->renames);
    gate_rules_release(&s->rules);
    arena_release(&s->arena);
}

bool diff_has(const struct diff_settings *s, enum diff_part part)
{
    for (size_t i = 0; i < s->marks.len; i++)
        if (s->marks.data[i].part == part)
            return true;
    return false;
}

static bool percent(const char *value, double *number)
{
    uint32_t hundredths;

    if (!parse_percent(value, &hundredths))
        return false;
    *number = hundredths / 100.0;
    return true;
}

bool diff_set_relevant(struct diff_settings *s, const char *value)
{
    return s->has_relevant = percent(value, &s->options.relevant);
}

/* Split at the first '=' that is not part of an operator's name. */
bool diff_set_rename(struct diff_settings *s, const char *value)
{
    const char *at = value;

    while ((at = strchr(at, '='))) {
        size_t n = (size_t)(at - value);

        if (n && at[1] && at[1] != '=' && !strchr("=!<>", at[-1]) &&
            !(n >= 8 && !strncmp(at - 8, "operator", 8)))
            break;
        at++;
    }
    if (!at)
        return false;
    *vec_add(&s->renames) = (struct diff_rename){
        arena_strndup(&s->arena, value, (size_t)(at - value)), at + 1};
    return true;
}

/* "5%", or "GLOB=5%": operators have a '=' in their names. */
bool diff_set_max_regression(struct diff_settings *s, const char *value)
{
    const char *equals = strrchr(value, '=');
    struct gate_limit *limit;

    if (!equals)
        return s->rules.has_max = percent(value, &s->rules.max);
    limit = vec_add(&s->rules.limits);
    limit->glob = arena_strndup(&s->arena, value, (size_t)(equals - value));
    return equals > value && percent(equals + 1, &limit->max);
}

bool diff_set_max_total(struct diff_settings *s, const char *value)
{
    return s->rules.has_total = percent(value, &s->rules.max_total);
}

bool diff_set_require(struct diff_settings *s, const char *value)
{
    *vec_add(&s->rules.required) = value;
    return *value != '\0';
}
