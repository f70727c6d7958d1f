/*
 * Names for code of precompiled .NET assemblies that a trace of a whole
 * machine (nettrace v6) has as mapped files: the runtime names what it
 * compiled; precompiled code has only the file and the offset in it. Names
 * are spelled as the runtime's own in such traces, so that both bodies of a
 * method are one function.
 *
 * Modules without a build-id whose PDB the trace names are looked for in the
 * places. perf names no PDB: a file of the module's name is taken there if
 * its code fills the pages that were mapped, and every address of the stacks
 * that a call returns to is one in the file. In another build, 3 in 100 of
 * such addresses are.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"
#include "symbols/find/pdb.h"
#include "symbols/managed/code_methods.h"

/* One module while its file is open. */
struct mapped {
    const struct naming *n;
    const struct asked_about *about; /* the subject is the module */
    struct found file;
    struct r2r_image *image; /* NULL: none */
    struct composite composite;
    struct code_methods methods;
    struct code_method given; /* its assembly */
    char *assembly;
};

static bool is_assembly(const struct profile *p, const struct module *m)
{
    const char *path = strings_get(p->strings, m->path);
    size_t n = strlen(path);

    return m->identity.pdb_name || (!m->identity.build_id_size && n > 4 &&
                                    (ascii_same(path + n - 4, ".dll") ||
                                     ascii_same(path + n - 4, ".exe")));
}

static uint32_t subject(const struct profile *p, const struct location *l)
{
    const struct module *m;

    if (l->kind != CODE_NATIVE || l->module == NO_ID || l->method != NO_ID)
        return NO_ID;
    m = &p->modules.data[l->module];
    return m->by_file_offset && is_assembly(p, m) ? l->module : NO_ID;
}

static void *begin(const struct naming *n, const struct asked_about *asked,
                   size_t count)
{
    (void)asked, (void)count;
    return (void *)n;
}

/* ---- which file it is ---- */

static bool fills_mappings(const struct mapped *m)
{
    const struct profile *p = m->n->p;

    for (size_t i = 0; i < p->mappings.len; i++) {
        const struct mapping *at = &p->mappings.data[i];

        if (at->module == m->about->subject &&
            !pe_maps_code(r2r_pe(m->image), at->rva, at->size))
            return false;
    }
    return true;
}

static bool has_all_calls(const struct mapped *m)
{
    for (size_t i = 0; i < m->about->count; i++) {
        struct asked a = asked_of(m->n->p, m->about->locations[i]);
        uint32_t rva;

        if (a.returns &&
            (!pe_offset_to_rva(r2r_pe(m->image), a.address, &rva) ||
             !r2r_follows_call(m->image, rva)))
            return false;
    }
    return true;
}

static void open_image(struct mapped *m, const struct debug_file *file)
{
    m->image = r2r_open(file->name, file->data, file->size, NULL);
}

static bool is_mapped(void *state, const struct debug_file *file)
{
    struct mapped *m = state;

    open_image(m, file);
    if (m->image && fills_mappings(m) && has_all_calls(m))
        return true;
    r2r_close(m->image);
    m->image = NULL;
    return false;
}

/* "System.Linq" of "System.Linq.dll". */
static char *assembly_name(const char *file)
{
    size_t n = strlen(file);

    if (n > 4 && ascii_same(file + n - 4, ".dll"))
        n -= 4;
    return text_copy(file, n);
}

static void *open_module(void *state, const struct asked_about *about,
                         struct subject_facts *facts)
{
    const struct naming *n = state;
    uint32_t module = about->subject;
    const struct profile *p = n->p;
    struct mapped *m = mem_new(1, sizeof(*m));

    (void)facts;
    m->n = n;
    m->about = about;
    if (p->modules.data[module].identity.pdb_name) {
        m->file = find_assembly(p, module, n->places);
        if (m->file.file)
            open_image(m, m->file.file);
    } else {
        m->file = find_assembly_named(p, module, n->places, is_mapped, m);
    }
    if (m->image)
        composite_open(&m->composite, m->image, m->file.path, n->places);
    m->methods.style = TYPES_MAP;
    m->assembly =
        assembly_name(strings_get(p->strings, p->modules.data[module].name));
    m->given = (struct code_method){.module = NO_ID, .assembly = m->assembly};
    return m;
}

static void ask(void *opened, const struct asked *asked, struct answer *answer)
{
    struct mapped *m = opened;
    struct r2r_method found;
    uint32_t rva;

    if (m->file.cause == FIND_MISMATCH)
        answer->cause = CAUSE_MISMATCH;
    if (!m->image ||
        !pe_offset_to_rva(r2r_pe(m->image), asked->address, &rva) ||
        !code_find(m->image, rva, asked->returns, &found))
        return;
    m->given.start = found.start;
    answer->method = code_methods_get(&m->methods, m->image, &found, &m->given);
    answer->origin = m->file.path;
    if (!answer->method && r2r_is_cut(m->image))
        answer->cause = CAUSE_BROKEN;
}

static void close_module(void *opened)
{
    struct mapped *m = opened;

    code_methods_release(&m->methods);
    r2r_close(m->image);
    composite_close(&m->composite);
    found_release(&m->file);
    free(m->assembly);
    free(m);
}

const struct name_source mapped_code_source = {
    .subject = subject,
    .begin = begin,
    .open = open_module,
    .ask = ask,
    .close = close_module,
};
