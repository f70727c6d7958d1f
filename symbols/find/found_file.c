#include "symbols/find/found_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/base/path.h"
#include "symbols/elf/elf.h"
#include "symbols/find/companions.h"
#include "symbols/find/expand.h"
#include "symbols/find/listing.h"

/*
 * Opens a debug file with the files that it needs.
 *
 * A file that is packed in a cabinet is unpacked. Files that the DWARF of an
 * ELF file refers to are looked for beside it and in the places.
 */

static void find_companions(struct opened *o, const struct places *places)
{
    struct elf_finder finder = {.find = companions_find};

    if (!o->file->kind->set_finder)
        return;
    o->companions = companions_new(o->file->name, places);
    finder.context = o->companions;
    o->file->kind->set_finder(o->file, &finder);
}

static bool open_bytes(struct opened *o, const char *name, const uint8_t *data,
                       size_t size, const struct places *places,
                       struct err *err)
{
    struct err own = {0};

    if (expand_probe(data, size)) {
        if (expand_cab(data, size, EXPAND_MOST, &o->unpacked, &size, &own)) {
            err_set(err, own.code, "%s: %s", name, own.message);
            return false;
        }
        data = o->unpacked;
    }
    o->file = debug_open(name, data, size, err);
    if (o->file)
        find_companions(o, places);
    return o->file;
}

static void opened_close(struct opened *o);

bool opened_bytes(struct opened *o, const char *name, const uint8_t *data,
                  size_t size, const struct places *places, struct err *err)
{
    *o = (struct opened){.file = NULL};
    if (open_bytes(o, name, data, size, places, err))
        return true;
    opened_close(o);
    return false;
}

/* Takes `c` over, which may be NULL. */
static bool open_only_entry(struct opened *o, struct container *c,
                            const char *path, const struct places *places,
                            struct err *err)
{
    *o = (struct opened){.container = c};
    if (c && !c->count)
        err_set(err, ERR_UNSUPPORTED, "%s: is empty", path);
    else if (c && open_bytes(o, path, c->entries[0].data, c->entries[0].size,
                             places, err))
        return true;
    opened_close(o);
    return false;
}

bool opened_path(struct opened *o, const char *path,
                 const struct places *places, struct err *err)
{
    return open_only_entry(o, container_open_file(path, err), path, places,
                           err);
}

static void opened_close(struct opened *o)
{
    debug_close(o->file);
    companions_free(o->companions);
    free(o->unpacked);
    container_close(o->container);
    *o = (struct opened){.file = NULL};
}

const char *find_cause_text(enum find_cause cause)
{
    switch (cause) {
    case FIND_OK:
        return "found";
    case FIND_NOT_NAMED:
        return "image names no debug file";
    case FIND_ABSENT:
        return "no debug file";
    case FIND_MISMATCH:
        return "another build";
    case FIND_BROKEN:
        return "broken debug file";
    case FIND_UNUSED:
        return "not used";
    case FIND_NOT_ASKED:
        return "not asked";
    case FIND_FAILED:
        return "failed";
    }
    return "";
}

struct found found_nothing(const struct wanted *wanted)
{
    struct found found = {.cause = wanted ? FIND_ABSENT : FIND_NOT_NAMED};

    if (wanted)
        found.name = text_dup(wanted->name);
    return found;
}

/* The probe that led to the file in use; NULL: none did. */
static struct probe *used_probe(const struct found *found)
{
    size_t n = found->cause == FIND_OK ? found->probes.len : 0;

    while (n && found->probes.data[n - 1].cause != FIND_OK)
        n--;
    return n ? &found->probes.data[n - 1] : NULL;
}

const char *found_flaw(const struct found *found)
{
    const struct probe *probe = used_probe(found);

    if (found->file)
        return debug_flaw(found->file);
    return probe ? probe->reason : NULL;
}

enum { LOST_SHOWN = 3 };

void found_tell_lost(struct found *found)
{
    if (found->opened.companions && !found->lost_told) {
        companions_tell(found->opened.companions, found);
        found->lost_told = true;
    }
}

void found_lost_text(const struct found *found, struct out *text)
{
    for (size_t i = 0; i < found->lost.len && i < LOST_SHOWN; i++)
        out_fmt(text, "%s%s (%s)", i ? ", " : "", found->lost.data[i].path,
                find_cause_text(found->lost.data[i].cause));
    if (found->lost_count > LOST_SHOWN)
        out_fmt(text, " and %zu more", found->lost_count - LOST_SHOWN);
}

void found_close(struct found *found)
{
    const char *flaw = found->file ? debug_flaw(found->file) : NULL;
    struct probe *probe = used_probe(found);

    if (flaw && probe && !probe->reason)
        probe->reason = text_dup(flaw);
    found_tell_lost(found);
    opened_close(&found->opened);
    found->file = NULL;
}

void found_release(struct found *found)
{
    found_close(found);
    for (size_t i = 0; i < found->probes.len; i++) {
        free(found->probes.data[i].path);
        free(found->probes.data[i].reason);
    }
    vec_release(&found->probes);
    for (size_t i = 0; i < found->lost.len; i++)
        free(found->lost.data[i].path);
    vec_release(&found->lost);
    for (size_t i = 0; i < found->referred.len; i++)
        free(found->referred.data[i]);
    vec_release(&found->referred);
    free(found->name);
    free(found->path);
    free(found->reason);
    *found = (struct found){.cause = FIND_NOT_NAMED};
}

/* ---- probing ---- */

static void add_probe(struct found *found, enum find_cause cause,
                      const char *path, const char *reason)
{
    *vec_add(&found->probes) =
        (struct probe){.cause = cause,
                       .path = text_dup(path),
                       .reason = reason ? text_dup(reason) : NULL};
}

/* A link may name a file that was looked for already. */
static bool is_noted(const struct found *found, enum find_cause cause,
                     const char *path)
{
    for (size_t i = 0; i < found->probes.len; i++)
        if (found->probes.data[i].cause == cause &&
            !strcmp(found->probes.data[i].path, path))
            return true;
    return false;
}

/* A later probe replaces what an earlier one found out only if it came
 * closer: broken and mismatching files are worth more than absent ones. */
void found_note(struct found *found, enum find_cause cause, const char *path,
                const char *reason)
{
    if ((cause == FIND_ABSENT || cause == FIND_UNUSED) &&
        is_noted(found, cause, path))
        return;
    add_probe(found, cause, path, reason);
    if ((cause != FIND_MISMATCH && cause != FIND_BROKEN) ||
        (found->cause >= cause && found->path))
        return;
    found->cause = cause;
    free(found->path);
    found->path = text_dup(path);
    free(found->reason);
    found->reason = reason ? text_dup(reason) : NULL;
}

/* The file keeps `path` as its name. */
static void accept(struct found *found, const struct opened *opened, char *path)
{
    add_probe(found, FIND_OK, path, NULL);
    free(found->path);
    found->path = path;
    found->cause = FIND_OK;
    found->opened = *opened;
    found->file = opened->file;
}

enum { BUILT_SIZE = sizeof("built ") + FILE_DATE_SIZE };

/* "built 2015-07-24" of a Windows image; NULL: it does not tell. */
static const char *built_text(const struct debug_file *file,
                              char text[BUILT_SIZE])
{
    char date[FILE_DATE_SIZE];

    if (!file_date(file->built, date))
        return NULL;
    snprintf(text, BUILT_SIZE, "built %s", date);
    return text;
}

/* Where both have a build-id, that decides. */
static bool has_wanted_crc(const struct opened *opened,
                           const struct wanted *wanted)
{
    const struct debug_file *file = opened->file;

    if (!wanted->has_crc ||
        (file->identity.build_id_size && wanted->identity.build_id_size))
        return true;
    return listings_crc(wanted->places->listings, file->name, file->data,
                        file->size) == wanted->crc;
}

/* Takes `path` and what is open over. */
static bool judge(struct found *found, const struct wanted *wanted,
                  struct opened *opened, char *path, bool is_meant,
                  const struct err *err)
{
    const char *reason = NULL, *flaw;
    char built[BUILT_SIZE];
    bool same = opened->file && debug_matches(opened->file, wanted, &reason);

    if (same && !has_wanted_crc(opened, wanted)) {
        same = false;
        reason = NULL;
    }
    if (same && !reason) {
        accept(found, opened, path);
        found->unproved = wanted->by_name;
        found->probes.data[found->probes.len - 1].unproved = wanted->by_name;
        return true;
    }
    flaw = opened->file && reason ? debug_flaw(opened->file) : NULL;
    if (flaw)
        found_note(found, FIND_BROKEN, path, flaw);
    else if (reason)
        found_note(found, FIND_UNUSED, path, reason);
    else if (wanted->by_name && (opened->file || err->code == ERR_UNSUPPORTED))
        found_note(found, FIND_UNUSED, path,
                   wanted->kind == WANTED_PE ? "another time stamp or size"
                                             : "not an ELF image");
    else if (is_meant && opened->file)
        found_note(found, FIND_MISMATCH, path, built_text(opened->file, built));
    else if (is_meant)
        found_note(found, FIND_BROKEN, path, err->message);
    opened_close(opened);
    free(path);
    return false;
}

bool found_try(struct found *found, const struct wanted *wanted,
               const char *candidate, bool is_meant)
{
    char *path = text_dup(candidate);
    struct opened opened;
    struct err err = {0};

    (void)opened_path(&opened, path, wanted->places, &err);
    return judge(found, wanted, &opened, path, is_meant, &err);
}

bool found_try_renamed(struct found *found, const struct wanted *wanted,
                       const char *path)
{
    if (!found_try(found, wanted, path, false))
        return false;
    found->probes.data[found->probes.len - 1].renamed = true;
    return true;
}

bool found_try_entry(struct found *found, const struct wanted *wanted,
                     const struct entry *entry)
{
    char *path = text_dup(entry->name);
    struct opened opened;
    struct err err = {0};

    (void)opened_bytes(&opened, path, entry->data, entry->size, wanted->places,
                       &err);
    found->inside = judge(found, wanted, &opened, path, true, &err);
    return found->inside;
}

struct found found_given(const char *path, const struct places *places,
                         struct err *err)
{
    struct wanted wanted = {.name = path};
    struct found found = found_nothing(&wanted);
    struct opened opened;
    char *name = text_dup(path);

    if (open_only_entry(&opened, container_open(name, err), name, places, err))
        accept(&found, &opened, name);
    else
        free(name);
    return found;
}
