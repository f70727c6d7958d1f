/* Strings of any bytes, as UTF-8 and as UTF-16, by way of the reader: what
 * the table holds is valid UTF-8 that it finds again under the same id. */
#include "engine/base/reader.h"
#include "engine/base/strings.h"
#include "tests/fuzz/target.h"

static void check(struct strings *s, uint32_t id)
{
    const char *text = strings_get(s, id);
    size_t n = strings_len(s, id);

    if (strlen(text) != n || strings_add(s, text, n) != id)
        abort();
    id = strings_fold(s, id);
    if (strings_fold(s, id) != id)
        abort();
}

FUZZ(strings)
{
    struct strings *s = strings_new();
    struct reader narrow = reader_of("fuzz", data, size, 0, NULL);
    struct reader wide = narrow;

    while (reader_more(&narrow)) {
        struct bytes b = reader_cstr(&narrow);

        check(s, strings_add(s, (const char *)b.data, b.len));
    }
    while (reader_more(&wide)) {
        struct bytes b = reader_utf16(&wide);

        check(s, strings_add_utf16(s, b.data, b.len / 2));
    }
    strings_free(s);
    return 0;
}
