/*
 * unicode - steps through text of unknown quality.
 */
#ifndef TOPFN_UNICODE_H
#define TOPFN_UNICODE_H

#include <stddef.h>
#include <stdint.h>

/* Length of the valid UTF-8 sequence at the start of `text`, or 0; `n` is not
 * 0. */
size_t utf8_sequence(const uint8_t *text, size_t n);

/* The bytes of a code point, which is valid; how many. */
size_t utf8_of(uint32_t code_point, char bytes[4]);

/* One code point from UTF-16LE `text`, which has `left` units, 1 or more; sets
 * *used. U+FFFD for a lone surrogate. */
uint32_t utf16_code_point(const uint8_t *text, size_t left, size_t *used);

#endif
