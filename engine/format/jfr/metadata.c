/*
 * Metadata of a chunk: the classes of its events and constants, with their
 * fields. (format.md, section 3)
 *
 * A class becomes a list of steps when a value of it is met first. Classes may
 * have fields of other classes, so a few bytes could describe a value without
 * end: a class that contains itself or has too many fields is not read.
 */
#include "engine/base/text.h"
#include "engine/format/jfr/jfr.h"

enum {
    DEEPEST_ELEMENT = 16,
    DEEPEST_CLASS = 8,
    MOST_STEPS = 1 << 16, /* of a chunk, and fields that are visited for them */
};

enum jfr_step_kind { STEP_NUMBER, STEP_SKIP, STEP_TEXT, STEP_ARRAY };
enum jfr_layout_state { LAYOUT_NOT_MADE, LAYOUT_MADE, LAYOUT_UNKNOWN };

const char *const jfr_words[JFR_WORDS] = {
#define WORD(word, text) text,
#include "engine/format/jfr/word_list.h"
#undef WORD
};

/* ---- the tree of elements ---- */

struct attributes {
    uint32_t name, dimension; /* texts */
    uint64_t id, class_id;
    bool is_constant;
};

/* A string of the metadata, by its number. */
static uint32_t string_at(const struct jfr_chunk *c, uint64_t number)
{
    return number < c->strings.len ? c->strings.data[number] : 0;
}

/* Class ids are written as text. */
static uint64_t number_of(const struct jfr_chunk *c, uint32_t text)
{
    return strtoull(strings_get(c->f->texts, text), NULL, 10);
}

static struct attributes read_attributes(const struct jfr_chunk *c,
                                         struct reader *r)
{
    uint64_t count = jfr_number(c, r, 4);
    struct attributes a = {0};

    for (; count && reader_more(r); count--) {
        uint32_t key = string_at(c, jfr_number(c, r, 4));
        uint32_t value = string_at(c, jfr_number(c, r, 4));

        if (key == JFR_NAME)
            a.name = value;
        else if (key == JFR_ID)
            a.id = number_of(c, value);
        else if (key == JFR_M_CLASS)
            a.class_id = number_of(c, value);
        else if (key == JFR_M_DIMENSION)
            a.dimension = value;
        else if (key == JFR_M_CONSTANT_POOL)
            a.is_constant = value == JFR_M_TRUE;
    }
    return a;
}

static void add_class(struct jfr_chunk *c, const struct attributes *a)
{
    uint32_t fresh = mem_next_id(c->classes.len);

    *vec_add(&c->classes) = (struct jfr_class){
        .id = a->id,
        .name = a->name,
        .first_field = (uint32_t)c->fields.len,
    };
    if (map_add(&c->class_ids, a->id, 0, fresh) == fresh &&
        a->name < JFR_WORDS && c->class_named[a->name] == NO_ID)
        c->class_named[a->name] = fresh;
}

/* Returns its name. A field belongs to the class that was read last. */
static uint32_t read_element(struct jfr_chunk *c, struct reader *r,
                             uint32_t parent)
{
    uint32_t element = string_at(c, jfr_number(c, r, 4));
    struct attributes a = read_attributes(c, r);

    if (r->failed)
        return element;
    if (element == JFR_M_CLASS) {
        add_class(c, &a);
    } else if (element == JFR_M_FIELD && parent == JFR_M_CLASS) {
        c->classes.data[c->classes.len - 1].field_count++;
        *vec_add(&c->fields) =
            (struct jfr_field){.class_id = a.class_id,
                               .name = a.name,
                               .is_constant = a.is_constant,
                               .is_array = number_of(c, a.dimension) > 0};
    }
    return element;
}

static void read_tree(struct jfr_chunk *c, struct reader *r)
{
    struct {
        uint64_t left; /* children to come */
        uint32_t name;
    } open[DEEPEST_ELEMENT] = {{.left = 1}};
    unsigned depth = 1;

    while (depth && reader_more(r)) {
        uint32_t name;
        uint64_t children;

        if (!open[depth - 1].left) {
            depth--;
            continue;
        }
        open[depth - 1].left--;
        name = read_element(c, r, open[depth - 1].name);
        children = jfr_number(c, r, 4);
        if (!children)
            continue;
        if (depth == DEEPEST_ELEMENT) {
            reader_fail(r, ERR_LIMIT, "element");
            return;
        }
        open[depth].left = children;
        open[depth++].name = name;
    }
}

void jfr_read_metadata(struct jfr_chunk *c, struct reader body)
{
    uint64_t count;

    jfr_number(c, &body, 8); /* start time */
    jfr_number(c, &body, 8); /* duration */
    jfr_number(c, &body, 8); /* id of the metadata */
    count = jfr_number(c, &body, 4);
    for (; count && reader_more(&body); count--) {
        struct jfr_value value = {0};

        jfr_read_text(c, &body, &value);
        *vec_add(&c->strings) = jfr_text(c, &value);
    }
    read_tree(c, &body);
    if (body.failed && !c->f->surveyed)
        c->f->p->quality.malformed++;
}

struct jfr_class *jfr_class_of(struct jfr_chunk *c, uint64_t id)
{
    uint32_t at = map_get(&c->class_ids, id, 0);

    return at == MAP_NONE ? NULL : &c->classes.data[at];
}

/* ---- steps ---- */

static bool add_step(struct jfr_chunk *c, unsigned kind, unsigned width,
                     uint8_t field)
{
    if (c->steps.len >= MOST_STEPS)
        return false;
    *vec_add(&c->steps) = (struct jfr_step){
        .kind = (uint8_t)kind, .width = (uint8_t)width, .field = field};
    return true;
}

/* False: the class is none of these. */
static bool is_primitive(uint32_t name)
{
    return name >= JFR_C_STRING && name <= JFR_C_DOUBLE;
}

static bool add_primitive(struct jfr_chunk *c, uint32_t name, uint8_t field)
{
    static const struct {
        uint8_t kind, width;
    } steps[] = {
        [JFR_C_STRING] = {STEP_TEXT, 0},  [JFR_C_BOOLEAN] = {STEP_SKIP, 1},
        [JFR_C_BYTE] = {STEP_SKIP, 1},    [JFR_C_CHAR] = {STEP_NUMBER, 2},
        [JFR_C_SHORT] = {STEP_NUMBER, 2}, [JFR_C_INT] = {STEP_NUMBER, 4},
        [JFR_C_LONG] = {STEP_NUMBER, 8},  [JFR_C_FLOAT] = {STEP_SKIP, 4},
        [JFR_C_DOUBLE] = {STEP_SKIP, 8},
    };

    return add_step(c, steps[name].kind, steps[name].width, field);
}

static bool add_class_steps(struct jfr_chunk *c, const struct jfr_class *class,
                            unsigned depth, bool has_words);

/* One value of a field, of which an array has many. */
static bool add_element_steps(struct jfr_chunk *c, const struct jfr_field *f,
                              unsigned depth, uint8_t field, bool has_words)
{
    const struct jfr_class *class;

    if (f->is_constant)
        return add_step(c, STEP_NUMBER, 8, field);
    class = jfr_class_of(c, f->class_id);
    if (!class)
        return false;
    return is_primitive(class->name)
               ? add_primitive(c, class->name, field)
               : add_class_steps(c, class, depth + 1, has_words);
}

/* Elements of an array have a byte at least, so that a count which no bytes
 * stand behind ends with them. */
static bool add_field_steps(struct jfr_chunk *c, const struct jfr_field *f,
                            unsigned depth, uint8_t field)
{
    size_t at = c->steps.len;

    if (!f->is_array)
        return add_element_steps(c, f, depth, field, false);
    if (!add_step(c, STEP_ARRAY, 0, field) ||
        !add_element_steps(c, f, depth, JFR_NO_WORD, true))
        return false;
    c->steps.data[at].length = (uint32_t)(c->steps.len - at - 1);
    return c->steps.data[at].length > 0;
}

/* Returns the place of the values of a field. */
static uint8_t place_of(const struct jfr_chunk *c, uint32_t name)
{
    const char *text = strings_get(c->f->texts, name);

    if (name < JFR_FIELDS)
        return (uint8_t)name;
    if (c->f->asked_weight && ascii_same(text, c->f->asked_weight))
        return JFR_ASKED_WEIGHT;
    return c->f->asked_value && ascii_same(text, c->f->asked_value)
               ? JFR_ASKED_VALUE
               : JFR_NO_WORD;
}

/* Calls itself for classes of fields, DEEPEST_CLASS times at most. Values have
 * a place for each word, so the fields of a class that stands within another
 * get no words. */
static bool add_class_steps(struct jfr_chunk *c, const struct jfr_class *class,
                            unsigned depth, bool has_words)
{
    if (depth > DEEPEST_CLASS)
        return false;
    for (uint32_t i = 0; i < class->field_count; i++) {
        const struct jfr_field *f = &c->fields.data[class->first_field + i];
        uint8_t field = has_words ? place_of(c, f->name) : JFR_NO_WORD;

        if (c->visits++ > MOST_STEPS || !add_field_steps(c, f, depth, field))
            return false;
    }
    return true;
}

bool jfr_layout_of(struct jfr_chunk *c, struct jfr_class *class,
                   struct jfr_layout *layout)
{
    if (class->state == LAYOUT_NOT_MADE) {
        size_t first = c->steps.len;
        bool made = is_primitive(class->name)
                        ? add_primitive(c, class->name, JFR_STRING)
                        : add_class_steps(c, class, 0, true);

        class->state = made ? LAYOUT_MADE : LAYOUT_UNKNOWN;
        class->layout = (struct jfr_layout){(uint32_t)first,
                                            (uint32_t)(c->steps.len - first)};
    }
    *layout = class->layout;
    return class->state == LAYOUT_MADE;
}

/* ---- values ---- */

void jfr_read_text(const struct jfr_chunk *c, struct reader *r,
                   struct jfr_value *v)
{
    v->encoding = reader_u8(r);
    v->number = 0;
    if (v->encoding >= JFR_ENCODINGS)
        reader_fail(r, ERR_CORRUPT, "text");
    if (v->encoding == JFR_CONSTANT)
        v->number = jfr_number(c, r, 8);
    else if (v->encoding > JFR_CONSTANT)
        v->number = jfr_number(c, r, 4);
    v->at = r->pos;
    if (v->encoding == JFR_CHARS)
        for (uint64_t i = 0; i < v->number && reader_more(r); i++)
            jfr_number(c, r, 2);
    else if (v->encoding > JFR_CONSTANT)
        reader_skip(r, v->number);
}

/* Calls itself for arrays in arrays, DEEPEST_CLASS times at most. */
static void read_array(const struct jfr_chunk *c, struct jfr_layout element,
                       struct reader *r, struct jfr_value *v)
{
    v->number = jfr_number(c, r, 4);
    v->at = r->pos;
    v->element = element;
    for (uint64_t i = 0; i < v->number && reader_more(r); i++)
        jfr_read(c, element, r, NULL);
}

void jfr_read(const struct jfr_chunk *c, struct jfr_layout layout,
              struct reader *r, struct jfr_value *values)
{
    for (uint32_t i = layout.first; i < layout.first + layout.count; i++) {
        const struct jfr_step *step = &c->steps.data[i];
        struct jfr_value nobody, *v = &nobody;

        if (values && step->field)
            v = &values[step->field];
        switch (step->kind) {
        case STEP_NUMBER:
            v->number = jfr_number(c, r, step->width);
            break;
        case STEP_SKIP:
            if (step->width == 1)
                v->number = reader_u8(r);
            else
                reader_skip(r, step->width);
            break;
        case STEP_TEXT:
            jfr_read_text(c, r, v);
            break;
        case STEP_ARRAY:
            read_array(c, (struct jfr_layout){i + 1, step->length}, r, v);
            i += step->length;
            break;
        }
    }
}
