/*
 * Code that a program copied to memory of its own at the same addresses, as
 * those do that want their code in huge pages: it still is the image's.
 *
 * A library may have been unloaded, which no record tells, and its addresses
 * used again for other code. So this holds for memory within the program itself,
 * which is never unloaded, and for whole huge pages; and for what was code there: data
 * without a file behind those of a file are no copy. (format.md, section 7)
 */
#include "engine/format/perfdata/perfdata.h"

enum { HUGE_PAGE = 2 << 20, MOST_STEPS = 512 };

static bool is_huge(const struct pd_mapping *m)
{
    return m->size && m->base % HUGE_PAGE == 0 && m->size % HUGE_PAGE == 0;
}

/* Other memory is mostly far away from the program: the list of mappings need
 * not be gone through for it. */
static bool is_near(const struct pd_mapping *m, const struct pd_mapping *exe)
{
    const uint64_t most = (uint64_t)1 << 30;

    return m->base - exe->base + most < 2 * most;
}

static bool overlap(const struct pd_mapping *a, const struct pd_mapping *b)
{
    return a->base < b->base ? b->base - a->base < a->size
                             : a->base - b->base < b->size;
}

/* What both have of the image below. */
static struct pd_mapping intersection(const struct pd_mapping *m,
                                      const struct pd_mapping *image)
{
    uint64_t end = m->base + m->size, image_end = image->base + image->size;
    struct pd_mapping part = *image;

    part.time = m->time;
    part.older = m->older;
    part.first = m->first;
    if (part.base < m->base)
        part.base = m->base;
    part.file_offset += part.base - image->base;
    part.size = (image_end < end ? image_end : end) - part.base;
    return part;
}

bool pd_find_remapped(const struct pd_reading *r, uint32_t program,
                      uint32_t mapping, struct pd_mapping *part)
{
    const struct pd_mapping *all = r->mappings.data, *m = &all[mapping];
    const struct pd_mapping *exe = program == NO_ID ? NULL : &all[program];
    unsigned steps = 0;

    if (!pd_is_generated(strings_get(r->strings, m->path)) ||
        !(is_huge(m) || (exe && is_near(m, exe))))
        return false;
    for (uint32_t i = m->older; i != NO_ID && steps < MOST_STEPS; steps++) {
        const struct pd_mapping *image = &all[i];

        i = image->older;
        if (!overlap(m, image) || image->data ||
            pd_is_generated(strings_get(r->strings, image->path)))
            continue;
        *part = intersection(m, image);
        return is_huge(m) ||
               (image->path == exe->path && part->size == m->size);
    }
    return false;
}
