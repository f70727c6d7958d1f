#include "cli/commands/annotation.h"

#include <stdlib.h>
#include <string.h>

#include "engine/base/bisect.h"
#include "engine/base/map.h"
#include "engine/base/text.h"
#include "engine/model/module_twins.h"
#include "engine/model/profile.h"
#include "symbols/names/demangle.h"

struct code_modules {
    const struct profile *p;
    const struct places *places;
    uint64_t *exclusive; /* by location */
    /* The sampled locations of a module: the first one, and after each the
     * next one; NO_ID ends. */
    uint32_t *first, *next;
    uint32_t *same; /* by module: the first one that is the same file; NO_ID:
                       too many others are called like it */
    struct code_module **modules; /* by module; NULL: not asked for yet */
    uint64_t steps;
};

static void find_same_files(struct code_modules *all)
{
    struct module_twins twins = {0};
    size_t count = all->p->modules.len;

    all->same = mem_new(count, sizeof(*all->same));
    for (uint32_t i = 0; i < count; i++)
        all->same[i] = module_twins_add(&twins, all->p->modules.data, i);
    module_twins_release(&twins);
}

static void list_locations(struct code_modules *all)
{
    const struct profile *p = all->p;

    all->first = mem_new(p->modules.len, sizeof(*all->first));
    all->next = mem_new(p->locations.len, sizeof(*all->next));
    memset(all->first, 0xFF, p->modules.len * sizeof(*all->first));
    for (uint32_t i = (uint32_t)p->locations.len; i-- > 0;) {
        uint32_t module = p->locations.data[i].module;

        all->steps++;
        if (module != NO_ID)
            module = all->same[module];
        if (module == NO_ID || !all->exclusive[i])
            continue;
        all->next[i] = all->first[module];
        all->first[module] = i;
    }
}

struct code_modules *code_modules_new(const struct profile *p,
                                      const struct selection *sel,
                                      const struct places *places)
{
    struct code_modules *all = mem_new(1, sizeof(*all));

    all->p = p;
    all->places = places;
    all->exclusive = mem_new(p->locations.len, sizeof(*all->exclusive));
    for (size_t i = 1; i < p->stacks.len; i++)
        all->exclusive[p->stacks.data[i].location] += sel->stack_counts[i];
    all->modules = mem_new(p->modules.len, sizeof(*all->modules));
    find_same_files(all);
    list_locations(all);
    return all;
}

void code_modules_free(struct code_modules *all)
{
    for (size_t i = 0; i < all->p->modules.len; i++)
        if (all->modules[i]) {
            disasm_close(all->modules[i]->disasm);
            module_files_release(&all->modules[i]->files);
            vec_release(&all->modules[i]->hits);
            free(all->modules[i]);
        }
    free(all->modules);
    free(all->same);
    free(all->first);
    free(all->next);
    free(all->exclusive);
    free(all);
}

static int by_rva(const void *x, const void *y)
{
    const struct code_hit *a = x, *b = y;

    return (a->rva > b->rva) - (a->rva < b->rva);
}

const struct code_module *code_module_get(struct code_modules *all,
                                          uint32_t module)
{
    struct code_module *m;

    module = all->same[module];
    m = module == NO_ID ? NULL : all->modules[module];
    if (m || module == NO_ID)
        return m;
    m = mem_new(1, sizeof(*m));
    m->module = module;
    m->files = find_module(all->p, module, all->places);
    m->image = m->files.image.file;
    if (m->image)
        m->disasm = disasm_open(m->image->machine);
    for (uint32_t i = all->first[m->module]; i != NO_ID; i = all->next[i]) {
        uint64_t rva;

        all->steps++;
        if (module_rva(&m->files, all->p->locations.data[i].address, &rva))
            *vec_add(&m->hits) = (struct code_hit){rva, all->exclusive[i]};
    }
    if (m->hits.len)
        qsort(m->hits.data, m->hits.len, sizeof(*m->hits.data), by_rva);
    all->modules[module] = m;
    return m;
}

uint64_t code_modules_steps(const struct code_modules *all)
{
    return all->steps;
}

uint64_t code_samples(const struct code_module *m, uint64_t start, uint64_t end)
{
    size_t i;
    uint64_t samples = 0;

    BISECT(i, m->hits.len, m->hits.data[i].rva < start);
    for (; i < m->hits.len && m->hits.data[i].rva < end; i++)
        samples += m->hits.data[i].samples;
    return samples;
}

/* Bytes of code that are decoded, those with most samples first: an instruction
 * takes 150 bytes of memory, and symbols may overlap. */
enum { MOST_BYTES = 1 << 20 };

struct annotator {
    const struct profile *p;
    const struct options *options;
    struct code_modules *modules;
    bool *selected; /* by location: on the stack of a selected sample */
    struct map parts; /* of a function: (where its code begins, module) */
    struct arena arena;
    struct budget cost; /* of names in `arena` */
    struct budget code; /* bytes that may still be decoded */
};

static bool *select_locations(const struct profile *p,
                              const struct selection *sel)
{
    bool *selected = mem_new(p->locations.len, sizeof(*selected));
    uint64_t *inclusive = stacks_inclusive(p, sel->stack_counts);

    for (size_t i = 1; i < p->stacks.len; i++)
        selected[p->stacks.data[i].location] |= inclusive[i] > 0;
    free(inclusive);
    return selected;
}

struct annotator *annotator_new(const struct profile *p,
                                const struct selection *sel,
                                const struct places *places,
                                const struct options *o)
{
    struct annotator *a = mem_new(1, sizeof(*a));

    a->p = p;
    a->options = o;
    a->cost = demangle_budget(0, 1);
    a->code = budget_of(0, 0, MOST_BYTES);
    a->modules = code_modules_new(p, sel, places);
    a->selected = select_locations(p, sel);
    return a;
}

void annotator_free(struct annotator *a)
{
    code_modules_free(a->modules);
    arena_release(&a->arena);
    map_release(&a->parts);
    free(a->selected);
    free(a);
}

/* ---- instructions ---- */

static const char *kept(struct annotator *a, const char *text)
{
    return arena_strndup(&a->arena, text, strlen(text));
}

static bool same_frame(const struct annotated_frame *a,
                       const struct annotated_frame *b)
{
    return a->line == b->line && a->file == b->file &&
           !strcmp(a->function, b->function);
}

/* Most instructions have the frames of the one before. */
static bool same_frames(const struct annotated_part *part, size_t first,
                        size_t n)
{
    size_t at = part->frames.len - n;

    if (first + n > at)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!same_frame(&part->frames.data[first + i],
                        &part->frames.data[at + i]))
            return false;
    return true;
}

static void add_frames(struct annotator *a, const struct code_module *m,
                       struct annotated_part *part,
                       struct annotated_instruction *i,
                       const struct annotated_instruction *before)
{
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    size_t n =
        module_frames_at(&m->files, i->address, frames, DEBUG_FRAMES_MAX);
    size_t first = n && a->options->no_inlines ? n - 1 : 0;

    i->frame = part->frames.len;
    i->frame_count = n - first;
    for (; first < n; first++) {
        const char *name = symbol_readable(
            frames[first].function, a->options->names, &a->arena, &a->cost);

        *vec_add(&part->frames) = (struct annotated_frame){
            name ? name : "?", frames[first].file, frames[first].line};
    }
    if (!before || before->frame_count != i->frame_count ||
        !same_frames(part, before->frame, i->frame_count))
        return;
    part->frames.len = i->frame;
    i->frame = before->frame;
}

static void decode(struct annotator *a, const struct code_module *m,
                   struct annotated_part *part, struct bytes code)
{
    uint64_t address = part->start;
    struct instruction in;

    while (disasm_next(m->disasm, &code, &address, &in)) {
        size_t n = part->instructions.len;
        struct annotated_instruction i = {
            .address = in.address,
            .bytes = in.bytes,
            .text = kept(a, in.text),
            .samples = code_samples(m, in.address, address),
            .has_target = in.has_target,
            .target = in.target,
        };

        add_frames(a, m, part, &i, n ? &part->instructions.data[n - 1] : NULL);
        *vec_add(&part->instructions) = i;
    }
}

static struct annotated_instruction *instruction_at(
    const struct annotated_part *part, uint64_t address)
{
    size_t i;

    BISECT(i, part->instructions.len,
           part->instructions.data[i].address < address);
    return i < part->instructions.len &&
                   part->instructions.data[i].address == address
               ? &part->instructions.data[i]
               : NULL;
}

/* The function into which everything at an address is inlined. */
static const char *physical_name(struct annotator *a,
                                 const struct code_module *m, uint64_t rva)
{
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    size_t n = module_frames_at(&m->files, rva, frames, DEBUG_FRAMES_MAX);

    return n ? symbol_readable(frames[n - 1].function, a->options->names,
                               &a->arena, &a->cost)
             : NULL;
}

/* "app.exe!work", "app.exe!work+0x10"; NULL: nobody knows. */
static const char *name_at(struct annotator *a, const struct code_module *m,
                           uint64_t rva)
{
    const struct module *module = &a->p->modules.data[m->module];
    const char *name = physical_name(a, m, rva);
    struct debug_range range;
    struct out *text;

    if (!name)
        return NULL;
    text = out_memory();
    out_fmt(text, "%s!%s", strings_get(a->p->strings, module->name), name);
    if (module_range(&m->files, rva, &range) && rva > range.start)
        out_fmt(text, "+0x%llx", (unsigned long long)(rva - range.start));
    return out_close_to(text, &a->arena);
}

/* ---- parts ---- */

/* Names the build of the file that is needed. */
static const char *no_image(struct annotator *a, const struct module *m)
{
    const struct identity *id = &m->identity;
    const char *name = strings_get(a->p->strings, m->name);
    char code[CODE_ID_SIZE], date[FILE_DATE_SIZE];
    bool dated = file_date(id->timestamp, date);

    code_id_text(id, code);
    if (id->build_id_size)
        return arena_fmt(&a->arena,
                         "needs the program file %s (build ID %s): add its "
                         "folder with --symbols",
                         name, code);
    if (*code)
        return arena_fmt(&a->arena,
                         "needs the program file %s (%s%s): add its folder "
                         "with --symbols",
                         name, dated ? "built " : code, dated ? date : "");
    return arena_fmt(&a->arena,
                     "needs the program file %s; the trace does not tell "
                     "which build",
                     name);
}

/* True if code that begins at an address is shown already, or cannot be. */
static bool has_part(struct annotator *a, uint32_t module, uint64_t start)
{
    uint32_t fresh = (uint32_t)a->parts.used;

    return map_add(&a->parts, start, module, fresh) != fresh;
}

static struct bytes code_of(const struct code_module *m,
                            const struct debug_range *range)
{
    struct bytes code = debug_code(m->image, range->start);
    uint64_t size = range->end - range->start;

    size = size < MOST_BYTES ? size : MOST_BYTES;
    code.len = code.len < size ? code.len : (size_t)size;
    return code;
}

/* Why code at an address cannot be shown; NULL: it can, and `range` and
 * `code` are it. */
static const char *find_code(struct annotator *a, const struct code_module *m,
                             uint64_t rva, struct debug_range *range,
                             struct bytes *code)
{
    const struct module *module = &a->p->modules.data[m->module];

    if (!m->image)
        return no_image(a, module);
    if (!m->disasm)
        return arena_fmt(&a->arena, "%s: no disassembler for its code",
                         m->image->name);
    if (!module_range(&m->files, rva, range))
        return arena_fmt(&a->arena,
                         "%s: no file tells where the function at 0x%llx "
                         "begins and ends",
                         m->image->name, (unsigned long long)rva);
    *code = code_of(m, range);
    return code->len
               ? NULL
               : arena_fmt(&a->arena, "%s: nothing at 0x%llx", m->image->name,
                           (unsigned long long)range->start);
}

static void add_part(struct annotator *a, struct annotated *f,
                     const struct code_module *m, uint64_t rva)
{
    const struct module *module = &a->p->modules.data[m->module];
    struct annotated_part part = {.module_id = m->module,
                                  .module =
                                      strings_get(a->p->strings, module->name)};
    struct debug_range range = {0, 0};
    struct bytes code = {NULL, 0};

    part.problem = find_code(a, m, rva, &range, &code);
    if (part.problem && m->disasm) {
        part.start = rva;
        part.end = rva + 1;
    } else if (!part.problem) {
        part.image = m->image->name;
        part.name = physical_name(a, m, rva);
        part.start = range.start;
        part.end = range.start + code.len;
        part.samples = code_samples(m, part.start, part.end);
    }
    *vec_add(&f->parts) = part;
}

/* Jumps within the part mark where they go, what leaves it has a name. */
static void mark_targets(struct annotator *a, const struct code_module *m,
                         struct annotated_part *part)
{
    for (size_t k = 0; k < part->instructions.len; k++) {
        struct annotated_instruction *i = &part->instructions.data[k];
        struct annotated_instruction *to;

        if (!i->has_target)
            continue;
        to = instruction_at(part, i->target);
        if (to)
            to->is_target = true;
        if (!to || i->target == part->start)
            i->target_name = name_at(a, m, i->target);
    }
}

static void show_part(struct annotator *a, struct annotated_part *part)
{
    const struct code_module *m = code_module_get(a->modules, part->module_id);
    struct debug_range range = {part->start, part->end};

    if (!budget_take(&a->code, part->end - part->start)) {
        part->problem = "its code is left out: at most 1 MiB is shown";
        return;
    }
    decode(a, m, part, code_of(m, &range));
    mark_targets(a, m, part);
}

static void add_location(struct annotator *a, struct annotated *f,
                         const struct location *l)
{
    const struct code_module *m;
    struct debug_range range;
    uint64_t rva = 0;

    if (l->module == NO_ID) {
        /* Code that no image holds. */
        static const char made[] = "no image in the trace holds its code; what "
                                   "is compiled at run time "
                                   "is in none";
        static const char unknown[] = "no image is known at its address";

        if (!has_part(a, NO_ID, 0))
            *vec_add(&f->parts) = (struct annotated_part){
                .module_id = NO_ID,
                .module = f->function->module,
                .problem = l->method != NO_ID ? made : unknown};
        return;
    }
    m = code_module_get(a->modules, l->module);
    if (!m)
        return;
    if (m->image && !module_rva(&m->files, l->address, &rva))
        rva = l->address; /* of nothing in it, as will be said */
    if (!m->image || !m->disasm)
        range.start = 0;
    else if (!module_range(&m->files, rva, &range))
        range.start = rva;
    if (!has_part(a, m->module, range.start))
        add_part(a, f, m, rva);
}

static bool has_function(const struct profile *p, uint32_t location,
                         uint32_t function)
{
    uint32_t end = p->frame_start.data[location + 1];

    for (uint32_t i = p->frame_start.data[location]; i < end; i++)
        if (p->frames.data[i].function == function)
            return true;
    return false;
}

static int by_samples(const void *x, const void *y)
{
    const struct annotated_part *a = x, *b = y;

    if (a->samples != b->samples)
        return a->samples < b->samples ? 1 : -1;
    if (a->module_id != b->module_id)
        return a->module_id < b->module_id ? -1 : 1;
    return (a->start > b->start) - (a->start < b->start);
}

struct annotated annotator_function(struct annotator *a,
                                    const struct rank_row *function)
{
    struct annotated f = {.function = function};

    map_release(&a->parts);
    for (uint32_t i = 0; i < a->p->locations.len; i++)
        if (a->selected[i] && has_function(a->p, i, function->id))
            add_location(a, &f, &a->p->locations.data[i]);
    if (f.parts.len)
        qsort(f.parts.data, f.parts.len, sizeof(*f.parts.data), by_samples);
    for (size_t i = 0; i < f.parts.len; i++)
        if (!f.parts.data[i].problem)
            show_part(a, &f.parts.data[i]);
    return f;
}

void annotated_release(struct annotated *f)
{
    for (size_t i = 0; i < f->parts.len; i++) {
        vec_release(&f->parts.data[i].instructions);
        vec_release(&f->parts.data[i].frames);
    }
    vec_release(&f->parts);
}
