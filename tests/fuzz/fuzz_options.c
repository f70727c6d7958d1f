/* The command line: words between NULs, or blanks. */
#include "cli/options/options.h"
#include "tests/fuzz/target.h"

enum { WORDS = 64, TEXT = 4096 };

FUZZ(options)
{
    static char text[TEXT];
    char *words[WORDS + 1];
    struct options o;
    struct err err = {0};
    int count = 0;

    if (size >= TEXT)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    for (size_t i = 0; i < size && count < WORDS; i++) {
        if (text[i] == ' ' || text[i] == '\n')
            text[i] = '\0';
        if (text[i] && (!i || !text[i - 1]))
            words[count++] = text + i;
    }
    words[count] = NULL;
    options_parse(&o, count, words, &err);
    options_release(&o);
    return 0;
}
