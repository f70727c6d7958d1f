/* A BinaryFormatter stream: whatever is read, look-ups stay inside it. */
#include "symbols/saved/nrbf.h"
#include "tests/fuzz/target.h"

static void look_at(const struct nrbf *n, const struct nrbf_object *o)
{
    static const char *const names[] = {"_processes", "KeyValuePairs", "key",
                                        "value", "FileName"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        nrbf_text(n, nrbf_member(n, o, names[i]));
    for (uint32_t i = 0; i < o->count; i++) {
        const struct nrbf_value *v = nrbf_element(n, o, i);
        struct bytes text = nrbf_text(n, v);

        if (text.len && !text.data)
            abort();
        nrbf_target(n, v);
        nrbf_number(v, 0);
    }
}

FUZZ(nrbf)
{
    struct err err = {0};
    struct nrbf *n = nrbf_read("fuzz", data, size, &err);

    if (!n && !err.message[0])
        abort();
    for (size_t i = 0; n && i < n->objects.len; i++)
        look_at(n, &n->objects.data[i]);
    nrbf_free(n);
    return 0;
}
