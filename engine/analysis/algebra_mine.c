#include "engine/analysis/algebra_groups.h"
#include "engine/analysis/algebra_names.h"
#include "engine/base/text.h"

/* ---- the tables: globs, without regard to case ---- */

static const char *const runtime_modules[] = {
    "clr.dll",         "coreclr.dll",     "mscorwks.dll",    "clrjit.dll",
    "clrgc*.dll",      "mscoree*.dll",    "hostfxr.dll",     "hostpolicy.dll",
    "libcoreclr.so",   "libclrjit.so",    "libclrgc*.so",    "libhostfxr.so",
    "libhostpolicy.so", "libcoreclr.dylib", "libclrjit.dylib", "mono*.dll",
    "libmono*",        "jvm.dll",         "libjvm.so",       "libjvm.dylib",
    "node",            "node.exe",        "libnode*",        "v8.dll",
    "libv8*",
};

/* Assemblies that come with .NET, and what no module is known of. */
static const char *const library_modules[] = {
    "System.*",       "Microsoft.*",   "mscorlib*",      "netstandard*",
    "WindowsBase*",   "PresentationCore*", "PresentationFramework*",
    "System",         "dotnet",        "dotnet.exe",     "ntdll.dll",
    "kernel32.dll",   "kernelbase.dll", "ucrtbase.dll",  "vcruntime*.dll",
    "msvcr*.dll",     "msvcp*.dll",    "win32u.dll",     "user32.dll",
    "libc.so*",       "libc-*.so",     "ld-linux*",      "ld-musl*",
    "libpthread*",    "libm.so*",      "libm-*.so",      "libstdc++.so*",
    "libgcc_s*",      "[vdso]",        "[unknown]",      "[vsyscall]",
};

/* Where systems and package managers put what nobody changes. */
static const char *const foreign_paths[] = {
    "*\\Windows\\System32\\*",  "*\\Windows\\SysWOW64\\*",
    "*\\Windows\\WinSxS\\*",    "*\\Windows\\assembly\\*",
    "*\\Microsoft.NET\\*",      "*\\dotnet\\shared\\*",
    "*\\.nuget\\packages\\*",   "*\\node_modules\\*",
    "*\\site-packages\\*",      "/lib/*",
    "/lib64/*",                 "/usr/lib/*",
    "/usr/lib64/*",             "/usr/share/dotnet/*",
    "*/dotnet/shared/*",        "*/.nuget/packages/*",
    "*/node_modules/*",         "*/site-packages/*",
    "*/dist-packages/*",        "*/.cargo/registry/*",
};

/* What a file says of its company and product, or an assembly of the key that
 * it was signed with: those of Windows, .NET, its libraries and compilers'
 * runtimes. */
static const char *const foreign_makers[] = {
    "*, *Windows*Operating System*",
    "Microsoft Corporation, *Windows*",
    "Microsoft*, *.NET*",
    "Microsoft*, *Visual C++*",
    "Microsoft*, *Visual Studio*",
    "Node.js, *",
    "Oracle*, Java*",
    "*, OpenJDK*",
    "PublicKeyToken=b77a5c561934e089", /* ECMA: mscorlib, System */
    "PublicKeyToken=b03f5f7f11d50a3a", /* System.* */
    "PublicKeyToken=31bf3856ad364e35", /* WPF */
    "PublicKeyToken=7cec85d7bea7798e", /* System.Private.CoreLib */
    "PublicKeyToken=cc7b13ffcd2ddd51", /* netstandard, System.Text.Json */
    "PublicKeyToken=adb9793829ddae60", /* Microsoft.Extensions, ASP.NET Core */
};

/* Scripts are known by the names of their functions alone. */
static const char *const foreign_scripts[] = {
    "*node:*", "*/node_modules/*", "*\\node_modules\\*", "*native *",
};

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

static bool is_among(const char *text, const char *const *globs, size_t n)
{
    while (n--)
        if (glob_match(globs[n], text))
            return true;
    return false;
}

bool module_is_runtime(const char *name)
{
    return is_among(name, runtime_modules, COUNT(runtime_modules));
}

/* ---- by what is known of a function ---- */

/* By string: whether modules of this name are one's own, which scripts may be
 * whatever their module is called. Many functions share a module, whose name
 * is looked at once. */
enum own { NOT_KNOWN, OWN, FOREIGN_BY_NAME, FOREIGN };

static bool is_foreign_module(const struct profile *p, const struct module *m)
{
    return is_among(strings_get(p->strings, m->path), foreign_paths,
                    COUNT(foreign_paths)) ||
           is_among(strings_get(p->strings, m->maker), foreign_makers,
                    COUNT(foreign_makers));
}

/* By a path or a maker that a module of this name has. */
static uint8_t *own_names(const struct profile *p)
{
    uint8_t *own = mem_new(strings_count(p->strings), sizeof(*own));

    for (size_t i = 0; i < p->modules.len; i++)
        if (is_foreign_module(p, &p->modules.data[i]))
            own[p->modules.data[i].name] = FOREIGN;
    return own;
}

static enum own own_by_name(const char *module)
{
    return module_is_runtime(module) ||
                   is_among(module, library_modules, COUNT(library_modules))
               ? FOREIGN_BY_NAME
               : OWN;
}

static bool is_own(const struct profile *p, uint8_t *own,
                   const struct function *f)
{
    const char *name = strings_get(p->strings, f->name);

    if (f->kind == CODE_KERNEL || !f->module || own[f->module] == FOREIGN)
        return false;
    if (f->kind == CODE_SCRIPT)
        return !is_among(name, foreign_scripts, COUNT(foreign_scripts));
    if (own[f->module] == NOT_KNOWN)
        own[f->module] =
            (uint8_t)own_by_name(strings_get(p->strings, f->module));
    return own[f->module] == OWN;
}

/* ---- by what a person says ---- */

static bool is_named(const struct profile *p, struct name_pattern *pattern,
                     const struct function_texts *texts,
                     const struct function *f)
{
    bool is = function_texts_match(texts, pattern) != NULL ||
              pattern_match(pattern->pattern,
                            strings_get(p->strings, f->module));

    pattern->met |= is;
    return is;
}

static void find_named(const struct profile *p, const char *glob, bool *mine,
                       struct algebra_notes *notes)
{
    struct name_pattern pattern = name_pattern_new(glob);
    struct function_texts texts = {.p = p};

    for (uint32_t i = 0; i < p->functions.len; i++) {
        function_texts_set(&texts, i);
        mine[i] |= is_named(p, &pattern, &texts, &p->functions.data[i]);
    }
    function_texts_release(&texts);
    name_pattern_end(&pattern, "mine", glob, notes);
}

bool *functions_mine(const struct profile *p, const struct words *globs,
                     struct algebra_notes *notes)
{
    bool *mine = mem_new(p->functions.len, sizeof(*mine));
    uint8_t *own = globs->len ? NULL : own_names(p);

    for (size_t i = 0; i < p->functions.len && own; i++)
        mine[i] = is_own(p, own, &p->functions.data[i]);
    for (size_t i = 0; i < globs->len; i++)
        find_named(p, globs->data[i], mine, notes);
    free(own);
    return mine;
}
