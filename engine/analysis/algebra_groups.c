#include <string.h>

#include "engine/analysis/algebra_impl.h"
#include "engine/base/text.h"
#include "engine/model/labels.h"

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

/* Folders of systems and package managers, whose files users do not edit. */
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

/* Company and product of a file, or the key of an assembly that
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

enum rule_kind {
    RULE_PATTERN,
    RULE_MODULES,
    RULE_KERNEL,
    RULE_RUNTIME,
    RULE_NAMESPACES,
    RULE_JUST_MY_CODE
};

struct rule {
    enum rule_kind kind;
    const char *text; /* as given */
    struct name_pattern pattern;
    char *before; /* the pattern alone */
    const char *name;
    bool by_entry;
    unsigned parts;
    bool *mine; /* by function */
};

struct membership {
    char *name; /* "": none, unless by_entry; NULL: no rule is about it */
    bool by_entry;
    uint32_t rule;
};

struct grouping {
    struct profile *p;
    size_t functions; /* there were before */
    VEC(struct rule) rules;
    struct groups found;
    struct map plain;   /* name to function */
    struct map entries; /* (name, entry's name) to function; module */
};

/* ---- rules ---- */

/* The position where the name begins; NULL: no rule with a pattern. */
static const char *find_arrow(const char *text, bool *by_entry)
{
    const char *plain = strstr(text, "->"), *entry = strstr(text, "=>");

    *by_entry = entry && (!plain || entry < plain);
    return *by_entry ? entry : plain;
}

static bool parse_parts(const char *text, unsigned *parts)
{
    static const char prefix[] = "namespaces:";
    const char *digit = text + sizeof(prefix) - 1;

    if (strncmp(text, prefix, sizeof(prefix) - 1) || *digit < '1' ||
        *digit > '9' || digit[1])
        return false;
    *parts = (unsigned)(*digit - '0');
    return true;
}

static bool parse_preset(const char *text, struct rule *rule)
{
    static const struct {
        const char *name;
        enum rule_kind kind;
    } presets[] = {
        {"modules", RULE_MODULES},
        {"kernel", RULE_KERNEL},
        {"runtime", RULE_RUNTIME},
        {"just-my-code", RULE_JUST_MY_CODE},
    };

    for (size_t i = 0; i < sizeof(presets) / sizeof(*presets); i++)
        if (!strcmp(text, presets[i].name)) {
            rule->kind = presets[i].kind;
            return true;
        }
    rule->kind = RULE_NAMESPACES;
    return parse_parts(text, &rule->parts);
}

/* `before` and the pattern are to be released in any case. */
static bool parse_rule(const char *text, struct rule *rule)
{
    const char *arrow;

    *rule = (struct rule){.text = text};
    arrow = find_arrow(text, &rule->by_entry);
    if (!arrow)
        return parse_preset(text, rule);
    rule->before = text_copy(text, (size_t)(arrow - text));
    rule->name = arrow + 2;
    return *rule->before != '\0';
}

bool group_rule_is_valid(const char *text)
{
    struct pattern *pattern = NULL;
    struct rule rule;
    bool valid = parse_rule(text, &rule);

    if (valid && rule.before) {
        pattern = pattern_new(rule.before, NULL);
        valid = pattern != NULL;
    }
    pattern_free(pattern);
    free(rule.before);
    return valid;
}

static void add_rules(struct grouping *g, const struct filter *f,
                      struct algebra_notes *notes)
{
    for (size_t i = 0; i < f->groups.len; i++) {
        struct rule *rule = vec_add(&g->rules);

        parse_rule(f->groups.data[i], rule);
        if (rule->before)
            rule->pattern = name_pattern_new(rule->before);
        if (rule->kind == RULE_JUST_MY_CODE)
            rule->mine = functions_mine(g->p, &f->mine, notes);
    }
}

static void end_rules(struct grouping *g, struct algebra_notes *notes)
{
    for (size_t i = 0; i < g->rules.len; i++) {
        struct rule *rule = &g->rules.data[i];

        if (rule->before)
            name_pattern_end(&rule->pattern, "group", rule->text, notes);
        free(rule->before);
        free(rule->mine);
    }
    vec_release(&g->rules);
}

/* True if a rule needs more than a function's module and kind. */
static bool rules_need_texts(const struct grouping *g)
{
    for (size_t i = 0; i < g->rules.len; i++) {
        enum rule_kind kind = g->rules.data[i].kind;

        if (kind == RULE_PATTERN || kind == RULE_NAMESPACES ||
            kind == RULE_JUST_MY_CODE)
            return true;
    }
    return false;
}

/* ---- what a function belongs to ---- */

/* The first parts of a label, without its last: parts end at "." or "::",
 * arguments and type arguments have none of their own. */
static char *namespace_of(const char *label, unsigned parts)
{
    size_t end = 0, i;
    int depth = 0;

    for (i = 0; label[i] && label[i] != '(' && parts; i++) {
        depth += (label[i] == '<') - (label[i] == '>');
        if (depth > 0 || !i)
            continue;
        if (label[i] == '.' || (label[i] == ':' && label[i + 1] == ':')) {
            end = i;
            parts--;
            i += label[i] == ':';
        }
    }
    return end ? text_copy(label, end) : NULL;
}

static char *preset_name(const struct grouping *g, const struct rule *rule,
                         uint32_t function, const char *label)
{
    const struct function *f = &g->p->functions.data[function];
    const char *module = function_module(g->p, function);

    switch (rule->kind) {
    case RULE_MODULES:
        return text_dup(module);
    case RULE_KERNEL:
        return f->kind == CODE_KERNEL ? text_dup("[kernel]") : NULL;
    case RULE_RUNTIME:
        return module_is_runtime(module) ? text_dup("[runtime]") : NULL;
    case RULE_NAMESPACES:
        return f->cause == CAUSE_NONE ? namespace_of(label, rule->parts) : NULL;
    case RULE_JUST_MY_CODE:
        return rule->mine[function] ? NULL : text_dup("other");
    case RULE_PATTERN:
        break;
    }
    return NULL;
}

static char *rule_name(const struct grouping *g, struct rule *rule,
                       uint32_t function, const struct function_texts *texts)
{
    const char *text;

    if (rule->kind != RULE_PATTERN)
        return preset_name(g, rule, function, texts->text[0]);
    text = function_texts_match(texts, &rule->pattern);
    rule->pattern.met |= text != NULL;
    return text ? pattern_replace(rule->pattern.pattern, text, rule->name)
                : NULL;
}

static struct membership find_membership(struct grouping *g, uint32_t function,
                                         const struct function_texts *texts)
{
    struct membership m = {NULL, false, 0};

    for (uint32_t i = 0; i < g->rules.len && !m.name; i++) {
        struct rule *rule = &g->rules.data[i];

        m.name = rule_name(g, rule, function, texts);
        m.by_entry = rule->by_entry || rule->kind == RULE_JUST_MY_CODE;
        m.rule = i;
    }
    return m;
}

/* ---- what stands for it ---- */

static uint32_t add_string(struct profile *p, const char *text)
{
    return strings_add(p->strings, text, strlen(text));
}

/* A group is in its members' module, if it is one, and of their kind. */
static uint32_t plain_group(struct grouping *g, uint32_t name, uint32_t member)
{
    struct profile *p = g->p;
    const struct function f = p->functions.data[member];
    uint32_t fresh = mem_next_id(p->functions.len);
    uint32_t id = map_add(&g->plain, name, 0, fresh);
    struct function *group;

    if (id == fresh) {
        *vec_add(&p->functions) =
            (struct function){.name = name, .module = f.module, .kind = f.kind};
        return id;
    }
    group = &p->functions.data[id];
    /* Code in no module stays in none. */
    if (group->module != f.module)
        group->module =
            !strcmp(strings_get(p->strings, name), NAME_UNKNOWN)
                ? 0
                : add_string(p, "[several]");
    if (group->kind != f.kind)
        group->kind = CODE_UNKNOWN;
    return id;
}

/* Code without a name is called by its module. */
static uint32_t entry_group(struct grouping *g, const struct membership *m,
                            uint32_t member, const char *label)
{
    struct profile *p = g->p;
    const struct function f = p->functions.data[member];
    uint32_t fresh = mem_next_id(p->functions.len), name, id;

    if (!*m->name)
        return member;
    if (*label == '[')
        label = function_module(p, member);
    name = strings_addf(p->strings, "%s <<%s>>", m->name, label);
    id = map_add(&g->entries, name, f.module, fresh);
    if (id == fresh)
        *vec_add(&p->functions) =
            (struct function){.name = name, .module = f.module, .kind = f.kind};
    return id;
}

static void join(struct grouping *g, uint32_t function,
                 const struct function_texts *texts)
{
    struct membership m = find_membership(g, function, texts);
    uint32_t name;

    g->found.becomes[function] = function;
    if (!m.name)
        return;
    name = add_string(g->p, m.name);
    if (m.by_entry) {
        g->found.group[function] = name ? name : NO_ID - m.rule;
        g->found.becomes[function] =
            entry_group(g, &m, function, texts->text[0]);
    } else if (name) {
        g->found.group[function] = name;
        g->found.becomes[function] = plain_group(g, name, function);
    }
    free(m.name);
}

struct groups groups_find(struct profile *p, const struct filter *f,
                          struct algebra_notes *notes)
{
    struct grouping g = {.p = p, .functions = p->functions.len};
    struct function_texts texts = {.p = p};
    bool needs_texts;

    g.found.group = mem_new(g.functions, sizeof(uint32_t));
    g.found.becomes = mem_new(g.functions, sizeof(uint32_t));
    add_rules(&g, f, notes);
    needs_texts = rules_need_texts(&g);
    for (uint32_t i = 0; i < g.functions; i++) {
        if (needs_texts)
            function_texts_set(&texts, i);
        join(&g, i, &texts);
    }
    end_rules(&g, notes);
    map_release(&g.plain);
    map_release(&g.entries);
    function_texts_release(&texts);
    return g.found;
}

void groups_release(struct groups *groups)
{
    free(groups->group);
    free(groups->becomes);
}
