#include "tests/support/counted_stacks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/profile_builder.h"

struct profile *counted_stacks(const char *text)
{
    struct builder *b = builder_new("a.etl");
    uint32_t t = builder_thread(b, 1, "a", 1);

    while (*text) {
        char stack[300], *behind;
        unsigned count = (unsigned)strtoul(text, &behind, 10);
        size_t n = strcspn(behind, "|");

        assert(*behind == ' ' && n < sizeof(stack));
        memcpy(stack, behind + 1, n - 1);
        stack[n - 1] = '\0';
        builder_samples(b, t, count, stack);
        text = behind + n + (behind[n] == '|');
    }
    return builder_finish(b);
}
