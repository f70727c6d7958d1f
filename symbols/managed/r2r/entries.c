/*
 * Entry points: of methods as they are declared an array by row, of instances
 * of generic ones a hash table.
 *
 *   entry point   number v: with bit 0, what must be loaded first is listed
 *                 elsewhere and the piece is v >> 2; else it is v >> 1
 *   instance      its signature, then the entry point
 */
#include <stdlib.h>

#include "symbols/managed/r2r/image_impl.h"

bool r2r_read_piece(const struct r2r_image *image, struct reader *r,
                    uint32_t *piece)
{
    uint32_t v = native_unsigned(r);

    *piece = v & 1 ? v >> 2 : v >> 1;
    return !r->failed && *piece < image->pieces;
}

static void add_methods(struct r2r_image *image, uint32_t component)
{
    const struct r2r_component *c = &image->components.data[component];
    struct native_array array = native_array_of(c->methods);
    struct reader r;
    uint32_t piece;

    if (c->has_tables && array.count > cli_rows(&c->tables, CLI_METHOD))
        array.count = cli_rows(&c->tables, CLI_METHOD);
    for (uint32_t i = 0; i < array.count; i++)
        if (native_array_at(&array, i, &r) && r2r_read_piece(image, &r, &piece))
            *vec_add(&image->entries) = (struct r2r_entry){
                .piece = piece, .component = component, .row = i + 1};
}

static void add_instances(struct r2r_image *image)
{
    struct native_hash hash = native_hash_of(image->instances);
    struct r2r_instance instance;
    struct reader r;
    uint32_t piece;
    size_t at;

    /* No two have one piece. */
    for (uint32_t left = image->pieces; left && native_hash_next(&hash, &r);
         left--) {
        at = r.pos;
        if (r2r_read_instance(image, &r, &instance) &&
            r2r_read_piece(image, &r, &piece))
            *vec_add(&image->entries) =
                (struct r2r_entry){.piece = piece, .signature = at};
    }
}

static int compare(const void *a, const void *b)
{
    const struct r2r_entry *x = a, *y = b;

    if (x->piece != y->piece)
        return x->piece < y->piece ? -1 : 1;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->signature > y->signature) - (x->signature < y->signature);
}

void r2r_list_entries(struct r2r_image *image)
{
    size_t kept = 0;

    for (uint32_t i = 0; i < image->components.len; i++)
        add_methods(image, i);
    add_instances(image);
    if (!image->entries.len)
        return;
    qsort(image->entries.data, image->entries.len, sizeof(*image->entries.data),
          compare);
    for (size_t i = 0; i < image->entries.len; i++)
        if (!kept ||
            image->entries.data[kept - 1].piece != image->entries.data[i].piece)
            image->entries.data[kept++] = image->entries.data[i];
    image->entries.len = kept;
}
