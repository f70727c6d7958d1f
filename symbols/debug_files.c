/*
 * Names of native code from debug files and images.
 *
 * The files of every module with sampled addresses are looked for
 * (find/module.h), asked, and closed; modules side by side. Modules of one
 * identity are one subject. Servers are asked if the places have them online.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/out.h"
#include "symbols/debug.h"
#include "symbols/disasm.h"
#include "symbols/find/prefetch.h"
#include "symbols/name_source.h"
#include "symbols/naming.h"

/* Modules whose files are looked for: a trace may have a module for each
 * sample, and about 25 paths are tried for one. */
enum { SOUGHT_MOST = 16384 };

/* One module. Those that are the same file are asked by one thread. */
struct search {
    struct search *first; /* of these */
    struct search *used;  /* of the first: whose files all have; NULL: none */
    struct module_search found;
    bool sought;
    bool named; /* some of its addresses */
    char *origin; /* of the first */
};

struct debug_files {
    const struct naming *naming;
    struct search *searches; /* in order of their modules */
    size_t count;
    uint32_t *search_of; /* by module: index in `searches`; NO_ID: none */
    size_t left_out;     /* modules: too many of a name without an identity */
    size_t too_many;     /* modules beyond SOUGHT_MOST */
};

/* A subject while it is open. */
struct opened_files {
    struct debug_files *all;
    struct search *first;
    const struct module_files *files;
};

/* Native code that the trace has a name for, too: what it took for one
 * function may be that and others inlined into it. */
static uint32_t subject(const struct profile *p, const struct location *l)
{
    (void)p;
    return l->method == NO_ID || code_is_native(l->kind) ? l->module : NO_ID;
}

/* ---- files ---- */

/* NULL: none is looked for. */
static struct search *search_for(const struct debug_files *d, uint32_t module)
{
    uint32_t at = d->search_of[module];

    return at == NO_ID ? NULL : &d->searches[at];
}

static void find(const struct naming *n, struct search *s)
{
    if (!s->sought)
        s->found.files = find_module(n->p, s->found.module, n->places);
    s->sought = true;
}

static void find_early(void *context, uint32_t module)
{
    struct debug_files *d = context;
    struct search *s = search_for(d, module);

    if (s)
        find(d->naming, s);
}

static bool has_files(const struct module_files *files)
{
    return files->debug.file || files->image.file || module_flaw(files);
}

/* The first in order whose search finds files: they may have other names. */
static struct search *find_files(struct debug_files *d,
                                 const struct asked_about *about)
{
    for (size_t i = 0; i < about->module_count; i++) {
        struct search *s = search_for(d, about->modules[i]);

        if (!s)
            break;
        find(d->naming, s);
        if (has_files(&s->found.files))
            return s;
        module_files_close(&s->found.files);
    }
    return NULL;
}

/* The first of several modules comes first. */
static void add_search(struct debug_files *d, uint32_t module, uint32_t first)
{
    struct search *s = &d->searches[d->count];

    if (first == NO_ID)
        return;
    if (d->count == SOUGHT_MOST) {
        d->search_of[module] = NO_ID;
        d->too_many++;
        return;
    }
    d->search_of[module] = (uint32_t)d->count++;
    s->first = search_for(d, first);
    s->found.module = module;
}

static void *begin(const struct naming *n, const struct asked_about *asked,
                   size_t count)
{
    struct debug_files *d = mem_new(1, sizeof(*d));
    size_t modules = n->p->modules.len;

    d->naming = n;
    d->search_of = mem_new(modules, sizeof(*d->search_of));
    memset(d->search_of, 0xFF, modules * sizeof(*d->search_of));
    for (size_t i = 0; i < count; i++) {
        d->left_out += asked[i].left_out;
        for (size_t k = 0; k < asked[i].module_count && !asked[i].left_out; k++)
            d->search_of[asked[i].modules[k]] = asked[i].subject;
    }
    d->searches = mem_new(modules < SOUGHT_MOST ? modules : SOUGHT_MOST,
                          sizeof(*d->searches));
    for (uint32_t m = 0; m < modules; m++)
        add_search(d, m, d->search_of[m]);
    prefetch(n->p, n->places, asked, count, find_early, d);
    return d;
}

/* The maker of the module, as logs of Windows say it: an id of `strings`. */
static uint32_t maker_of(const struct module_files *files,
                         struct strings *strings)
{
    struct pe_maker said;
    uint32_t company, product;

    if (!files->pe.section_count || !pe_maker(&files->pe, &said))
        return 0;
    company =
        strings_add_utf16(strings, said.company.data, said.company.len / 2);
    product =
        strings_add_utf16(strings, said.product.data, said.product.len / 2);
    return strings_addf(strings, "%s, %s", strings_get(strings, company),
                        strings_get(strings, product));
}

static void *open_module(void *state, const struct asked_about *about,
                         struct subject_facts *facts)
{
    struct debug_files *d = state;
    struct search *first = search_for(d, about->subject);
    struct opened_files *o;
    struct module_files *files;

    if (!first)
        return NULL;
    first->used = find_files(d, about);
    files = &(first->used ? first->used : first)->found.files;
    facts->cause = files->cause;
    facts->maker = maker_of(files, facts->strings);
    facts->bytes = (files->debug.file ? files->debug.file->size : 0) +
                   (files->image.file ? files->image.file->size : 0);
    if (!first->used)
        return NULL;
    o = mem_new(1, sizeof(*o));
    *o = (struct opened_files){d, first, files};
    return o;
}

static void close_module(void *opened)
{
    struct opened_files *o = opened;

    module_files_close(&o->first->used->found.files);
    free(o);
}

/* ---- names ---- */

/* Handlers of signals return to code that was not called: no byte lower. */
static uint64_t code_of(const struct module_files *files,
                        const struct asked *asked)
{
    struct debug_file *image = files->image.file;
    uint64_t rva;

    if (asked->returns && image && image->kind->image == IMAGE_ELF &&
        module_rva(files, asked->address, &rva) &&
        is_signal_return(debug_code(image, rva), image->machine))
        return asked->address;
    return asked_code(asked);
}

/* The origin of names. For a file in a container its own name is enough. */
static const char *origin_of(struct search *s, const struct module_files *files)
{
    static const char inside[] = ", found inside the container";
    static const char unproved[] = ", " BUILD_NOT_PROVED;
    const struct found *used = module_file_used(files);
    bool is_proved = !files->image.unproved;
    const char *slash = used->inside ? strrchr(used->path, '/') : NULL;
    size_t room = strlen(used->path) + sizeof(inside) + sizeof(unproved);

    if (!used->inside && is_proved)
        return used->path;
    if (!s->origin) {
        s->origin = mem_new(room, 1);
        snprintf(s->origin, room, "%s%s%s", slash ? slash + 1 : used->path,
                 used->inside ? inside : "", is_proved ? "" : unproved);
    }
    return s->origin;
}

static void ask(void *opened, const struct asked *asked, struct answer *answer)
{
    struct opened_files *o = opened;
    const struct module_files *files = o->files;
    uint64_t code = code_of(files, asked), rva;

    answer->cause = files->cause;
    if ((asked->method == NO_ID || files->is_complete) &&
        module_rva(files, code, &rva)) {
        const struct found *used = module_file_used(files);
        struct debug_range range;

        answer->start =
            used && debug_range(used->file, rva, &range) && range.start <= rva
                ? code - (rva - range.start)
                : 0;
        answer->count =
            module_frames_at(files, rva, answer->frames, DEBUG_FRAMES_MAX);
    }
    if (answer->count) {
        struct search *own = search_for(o->all, asked->module);

        if (own)
            own->named = true;
        answer->origin = origin_of(o->first, files);
    } else if (module_flaw(files)) {
        answer->cause = CAUSE_BROKEN;
    }
}

/* A file with a flaw may lack any name or line. */
static void tell_flaw(const struct found *found, const struct naming *n)
{
    const char *flaw = found_flaw(found);
    char text[512];

    if (!flaw)
        return;
    snprintf(text, sizeof(text), "%s: %s", found->path, flaw);
    naming_warn(n, text);
}

static void tell_search(const struct search *s, const struct naming *n)
{
    const struct search *of = s->first->used ? s->first->used : s;
    const struct found *used = module_file_used(&of->found.files);

    if (s->named && used->inside)
        naming_used(n, used->path);
    if (s == of) {
        tell_flaw(&s->found.files.debug, n);
        tell_flaw(&s->found.files.image, n);
    }
    if (s->named && used->lost_count) {
        uint32_t module = s->found.module;
        const char *name =
            strings_get(n->p->strings, n->p->modules.data[module].name);
        struct out *text = out_memory();

        out_fmt(text, "inlined calls in %s are missing: ", name);
        found_lost_text(used, text);
        naming_warn(n, out_text(text, NULL));
        naming_without_inlined(n, module);
        out_close(text, NULL);
    }
}

/* Hands over what was looked for, or forgets it. */
static void end_search(struct search *s, const struct naming *n)
{
    struct search *used = s->first->used;

    free(s->origin);
    if (!n->log || (used && used != s))
        module_files_release(&s->found.files);
    if (!n->log)
        return;
    if (used && used != s) {
        s->found.files = used->found.files;
        s->found.borrowed = true;
    }
    *vec_add(&n->log->symbols.modules) = s->found;
}

static void end(void *state, const struct naming *n)
{
    struct debug_files *d = state;
    enum { SHOWN = 3 };
    struct out *text;
    size_t count;

    /* One warning for all modules. */
    text = out_memory();
    count = 0;
    for (size_t i = 0; i < d->count; i++) {
        const struct search *s = &d->searches[i];

        if (s->named && s->found.files.image.unproved && count++ < SHOWN)
            out_fmt(text, "%s%s", count > 1 ? ", " : "",
                    strings_get(n->p->strings,
                                n->p->modules.data[s->found.module].name));
    }
    if (count > SHOWN)
        out_fmt(text, " and %zu more", count - SHOWN);
    out_str(text, ": " BUILD_NOT_PROVED);
    if (count)
        naming_warn(n, out_text(text, NULL));
    out_close(text, NULL);
    if (d->left_out) {
        char text[128];

        snprintf(text, sizeof(text),
                 "%zu modules without a build ID are not named: many others "
                 "have their names",
                 d->left_out);
        naming_warn(n, text);
    }
    if (d->too_many) {
        char text[128];

        snprintf(text, sizeof(text),
                 "more than %d modules: the debug files of the other %zu were "
                 "not looked for",
                 SOUGHT_MOST, d->too_many);
        naming_warn(n, text);
    }
    for (size_t i = 0; i < d->count; i++)
        tell_search(&d->searches[i], n);
    for (size_t i = 0; i < d->count; i++)
        end_search(&d->searches[i], n);
    free(d->searches);
    free(d->search_of);
    free(d);
}

const struct name_source debug_files_source = {
    .for_databases = true,
    .by_file = true,
    .subject = subject,
    .begin = begin,
    .open = open_module,
    .ask = ask,
    .close = close_module,
    .end = end,
};
