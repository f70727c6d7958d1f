/*
 * Types by their own names, as reflection spells them: all arguments follow
 * the last of nested types, "A`1+B`1[X,Y]" is A<X>.B<Y>. They are taken apart
 * level by level.
 */
#include "engine/model/label_impl.h"

/* Types nest no deeper in names that people can read. */
enum { DEEPEST = 12 };

struct type_parts type_parts_of(struct span type)
{
    struct type_parts p = {.names = type, .suffix = {type.end, type.end}};
    const char *at = type.at, *close;

    while (at < type.end &&
           (*at != '[' || at + 1 == type.end || strchr("],*", at[1])))
        at++;
    p.names.end = at;
    p.arguments = span_of(at, at);
    if (at == type.end) { /* only ranks of arrays, pointers, references */
        while (p.names.end > type.at && strchr("[],*&", p.names.end[-1]))
            p.names.end--;
        p.suffix.at = p.names.end;
        return p;
    }
    close = closing_bracket(span_of(at, type.end));
    if (!close) {
        p.names.end = type.end;
        return p;
    }
    p.arguments = span_of(at + 1, close);
    p.suffix.at = close + 1;
    return p;
}

/* Cuts off what comes before the first `separator` outside brackets. */
static struct span cut_part(struct span *rest, char separator)
{
    struct span part = {rest->at, rest->at};
    unsigned depth = 0;

    for (; part.end < rest->end; part.end++) {
        if (!depth && *part.end == separator)
            break;
        if (*part.end == '<' || *part.end == '[')
            depth++;
        else if (depth && (*part.end == '>' || *part.end == ']'))
            depth--;
    }
    rest->at = part.end < rest->end ? part.end + 1 : part.end;
    return part;
}

struct span type_next_name(struct type_parts *p)
{
    return cut_part(&p->names, '+');
}

unsigned type_cut_arity(struct span *name)
{
    const char *at = name->end;
    unsigned arity = 0, power = 1;

    while (at > name->at && is_digit(at[-1]) && power < 1000) {
        arity += power * (unsigned)(*--at - '0');
        power *= 10;
    }
    if (at == name->at || at == name->end || at[-1] != '`')
        return 0;
    name->end = at - 1;
    return arity;
}

struct span type_take(struct type_parts *p, unsigned count)
{
    struct span taken = {p->arguments.at, p->arguments.at};

    while (count-- && p->arguments.at < p->arguments.end)
        taken.end = cut_part(&p->arguments, ',').end;
    return taken;
}

static void add_type(struct label_text *t, struct span type, unsigned depth);

static void add_list(struct label_text *t, struct span list, unsigned depth)
{
    while (span_len(list)) {
        add_type(t, cut_part(&list, ','), depth + 1);
        if (span_len(list))
            label_add_text(t, ",");
    }
}

static void add_arguments(struct label_text *t, struct span list,
                          unsigned depth)
{
    if (!span_len(list))
        return;
    label_add_text(t, "<");
    add_list(t, list, depth);
    label_add_text(t, ">");
}

void label_add_arguments(struct label_text *t, struct span arguments)
{
    add_arguments(t, arguments, 0);
}

/* The function in "<Run>d__5" and "<<Run>b__0>d". */
static struct span written_in(struct span name)
{
    for (unsigned i = 0; i < DEEPEST && span_starts(name, "<"); i++) {
        const char *close = closing_bracket(name);

        if (!close || close == name.at + 1)
            break;
        name = span_of(name.at + 1, close);
    }
    return name;
}

/* "int?" and "(int,string)". */
static bool add_special(struct label_text *t, struct type_parts *p,
                        unsigned depth)
{
    bool tuple = span_starts(p->names, "System.ValueTuple`");

    if (!span_len(p->arguments) ||
        (!tuple && !span_is(p->names, "System.Nullable`1")))
        return false;
    label_add_text(t, tuple ? "(" : "");
    add_list(t, p->arguments, depth);
    label_add_text(t, tuple ? ")" : "?");
    label_add(t, p->suffix);
    return true;
}

static void add_type(struct label_text *t, struct span type, unsigned depth)
{
    struct type_parts p = type_parts_of(type);
    const char *keyword = type_keyword(p.names);
    bool first = true;

    if (depth > DEEPEST) {
        label_add(t, type);
        return;
    }
    if (add_special(t, &p, depth))
        return;
    if (keyword) {
        label_add_text(t, keyword);
        p.names.at = p.names.end;
    }
    while (span_len(p.names)) {
        struct span name = type_next_name(&p);
        unsigned arity = type_cut_arity(&name);

        if (!first && span_starts(name, "<>c"))
            continue;
        if (!first)
            label_add_text(t, ".");
        label_add(t, first ? type_own_name(name) : written_in(name));
        add_arguments(t, type_take(&p, arity), depth);
        first = false;
    }
    add_arguments(t, p.arguments, depth);
    label_add(t, p.suffix);
}
