#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/load/places.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "engine/base/keysort.h"
#include "engine/base/path.h"
#include "engine/base/text_line.h"
#include "engine/base/vec.h"
#include "report/symbols/resolve.h"
#include "symbols/elf/elf.h"
#include "symbols/find/pdb.h"

/*
 * resolve: names for addresses of one image, from its debug file where there
 * is one that matches, else from the image itself.
 */

struct addresses {
    VEC(uint64_t) list;
    size_t unreadable; /* lines of stdin that were none, said and left out */
};

/* At most 16 digits, with or without 0x, and nothing else on the line. */
static bool parse(struct text_line l, uint64_t *value)
{
    if (!line_take(&l, "0x"))
        line_take(&l, "0X");
    return line_hex(&l, value) && l.at == l.end;
}

/* Reads addresses from the arguments, or without any from stdin, one a line.
 * An argument that is no address is a usage error. */
static enum status addresses_read(struct addresses *a,
                                  const char *const *arguments, size_t count)
{
    uint64_t value;

    for (size_t i = 0; i < count; i++) {
        const char *text = arguments[i];

        if (!parse((struct text_line){text, text + strlen(text)}, &value)) {
            say("not an address: %s", text);
            return STATUS_USAGE;
        }
        *vec_add(&a->list) = value;
    }
    if (!count) {
        char *line = NULL;
        size_t room = 0, number = 0;

        while (getline(&line, &room, stdin) >= 0) {
            const char *at = line;
            struct text_line l = line_next(&at, line + strlen(line));

            number++;
            line_skip_blanks(&l);
            if (parse(l, &value)) {
                *vec_add(&a->list) = value;
            } else if (l.at < l.end) {
                int n = (int)(l.end - l.at < 40 ? l.end - l.at : 40);

                a->unreadable++;
                say_warning("standard input: line %zu: not an address: %.*s",
                            number, n, l.at);
            }
        }
        free(line);
    }
    return STATUS_OK;
}

static enum status open_image(struct module_files *files, const char *path,
                              const struct places *places)
{
    struct err err = {0};

    if (find_for_image(files, path, places, &err))
        return STATUS_OK;
    return say_input_error(&err);
}

/* "app.pdb/KEY/app.pdb", as symbol stores have it */
static void wanted_pdb_text(const struct module_files *files, char *text,
                            size_t room)
{
    struct pe_codeview cv;
    char key[PDB_KEY_SIZE] = "";

    if (pe_codeview(&files->pe, &cv))
        pdb_key(cv.guid, cv.is_portable ? UINT32_MAX : cv.age, key);
    snprintf(text, room, "%s/%s/%s", files->debug.name, key, files->debug.name);
}

static void wanted_elf_text(const struct debug_file *image, char *text,
                            size_t room)
{
    const struct identity *id = &image->identity;
    char hex[BUILD_ID_TEXT];
    const char *link;
    uint32_t crc;

    build_id_text(id->build_id, id->build_id_size, hex);
    link = elf_debug_link(image, &crc);
    if (*hex)
        snprintf(text, room, "build-id %s", hex);
    else
        snprintf(text, room, "%s", link ? link : "no file that it names");
}

/* Names the file that is missing. */
static void explain(const struct module_files *files)
{
    const struct found *f = &files->debug;
    const char *image = files->image.path;
    char wanted[1024];

    if (files->is_complete)
        return;
    if (f->cause == FIND_NOT_NAMED) {
        say_warning("%s names no debug file; exports only", image);
        return;
    }
    /* Files that were found and could not be used. */
    for (size_t i = 0; i < f->probes.len; i++) {
        const struct probe *probe = &f->probes.data[i];

        if (probe->cause == FIND_ABSENT && probe->reason)
            say_warning("%s: %s", probe->path, probe->reason);
    }
    if (f->cause == FIND_BROKEN && f->reason)
        say_warning("%s", f->reason);
    if (files->pe.section_count)
        wanted_pdb_text(files, wanted, sizeof(wanted));
    else
        wanted_elf_text(files->image.file, wanted, sizeof(wanted));
    say_warning("%s: %s%s%s; needs %s", image, find_cause_text(f->cause),
                f->path ? ": " : "", f->path ? f->path : "", wanted);
}

/* Sorted look-ups touch each part of a debug file once. */
static void resolve(const struct module_files *files, const struct addresses *a,
                    struct resolved *r)
{
    struct debug_frame frames[DEBUG_FRAMES_MAX];
    struct keyed *order = mem_new(a->list.len, sizeof(*order));

    for (size_t i = 0; i < a->list.len; i++)
        order[i] = (struct keyed){a->list.data[i], mem_next_id(i)};
    keysort(order, a->list.len);
    r->rows = mem_new(a->list.len, sizeof(*r->rows));
    for (size_t i = 0; i < a->list.len; i++) {
        struct resolved_row *row = &r->rows[order[i].value];

        row->rva = order[i].key;
        row->first = (uint32_t)r->frames.len;
        row->count = (uint32_t)module_frames_at(files, row->rva, frames,
                                                DEBUG_FRAMES_MAX);
        for (uint32_t k = 0; k < row->count; k++)
            *vec_add(&r->frames) = frames[k];
    }
    r->count = a->list.len;
    free(order);
}

static enum status resolve_all(struct module_files *files,
                               const struct addresses *a,
                               const struct command *command,
                               const struct options *o)
{
    struct resolved r = {.count = 0};
    struct resolved_subject subject = {
        {.options = &o->report}, &r, files, o->names};
    enum status status;
    struct found *used;
    struct out *text;

    explain(files);
    resolve(files, a, &r);
    if (module_flaw(files))
        say_warning("%s: %s", files->image.path, module_flaw(files));
    /* Once all was asked for. */
    used = files->uses_debug ? &files->debug : &files->image;
    text = out_memory();
    found_tell_lost(used);
    found_lost_text(used, text);
    if (used->lost_count)
        say_warning("%s: inlined calls are missing: %s", files->image.path,
                    out_text(text, NULL));
    out_close(text, NULL);
    status = print_report(command->report, &subject.subject, o);
    if (demangle_gave_up())
        say_warning("names that take too long to demangle are shown as the "
                    "compiler wrote them");
    resolved_release(&r);
    return status;
}

static enum status read_and_run(struct module_files *files,
                                const struct command *command,
                                const struct options *o,
                                const char *const *arguments, size_t count)
{
    struct addresses addresses = {.unreadable = 0};
    enum status status = addresses_read(&addresses, arguments, count);

    if (!status)
        status = resolve_all(files, &addresses, command, o);
    if (!status && addresses.unreadable)
        status = STATUS_BAD_INPUT;
    vec_release(&addresses.list);
    return status;
}

static enum status run(const struct command *command, const struct options *o,
                       const char *const *arguments, size_t count)
{
    struct places places = {.paths = {0}};
    struct module_files files;
    enum status status;

    if (output_is_input(o->output, arguments, 1))
        return STATUS_USAGE;
    symbol_places(&places, o);
    status = open_image(&files, arguments[0], &places);
    if (!status)
        status = read_and_run(&files, command, o, arguments + 1, count - 1);
    module_files_release(&files);
    symbol_places_release(&places);
    return status;
}

const struct command resolve_command = {
    .name = "resolve",
    .arguments = "IMAGE [RVA...]",
    .help = "functions, files and lines of addresses of one image",
    .takes = USE_SYMBOLS | USE_FORMAT | USE_OUTPUT | TAKES_COLUMNS,
    .run = run,
    .report = &resolve_report,
};
