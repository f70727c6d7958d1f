/*
 * Stacks, the functions in them, and threads. (format.md, sections 4 and 5)
 *
 * A function is called `java.util.HashMap.put(Object, Object)`, as `jfr print`
 * spells it. Names of hidden classes end with an address that differs in
 * every run: it is left out.
 */
#include <string.h>

#include "engine/base/text.h"
#include "engine/format/jfr/jfr.h"

enum { MOST_NAME = 4096 };

/* ---- names of functions ---- */

struct spelled_name {
    size_t len;
    char text[MOST_NAME];
};

static void add_text(struct spelled_name *n, const char *text, size_t len)
{
    size_t room = sizeof(n->text) - n->len;

    if (len > room)
        len = room;
    memcpy(n->text + n->len, text, len);
    n->len += len;
}

/* Where "+0x00007f8c0b000000/1234" begins, or the text ends. */
static size_t hidden_suffix(const char *text, size_t len)
{
    for (size_t i = 0; i + 3 < len; i++)
        if (strchr("+/.", text[i]) && text[i + 1] == '0' &&
            text[i + 2] == 'x' &&
            i + 3 + strspn(text + i + 3, "0123456789abcdef/") == len)
            return i;
    return len;
}

static void add_class_name(struct spelled_name *n, const char *text)
{
    size_t from = n->len;

    add_text(n, text, hidden_suffix(text, strnlen(text, MOST_NAME)));
    for (size_t i = from; i < n->len; i++)
        if (n->text[i] == '/')
            n->text[i] = '.';
}

/* Recordings have no names of source files. Java requires that a file is called
 * as its outermost class if that is public; of other languages this is not
 * true. */
static uint32_t source_file(struct jfr_file *f, const char *class)
{
    struct spelled_name n = {0};
    size_t len = strnlen(class, MOST_NAME - sizeof(".java"));
    size_t inner = 0;

    if (!*class || !budget_take(&f->names, len))
        return 0;
    while (inner < len && class[inner] != '$' && class[inner] != '+')
        inner++;
    add_text(&n, class, inner);
    for (size_t i = 0; i < n.len; i++)
        if (n.text[i] == '.')
            n.text[i] = '/';
    add_text(&n, ".java", 5);
    return strings_add(f->p->strings, n.text, n.len);
}

/* One type of a descriptor, "Ljava/lang/String;" or "[I"; returns what is
 * behind it. */
static const char *add_type(struct spelled_name *n, const char *at)
{
    static const char *const names[] = {
        ['B' - 'A'] = "byte",  ['C' - 'A'] = "char", ['D' - 'A'] = "double",
        ['F' - 'A'] = "float", ['I' - 'A'] = "int",  ['J' - 'A'] = "long",
        ['S' - 'A'] = "short", ['V' - 'A'] = "void", ['Z' - 'A'] = "boolean"};
    size_t arrays = strspn(at, "[");
    const char *name = at += arrays;

    if (*at == 'L') {
        size_t len = strcspn(at, ";");

        name++;
        for (size_t i = 0; i < len; i++)
            if (at[i] == '/')
                name = at + i + 1;
        add_text(n, name, (size_t)(at + len - name));
        at += len;
    } else if (*at >= 'A' && *at <= 'Z' && names[*at - 'A']) {
        add_text(n, names[*at - 'A'], strlen(names[*at - 'A']));
    }
    for (; arrays && n->len < MOST_NAME; arrays--)
        add_text(n, "[]", 2);
    return *at ? at + 1 : at;
}

static void add_parameters(struct spelled_name *n, const char *descriptor)
{
    const char *at = descriptor;

    if (*at++ != '(')
        return;
    add_text(n, "(", 1);
    while (*at && *at != ')' && n->len < MOST_NAME) {
        if (at > descriptor + 1)
            add_text(n, ", ", 2);
        at = add_type(n, at);
    }
    add_text(n, ")", 1);
}

/* A string of the profile: the name of a module or a class loader, which is a
 * symbol. */
static uint32_t symbol_name_of(struct jfr_chunk *c, enum jfr_word class,
                               uint64_t key)
{
    struct jfr_value values[JFR_FIELDS];
    struct jfr_constant *constant;

    if (jfr_read_constant(c, class, key, &constant, values))
        constant->id = jfr_profile_text(
            c->f, jfr_constant_text(c, JFR_C_SYMBOL, JFR_STRING,
                                    values[JFR_NAME].number));
    return constant ? constant->id : 0;
}

/* The Java module of a package, a string. */
static uint32_t module_of(struct jfr_chunk *c, uint64_t key)
{
    struct jfr_value values[JFR_FIELDS];
    struct jfr_constant *package;

    if (jfr_read_constant(c, JFR_C_PACKAGE, key, &package, values))
        package->id =
            symbol_name_of(c, JFR_C_MODULE, values[JFR_MODULE].number);
    return package ? package->id : 0;
}

/* Its name, its module (or, for a class in none, such as those on the class
 * path, the class loader: "app") and its source file. */
static const struct jfr_constant *class_of(struct jfr_chunk *c, uint64_t key)
{
    static const struct jfr_constant none = {0};
    struct jfr_value values[JFR_FIELDS];
    struct jfr_constant *class;

    if (!jfr_read_constant(c, JFR_C_CLASS, key, &class, values))
        return class ? class : &none;
    class->id =
        jfr_constant_text(c, JFR_C_SYMBOL, JFR_STRING, values[JFR_NAME].number);
    class->other = module_of(c, values[JFR_PACKAGE].number);
    if (!class->other)
        class->other = symbol_name_of(c, JFR_C_CLASS_LOADER,
                                      values[JFR_CLASS_LOADER].number);
    class->file = source_file(c->f, strings_get(c->f->texts, class->id));
    return class;
}

/* "java.lang.String", "byte[]" */
uint32_t jfr_class_text(struct jfr_chunk *c, uint64_t key)
{
    const char *type = strings_get(c->f->texts, class_of(c, key)->id);
    struct spelled_name n = {0};
    size_t arrays = strspn(type, "[");

    if (arrays && type[arrays] != 'L') {
        add_type(&n, type);
    } else {
        add_class_name(&n, type + arrays + (arrays > 0));
        if (arrays && n.len && n.text[n.len - 1] == ';')
            n.len--;
        for (; arrays && n.len < MOST_NAME; arrays--)
            add_text(&n, "[]", 2);
    }
    return strings_add(c->f->p->strings, n.text, n.len);
}

/* Name, module and file of a method. Composed names could be far longer than
 * their parts in the file, which many methods share: beyond a budget the
 * method's own name stands alone. */
static void name_method(struct jfr_chunk *c, struct jfr_constant *method,
                        const struct jfr_value *values)
{
    const struct jfr_constant *class;
    struct spelled_name n = {0};
    struct profile *p = c->f->p;
    const char *own, *type, *descriptor;
    uint32_t name;

    class = class_of(c, values[JFR_TYPE].number);
    type = strings_get(c->f->texts, class->id);
    name =
        jfr_constant_text(c, JFR_C_SYMBOL, JFR_STRING, values[JFR_NAME].number);
    own = strings_get(c->f->texts, name);
    descriptor = strings_get(c->f->texts,
                             jfr_constant_text(c, JFR_C_SYMBOL, JFR_STRING,
                                               values[JFR_DESCRIPTOR].number));
    /* async-profiler gives functions of native code this descriptor, and their
     * library in place of a class. */
    if (!strcmp(descriptor, "()L;")) {
        method->other = jfr_profile_text(c->f, class->id);
        method->id = jfr_profile_text(c->f, name);
        return;
    }
    method->other = class->other;
    method->file = class->file;
    if (*type) {
        add_class_name(&n, type);
        add_text(&n, ".", 1);
    }
    add_text(&n, own, strings_len(c->f->texts, name));
    add_parameters(&n, descriptor);
    method->id = budget_take(&c->f->names, n.len)
                     ? strings_add(p->strings, n.text, n.len)
                     : jfr_profile_text(c->f, name);
}

/* ---- stacks ---- */

static struct named_frame frame_of(struct jfr_chunk *c,
                                   const struct jfr_value *values)
{
    struct jfr_value own[JFR_FIELDS];
    struct jfr_constant *method;
    struct named_frame frame = {.kind = CODE_MANAGED};
    int32_t line = (int32_t)values[JFR_LINE_NUMBER].number;

    if (jfr_read_constant(c, JFR_C_METHOD, values[JFR_METHOD].number, &method,
                          own))
        name_method(c, method, own);
    if (!method) {
        c->f->missing++;
        return frame;
    }
    frame.name = method->id;
    frame.module = method->other;
    if (line > 0) {
        frame.line = (uint32_t)line;
        frame.file = method->file;
    }
    switch (jfr_constant_text(c, JFR_C_FRAME_TYPE, JFR_DESCRIPTION,
                              values[JFR_TYPE].number)) {
    case JFR_F_INLINED:
        frame.inlined = true;
        break;
    case JFR_F_NATIVE:
    case JFR_F_CPP:
        frame.kind = CODE_NATIVE;
        break;
    case JFR_F_KERNEL:
        frame.kind = CODE_KERNEL;
        break;
    }
    return frame;
}

/* Frames beyond these are outer ones, which named_push_frame would drop. */
enum { MOST_FRAMES = 4 * STACK_DEEPEST };

static void read_stack(struct jfr_chunk *c, struct jfr_constant *stack,
                       const struct jfr_value *values)
{
    const struct jfr_value *frames = &values[JFR_FRAMES];
    struct jfr_value frame[JFR_FIELDS] = {0};
    struct named_stack_top top = {0};
    struct jfr_file *f = c->f;
    struct reader r = reader_at(&c->bytes, frames->at, "stack frames");

    f->frames.len = 0;
    while (f->frames.len < frames->number && f->frames.len < MOST_FRAMES &&
           reader_more(&r)) {
        jfr_read(c, frames->element, &r, frame);
        *vec_add(&f->frames) = frame_of(c, frame);
    }
    for (size_t i = f->frames.len; i-- > 0;) /* innermost first */
        named_push_frame(&f->code, &top, &f->frames.data[i]);
    stack->id = top.stack.whole;
    if (values[JFR_TRUNCATED].number || f->frames.len == MOST_FRAMES)
        stack->other = STACK_END_DEPTH;
    else /* async-profiler never says that a stack is truncated */
        stack->other = c->class_named[JFR_C_LOG_LEVEL] == NO_ID
                           ? STACK_END_ROOT
                           : STACK_END_UNKNOWN;
}

uint32_t jfr_stack_of(struct jfr_chunk *c, uint64_t key, uint8_t *end)
{
    struct jfr_value values[JFR_FIELDS];
    struct jfr_constant *stack;

    if (jfr_read_constant(c, JFR_C_STACK_TRACE, key, &stack, values))
        read_stack(c, stack, values);
    c->f->missing += !stack && key;
    *end = stack ? (uint8_t)stack->other : STACK_END_UNKNOWN;
    return stack ? stack->id : 0;
}

/* ---- threads ---- */

/* A thread is known by its number in Java, or by that of the system where it is
 * none of Java's. Virtual threads have no other. */
static uint32_t thread_of_values(struct jfr_chunk *c,
                                 const struct jfr_value *values)
{
    struct jfr_file *f = c->f;
    uint32_t fresh = mem_next_id(f->p->threads.len), name, id;
    uint64_t java = values[JFR_JAVA_THREAD_ID].number;
    uint64_t system = values[JFR_OS_THREAD_ID].number;

    id = map_add(&f->threads, java ? java : system, f->process * 2 + !java,
                 fresh);
    if (id != fresh)
        return id;
    name = jfr_text(c, &values[JFR_JAVA_NAME]);
    if (!name)
        name = jfr_text(c, &values[JFR_OS_NAME]);
    return named_thread(&f->code, f->process,
                        (uint32_t)(system ? system : java),
                        jfr_profile_text(f, name));
}

uint32_t jfr_thread_of(struct jfr_chunk *c, uint64_t key)
{
    static const struct jfr_value none[JFR_FIELDS];
    struct jfr_value values[JFR_FIELDS];
    struct jfr_constant *thread;

    if (jfr_read_constant(c, JFR_C_THREAD, key, &thread, values))
        thread->id = thread_of_values(c, values) + 1;
    return thread && thread->id ? thread->id - 1 : thread_of_values(c, none);
}
