#include "engine/attribution/trace_names.h"

#include <string.h>

#include "engine/observations/jit_name.h"

static uint32_t *no_ids(size_t n)
{
    uint32_t *ids = mem_new(n, sizeof(*ids));

    for (size_t i = 0; i < n; i++)
        ids[i] = NO_ID;
    return ids;
}

void trace_names_init(struct trace_names *c,
                      const struct address_spaces *spaces)
{
    *c = (struct trace_names){
        .spaces = spaces,
        .seen = spaces->seen,
        .profile = spaces->profile,
        .method_ids = no_ids(spaces->seen->methods.len),
        .symbol_ids = no_ids(spaces->seen->symbols.len),
    };
}

void trace_names_release(struct trace_names *c)
{
    free(c->method_ids);
    free(c->symbol_ids);
}

/* Code that the runtime made: its name tells the module. */
static bool name_jit_code(struct trace_names *c, const char *text, size_t n,
                          struct method *m)
{
    struct profile *p = c->profile;
    struct module module = {.managed = true};
    struct jit_name name;

    if (!jit_name_parse(&name, text, n))
        return false;
    if (name.module) {
        module.path = strings_add(p->strings, name.module, name.module_len);
        module.area = module.path;
        m->module = observe_module(c->seen, &module);
    }
    m->full_name =
        strings_add(p->strings, name.method.data, name.method.len);
    m->tier = name.tier;
    jit_name_release(&name);
    return true;
}

/* ---- methods ---- */

static uint32_t slice_string(struct strings *s, const struct text_slice *slice)
{
    if (slice->utf16)
        return strings_add_utf16(s, slice->data, slice->len / 2);
    return strings_add(s, (const char *)slice->data, slice->len);
}

/* Namespace.Name(arguments): engine/observations/clr-events.md, section 3.
 * Script functions have no namespace and no signature. */
static uint32_t full_name(struct strings *s, const struct method *m)
{
    const char *space = strings_get(s, m->space);
    const char *arguments = strchr(strings_get(s, m->signature), '(');
    VEC(char) text = {0};
    const char *parts[] = {space, *space ? "." : "", strings_get(s, m->name),
                           arguments ? arguments : ""};
    uint32_t id;

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        size_t n = strlen(parts[i]);

        vec_reserve(&text, n);
        if (n)
            memcpy(text.data + text.len, parts[i], n);
        text.len += n;
    }
    id = strings_add(s, text.len ? text.data : "", text.len);
    vec_release(&text);
    return id;
}

/* What stands for a managed module that nobody described. */
static uint32_t unknown_module(struct trace_names *c)
{
    struct module module = {.managed = true};

    module.path = strings_add(c->profile->strings, "[unknown]", 9);
    module.area = module.path;
    return observe_module(c->seen, &module);
}

static void name_described(struct trace_names *c, struct method *m)
{
    struct strings *s = c->profile->strings;

    if (m->module == NO_ID && c->seen->without_images)
        m->module = unknown_module(c);
    m->full_name = m->name ? full_name(s, m)
                           : strings_addf(s, "[method token 0x%08x]",
                                          m->token);
}

static void name_listed(struct trace_names *c, struct method *m)
{
    const char *text = strings_get(c->profile->strings, m->name);

    m->module = NO_ID;
    if (!name_jit_code(c, text, strlen(text), m))
        m->full_name = m->name;
}

static uint32_t add_method(struct trace_names *c, uint32_t process,
                           uint32_t fact_index)
{
    struct profile *p = c->profile;
    const struct observed_method *fact = &c->seen->methods.data[fact_index];
    uint32_t module =
        map_get(&c->spaces->managed_modules, fact->module_id, fact->pid);
    struct method m = {
        .process = process,
        .start = fact->start,
        .size = fact->size,
        .from = fact->time,
        .to = TIME_MAX,
        .space = slice_string(p->strings, &fact->space),
        .name = slice_string(p->strings, &fact->name),
        .signature = slice_string(p->strings, &fact->signature),
        .module = module,
        .token = fact->token,
        .tier = fact->tier,
    };

    if (fact->listed)
        name_listed(c, &m);
    else
        name_described(c, &m);
    return methods_add(&p->methods, &m);
}

uint32_t trace_names_method(struct trace_names *c, uint32_t process,
                            uint32_t method, int64_t from)
{
    uint32_t *id = &c->method_ids[method];

    if (*id == NO_ID)
        *id = add_method(c, process, method);
    methods_begin_at(&c->profile->methods, *id, from);
    return *id;
}

/* ---- symbols ---- */

/* `module`: the image that holds it, or NO_ID. */
static uint32_t add_symbol(struct trace_names *c, uint32_t process,
                           uint32_t index, uint32_t module)
{
    struct profile *p = c->profile;
    const struct observed_symbol *fact = &c->seen->symbols.data[index];
    struct method m = {
        .process = process == NO_ID ? 0 : process, /* the kernel is in all */
        .start = fact->unplaced ? 0 : fact->start,
        .size = fact->size,
        .from = TIME_MIN,
        .to = TIME_MAX,
        .name = slice_string(p->strings, &fact->name),
        .module = module,
    };
    const char *text = strings_get(p->strings, m.name);

    if (!name_jit_code(c, text, strlen(text), &m))
        m.full_name = m.name;
    return methods_add(&p->methods, &m);
}

uint32_t trace_names_symbol(struct trace_names *c, uint32_t process,
                            uint32_t symbol, uint32_t module)
{
    uint32_t *id = &c->symbol_ids[symbol];

    if (*id == NO_ID)
        *id = add_symbol(c, process, symbol, module);
    return *id;
}
