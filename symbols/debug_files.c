/*
 * Names of native code from debug files and images.
 *
 * The files of every module with sampled addresses are looked for
 * (find/module.h), asked, and closed; modules side by side. Servers are asked
 * if the places have them online.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/attribution/observations.h"
#include "engine/base/out.h"
#include "engine/base/reader.h"
#include "symbols/debug.h"
#include "symbols/elf/elf.h"
#include "symbols/find/prefetch.h"
#include "symbols/name_source.h"
#include "symbols/naming.h"
#include "symbols/disasm.h"

/*
 * Finds where a kernel ran when the recording does not tell.
 *
 * Linux begins at another place each time it is started, some multiple of
 * 2 MB behind the one that it was linked for. A recorder without privilege is
 * not told. But what a call returns to has a call before it: with the right
 * distance so has nearly every return address of a recording, and with any
 * other one hardly any has.
 *
 * Of x64, with the kernel's code at hand. `returns` are addresses as recorded.
 */

enum { STEP = 2 << 20, FARTHEST = 1 << 30 };

/* Calls that have to agree. By accident one address of thousands does, so of
 * two distances the second best has next to none. */
enum { LEAST = 4 };

/* Tells whether code before an address calls other code of the kernel: E8, and
 * how far from the address that is. */
static bool is_behind_call(struct debug_file *kernel, uint64_t rva)
{
    enum { CALL = 0xE8, SIZE = 5 };
    struct bytes code = debug_code(kernel, rva - SIZE);
    uint64_t target;

    if (code.len < SIZE || *code.data != CALL)
        return false;
    target = rva + (uint64_t)(int64_t)(int32_t)load_u32(code.data + 1);
    return debug_code(kernel, target).len > 0;
}

static size_t count_calls(struct debug_file *kernel, const uint64_t *returns,
                          size_t n, uint64_t slide)
{
    uint64_t base = elf_base(kernel) + slide;
    size_t calls = 0;

    for (size_t i = 0; i < n; i++)
        calls +=
            returns[i] >= base && is_behind_call(kernel, returns[i] - base);
    return calls;
}

/* False: too few of them agree on one. */
static bool kernel_slide_find(struct debug_file *kernel,
                              const uint64_t *returns, size_t n,
                              uint64_t *slide)
{
    size_t best = 0, second = 0;

    if (kernel->kind->image != IMAGE_ELF || kernel->machine != DEBUG_X64)
        return false;
    for (uint64_t at = 0; at < FARTHEST; at += STEP) {
        size_t calls = count_calls(kernel, returns, n, at);

        if (calls > best) {
            second = best;
            best = calls;
            *slide = at;
        } else if (calls > second) {
            second = calls;
        }
    }
    return best >= LEAST && best >= n / 2 && second <= best / 4;
}

/* One module, asked by one thread. */
struct search {
    const struct naming *naming;
    const struct asked_about *about;
    struct module_search found;
    bool sought;
    bool named;     /* some of its addresses */
    uint64_t moved; /* what addresses are too large by (kernel_slide_find) */
    char *origin;
};

struct debug_files {
    const struct naming *naming;
    struct search *searches; /* by module */
    size_t count;
};

/* Native code that the trace has a name for, too: what it took for one
 * function may be that and others inlined into it. */
static uint32_t subject(const struct profile *p, const struct location *l)
{
    (void)p;
    return l->method == NO_ID || code_is_native(l->kind) ? l->module : NO_ID;
}

/* ---- files ---- */

static void find(void *context, uint32_t module)
{
    struct debug_files *d = context;
    struct search *s = &d->searches[module];

    if (!s->sought)
        s->found.files = find_module(d->naming->p, module, d->naming->places);
    s->sought = true;
}

static void *begin(const struct naming *n, const struct asked_about *asked,
                   size_t count)
{
    struct debug_files *d = mem_new(1, sizeof(*d));

    d->naming = n;
    d->count = n->p->modules.len;
    d->searches = mem_new(d->count, sizeof(*d->searches));
    prefetch(n->p, n->places, asked, count, find, d);
    return d;
}

/* All addresses from the half on are the kernel's, where the recorder was not
 * told of any. */
static bool is_all_of_kernel(const struct profile *p, uint32_t module,
                             uint64_t base)
{
    for (size_t i = 0; i < p->mappings.len; i++)
        if (p->mappings.data[i].module == module &&
            p->mappings.data[i].process == NO_ID &&
            p->mappings.data[i].base == base)
            return true;
    return false;
}

enum { CALLS_ENOUGH = 64 };

/* Every so many of the addresses asked for that calls return to. */
static size_t some_returns(const struct search *s, uint64_t *returns)
{
    const struct asked_about *about = s->about;
    size_t n = 0;

    for (size_t i = 0; i < about->count && n < CALLS_ENOUGH;
         i += about->count / CALLS_ENOUGH + 1) {
        struct asked asked = asked_of(s->naming->p, about->locations[i]);

        if (asked.returns)
            returns[n++] = asked.address;
    }
    return n;
}

/* They tell where it is. */
static void place_kernel(struct search *s)
{
    const uint64_t whole = kernel_space_start(8);
    const struct module_files *files = &s->found.files;
    struct debug_file *file =
        files->image.file ? files->image.file : files->debug.file;
    uint64_t returns[CALLS_ENOUGH], slide;
    size_t n;

    if (!file || !is_all_of_kernel(s->naming->p, s->found.module, whole))
        return;
    n = some_returns(s, returns);
    for (size_t i = 0; i < n; i++)
        returns[i] += whole;
    if (kernel_slide_find(file, returns, n, &slide))
        s->moved = elf_base(file) + slide - whole;
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
    struct search *s = &d->searches[about->subject];
    struct module_files *files = &s->found.files;

    find(d, about->subject);
    s->naming = d->naming;
    s->about = about;
    s->found.module = about->subject;
    place_kernel(s);
    facts->cause = files->cause;
    facts->maker = maker_of(files, facts->strings);
    if (files->debug.file || files->image.file || module_flaw(files))
        return s;
    module_files_close(files);
    return NULL;
}

static void close_module(void *opened)
{
    module_files_close(&((struct search *)opened)->found.files);
}

/* ---- names ---- */

/* Handlers of signals return to code that was not called: no byte lower. */
static uint64_t code_of(const struct search *s, const struct asked *asked)
{
    const struct module_files *files = &s->found.files;
    struct debug_file *image = files->image.file;
    uint64_t rva;

    if (asked->returns && image && image->kind->image == IMAGE_ELF &&
        module_rva(files, asked->address, &rva) &&
        is_signal_return(debug_code(image, rva), image->machine))
        return asked->address;
    return asked_code(asked) - s->moved;
}

static uint64_t start_of(const struct search *s, uint64_t code, uint64_t rva)
{
    const struct found *used = module_file_used(&s->found.files);
    struct debug_range range;

    return used && debug_range(used->file, rva, &range) && range.start <= rva
               ? code - (rva - range.start) + s->moved
               : 0;
}

/* The origin of names. For a file in a container its own name is enough. */
static const char *origin_of(struct search *s)
{
    static const char inside[] = ", found inside the container";
    static const char unproved[] = ", " BUILD_NOT_PROVED;
    const struct found *used = module_file_used(&s->found.files);
    bool is_proved = !s->found.files.image.unproved;
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
    struct search *s = opened;
    const struct module_files *files = &s->found.files;
    uint64_t code = code_of(s, asked), rva;

    answer->cause = files->cause;
    if ((asked->method == NO_ID || files->is_complete) &&
        module_rva(files, code, &rva)) {
        answer->start = start_of(s, code, rva);
        answer->count =
            module_frames_at(files, rva, answer->frames, DEBUG_FRAMES_MAX);
    }
    if (answer->count) {
        s->named = true;
        answer->origin = origin_of(s);
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

/* Hands over what was looked for, or forgets it. */
static void end_search(struct search *s, const struct naming *n)
{
    const struct found *used;

    if (!s->sought)
        return;
    used = module_file_used(&s->found.files);
    if (s->named && used->inside)
        naming_used(n, used->path);
    tell_flaw(&s->found.files.debug, n);
    tell_flaw(&s->found.files.image, n);
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
    if (n->log)
        *vec_add(&n->log->symbols.modules) = s->found;
    else
        module_files_release(&s->found.files);
    free(s->origin);
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
                    strings_get(n->p->strings, n->p->modules.data[i].name));
    }
    if (count > SHOWN)
        out_fmt(text, " and %zu more", count - SHOWN);
    out_str(text, ": " BUILD_NOT_PROVED);
    if (count)
        naming_warn(n, out_text(text, NULL));
    out_close(text, NULL);
    for (size_t i = 0; i < d->count; i++)
        end_search(&d->searches[i], n);
    free(d->searches);
    free(d);
}

const struct name_source debug_files_source = {
    .for_databases = true,
    .subject = subject,
    .begin = begin,
    .open = open_module,
    .ask = ask,
    .close = close_module,
    .end = end,
};
