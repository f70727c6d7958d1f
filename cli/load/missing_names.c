/*
 * Tells what would name the code that has no names: the file that a module
 * needs, its build, and the option that adds it.
 */
#include "cli/load/hints.h"

#include <string.h>

#include "cli/terminal/terminal.h"
#include "engine/analysis/trust.h"
#include "report/table/table.h"

enum { MODULES_TOLD = 3, LEAST_PERCENT = 5 };

static const char *text_of(const struct profile *p, uint32_t string)
{
    return strings_get(p->strings, string);
}

/* The search for symbols of the module of this name; NULL: there was none. */
static const struct module_search *search_of(const struct profile *p,
                                             const struct naming_log *log,
                                             uint32_t name)
{
    for (size_t i = 0; i < log->symbols.modules.len; i++) {
        const struct module_search *s = &log->symbols.modules.data[i];

        if (p->modules.data[s->module].name == name)
            return s;
    }
    return NULL;
}

/* True of a file that Microsoft's server is likely to have. */
static bool is_microsofts(const char *path)
{
    return strstr(path, "\\Windows\\") || strstr(path, "\\WINDOWS\\") ||
           strstr(path, "\\dotnet\\shared\\") || strstr(path, "SystemRoot");
}

/* "; ./app.exe is another build, of 2015-07-24", where there is one. */
static void say_other_build(const struct module_files *files, struct out *out)
{
    const struct found *other =
        files->image.cause == FIND_MISMATCH ? &files->image : &files->debug;

    if (files->cause != CAUSE_MISMATCH || !other->path)
        return;
    out_fmt(out, "; %s is another build", other->path);
    if (!strncmp(other->reason, "built ", 6))
        out_fmt(out, ", of %s", other->reason + 6);
}

static void say_windows(const struct profile *p, const struct module *m,
                        const struct module_files *files, bool online,
                        struct out *out)
{
    char date[FILE_DATE_SIZE];
    bool theirs = is_microsofts(text_of(p, m->path));

    if (files->debug.name)
        out_fmt(out, "%s", files->debug.name);
    else
        out_fmt(out, "the program file %s", text_of(p, m->name));
    if (!theirs && file_date(m->identity.timestamp, date))
        out_fmt(out, " (built %s)", date);
    out_str(out, theirs && !online ? ": add --online"
                                   : ": add its folder with --symbols");
}

static void say_elf(const struct module *m, bool online, struct out *out)
{
    char id[CODE_ID_SIZE];

    code_id_text(&m->identity, id);
    out_str(out, "its debug file");
    if (m->identity.build_id_size)
        out_fmt(out, " (build ID %.12s…)", id);
    out_str(out, ": add its folder with --symbols");
    if (m->identity.build_id_size && !online)
        out_str(out, ", or set DEBUGINFOD_URLS and add --online");
}

/* False: there is nothing to add. Names in brackets, but for the kernel's, are
 * no files: "[vdso]", "[no stack]". */
static bool say_need(const struct profile *p, const struct nameless *n,
                     const struct naming_log *log, const char *file,
                     bool online, struct out *out)
{
    const struct module_search *s = search_of(p, log, n->module);
    const char *name = text_of(p, n->module);
    const struct module *m = s ? &p->modules.data[s->module] : NULL;
    bool kernel = !strncmp(name, "[kernel", 7);

    if (!n->module || (*name == '[' && !kernel) ||
        (s && s->files.cause == CAUSE_OUTSIDE))
        return false;
    out_str(out, name);
    out_str(out, ": no function names for ");
    out_weight_unit(out, p, n->samples);
    if (kernel) {
        out_str(out, ": add the machine's /proc/kallsyms, copied as root, with "
                     "--symbols");
    } else if (m && s->files.cause != CAUSE_BROKEN &&
               (m->identity.image_size || s->files.debug.name)) {
        out_str(out, ": needs ");
        if (m->identity.image_size)
            say_windows(p, m, &s->files, online, out);
        else
            say_elf(m, online, out);
        say_other_build(&s->files, out);
    } else {
        out_str(out, ": topfn symbols ");
        out_shell_word(out, file);
        out_str(out, " --explain ");
        out_shell_word(out, name);
        out_str(out, " tells why");
    }
    return true;
}

void hint_missing_names(const struct profile *p, const struct selection *sel,
                        const struct naming_log *log, const char *file,
                        bool online)
{
    struct trust trust = {0};
    size_t told = 0;

    if (!sel->unresolved || !say_is_watched())
        return;
    trust_find(&trust, p, sel);
    for (size_t i = 0; i < trust.nameless.len && told < MODULES_TOLD; i++) {
        const struct nameless *n = &trust.nameless.data[i];
        struct out *out = out_memory();

        if (n->samples < sel->samples / 100 * LEAST_PERCENT && told)
            told = MODULES_TOLD;
        else if (say_need(p, n, log, file, online, out))
            told++;
        if (*out_text(out, NULL))
            say_hint("%s", out_text(out, NULL));
        out_close(out, NULL);
    }
    trust_release(&trust);
}
