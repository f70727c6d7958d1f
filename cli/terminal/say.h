/*
 * say - what goes to stderr.
 *
 * Names from files are printed with control characters shown as \xNN.
 */
#ifndef TOPFN_SAY_H
#define TOPFN_SAY_H

#include <stdbool.h>

/* "topfn: ..." */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* As say, unless --quiet. */
void say_warning(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* As say_warning, and only when stderr is a terminal. */
void say_hint(const char *format, ...) __attribute__((format(printf, 1, 2)));

void say_quietly(bool quiet);

/* Whether a person is watching and wants to be told. */
bool say_is_watched(void);

#endif
