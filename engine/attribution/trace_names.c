#include "engine/attribution/trace_names.h"

#include <string.h>

#include "engine/attribution/jit_name.h"

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
        .first = mem_next_id(spaces->profile->methods.len),
    };
}

void trace_names_release(struct trace_names *c)
{
    free(c->method_ids);
    free(c->symbol_ids);
    vec_release(&c->met);
    vec_release(&c->text);
}

/* ---- what is met ---- */

static uint32_t meet(struct trace_names *c, const struct met_name *name)
{
    *vec_add(&c->met) = *name;
    return mem_next_id(c->first + c->met.len - 1);
}

uint32_t trace_names_method(struct trace_names *c, uint32_t process,
                            uint32_t method, int64_t from)
{
    uint32_t *id = &c->method_ids[method];
    struct met_name *met;

    if (*id == NO_ID)
        *id = meet(c, &(struct met_name){
                          .fact = method, .process = process, .from = from});
    met = &c->met.data[*id - c->first];
    met->from = from < met->from ? from : met->from;
    return *id;
}

uint32_t trace_names_symbol(struct trace_names *c, uint32_t process,
                            uint32_t symbol, uint32_t image)
{
    uint32_t *id = &c->symbol_ids[symbol];

    if (*id == NO_ID)
        *id = meet(c, &(struct met_name){.fact = symbol,
                                         .process = process,
                                         .image = image,
                                         .symbol = true});
    return *id;
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
    m->full_name = strings_add(p->strings, name.method.data, name.method.len);
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

/* Namespace.Name(arguments): engine/attribution/clr-events.md, section 3.
 * Script functions have no namespace and no signature. */
static uint32_t full_name(struct trace_names *c, const struct method *m)
{
    struct strings *s = c->profile->strings;
    const char *space = strings_get(s, m->space);
    const char *arguments = strchr(strings_get(s, m->signature), '(');
    const char *parts[] = {space, *space ? "." : "", strings_get(s, m->name),
                           arguments ? arguments : ""};

    c->text.len = 0;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        size_t n = strlen(parts[i]);

        if (!n)
            continue;
        vec_reserve(&c->text, n);
        memcpy(c->text.data + c->text.len, parts[i], n);
        c->text.len += n;
    }
    return strings_add(s, c->text.data, c->text.len);
}

static struct method method_of(struct trace_names *c,
                               const struct met_name *met)
{
    struct profile *p = c->profile;
    const struct observed_method *fact = &c->seen->methods.data[met->fact];
    struct method m = {
        .process = met->process,
        .start = fact->start,
        .size = fact->size,
        .from = met->from < fact->time ? met->from : fact->time,
        .to = TIME_MAX,
        .space = slice_string(p->strings, &fact->space),
        .name = slice_string(p->strings, &fact->name),
        .signature = slice_string(p->strings, &fact->signature),
        .module =
            map_get(&c->spaces->managed_modules, fact->module_id, fact->pid),
        .token = fact->token,
        .method_id = fact->method_id,
        .module_id = fact->module_id,
        .tier = fact->tier,
    };
    struct module unknown = {.managed = true};
    const char *text;

    if (fact->listed) {
        m.module = NO_ID;
        text = strings_get(p->strings, m.name);
        if (!name_jit_code(c, text, strlen(text), &m))
            m.full_name = m.name;
        return m;
    }
    if (m.module == NO_ID && c->seen->without_images) {
        unknown.path = strings_add(p->strings, "[unknown]", 9);
        unknown.area = unknown.path;
        m.module = observe_module(c->seen, &unknown);
    }
    m.full_name =
        m.name ? full_name(c, &m)
               : strings_addf(p->strings, "[method token 0x%08x]", m.token);
    return m;
}

/* ---- symbols ---- */

static struct method method_of_symbol(struct trace_names *c,
                                      const struct met_name *met)
{
    struct profile *p = c->profile;
    const struct observed_symbol *fact = &c->seen->symbols.data[met->fact];
    struct method m = {
        /* the kernel is in all */
        .process = met->process == NO_ID ? 0 : met->process,
        .start = fact->unplaced ? 0 : fact->start,
        .size = fact->size,
        .from = TIME_MIN,
        .to = TIME_MAX,
        .name = slice_string(p->strings, &fact->name),
        .module = met->image,
    };
    const char *text = strings_get(p->strings, m.name);

    if (!name_jit_code(c, text, strlen(text), &m))
        m.full_name = m.name;
    return m;
}

/* ---- what was met ---- */

void trace_names_add(struct trace_names *c)
{
    for (size_t i = c->profile->methods.len - c->first; i < c->met.len; i++) {
        const struct met_name *met = &c->met.data[i];
        struct method m =
            met->symbol ? method_of_symbol(c, met) : method_of(c, met);

        methods_add(&c->profile->methods, &m);
    }
}
