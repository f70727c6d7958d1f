/* Names come from files: every line is one, of every kind of code. A label is
 * never empty, and bounded by the name. */
#include "engine/base/mem.h"
#include "engine/model/labels.h"
#include "report/table/text.h"
#include "tests/fuzz/target.h"

static void try_label(struct label_source source, unsigned parts)
{
    struct arena arena = {0};
    const char *label = label_from_name(&arena, &source, parts), *brief;
    size_t n = strlen(source.name);

    if (!*label != !n || strlen(label) > n * (parts ? 2 : 1) + LABEL_GROWTH)
        abort();
    for (size_t width = 0; width < 100; width = 2 * width + 7) {
        brief = shorten(label, width, &arena);
        if (!*brief != !*label || strlen(brief) > strlen(label))
            abort();
    }
    arena_release(&arena);
}

static void try_name(const char *name)
{
    for (int kind = 0; kind < CODE_KINDS; kind++)
        for (unsigned parts = 0; parts < 4; parts++)
            try_label((struct label_source){name, NULL, (enum code_kind)kind},
                      parts);
}

FUZZ(label)
{
    char *text = mem_new(size + 1, 1), *line = text;

    if (size)
        memcpy(text, data, size);
    for (char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        try_name(line);
    }
    try_name(line);
    free(text);
    return 0;
}
