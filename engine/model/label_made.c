#include "engine/model/label_made.h"

bool split_made(struct span name, struct span *function, struct span *rest)
{
    const char *close = span_starts(name, "<") ? closing_bracket(name) : NULL;

    if (!close || close == name.at + 1)
        return false;
    *function = span_of(name.at + 1, close);
    *rest = span_of(close + 1, name.end);
    return true;
}

static struct span digits_at(const char *at, const char *end)
{
    struct span digits = span_empty(at);

    while (digits.end < end && is_digit(*digits.end))
        digits.end++;
    return digits;
}

bool is_fsharp_closure(struct span name, struct span *function)
{
    const char *sign = span_find_char(name, '@');
    struct span line;

    if (!sign || sign == name.at || *name.at == '<')
        return false;
    line = digits_at(sign + 1, name.end);
    if (!span_len(line) || (line.end < name.end && *line.end != '-'))
        return false;
    *function = name;
    return true;
}

static bool is_state_machine(struct span name, struct span *function)
{
    struct span rest;

    if (span_starts(name, "VB$StateMachine_")) {
        rest = span_behind(name, "VB$StateMachine_");
        rest.at = digits_at(rest.at, rest.end).end;
        *function = span_starts(rest, "_") ? span_behind(rest, "_") : rest;
        return span_len(*function);
    }
    return split_made(name, function, &rest) &&
           (span_is(rest, "d") || span_starts(rest, "d__"));
}

bool made_type(struct made *made, struct span name)
{
    static const char *const holders[] = {"<>c__DisplayClass", "_Closure$__",
                                          "<>c__"};

    for (size_t i = 0; i < 3; i++)
        if (span_starts(name, holders[i])) {
            made->kind = CLOSURE;
            made->ordinal =
                digits_at(span_behind(name, holders[i]).at, name.end);
            if (made->ordinal.end == name.end && i == 0) /* "Class5" */
                made->ordinal.end = made->ordinal.at;
            return true;
        }
    if (span_is(name, "<>c"))
        made->kind = CLOSURE;
    else if (is_state_machine(name, &made->function))
        made->kind = MACHINE;
    else if (is_fsharp_closure(name, &made->function))
        made->kind = CLOSURE_OF;
    else
        return false;
    return true;
}

struct span without_file(struct span name)
{
    struct span file, rest;
    const char *mark;

    if (!split_made(name, &file, &rest) || !span_starts(rest, "F"))
        return name;
    mark = span_find(rest, "__");
    return mark && mark + 2 < rest.end ? span_of(mark + 2, rest.end) : name;
}
