/*
 * profile_text - all that a small profile says, as text to be compared.
 *
 *     const char *text = "{'nodes': [...]}";
 *     char *said = profile_text_of_bytes(&json_format, text, size, NULL);
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
 *
 * The tests of a format are a text (profile_text_script): lines behind "< " are
 * the file, those behind "> " all it says, or what is wrong with it. Lines
 * `yes`, `maybe` and `no` are beginnings of files, and what the format says of
 * them. \n, \r, \t, \\ and \xNN stand for bytes; \ at the end of a line joins
 * it with the next one.
 *
 * Those of a binary format are recipes (tests/support/recipe.h), whose notes
 * say the same (profile_text_recipes):
 *
 *     - event cpu        what is chosen
 *     - > WORDS          the next line of all it says
 *     - has WORDS        what is in it; lines behind those of > may follow then
 *     - probe maybe      what the format says of the bytes
 */
#ifndef TOPFN_TESTS_PROFILE_TEXT_H
#define TOPFN_TESTS_PROFILE_TEXT_H

#include "engine/attribution/trace_format.h"
#include "tests/support/suite.h"

/* To be freed. */
char *profile_text(const struct profile *p);

/* Of a file with these bytes; or what is wrong with it. */
char *profile_text_of_bytes(const struct trace_format *format,
                            const void *bytes, size_t size, const char *event);

/* The text with " where it has '; to be freed. */
char *profile_text_quoted(const char *text);

void profile_text_script(const struct trace_format *format, const char *path);
void profile_text_recipes(const struct trace_format *format, const char *path);

#endif
