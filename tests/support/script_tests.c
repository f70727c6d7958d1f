#include "tests/support/script_tests.h"

#include <check.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/model/profile.h"

enum { LINE = 2000 };

#define complain(s, ...)                                                       \
    do {                                                                       \
        char complaint[3000];                                                  \
        snprintf(complaint, sizeof(complaint), __VA_ARGS__);                   \
        ck_abort_msg("%s:%u: %s", (s)->path, (s)->line, complaint);            \
    } while (0)

char *script_word(struct script *s)
{
    if (s->next >= s->count)
        complain(s, "a word is missing");
    return s->words[s->next++];
}

static uint64_t number_of(struct script *s, const char *word)
{
    bool kernel = strncmp(word, "K+", 2) == 0;
    char *end;
    uint64_t value;

    if (strcmp(word, "min") == 0)
        return (uint64_t)TIME_MIN;
    if (strcmp(word, "max") == 0)
        return (uint64_t)TIME_MAX;
    value = strtoull(word + 2 * kernel, &end, 0);
    if (*end)
        complain(s, "no number: %s", word);
    return value + (kernel ? KERNEL : 0);
}

uint64_t script_number(struct script *s)
{
    return number_of(s, script_word(s));
}

int64_t script_time(struct script *s)
{
    return (int64_t)script_number(s);
}

uint32_t script_id(struct script *s, uint32_t none)
{
    const char *word = script_word(s);

    return strcmp(word, "-") == 0 ? none : (uint32_t)number_of(s, word);
}

struct addresses script_run(struct script *s, uint64_t list[20])
{
    char *word = script_word(s), *save = NULL;
    struct addresses run = {list, 0};

    if (strcmp(word, "-") == 0)
        return run;
    for (word = strtok_r(word, ",", &save); word && run.count < 20;
         word = strtok_r(NULL, ",", &save))
        list[run.count++] = number_of(s, word);
    return run;
}

const char *script_option(struct script *s, const char *name)
{
    size_t n = strlen(name);

    for (size_t i = 0; i < s->count; i++)
        if (strncmp(s->words[i], name, n) == 0 &&
            (s->words[i][n] == '=' || !s->words[i][n]))
            return s->words[i] + n + (s->words[i][n] == '=');
    return NULL;
}

uint64_t script_option_number(struct script *s, const char *name)
{
    const char *value = script_option(s, name);

    return value ? number_of(s, value) : 0;
}

unsigned script_choice(struct script *s, const char *const *words)
{
    const char *word = script_word(s);

    for (unsigned i = 0; words[i]; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    complain(s, "no such word here: %s", word);
}

enum observed_event script_event(struct script *s)
{
    static const char *const words[] = {"begin", "end", "at_start", "at_stop",
                                        NULL};
    static const enum observed_event events[] = {SEEN_BEGIN, SEEN_END,
                                                 SEEN_AT_START, SEEN_AT_STOP};

    return events[script_choice(s, words)];
}

void script_tell(struct script *s, const char *format, ...)
{
    size_t n = strlen(s->told);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(s->told + n, sizeof(s->told) - n, format, arguments);
    va_end(arguments);
}

void script_tell_time(struct script *s, int64_t time)
{
    if (time == TIME_MIN || time == TIME_MAX)
        script_tell(s, time == TIME_MIN ? "min" : "max");
    else
        script_tell(s, "%" PRId64, time);
}

/* Cuts words in place; what stood in quotes may have blanks. */
static void cut(struct script *s, char *at)
{
    s->count = s->next = 0;
    while (*(at += strspn(at, " "))) {
        char *to = at;
        bool quoted = false;

        if (s->count == sizeof(s->words) / sizeof(*s->words))
            complain(s, "too many words");
        s->words[s->count++] = at;
        for (; *at && (quoted || *at != ' '); at++)
            if (*at == '"')
                quoted = !quoted;
            else
                *to++ = *at;
        at += *at != '\0';
        *to = '\0';
    }
}

static void run_line(struct script *s, char *line,
                     const struct script_command *commands, size_t count)
{
    char *expected = strstr(line, " =");
    const char *name;
    size_t i = 0;

    if (expected && (expected[2] == ' ' || !expected[2])) {
        *expected = '\0';
        expected += 2 + (expected[2] == ' ');
    } else {
        expected = NULL;
    }
    cut(s, line);
    name = script_word(s);
    *s->told = '\0';
    while (i < count && strcmp(commands[i].name, name) != 0)
        i++;
    if (i == count)
        complain(s, "no such command: %s", name);
    commands[i].run(s);
    if (expected && strcmp(s->told, expected) != 0)
        complain(s, "\"%s\", not \"%s\"", s->told, expected);
}

/* The lines before the first test, which every test begins with. */
struct common {
    char lines[20][200];
    unsigned numbers[20];
    size_t count;
};

static void begin_test(struct script *s, const struct common *common,
                       const struct script_command *commands, size_t count)
{
    unsigned line = s->line;
    char copy[200];

    for (size_t i = 0; i < common->count; i++) {
        s->line = common->numbers[i];
        strcpy(copy, common->lines[i]);
        run_line(s, copy, commands, count);
    }
    s->line = line;
}

void script_tests(const char *path, const struct script_command *commands,
                  size_t count, void (*begin)(void), void (*end)(void))
{
    struct script s = {.path = path};
    struct common common = {.count = 0};
    unsigned tests = 0;
    char line[LINE];
    FILE *file = fopen(path, "r");

    ck_assert_msg(file, "%s", path);
    while (fgets(line, sizeof(line), file)) {
        s.line++;
        line[strcspn(line, "\n")] = '\0';
        if (!*line || *line == '#' || strcmp(line, "always") == 0)
            continue;
        if (strncmp(line, "test ", 5) == 0) {
            if (tests++)
                end();
            begin();
            begin_test(&s, &common, commands, count);
        } else if (tests) {
            run_line(&s, line, commands, count);
        } else {
            ck_assert_uint_lt(common.count, 20);
            common.numbers[common.count] = s.line;
            snprintf(common.lines[common.count++], 200, "%.199s", line);
        }
    }
    fclose(file);
    ck_assert_uint_gt(tests, 0);
    end();
}
