/* Saved names and lines of managed code: read at once, as every method is
 * looked up. Layouts: saved.c. */
#include <stdlib.h>
#include <string.h>

#include "engine/base/bisect.h"
#include "engine/format/vsp/saved_impl.h"
#include "engine/format/vsp/vsp.h"

enum { MANAGED_SIZE = 28, IL_LINE_SIZE = 28 };

/* Two halves of a key: 128 bits of version and 32 of token do not fit a map,
 * so the version is folded; `managed_matches` compares it. */
static uint64_t fold_mvid(const uint8_t *mvid)
{
    return load_u64(mvid) ^ (load_u64(mvid + 8) << 1 | mvid[15] >> 7);
}

static void read_managed(struct vsp_saved *s, uint32_t module)
{
    const struct saved_module *m = &s->modules.data[module];
    const uint8_t *e =
        m->managed_count
            ? saved_table(s, m->managed_at, m->managed_count, MANAGED_SIZE)
            : NULL;

    for (uint64_t i = 0; e && i < m->managed_count; i++, e += MANAGED_SIZE) {
        uint32_t fresh = (uint32_t)s->managed.len;
        struct saved_managed method = {
            .token = load_u32(e),
            .module = module,
            .name = saved_text(s, (int32_t)load_u32(e + 16)),
            .file = saved_text(s, (int32_t)load_u32(e + 24)),
        };

        if (method.name.len &&
            map_add(&s->managed_ids, fold_mvid(m->mvid), method.token,
                    fresh) == fresh)
            *vec_add(&s->managed) = method;
    }
}

static void read_il_lines(struct vsp_saved *s, uint32_t module)
{
    const struct saved_module *m = &s->modules.data[module];
    const uint8_t *e = m->managed_line_count
                           ? saved_table(s, m->managed_line_at,
                                         m->managed_line_count, IL_LINE_SIZE)
                           : NULL;

    for (uint64_t i = 0; e && i < m->managed_line_count; i++, e += IL_LINE_SIZE)
        *vec_add(&s->il_lines) = (struct saved_il_line){
            .module = module,
            .token = load_u32(e),
            .first = (int32_t)load_u32(e + 4),
            .last = (int32_t)load_u32(e + 8),
            .line = load_u32(e + 12),
        };
}

static int compare_il_lines(const void *a, const void *b)
{
    const struct saved_il_line *x = a, *y = b;

    if (x->module != y->module)
        return x->module < y->module ? -1 : 1;
    if (x->token != y->token)
        return x->token < y->token ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

void saved_read_managed(struct vsp_saved *s)
{
    for (uint32_t i = 0; i < s->modules.len; i++) {
        read_managed(s, i);
        read_il_lines(s, i);
    }
    if (s->il_lines.len)
        qsort(s->il_lines.data, s->il_lines.len, sizeof(*s->il_lines.data),
              compare_il_lines);
}

bool saved_managed(const struct vsp_saved *s, const uint8_t *mvid,
                   uint32_t token, struct saved_managed *found)
{
    uint32_t id = map_get(&s->managed_ids, fold_mvid(mvid), token);

    if (id == MAP_NONE)
        return false;
    *found = s->managed.data[id];
    return !memcmp(s->modules.data[found->module].mvid, mvid, 16);
}

uint32_t saved_il_line_of(const struct vsp_saved *s, uint32_t module,
                          uint32_t token, int32_t il)
{
    struct saved_il_line key = {.module = module, .token = token, .first = il};
    size_t i;
    const struct saved_il_line *l;

    BISECT(i, s->il_lines.len,
           compare_il_lines(&s->il_lines.data[i], &key) <= 0);
    if (!i)
        return 0;
    l = &s->il_lines.data[i - 1];
    return l->module == module && l->token == token && il <= l->last ? l->line
                                                                     : 0;
}
