/* Signatures of instances (format.md, section 4). */
#include <stdio.h>

#include "symbols/managed/r2r/image_impl.h"

enum {
    HAS_ARGUMENTS = 0x04,
    BY_SLOT = 0x08,
    BY_REFERENCE = 0x10,
    HAS_CONSTRAINT = 0x20,
    HAS_OWNER = 0x40,
    HAS_MODULE = 0x80,
    METHOD_TOKEN = 0x06000000,
    NAME_USUAL = 512, /* bytes of a name that no budget is needed for */
};

/* Other assemblies than those in the image are not at hand. */
static const struct cli_tables *module_tables(const void *context,
                                              uint32_t index)
{
    const struct r2r_image *image = context;
    const struct cli_tables *own = r2r_tables(image, 0);
    uint32_t references =
        image->composite || !own ? 0 : cli_rows(own, CLI_ASSEMBLY_REF);

    if (!index)
        return image->composite ? &image->manifest : own;
    if (index == references + 1)
        return &image->manifest;
    /* Row k + 1 of the manifest is component k. */
    return image->composite && index > 1 ? r2r_tables(image, index - 2) : NULL;
}

static struct type_reader type_reader_of(const struct r2r_image *image,
                                         struct reader *r,
                                         struct type_text *text)
{
    return (struct type_reader){
        .r = r,
        .text = text,
        .style = TYPES_FULL,
        .own = module_tables(image, 0),
        .budget = image->budget,
        .module = module_tables,
        .context = image,
    };
}

/* A module that the owner's type is from is the method's, too, unless that
 * has one of its own. */
static bool read_owner(const struct r2r_image *image, struct reader *r,
                       struct r2r_instance *i, bool has_module)
{
    struct type_reader t = type_reader_of(image, r, NULL);
    struct reader peek = *r;

    uint8_t first = reader_u8(&peek);

    i->has_owner = true;
    i->owner = *r;
    if (!type_read(&t, i->tables))
        return false;
    if (first == TYPE_GENERIC)
        first = reader_u8(&peek);
    if (!has_module && first == TYPE_OF_MODULE)
        i->tables = module_tables(image, metadata_number(&peek));
    return true;
}

static bool skip_types(const struct r2r_image *image, struct reader *r,
                       uint32_t count)
{
    struct type_reader t = type_reader_of(image, r, NULL);

    while (count--)
        if (!type_read(&t, t.own))
            return false;
    return true;
}

bool r2r_read_instance(const struct r2r_image *image, struct reader *r,
                       struct r2r_instance *i)
{
    uint32_t flags = metadata_number(r);

    *i = (struct r2r_instance){.tables = module_tables(image, 0)};
    if (flags & BY_SLOT)
        return false;
    if (flags & HAS_MODULE)
        i->tables = module_tables(image, metadata_number(r));
    if (flags & HAS_OWNER && !read_owner(image, r, i, flags & HAS_MODULE))
        return false;
    i->row = metadata_number(r);
    i->is_reference = flags & BY_REFERENCE;
    if (flags & HAS_ARGUMENTS && !skip_types(image, r, metadata_number(r)))
        return false;
    if (flags & HAS_CONSTRAINT && !skip_types(image, r, 1))
        return false;
    return !r->failed;
}

/* ---- names ---- */

/* A method, however it is described. */
struct described {
    const struct cli_tables *tables;
    const char *name;
    struct reader signature;
    struct type_text space;
};

static bool describe_row(struct described *d, uint32_t row)
{
    d->name = cli_text(d->tables, CLI_METHOD, row, METHOD_NAME);
    d->signature = cli_blob(d->tables, CLI_METHOD, row, METHOD_SIGNATURE);
    return *d->name;
}

static bool describe_reference(struct described *d, uint32_t row)
{
    d->name = cli_text(d->tables, CLI_MEMBER_REF, row, MEMBER_REF_NAME);
    d->signature =
        cli_blob(d->tables, CLI_MEMBER_REF, row, MEMBER_REF_SIGNATURE);
    return *d->name;
}

static bool describe_instance(struct described *d,
                              const struct r2r_image *image,
                              const struct r2r_entry *e, uint32_t *token)
{
    struct reader all = image->instances;
    struct reader r = reader_at(&all, e->signature, "instance");
    struct r2r_instance i;
    struct type_reader t;

    if (!r2r_read_instance(image, &r, &i) || !i.tables)
        return false;
    d->tables = i.tables;
    if (!i.is_reference && i.tables == r2r_tables(image, 0))
        *token = METHOD_TOKEN | i.row;
    if (!(i.is_reference ? describe_reference : describe_row)(d, i.row))
        return false;
    if (!i.has_owner)
        return type_full_name(&d->space, d->tables,
                              cli_owner(d->tables, i.row));
    t = type_reader_of(image, &i.owner, &d->space);
    return type_read(&t, i.tables);
}

static bool describe_method(struct described *d, const struct r2r_image *image,
                            const struct r2r_entry *e, uint32_t *token)
{
    d->tables = r2r_tables(image, e->component);
    if (!d->tables || !describe_row(d, e->row))
        return false;
    *token = image->composite ? 0 : METHOD_TOKEN | e->row;
    return type_full_name(&d->space, d->tables, cli_owner(d->tables, e->row));
}

static const char *kept(struct arena *arena, const struct type_text *text)
{
    return arena_strndup(arena, text->data, text->len);
}

bool r2r_name(const struct r2r_image *image, const struct r2r_method *method,
              enum type_style style, struct arena *arena, struct r2r_name *name)
{
    const struct r2r_entry *e = &image->entries.data[method->entry];
    struct type_text signature = {.len = 0};
    struct described d = {.name = NULL};
    struct type_reader t = {.r = &d.signature,
                            .text = &signature,
                            .style = style,
                            .budget = image->budget};
    const char *arguments;

    *name = (struct r2r_name){.token = 0};
    budget_question(image->budget, NAME_USUAL);
    if (!(e->row ? describe_method : describe_instance)(&d, image, e,
                                                        &name->token) ||
        d.space.failed)
        return false;
    t.own = d.tables;
    if (!type_method_signature(&t) ||
        !budget_take(image->budget,
                     2 * (d.space.len + strlen(d.name) + signature.len)))
        return false;
    name->space = kept(arena, &d.space);
    name->name = d.name;
    name->signature = kept(arena, &signature);
    /* Namespace.Name(arguments). With method events these are all from the
     * first parenthesis on; results that have one are named by both so. */
    arguments = style == TYPES_EVENT ? strchr(name->signature, '(')
                                     : strstr(name->signature, "  (") + 2;
    name->full = arena_fmt(arena, "%s.%s%s", name->space, name->name,
                           arguments ? arguments : "");
    name->assembly = r2r_assembly_of(image, d.tables);
    return true;
}
