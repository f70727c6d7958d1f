/*
 * Entries of the section, each u32 length (or FFFFFFFF and u64 length), id:
 *
 *   CIE, what functions have in common: id 0 (in .debug_frame FFFFFFFF),
 *     u8 version, augmentation (NUL), in version 4 u8 address size and u8
 *     segment size, uleb code factor, sleb data factor, return register (u8
 *     in version 1, else uleb), with 'z' uleb size of augmentation data,
 *     instructions
 *   FDE, a function: id the distance back to its CIE (in .debug_frame the
 *     CIE's offset), start, size, with 'z' uleb size of augmentation data,
 *     instructions
 *
 * Augmentation data of a CIE, by letter: R u8 encoding of addresses, P u8
 * encoding and a pointer, L u8, S a signal's frame, B keys of arm64.
 */
#include "symbols/dwarf/call_frames.h"

#include <stdlib.h>

#include "engine/base/bisect.h"
#include "engine/base/vec.h"
#include "symbols/dwarf/frame_program.h"

/* What functions have in common. */
struct common {
    size_t offset;
    struct frame_program program;
    bool has_data;
};

struct function_frames {
    uint64_t start, end;
    uint32_t common;
    struct bytes instructions;
};

struct call_frames {
    struct call_frames_section section;
    struct frame_pointers pointers;
    VEC(struct common) commons; /* in order of offset */
    VEC(struct function_frames) functions; /* by start */
};

static void read_augmentation(const struct call_frames *f, struct common *c,
                              struct bytes letters, struct reader *data)
{
    for (size_t i = 1; i < letters.len; i++) {
        switch (letters.data[i]) {
        case 'R':
            c->program.encoding = reader_u8(data);
            break;
        case 'P':
            (void)frame_pointer_read(&f->pointers, data, reader_u8(data));
            break;
        case 'L':
            reader_skip(data, 1);
            break;
        case 'S':
            c->program.signal = true;
            break;
        }
    }
}

static void add_common(struct call_frames *f, size_t offset,
                       struct reader *body)
{
    struct common c = {.offset = offset};
    struct frame_program *p = &c.program;
    uint8_t version = reader_u8(body);
    struct bytes letters = reader_cstr(body);

    *p = (struct frame_program){.section = f->section.bytes,
                                .pointers = f->pointers};
    if (version == 4)
        reader_skip(body, 2);
    p->code_factor = reader_uleb(body);
    p->data_factor = reader_sleb(body);
    p->return_register =
        version == 1 ? reader_u8(body) : (uint8_t)reader_uleb(body);
    if (letters.len && *letters.data == 'z') {
        struct reader data =
            reader_sub(body, (size_t)reader_uleb(body), "augmentation");

        c.has_data = true;
        read_augmentation(f, &c, letters, &data);
    } else if (letters.len) {
        return; /* its size is not known */
    }
    p->first = reader_bytes(body, reader_left(body));
    if (!body->failed && p->return_register < FRAME_REGISTERS)
        *vec_add(&f->commons) = c;
}

static uint32_t common_at(const struct call_frames *f, uint64_t offset)
{
    size_t i;

    BISECT(i, f->commons.len, f->commons.data[i].offset < offset);
    return i < f->commons.len && f->commons.data[i].offset == offset
               ? (uint32_t)i
               : NO_ID;
}

static void add_function(struct call_frames *f, uint64_t common,
                         struct reader *body)
{
    struct function_frames function = {.common = common_at(f, common)};
    const struct common *c;
    uint8_t encoding;

    if (function.common == NO_ID)
        return;
    c = &f->commons.data[function.common];
    encoding = c->program.encoding;
    function.start = frame_pointer_read(&f->pointers, body, encoding);
    function.end = function.start + frame_pointer_read(&f->pointers, body,
                                                       encoding & POINTER_FORM);
    if (c->has_data)
        reader_skip(body, (size_t)reader_uleb(body));
    function.instructions = reader_bytes(body, reader_left(body));
    if (!body->failed && function.start < function.end)
        *vec_add(&f->functions) = function;
}

/* False at the end of the section. */
static bool read_entry(struct call_frames *f, struct reader *r)
{
    size_t offset = r->pos, id_at;
    uint64_t length = reader_u32(r), id, none;
    bool is_long = length == UINT32_MAX;
    struct reader body;

    if (is_long)
        length = reader_u64(r);
    if (r->failed || !length || length > reader_left(r))
        return !r->failed && !length && f->section.is_debug;
    id_at = r->pos;
    body = reader_sub(r, (size_t)length, "entry");
    body.offset = id_at;
    body.err = NULL;
    none = !f->section.is_debug ? 0 : is_long ? UINT64_MAX : UINT32_MAX;
    id = is_long && f->section.is_debug ? reader_u64(&body)
                                        : reader_u32(&body);
    if (id == none)
        add_common(f, offset, &body);
    else
        add_function(f, f->section.is_debug ? id : id_at - id, &body);
    return true;
}

static int compare_functions(const void *a, const void *b)
{
    const struct function_frames *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

struct call_frames *call_frames_open(const struct call_frames_section *s)
{
    struct call_frames *f = mem_new(1, sizeof(*f));
    struct reader r = reader_of("call frames", s->bytes.data, s->bytes.len, 0,
                                NULL);

    f->section = *s;
    f->pointers = (struct frame_pointers){s->address, s->wide};
    while (reader_more(&r) && read_entry(f, &r))
        continue;
    if (f->functions.len)
        qsort(f->functions.data, f->functions.len,
              sizeof(*f->functions.data), compare_functions);
    return f;
}

void call_frames_close(struct call_frames *f)
{
    if (!f)
        return;
    vec_release(&f->commons);
    vec_release(&f->functions);
    free(f);
}

bool call_frames_find(const struct call_frames *f, uint64_t address,
                      struct frame_row *row)
{
    const struct function_frames *function;
    size_t i;

    BISECT(i, f->functions.len, f->functions.data[i].start <= address);
    if (!i || address >= f->functions.data[i - 1].end)
        return false;
    function = &f->functions.data[i - 1];
    return frame_program_run(&f->commons.data[function->common].program,
                             function->start, function->instructions, address,
                             row);
}
