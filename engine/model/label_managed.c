#include "engine/model/label_impl.h"

/* The function that a compiler made a type or a method of, by its name:
 *
 *     <>c, <>c__DisplayClass3_0      C#: holds lambdas, is not shown
 *     <Run>b__3_1, <Run>b__1         a lambda of Run
 *     <Run>g__Step|3_0               Step, a function in Run
 *     <Run>d__5, <<Run>b__3_1>d      a state machine: MoveNext is Run's body
 *     <Main>$                        Main of top-level statements
 *     _Closure$__2-0, _Lambda$__2-1  VB: holds lambdas; a lambda
 *     VB$StateMachine_5_Run          VB: a state machine
 *     step@33-1                      F#: a closure in step; Invoke is its body
 */

enum made_kind { AS_WRITTEN, CLOSURE, MACHINE, CLOSURE_OF };

struct made {
    enum made_kind kind;
    struct span function;  /* what it was made of; of MACHINE, CLOSURE_OF */
    struct span ordinal;   /* "3": of the method that has the lambdas */
    struct span arguments; /* types given to that method */
};

static inline struct span span_empty(const char *at)
{
    return span_of(at, at);
}

/* Without a prefix that it has. */
static inline struct span span_behind(struct span s, const char *prefix)
{
    return span_of(s.at + strlen(prefix), s.end);
}

static bool split_made(struct span name, struct span *function,
                       struct span *rest)
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

static bool is_fsharp_closure(struct span name, struct span *function)
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

static bool made_type(struct made *made, struct span name)
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

static struct span without_file(struct span name)
{
    struct span file, rest;
    const char *mark;

    if (!split_made(name, &file, &rest) || !span_starts(rest, "F"))
        return name;
    mark = span_find(rest, "__");
    return mark && mark + 2 < rest.end ? span_of(mark + 2, rest.end) : name;
}

/*
 * Names of .NET methods: namespace.type.method(parameters). Code that a
 * compiler made from a function, such as a lambda, gets the name of that
 * function (struct made).
 */

enum { DEEPEST = 8 }; /* functions in functions, lambdas of lambdas */

struct managed_name {
    struct span owner;    /* the type */
    struct span contract; /* interface that is implemented; or empty */
    struct span name;
    bool iterates; /* MoveNext returns bool */
};

/* ---- taking a name apart ---- */

/* With parentheses; empty: there are none. */
static struct span cut_parameters(struct span *name)
{
    const char *open =
        span_ends(*name, ")") ? opening_parenthesis(*name) : NULL;
    struct span parameters = span_empty(name->end);

    if (!open || open == name->at)
        return parameters;
    name->end = parameters.at = open;
    return parameters;
}

/* Interfaces are named IThing. */
static bool is_interface(struct span part)
{
    return span_len(part) > 2 && part.at[0] == 'I' && is_upper(part.at[1]);
}

static bool same(struct span a, struct span b)
{
    return span_len(a) == span_len(b) && !memcmp(a.at, b.at, span_len(a));
}

/* The dots between parts of a name: outside brackets. ".ctor" is one part. */
static struct span cut_dotted(struct span *rest)
{
    struct span part = span_empty(rest->at);
    unsigned depth = 0;

    for (; part.end < rest->end; part.end++) {
        char c = *part.end;

        if (!depth && c == '.' && part.end > part.at)
            break;
        depth += c == '<' || c == '[';
        depth -= depth && (c == '>' || c == ']');
    }
    rest->at = part.end < rest->end ? part.end + 1 : part.end;
    return part;
}

/* A method that implements an interface's has that one's name behind the
 * type's. It starts behind the type's arguments, or where the first part of
 * the name, or "System", comes again. */
static void split_head(struct managed_name *m, struct span head)
{
    struct span rest = head, first = cut_dotted(&rest), part = first;
    struct span before = span_empty(head.at);
    const char *again = NULL;

    m->name = first;
    while (span_len(rest)) {
        bool ended = span_ends(part, "]");

        before = part;
        part = cut_dotted(&rest);
        if (!again && span_len(rest) &&
            (ended || same(part, first) || span_is(part, "System")))
            again = part.at;
        m->name = part;
    }
    m->owner =
        span_of(head.at, m->name.at > head.at ? m->name.at - 1 : head.at);
    m->contract = span_empty(m->name.at);
    if (!again || !is_interface(before))
        return;
    m->contract = span_of(again, m->owner.end);
    m->owner.end = again - 1;
}

/* ---- writing ---- */

/* True if a name without parameters is words joined by dots, with nothing that
 * a compiler generated. Such a name is its own label; most names are. */
static bool is_plain(struct span name)
{
    struct span before = span_empty(name.at);
    const char *part = name.at;

    for (const char *at = name.at; at < name.end; at++) {
        if (*at == '.' && at > part) {
            before = span_of(part, at);
            part = at + 1;
        } else if (*at != '.' && (!is_word(*at) || *at == '$')) {
            return false;
        }
    }
    return part < name.end && !is_interface(before) &&
           !span_starts(span_of(part, name.end), "op_");
}

static struct made add_owner(struct label_text *t, struct span owner)
{
    struct type_parts p = type_parts_of(owner);
    struct made made = {.kind = AS_WRITTEN,
                        .function = span_empty(owner.at),
                        .ordinal = span_empty(owner.at),
                        .arguments = span_empty(owner.at)};
    bool first = true;

    while (span_len(p.names)) {
        struct span name = type_next_name(&p);
        unsigned arity = type_cut_arity(&name);
        struct span arguments = type_take(&p, arity);

        if (!first && made_type(&made, name)) {
            made.arguments = arguments;
            continue;
        }
        if (!first)
            label_add_text(t, ".");
        if (first) { /* the namespace is part of it */
            const char *dot = name.end;

            while (dot > name.at && dot[-1] != '.')
                dot--;
            label_add(t, span_of(name.at, dot));
            name.at = dot;
        }
        label_add(t, without_file(name));
        label_add_arguments(t, arguments);
        first = false;
    }
    label_add_arguments(t, p.arguments);
    return made;
}

/* "A-B-IThing<A-B>-Run", as C# flattens names of implementations. */
static void add_flattened(struct label_text *t, struct span name)
{
    struct span last = name, before = span_empty(name.at), part = last;
    unsigned depth = 0;

    for (const char *at = name.at; at < name.end; at++) {
        depth += *at == '<';
        depth -= depth && *at == '>';
        if (depth || *at != '-')
            continue;
        before = span_of(part.at, at);
        part.at = at + 1;
        last = span_of(at + 1, name.end);
    }
    if (span_len(before)) {
        label_add_types(t, before);
        label_add_text(t, ".");
    }
    label_add(t, last);
}

/* True if the text after "<function>" names a lambda, a local function or the
 * top level. */
static bool is_of_function(struct span function, struct span rest)
{
    return span_starts(rest, "b__") ||
           (span_starts(rest, "g__") && span_find_char(rest, '|')) ||
           (span_is(rest, "$") && span_is(function, "Main"));
}

/* `ordinal` is the method's, which a number within it lacks. */
static void add_lambda(struct label_text *t, struct span number,
                       struct span ordinal, const char *joint)
{
    label_add_text(t, " lambda ");
    if (span_len(ordinal) && !span_find_char(number, *joint)) {
        label_add(t, ordinal);
        label_add_text(t, joint);
    }
    label_add(t, number);
}

static void add_made(struct label_text *t, struct span rest,
                     struct span ordinal)
{
    struct span local = span_behind(rest, "g__");

    if (span_starts(rest, "b__")) {
        add_lambda(t, span_behind(rest, "b__"), ordinal, "_");
    } else if (span_starts(rest, "g__")) {
        local.end = span_find_char(rest, '|');
        label_add_text(t, ".");
        label_add(t, local);
        if (t->parts & LABEL_DETAIL)
            label_add(t, span_of(local.end, rest.end));
    }
}

/* The functions that a name tells of, outermost first: it nests from inside
 * out, "<<<Main>$>g__Once|0_0>b__0_1". */
static void add_written(struct label_text *t, struct span name,
                        const struct made *made)
{
    struct span rests[DEEPEST];
    unsigned depth = 0;
    struct span function, rest;

    while (depth < DEEPEST && split_made(name, &function, &rest) &&
           is_of_function(function, rest)) {
        rests[depth++] = rest;
        name = function;
    }
    label_add(t, name);
    label_add_arguments(t, made->arguments);
    while (depth--)
        add_made(t, rests[depth], depth ? span_empty(name.at) : made->ordinal);
}

static const char *operator_of(struct span name)
{
    static const struct {
        const char *name, *written;
    } table[] = {
        {"Addition", "+"},
        {"Subtraction", "-"},
        {"Multiply", "*"},
        {"Division", "/"},
        {"Modulus", "%"},
        {"BitwiseAnd", "&"},
        {"BitwiseOr", "|"},
        {"ExclusiveOr", "^"},
        {"LeftShift", "<<"},
        {"RightShift", ">>"},
        {"UnsignedRightShift", ">>>"},
        {"Equality", "=="},
        {"Inequality", "!="},
        {"LessThan", "<"},
        {"GreaterThan", ">"},
        {"LessThanOrEqual", "<="},
        {"GreaterThanOrEqual", ">="},
        {"Increment", "++"},
        {"Decrement", "--"},
        {"UnaryNegation", "-"},
        {"UnaryPlus", "+"},
        {"LogicalNot", "!"},
        {"OnesComplement", "~"},
        {"True", "true"},
        {"False", "false"},
    };

    if (!span_starts(name, "op_"))
        return NULL;
    name = span_behind(name, "op_");
    for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
        if (span_is(name, table[i].name))
            return table[i].written;
    return NULL;
}

/* A method of a type that a person wrote, or of lambdas. */
static void add_name(struct label_text *t, struct span name,
                     const struct made *made)
{
    const char *sign = operator_of(name);
    struct span function;

    if (sign) {
        label_add_text(t, "operator ");
        label_add_text(t, sign);
    } else if (span_is(name, "op_Implicit")) {
        label_add_text(t, "implicit operator");
    } else if (span_is(name, "op_Explicit")) {
        label_add_text(t, "explicit operator");
    } else if (is_fsharp_closure(name, &function) &&
               !(t->parts & LABEL_DETAIL)) {
        label_add(t, span_of(name.at, span_find_char(name, '@')));
    } else {
        add_written(t, name, made);
    }
}

static bool is_body(const struct made *made, struct span name)
{
    if (made->kind == MACHINE)
        return span_is(name, "MoveNext");
    return span_is(name, "Invoke") || span_is(name, "MoveNext") ||
           span_is(name, "GenerateNext");
}

static const char *machine_word(const struct managed_name *m,
                                const struct made *made)
{
    if (!is_body(made, m->name))
        return " state machine";
    return m->iterates || span_ends(made->function, "GetEnumerator")
               ? " iterator"
               : " async";
}

/* The body of a state machine or of a closure is what was written; what else
 * they have follows it. */
static void add_of_machine(struct label_text *t, const struct managed_name *m,
                           const struct made *made)
{
    struct span written = made->function;

    if (span_starts(written, "_Lambda$__")) {
        add_lambda(t, span_behind(written, "_Lambda$__"), made->ordinal, "-");
    } else {
        label_add_text(t, ".");
        if (span_find_char(written, '-')) {
            add_flattened(t, written);
            label_add_arguments(t, made->arguments);
        } else {
            add_written(t, written, made);
        }
    }
    label_add_text(t, machine_word(m, made));
}

static void add_of_closure(struct label_text *t, const struct managed_name *m,
                           const struct made *made)
{
    const char *sign = span_find_char(made->function, '@');

    label_add_text(t, ".");
    label_add(t, span_of(made->function.at, sign));
    label_add_arguments(t, made->arguments);
    if (span_is(m->name, "MoveNext"))
        label_add_text(t, " async ");
    else if (span_is(m->name, "GenerateNext"))
        label_add_text(t, " iterator ");
    else
        label_add_text(t, " lambda ");
    label_add(t, span_of(sign + 1, made->function.end));
}

static void add_method(struct label_text *t, const struct managed_name *m,
                       struct made *made)
{
    if (made->kind == MACHINE || made->kind == CLOSURE_OF) {
        (made->kind == MACHINE ? add_of_machine : add_of_closure)(t, m, made);
        if (is_body(made, m->name))
            return;
        label_add_text(t, " ");
    } else if (span_starts(m->name, "_Lambda$__")) {
        add_lambda(t, span_behind(m->name, "_Lambda$__"), made->ordinal, "-");
        return;
    } else if (made->kind == CLOSURE && !span_starts(m->name, "<")) {
        label_add_text(t, " closure ");
    } else if (span_len(m->owner)) {
        label_add_text(t, ".");
    }
    if (!span_starts(m->name, "<") || made->kind != CLOSURE)
        made->arguments.at = made->arguments.end;
    if (span_len(m->contract)) {
        label_add_types(t, m->contract);
        label_add_text(t, ".");
    }
    add_name(t, m->name, made);
}

/* True for a signature such as "instance bool  ()". */
static bool returns_bool(const char *signature)
{
    const char *end = signature ? strchr(signature, '(') : NULL;

    while (end && end > signature && end[-1] == ' ')
        end--;
    return end && span_ends(span_of(signature, end), "bool");
}

static void add_parts(struct label_text *t, struct span name,
                      const char *signature)
{
    struct managed_name m = {.iterates = returns_bool(signature)};
    struct made made;

    split_head(&m, name);
    made = add_owner(t, m.owner);
    add_method(t, &m, &made);
}

void label_managed(struct label_text *t, const struct label_source *source)
{
    struct span name =
        span_of(source->name, source->name + strlen(source->name));
    struct span parameters = cut_parameters(&name);

    t->managed = true;
    if (is_plain(name))
        label_add(t, name);
    else
        add_parts(t, name, source->signature);
    if (t->parts & LABEL_PARAMETERS)
        label_add_types(t, parameters);
}
