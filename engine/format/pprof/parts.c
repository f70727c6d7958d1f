#include "engine/format/pprof/file.h"

#include <string.h>

/* The parts of a file, noted in one pass (format.md, section 1). */

struct bytes pprof_text(const struct pprof_file *f, uint64_t id)
{
    if (id >= f->strings.len)
        return (struct bytes){(const uint8_t *)"", 0};
    return (struct bytes){f->strings.data[id].base, f->strings.data[id].len};
}

/* Gone through once, as many may name a string that is long. */
uint32_t pprof_string(struct pprof_file *f, uint64_t id)
{
    struct bytes text = pprof_text(f, id);

    if (id >= f->strings.len)
        return 0;
    if (!f->texts[id])
        f->texts[id] =
            strings_add(f->p->strings, (const char *)text.data, text.len) + 1;
    return f->texts[id] - 1;
}

bool pprof_text_is(const struct pprof_file *f, uint64_t id, const char *word)
{
    struct bytes text = pprof_text(f, id);

    return text.len == strlen(word) && !memcmp(text.data, word, text.len);
}

bool pprof_text_same(const struct pprof_file *f, uint64_t a, uint64_t b)
{
    struct bytes x = pprof_text(f, a), y = pprof_text(f, b);

    return x.len == y.len && !memcmp(x.data, y.data, x.len);
}

static struct value_type read_type(struct reader r)
{
    struct value_type type = {0};
    struct wire_field field;

    while (wire_next(&r, &field)) {
        if (field.number == 1)
            type.type = field.value;
        else if (field.number == 2)
            type.unit = field.value;
    }
    return type;
}

/* The number that field 1 of a part is: its id. */
static uint64_t id_of(struct reader r)
{
    struct wire_field field;

    while (wire_next(&r, &field))
        if (field.number == 1)
            return field.value;
    return 0;
}

static void note_message(struct pprof_file *f, const struct wire_field *field)
{
    struct reader r = field->message;

    switch (field->number) {
    case 1:
        *vec_add(&f->types) = read_type(r);
        break;
    case 2:
        *vec_add(&f->samples) = r;
        break;
    case 3:
        *vec_add(&f->mapping_parts) = r;
        break;
    case 4:
        map_add(&f->location_ids, id_of(r), 0, (uint32_t)f->locations.len);
        *vec_add(&f->locations) = (struct noted_location){r, NO_ID};
        break;
    case 5:
        map_add(&f->function_ids, id_of(r), 0, (uint32_t)f->functions.len);
        *vec_add(&f->functions) = r;
        break;
    case 6:
        *vec_add(&f->strings) = r;
        break;
    case 11:
        f->period_type = read_type(r);
        break;
    default:
        break;
    }
}

static void note_number(struct pprof_file *f, const struct wire_field *field)
{
    if (field->number == 7)
        f->drop_frames = field->value;
    else if (field->number == 9)
        f->time = field->value;
    else if (field->number == 10)
        f->duration = field->value;
    else if (field->number == 12)
        f->period = field->value;
    else if (field->number == 14)
        f->default_type = field->value;
}

void pprof_note_parts(struct pprof_file *f, struct reader *r)
{
    struct wire_field field;

    while (wire_next(r, &field)) {
        if (field.is_message)
            note_message(f, &field);
        else
            note_number(f, &field);
    }
}
