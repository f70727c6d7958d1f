/*
 * script_tests - tests that are texts: facts, and what must become of them.
 *
 *     always                              facts of every test of the file
 *     process 0 at_start 40 app.exe
 *
 *     # Comments begin with a number sign.
 *     test a process that ends
 *     process 100 end 40 ""
 *     build
 *     life 0 = app.exe min 100
 *
 * Each line is a command with its words; a word with blanks, and an empty one,
 * stands in "". Behind " = " is the text that the command must tell. Numbers
 * are decimal or hexadecimal (0x), min and max the first and last time, and
 * K+5 the address 5 of kernel space. A test fails with the file and the line.
 */
#ifndef TOPFN_TESTS_SCRIPT_TESTS_H
#define TOPFN_TESTS_SCRIPT_TESTS_H

#include "tests/support/observed.h"

struct script {
    const char *path;
    unsigned line;
    char *words[40];
    size_t count, next;
    char told[1000];
};

struct script_command {
    const char *name;
    void (*run)(struct script *s);
};

/* `begin` is called before each test of the file, `end` behind it. */
void script_tests(const char *path, const struct script_command *commands,
                  size_t count, void (*begin)(void), void (*end)(void));

/* The next word of the line, as text and as a number; `-` is `none`. */
char *script_word(struct script *s);
uint64_t script_number(struct script *s);
int64_t script_time(struct script *s);
uint32_t script_id(struct script *s, uint32_t none);

/* begin, end, at_start or at_stop */
enum observed_event script_event(struct script *s);

/* "0x1001,K+2": addresses, innermost first; `-` for none. */
struct addresses script_run(struct script *s, uint64_t list[20]);

/* The value of NAME=VALUE in the line, "" of a word NAME alone, or NULL. */
const char *script_option(struct script *s, const char *name);
uint64_t script_option_number(struct script *s, const char *name);

/* The place of the next word in a list that ends with NULL. */
unsigned script_choice(struct script *s, const char *const *words);

__attribute__((format(printf, 2, 3))) void script_tell(struct script *s,
                                                       const char *format, ...);
/* `min`, `max` or the number. */
void script_tell_time(struct script *s, int64_t time);

#endif
