/*
 * Names for code of precompiled .NET assemblies that a trace of a whole
 * machine (nettrace v6) has as mapped files: the runtime names what it
 * compiled; precompiled code has only the file and the offset in it. Names
 * are spelled as the runtime's own in such traces, so that both bodies of a
 * method are one function.
 *
 * Modules without a build-id whose PDB the trace names are looked for in the
 * places.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/base/text.h"
#include "symbols/find/assembly.h"
#include "symbols/managed/code_methods.h"

/* One module while its file is open. */
struct mapped {
    struct found file;
    struct r2r_image *image; /* NULL: none */
    struct code_methods methods;
    struct code_method given; /* its assembly */
    char *assembly;
};

static uint32_t subject(const struct profile *p, const struct asked *asked)
{
    const struct module *m;

    if (asked->kind != CODE_NATIVE || asked->module == NO_ID ||
        asked->method != NO_ID)
        return NO_ID;
    m = &p->modules.data[asked->module];
    return m->by_file_offset && m->identity.pdb_name ? asked->module : NO_ID;
}

static void *begin(const struct naming *n, const struct asked *asked,
                   size_t count)
{
    struct naming *own = mem_new(1, sizeof(*own));

    (void)asked, (void)count;
    *own = *n;
    return own;
}

/* "System.Linq" of "System.Linq.dll". */
static char *assembly_name(const char *file)
{
    size_t n = strlen(file);

    if (n > 4 && ascii_same(file + n - 4, ".dll"))
        n -= 4;
    return text_copy(file, n);
}

static void *open_module(void *state, uint32_t module)
{
    const struct naming *n = state;
    const struct profile *p = n->p;
    struct mapped *m = mem_new(1, sizeof(*m));

    m->file = find_assembly(p, module, n->places, false);
    if (m->file.file)
        m->image = r2r_open(m->file.path, m->file.file->data,
                            m->file.file->size, NULL);
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

    if (!m->image ||
        !pe_offset_to_rva(r2r_pe(m->image), asked->address, &rva) ||
        !code_find(m->image, rva, asked->returns, &found))
        return;
    m->given.start = found.start;
    answer->method = code_methods_get(&m->methods, m->image, &found, &m->given);
}

static const char *origin(void *opened, uint32_t module)
{
    (void)module;
    return ((struct mapped *)opened)->file.path;
}

static void close_module(void *opened)
{
    struct mapped *m = opened;

    code_methods_release(&m->methods);
    r2r_close(m->image);
    found_release(&m->file);
    free(m->assembly);
    free(m);
}

static void end(void *state, const struct naming *n)
{
    (void)n;
    free(state);
}

const struct name_source mapped_code_source = {
    .subject = subject,
    .begin = begin,
    .open = open_module,
    .ask = ask,
    .origin = origin,
    .close = close_module,
    .end = end,
};
