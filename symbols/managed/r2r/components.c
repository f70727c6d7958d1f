/*
 * The assemblies of a composite image. Component k is the assembly that row
 * k + 1 of the manifest refers to; the GUID of its build (MVID) is the first of
 * its heap of GUIDs. (format.md, section 4)
 */
#include <string.h>

#include "symbols/managed/r2r/image_impl.h"

enum { GUID = 16, CLR_SIZE = 72, METADATA_AT = 8 };

const struct cli_tables *r2r_tables(const struct r2r_image *image, uint32_t i)
{
    return i < image->components.len && image->components.data[i].has_tables
               ? &image->components.data[i].tables
               : NULL;
}

uint32_t r2r_components(const struct r2r_image *image)
{
    return image->composite ? (uint32_t)image->components.len : 0;
}

const char *r2r_component(const struct r2r_image *image, uint32_t i)
{
    return cli_text(&image->manifest, CLI_ASSEMBLY_REF, i + 1,
                    ASSEMBLY_REF_NAME);
}

const char *r2r_assembly_of(const struct r2r_image *image,
                            const struct cli_tables *tables)
{
    for (uint32_t i = 0; i < r2r_components(image); i++)
        if (tables == &image->components.data[i].tables)
            return r2r_component(image, i);
    return NULL;
}

static struct bytes metadata_of(const struct pe *pe)
{
    struct bytes clr = pe_at(pe, pe->directories[PE_CLR].rva), metadata;

    if (clr.len < CLR_SIZE)
        return (struct bytes){NULL, 0};
    metadata = pe_at(pe, load_u32(clr.data + METADATA_AT));
    if (metadata.len > load_u32(clr.data + METADATA_AT + 4))
        metadata.len = load_u32(clr.data + METADATA_AT + 4);
    return metadata;
}

bool r2r_take_component(struct r2r_image *image, uint32_t i, const char *name,
                        const uint8_t *data, size_t size)
{
    struct r2r_component *c = &image->components.data[i];
    struct cli_tables tables;
    struct bytes metadata, guid;
    struct pe pe;

    if (c->has_tables || pe_open(&pe, name, data, size, NULL))
        return c->has_tables;
    metadata = metadata_of(&pe);
    if (cli_tables_open(&tables, name, metadata.data, metadata.len, NULL))
        return false;
    guid = tables.metadata.guids;
    if (guid.len < GUID || image->builds.len / GUID <= i ||
        memcmp(guid.data, image->builds.data + (size_t)i * GUID, GUID) != 0)
        return false;
    c->tables = tables;
    return c->has_tables = true;
}

const char *r2r_owner(const struct r2r_image *image)
{
    const char *name = (const char *)image->owner.data;

    return image->owner.len && !name[image->owner.len - 1] && *name &&
                   !strpbrk(name, "/\\")
               ? name
               : NULL;
}
