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
 *
 * The tests of a format are tables of files and of beginnings of files:
 *
 *     profile_text_check(&json_format, &files[_i]);
 *     profile_text_probe(&json_format, &beginnings[_i]);
 */
#ifndef TOPFN_TESTS_PROFILE_TEXT_H
#define TOPFN_TESTS_PROFILE_TEXT_H

#include "engine/attribution/trace_format.h"
#include "tests/support/suite.h"

/* ' stands for " in what a file and its beginning hold. */
struct profile_text_file {
    const char *text, *said;
};

struct profile_text_beginning {
    const char *text;
    enum format_probe probe;
};

/* To be freed. */
char *profile_text(const struct profile *p);

/* Of a file with these bytes; or what is wrong with it. */
char *profile_text_of_bytes(const struct trace_format *format,
                            const void *bytes, size_t size, const char *event);

/* The text with " where it has '; to be freed. */
char *profile_text_quoted(const char *text);

/* What such a file says. */
char *profile_text_of(const struct trace_format *format, const char *text);

static inline void profile_text_check(const struct trace_format *format,
                                      const struct profile_text_file *file)
{
    char *said = profile_text_of(format, file->text);

    ck_assert_str_eq(said, file->said);
    free(said);
}

static inline void profile_text_probe(
    const struct trace_format *format,
    const struct profile_text_beginning *beginning)
{
    char *text = profile_text_quoted(beginning->text);

    ck_assert_int_eq(format->probe((const uint8_t *)text, strlen(text)),
                     beginning->probe);
    free(text);
}

#endif
