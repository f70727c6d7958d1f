/*
 * resolve: names for addresses of one image, from its debug file where there
 * is one that matches, else from the image itself.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/addresses.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/resolved.h"
#include "cli/say.h"
#include "cli/symbol_places.h"
#include "symbols/portable_pdb.h"

/* The image, and what names its addresses. */
struct subject {
    struct container *container;
    struct debug_file *image;
    struct found pdb;
    struct pe pe; /* section_count 0: the image is no PE */
};

static enum status open_image(struct subject *s, const char *path)
{
    struct err err = {0};

    s->container = container_open(path, &err);
    if (s->container)
        s->image = debug_open(path, s->container->entries[0].data,
                              s->container->entries[0].size, &err);
    if (s->image)
        return STATUS_OK;
    say("%s", err.message);
    return status_of_input(err.code);
}

static void close_subject(struct subject *s)
{
    found_release(&s->pdb);
    debug_close(s->image);
    if (s->container)
        container_close(s->container);
}

/* Which exact file is missing. */
static void explain(const struct subject *s, const struct pe_codeview *cv)
{
    const struct found *f = &s->pdb;
    char key[PDB_KEY_SIZE];

    if (f->cause == FIND_OK)
        return;
    if (f->cause == FIND_NOT_NAMED) {
        say_warning("%s names no debug file; exports only", s->image->name);
        return;
    }
    pdb_key(cv->guid, cv->is_portable ? UINT32_MAX : cv->age, key);
    if (f->cause == FIND_BROKEN && f->reason[0])
        say_warning("%s", f->reason);
    say_warning("%s: %s%s%s; wanted is %s/%s/%s", s->image->name,
                find_cause_text(f->cause), f->path ? ": " : "",
                f->path ? f->path : "", f->name, key, f->name);
}

static void find_debug_file(struct subject *s, const struct options *o)
{
    struct places places = {.paths = {0}};
    struct pe_codeview cv;
    bool named;

    if (pe_open(&s->pe, s->image->name, s->image->data, s->image->size,
                NULL)) {
        s->pe.section_count = 0;
        return;
    }
    named = pe_codeview(&s->pe, &cv);
    symbol_places(&places, o);
    s->pdb = find_pdb(named ? &cv : NULL, s->image->name, &places);
    places_release(&places);
    explain(s, &cv);
}

/* A portable PDB knows no addresses of code: the image must. */
static struct debug_file *namer(const struct subject *s)
{
    return s->pdb.file && !portable_pdb_of(s->pdb.file) ? s->pdb.file
                                                        : s->image;
}

static size_t frames_at(const struct subject *s, uint64_t rva,
                        struct debug_frame *frames)
{
    /* The matching debug file knows better than the image where nothing is:
     * exports would name padding and data. The image knows better where a
     * function ends that the debug file has only a beginning of. */
    size_t n = debug_frames(namer(s), rva, frames, DEBUG_FRAMES_MAX);

    if (n && frames[0].nearest && s->pe.section_count &&
        !pe_may_reach(&s->pe, (uint32_t)frames[0].nearest, (uint32_t)rva))
        return 0;
    return n;
}

/* Sorted look-ups touch each part of a debug file once. */
static void resolve(const struct subject *s, const struct addresses *a,
                    struct resolved *r)
{
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    uint32_t *order = addresses_sorted(a);

    r->rows = mem_new(a->list.len, sizeof(*r->rows));
    for (size_t i = 0; i < a->list.len; i++) {
        struct resolved_row *row = &r->rows[order[i]];

        row->rva = a->list.data[order[i]];
        row->first = (uint32_t)r->frames.len;
        row->count = (uint32_t)frames_at(s, row->rva, frames);
        for (uint32_t k = 0; k < row->count; k++)
            *vec_add(&r->frames) = frames[k];
    }
    r->count = a->list.len;
    free(order);
}

static enum status print(const struct subject *s, const struct resolved *r,
                         const struct options *o)
{
    struct err err = {0};
    struct output *output = output_open(o->output, &err);

    if (output) {
        if (o->report.format == FORMAT_JSON)
            resolved_json(r, s->image, &s->pdb, o->names,
                          output_out(output));
        else
            resolved_text(r, o->names, output_out(output));
        output_close(output, &err);
    }
    if (err.code)
        say("%s", err.message);
    return status_of_output(err.code);
}

static enum status run(struct subject *s, const struct addresses *a,
                       const struct options *o)
{
    struct resolved r = {.count = 0};
    enum status status;

    find_debug_file(s, o);
    resolve(s, a, &r);
    status = print(s, &r, o);
    resolved_release(&r);
    return status;
}

enum status cmd_resolve(const struct command *command,
                        const struct options *o,
                        const char *const *arguments, size_t count)
{
    struct addresses addresses = {.unreadable = 0};
    struct subject s = {.image = NULL};
    enum status status;

    (void)command;
    if (o->report.format != FORMAT_TEXT && o->report.format != FORMAT_JSON) {
        say("resolve writes text or json");
        return STATUS_USAGE;
    }
    if (output_is_input(o->output, arguments, 1))
        return STATUS_USAGE;
    status = open_image(&s, arguments[0]);
    if (!status)
        status = addresses_read(&addresses, arguments + 1, count - 1);
    if (!status)
        status = run(&s, &addresses, o);
    if (!status && addresses.unreadable)
        status = STATUS_BAD_INPUT;
    addresses_release(&addresses);
    close_subject(&s);
    return status;
}
