/*
 * profile_text - all that a small profile says, as text to be compared.
 *
 *     const char *text = "{'nodes': [...]}";
 *     char *said = profile_text_of(json_format, text);
 *     ck_assert_str_eq(said, "cpu-samples\n"
 *                            "  0 main\n");
 *     free(said);
 *
 * In lines: the metric and what the header says; processes and their threads;
 * modules with what identifies them; samples, each its time, thread, weight
 * and stack, innermost frame first:
 *
 *     name [module] file:line kind +address <- its caller
 *
 * where nothing is said what is not known. "(" stands before what was inlined
 * into the frame behind it.
 */
#ifndef TOPFN_TESTS_PROFILE_TEXT_H
#define TOPFN_TESTS_PROFILE_TEXT_H

#include "engine/observations/trace_format.h"

/* To be freed. */
char *profile_text(const struct profile *p);

/* Of a file with these bytes; or what is wrong with it. */
char *profile_text_of_bytes(const struct trace_format *format,
                            const void *bytes, size_t size, const char *event);

/* The same of a text in which ' stands for ". */
char *profile_text_of(const struct trace_format *format, const char *text);

#endif
