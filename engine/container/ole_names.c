/*
 * Property set stream:
 *
 * OFFSET SIZE DESCRIPTION
 *      0    2 FFFE
 *     44    4 offset of the section
 *
 * Section:
 *
 *      0    4 size, 4 4 number of properties
 *      8      per property: id (4), offset from the section's start (4)
 *
 * Property 0 is the dictionary: a count (4), then id (4), length in
 * characters with the NUL (4), UTF-16 text padded to 4 bytes. The others
 * here are of type 8 (4): length in bytes (4), UTF-16 text.
 */
#include "engine/container/ole_names.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/reader.h"
#include "engine/container/names.h"

enum {
    SECTION_OFFSET = 44,
    VT_BSTR = 8,
    DICTIONARY = 0,
    /* Names are looked through for every property and stream. */
    MOST_NAMES = 1024,
};

static const char *utf16(struct strings *strings, struct bytes b)
{
    return strings_get(strings,
                       strings_add_utf16(strings, b.data, b.len / 2));
}

static void read_dictionary(struct ole_names *names, struct reader *r,
                            struct strings *strings)
{
    uint32_t n = reader_count(r, 8, "dictionary entry");

    while (n-- && reader_more(r) && names->list.len < MOST_NAMES) {
        uint32_t id = reader_u32(r);
        uint64_t length = (uint64_t)reader_u32(r) * 2;
        struct bytes text =
            reader_bytes(r, length > SIZE_MAX ? SIZE_MAX : (size_t)length);

        reader_align(r, 4);
        if (!r->failed || text.data)
            *vec_add(&names->list) = (struct ole_name){
                .id = id,
                .name = utf16(strings, text),
            };
    }
}

static void read_folder(struct ole_names *names, uint32_t id,
                        struct reader *r, struct strings *strings)
{
    struct bytes text;

    if (reader_u32(r) != VT_BSTR)
        return;
    text = reader_bytes(r, reader_u32(r));
    if (r->failed)
        return;
    for (size_t i = 0; i < names->list.len; i++)
        if (names->list.data[i].id == id)
            names->list.data[i].folder = utf16(strings, text);
}

/* The dictionary, wherever it stands, or everything else. */
static void read_properties(struct ole_names *names, struct reader section,
                            bool dictionary, struct strings *strings)
{
    struct reader list = section;
    uint32_t n;

    reader_skip(&list, 4);
    n = reader_count(&list, 8, "property");
    for (uint32_t i = 0; i < n && i < MOST_NAMES; i++) {
        uint32_t id = reader_u32(&list);
        struct reader r = reader_at(&section, reader_u32(&list), "property");

        if (!dictionary && id != DICTIONARY)
            read_folder(names, id, &r, strings);
        if (!dictionary || id != DICTIONARY)
            continue;
        read_dictionary(names, &r, strings);
        return;
    }
}

void ole_names_read(struct ole_names *names, const uint8_t *bytes,
                    size_t size, struct strings *strings)
{
    struct reader file = reader_of("property set", bytes, size, 0, NULL);
    struct reader r = reader_at(&file, SECTION_OFFSET, "section offset");
    struct reader section;
    uint32_t offset = reader_u32(&r);

    if (r.failed || offset > size)
        return;
    section =
        reader_of("section", bytes + offset, size - offset, offset, NULL);
    read_properties(names, section, true, strings);
    read_properties(names, section, false, strings);
}

void ole_names_release(struct ole_names *names)
{
    vec_release(&names->list);
}

/* n of "En", from 1; 0 for another name. */
static size_t resource_number(const char *path, size_t length)
{
    size_t n = 0;

    if (length < 2 || length > 7 || (path[0] != 'E' && path[0] != 'e'))
        return 0;
    for (size_t i = 1; i < length; i++) {
        if (path[i] < '0' || path[i] > '9')
            return 0;
        n = n * 10 + (size_t)(path[i] - '0');
    }
    return n;
}

static const char *folder_of(const struct ole_names *names, const char *path,
                             size_t length)
{
    for (size_t i = 0; i < names->list.len; i++) {
        const struct ole_name *n = &names->list.data[i];

        if (n->folder && strlen(n->name) == length &&
            !strncmp(n->name, path, length))
            return n->folder;
    }
    return NULL;
}

static const struct resource *resource_in(const struct package *package,
                                          const char *folder)
{
    for (size_t i = 0; i < package->resources.len; i++)
        if (entry_name_same(package->resources.data[i].prefix, folder))
            return &package->resources.data[i];
    return NULL;
}

const char *ole_full_name(const struct ole_names *names,
                          const struct package *package, const char *path,
                          struct strings *strings)
{
    size_t length = strcspn(path, "/");
    size_t number = resource_number(path, length);
    const char *folder = folder_of(names, path, length), *name;
    const struct resource *r = NULL;

    if (!folder && !number)
        return NULL;
    if (folder)
        r = resource_in(package, folder);
    else if (number <= package->resources.len)
        r = &package->resources.data[number - 1];
    if (!folder)
        folder = r ? r->prefix : "";
    name = path[length] ? path + length + 1 : r ? r->name : path;
    return strings_get(strings, strings_addf(strings, "%s%s%s", folder,
                                             *folder ? "/" : "", name));
}
