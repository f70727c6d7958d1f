#define PCRE2_CODE_UNIT_WIDTH 8
#include "engine/base/pattern.h"

#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/mem.h"
#include "engine/base/text.h"
#include "engine/base/vec.h"

enum { PARTS = 9, MATCH_LIMIT = 200000, HEAP_LIMIT_KIB = 16384 };
enum { JIT_STACK_LEAST = 32 * 1024, JIT_STACK_MOST = 1024 * 1024 };

struct pattern {
    char *glob; /* NULL: the rest is a regular expression */
    pcre2_code *code;
    pcre2_match_data *found;
    pcre2_match_context *limits;
    pcre2_jit_stack *stack;
    uint32_t gave_up;
};

static bool compile(struct pattern *p, const char *text, struct err *err)
{
    PCRE2_UCHAR message[200];
    size_t at;
    int code;

    p->code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, 0, &code,
                            &at, NULL);
    if (!p->code) {
        pcre2_get_error_message(code, message, sizeof(message));
        err_set(err, ERR_USAGE, "%s, at character %zu of %s",
                (const char *)message, at + 1, text);
        return false;
    }
    p->limits = pcre2_match_context_create(NULL);
    p->found = pcre2_match_data_create_from_pattern(p->code, NULL);
    if (!p->limits || !p->found)
        mem_exhausted(0);
    pcre2_set_match_limit(p->limits, MATCH_LIMIT);
    pcre2_set_heap_limit(p->limits, HEAP_LIMIT_KIB);
    /* Without JIT, which some machines forbid, it is slower and the same. */
    if (pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE))
        return true;
    p->stack = pcre2_jit_stack_create(JIT_STACK_LEAST, JIT_STACK_MOST, NULL);
    if (p->stack)
        pcre2_jit_stack_assign(p->limits, NULL, p->stack);
    return true;
}

static bool find(struct pattern *p, const char *name, struct text_part *parts)
{
    int n = pcre2_match(p->code, (PCRE2_SPTR)name, strlen(name), 0, 0, p->found,
                        p->limits);
    const size_t *at;

    if (n < 0) {
        p->gave_up += n != PCRE2_ERROR_NOMATCH;
        return false;
    }
    at = pcre2_get_ovector_pointer(p->found);
    for (size_t i = 1; i < (size_t)n && i <= PARTS; i++) {
        const size_t *ends = at + 2 * i;

        if (ends[0] != PCRE2_UNSET)
            parts[i - 1] =
                (struct text_part){name + ends[0], ends[1] - ends[0]};
    }
    return true;
}

struct pattern *pattern_new(const char *text, struct err *err)
{
    struct pattern *p = mem_new(1, sizeof(*p));

    if (strncmp(text, "re:", 3)) {
        p->glob = text_dup(text);
        return p;
    }
    if (compile(p, text + 3, err))
        return p;
    pattern_free(p);
    return NULL;
}

void pattern_free(struct pattern *p)
{
    if (!p)
        return;
    free(p->glob);
    pcre2_jit_stack_free(p->stack);
    pcre2_match_data_free(p->found);
    pcre2_match_context_free(p->limits);
    pcre2_code_free(p->code);
    free(p);
}

static bool find_parts(struct pattern *p, const char *name,
                       struct text_part *parts)
{
    return p->glob ? glob_parts(p->glob, name, parts, PARTS)
                   : find(p, name, parts);
}

bool pattern_match(struct pattern *p, const char *name)
{
    struct text_part parts[PARTS];

    return find_parts(p, name, parts);
}

char *pattern_replace(struct pattern *p, const char *name, const char *with)
{
    struct text_part parts[PARTS] = {{NULL, 0}};
    VEC(char) text = {0};

    if (!find_parts(p, name, parts))
        return NULL;
    for (; *with; with++) {
        if (*with == '$' && with[1] >= '1' && with[1] <= '9') {
            const struct text_part *part = &parts[*++with - '1'];

            vec_reserve(&text, part->n);
            if (part->n)
                memcpy(text.data + text.len, part->start, part->n);
            text.len += part->n;
        } else {
            with += *with == '$' && with[1] == '$';
            *vec_add(&text) = *with;
        }
    }
    *vec_add(&text) = '\0';
    return text.data;
}

uint32_t pattern_gave_up(const struct pattern *p)
{
    return p->gave_up;
}
