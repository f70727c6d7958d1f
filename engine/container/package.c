/*
 * The metadata.xml of a package (format.md, section 2). Path of a file = prefix
 * + "/" + name; of a folder = the prefix.
 */
#include "engine/container/package.h"

#include <expat.h>
#include <string.h>

#include "engine/base/hex.h"
#include "engine/base/text.h"

/* Every entry is compared with every resource; real packages have a few. */
enum { MOST_RESOURCES = 4096, MOST_COMPARISONS = 10000000 };

struct parse {
    XML_Parser parser;
    struct package *package;
    struct arena *arena;
    unsigned depth;
    bool foreign; /* the root is something else */
};

/* The part of a name behind its namespace. */
static const char *local_name(const char *name)
{
    const char *colon = strrchr(name, ':');

    return colon ? colon + 1 : name;
}

static const char *copy(struct parse *p, const char *text)
{
    return entry_name_normal(p->arena, text);
}

static void take_attribute(struct parse *p, struct resource *r,
                           const char *name, const char *value)
{
    if (!strcmp(name, "Type"))
        r->type = copy(p, value);
    else if (!strcmp(name, "Name"))
        r->name = copy(p, value);
    else if (!strcmp(name, "ResourcePackageUriPrefix"))
        r->prefix = copy(p, value);
    else if (!strcmp(name, "IsDirectoryOnDisk"))
        r->folder = ascii_same(value, "true") || !strcmp(value, "1");
}

static void XMLCALL start_element(void *context, const char *name,
                                  const char **attributes)
{
    struct parse *p = context;
    struct resource r = {.type = "", .name = "", .prefix = ""};

    name = local_name(name);
    if (!p->depth++ && strcmp(name, "Package")) {
        p->foreign = true;
        XML_StopParser(p->parser, XML_FALSE);
    }
    if (p->foreign || strcmp(name, "Resource") ||
        p->package->resources.len == MOST_RESOURCES)
        return;
    for (; attributes[0]; attributes += 2)
        take_attribute(p, &r, local_name(attributes[0]), attributes[1]);
    *vec_add(&p->package->resources) = r;
}

static void XMLCALL end_element(void *context, const char *name)
{
    struct parse *p = context;

    (void)name;
    p->depth--;
}

/* Without a document type there are no entities to multiply or to fetch. */
static void XMLCALL refuse_doctype(void *context, const char *name,
                                   const char *system_id,
                                   const char *public_id, int internal)
{
    struct parse *p = context;

    (void)name, (void)system_id, (void)public_id, (void)internal;
    XML_StopParser(p->parser, XML_FALSE);
}

bool package_read(struct package *package, const void *xml, size_t size,
                  struct arena *arena)
{
    struct parse p = {
        .parser = XML_ParserCreate(NULL),
        .package = package,
        .arena = arena,
    };
    bool good;

    *package = (struct package){0};
    if (!p.parser)
        mem_exhausted(1);
    XML_SetUserData(p.parser, &p);
    XML_SetElementHandler(p.parser, start_element, end_element);
    XML_SetStartDoctypeDeclHandler(p.parser, refuse_doctype);
    good = size <= LARGEST_METADATA &&
           XML_Parse(p.parser, xml, (int)size, 1) == XML_STATUS_OK;
    if (XML_GetErrorCode(p.parser) == XML_ERROR_NO_MEMORY)
        mem_exhausted(size);
    XML_ParserFree(p.parser);
    return good && !p.foreign;
}

void package_release(struct package *package)
{
    vec_release(&package->resources);
}

static enum entry_kind kind_of(const char *type)
{
    static const struct {
        const char *type;
        enum entry_kind kind;
    } kinds[] = {
        {"DiagnosticsHub.Resource.EtlFile", ENTRY_TRACE},
        {"DiagnosticsHub.Resource.SymbolCache", ENTRY_SYMBOLS},
        {"DiagnosticsHub.Resource.EmbeddedPdbs", ENTRY_SYMBOLS},
    };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (!strcmp(type, kinds[i].type))
            return kinds[i].kind;
    return ENTRY_OTHER;
}

/* Compares an entry's name, in which "%20" may stand for a space, with a
 * folder and a name in it. Stops where either ends: returns what is left of
 * the entry's name, NULL if they differ before. */
static const char *match(const char *entry, const char *text)
{
    for (; *text; text++, entry++) {
        char c = *entry;
        int byte = c == '%' && *text != '%' ? hex_byte(entry + 1) : -1;

        if (byte >= 0) {
            c = (char)byte;
            entry += 2;
        }
        if (!c || ascii_fold(c) != ascii_fold(*text))
            return NULL;
    }
    return entry;
}

static bool describes(const struct resource *r, const struct entry *e)
{
    const char *rest = e->inner;

    if (*r->prefix) {
        rest = match(rest, r->prefix);
        if (!rest || *rest++ != '/')
            return false;
        if (r->folder)
            return true;
    }
    if (!*r->name)
        return false;
    rest = match(rest, r->name);
    return rest && !*rest;
}

static const struct resource *resource_of(const struct package *package,
                                          const struct entry *e)
{
    for (size_t i = 0; i < package->resources.len; i++)
        if (describes(&package->resources.data[i], e))
            return &package->resources.data[i];
    return NULL;
}

void package_classify(const struct package *package, struct container *c)
{
    size_t resources = package->resources.len;
    bool any = false;

    for (size_t i = 0; i < resources; i++)
        any |= kind_of(package->resources.data[i].type) == ENTRY_TRACE;
    if (resources && c->count > MOST_COMPARISONS / resources) {
        c->warning = "metadata.xml lists too many resources";
        any = false;
    }
    for (size_t i = 0; any && i < c->count; i++) {
        struct entry *e = &c->entries[i];
        const struct resource *r = resource_of(package, e);

        if (e->note)
            continue;
        if (ascii_same(e->inner, "metadata.xml"))
            e->note = "lists the types of the other entries";
        e->kind = r ? kind_of(r->type) : ENTRY_OTHER;
        if (r)
            e->note = r->type;
    }
}
