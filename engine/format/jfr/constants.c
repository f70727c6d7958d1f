/*
 * Constants of a chunk: texts, methods, stacks and threads, each with a key.
 * (format.md, section 4)
 *
 * Where they lie is noted first. They are read when an event refers to them,
 * each once.
 */
#include "engine/base/text.h"
#include "engine/format/jfr/jfr.h"

/* ---- where they are ---- */

/* The constants of one class. False: nothing behind them can be read. */
static bool note_pool(struct jfr_chunk *c, struct reader *r)
{
    uint64_t id = jfr_number(c, r, 8), count = jfr_number(c, r, 4);
    struct jfr_class *class = jfr_class_of(c, id);
    struct jfr_layout layout;
    uint32_t word;
    bool kept;

    if (!class || !jfr_layout_of(c, class, &layout))
        return false;
    word = class->name;
    kept = word >= JFR_FIELDS && word < JFR_CONSTANT_CLASSES &&
           c->class_named[word] == (uint32_t)(class - c->classes.data);
    for (; count && reader_more(r); count--) {
        uint64_t key = jfr_number(c, r, 8);
        size_t at = r->pos;
        uint32_t fresh = mem_next_id(c->constants.len);

        jfr_read(c, layout, r, NULL);
        /* The first of several constants with one key stays, as in the JDK. */
        if (kept && !r->failed &&
            map_add(&c->constant_ids, key, word, fresh) == fresh)
            *vec_add(&c->constants) =
                (struct jfr_constant){.at = at, .id = NO_ID};
    }
    return !r->failed;
}

void jfr_note_constants(struct jfr_chunk *c)
{
    for (size_t i = 0; i < c->checkpoints.len; i++) {
        struct reader r = reader_at(&c->bytes, c->checkpoints.data[i], "event");
        struct jfr_event e;
        uint64_t pools = 0;
        bool good = jfr_next(c, &r, &e);

        if (good) {
            jfr_number(c, &e.body, 8); /* start time */
            jfr_number(c, &e.body, 8); /* duration */
            jfr_number(c, &e.body, 8); /* to the constants before these */
            reader_u8(&e.body);        /* kind */
            pools = jfr_number(c, &e.body, 4);
        }
        for (; good && pools && reader_more(&e.body); pools--)
            good = note_pool(c, &e.body);
        c->f->p->quality.malformed += !good && !c->f->surveyed;
    }
}

bool jfr_read_constant(struct jfr_chunk *c, enum jfr_word class, uint64_t key,
                       struct jfr_constant **constant,
                       struct jfr_value values[JFR_FIELDS])
{
    uint32_t at = map_get(&c->constant_ids, key, class);
    struct jfr_layout layout;
    struct reader r;

    *constant = at == MAP_NONE ? NULL : &c->constants.data[at];
    if (!*constant || (*constant)->id != NO_ID)
        return false;
    (*constant)->id = 0;
    if (!jfr_layout_of(c, &c->classes.data[c->class_named[class]], &layout))
        return false;
    memset(values, 0, JFR_FIELDS * sizeof(*values));
    r = reader_at(&c->bytes, (*constant)->at, "constant");
    jfr_read(c, layout, &r, values);
    return !r.failed;
}

/* ---- texts ---- */

/* Characters of 16 bits, or of 8 where the text is Latin-1. */
static uint32_t text_of_chars(struct jfr_chunk *c, struct reader *r,
                              const struct jfr_value *v)
{
    struct jfr_file *f = c->f;

    f->scratch.len = 0;
    for (uint64_t i = 0; i < v->number && reader_more(r); i++) {
        uint64_t unit =
            v->encoding == JFR_LATIN1 ? reader_u8(r) : jfr_number(c, r, 2);

        *vec_add(&f->scratch) = (uint8_t)unit;
        *vec_add(&f->scratch) = (uint8_t)(unit >> 8);
    }
    return strings_add_utf16(f->texts, f->scratch.data, f->scratch.len / 2);
}

/* A text in the file; constants are looked up by jfr_text. */
static uint32_t text_in_file(struct jfr_chunk *c, const struct jfr_value *v)
{
    struct reader r = reader_at(&c->bytes, v->at, "text");
    struct bytes text;

    if (v->encoding == JFR_CHARS || v->encoding == JFR_LATIN1)
        return text_of_chars(c, &r, v);
    if (v->encoding != JFR_UTF8)
        return 0;
    text = reader_bytes(&r, (size_t)v->number);
    return strings_add(c->f->texts, (const char *)text.data, text.len);
}

/* A constant that refers to another one has no text. */
uint32_t jfr_text(struct jfr_chunk *c, const struct jfr_value *v)
{
    struct jfr_value values[JFR_FIELDS];
    struct jfr_constant *text;

    if (v->encoding != JFR_CONSTANT)
        return text_in_file(c, v);
    if (jfr_read_constant(c, JFR_C_STRING, v->number, &text, values))
        text->id = text_in_file(c, &values[JFR_STRING]);
    return text ? text->id : 0;
}

uint32_t jfr_constant_text(struct jfr_chunk *c, enum jfr_word class,
                           enum jfr_word field, uint64_t key)
{
    struct jfr_value values[JFR_FIELDS];
    struct jfr_constant *constant;

    if (jfr_read_constant(c, class, key, &constant, values))
        constant->id = jfr_text(c, &values[field]);
    return constant ? constant->id : 0;
}

/* Many constants may have one long text: its beginning is copied once. */
uint32_t jfr_profile_text(struct jfr_file *f, uint32_t text)
{
    enum { MOST_TEXT = 4096 };
    size_t len = strings_len(f->texts, text);

    while (f->profile_texts.len <= text)
        *vec_add(&f->profile_texts) = 0;
    if (!f->profile_texts.data[text])
        f->profile_texts.data[text] =
            strings_add(f->p->strings, strings_get(f->texts, text),
                        len < MOST_TEXT ? len : MOST_TEXT) +
            1;
    return f->profile_texts.data[text] - 1;
}
