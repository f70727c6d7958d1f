/*
 * script_line: one line of a scenario cut into words, and the values in it.
 * Private to the scenario's parser.
 *
 *     struct line l = { .s = s, .number = 12 };
 *     line_cut(&l, text, n);                 thread t in p tid 1204 start 1ms
 *     alias = line_word(&l, 1);
 *     tid = line_to_number(&l, line_need(&l, "tid"));
 *     start = line_time(&l, "start", FROM_START);
 *
 * Every word is used once; words that stay unused are a mistake.  A mistake
 * goes to scenario_error, and the call returns something harmless.
 */
#ifndef TESTS_SUPPORT_SCRIPT_LINE_H
#define TESTS_SUPPORT_SCRIPT_LINE_H

#include "tests/support/scenario_impl.h"

enum { MAX_WORDS = 256 };

struct line {
    struct scenario *s;
    int number;
    char *words[MAX_WORDS];
    bool used[MAX_WORDS];
    int count;
};

void line_cut(struct line *l, const char *text, size_t n);
void line_complain(struct line *l, const char *what, const char *word);

/* The word at a fixed place; whether a word is there. */
char *line_word(struct line *l, int i);
bool line_flag(struct line *l, const char *name);

/* The word after name, or NULL; need: a mistake if it is not there. */
char *line_value(struct line *l, const char *name);
char *line_need(struct line *l, const char *name);

uint64_t line_to_number(struct line *l, const char *text);
uint64_t line_number(struct line *l, const char *name, uint64_t otherwise);
int64_t line_time(struct line *l, const char *name, int64_t otherwise);
int64_t line_need_time(struct line *l, const char *name);

/* "10.5ms" as nanoseconds. */
bool scenario_time(const char *text, int64_t *out);

/* A copy of text that lives as long as the scenario. */
char *scenario_keep(struct scenario *s, const char *text, size_t n);

#endif
