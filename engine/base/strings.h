/*
 * strings - every distinct string once, known by a small number.
 *
 *     struct strings *strings = strings_new();
 *     uint32_t id = strings_add(strings, "ntdll.dll", 9);
 *     puts(strings_get(strings, id));
 *
 * Id 0 is the empty string. Ids count up in order of first addition; a
 * database holds texts, not ids. Comparing two names is comparing two ids.
 * Not thread-safe.
 */
#ifndef TOPFN_STRINGS_H
#define TOPFN_STRINGS_H

#include <stddef.h>
#include <stdint.h>

struct strings;

struct strings *strings_new(void);
void strings_free(struct strings *strings);

/* `text` need not be terminated and may hold any bytes; bytes that are not
 * UTF-8 are replaced by U+FFFD, so that every stored string is valid UTF-8.
 * A NUL ends the string. */
uint32_t strings_add(struct strings *strings, const char *text, size_t n);

/* From UTF-16LE, unaligned, `units` code units; lone surrogates become
 * U+FFFD; a NUL ends the string. */
uint32_t strings_add_utf16(struct strings *strings, const uint8_t *text,
                           size_t units);

/* printf into the table. */
uint32_t strings_addf(struct strings *strings, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Terminated; valid until strings_free. */
const char *strings_get(const struct strings *strings, uint32_t id);
size_t strings_len(const struct strings *strings, uint32_t id);
uint32_t strings_count(const struct strings *strings);

/* Bytes of all texts. */
size_t strings_size(const struct strings *strings);

/* The id of ASCII-lower-cased `id`: Windows names compare without case. */
uint32_t strings_fold(struct strings *strings, uint32_t id);

#endif
