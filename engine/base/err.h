/*
 * err - the one error type.
 *
 * A function that can fail on what a file claims (or on the world) takes a
 * `struct err *` and returns its code; 0 is success.  The message is written
 * once, where the fault is seen, and names the file and the offset.
 *
 *     return err_set(err, ERR_CORRUPT, "%s: buffer at 0x%llx: size %u", ...);
 *
 * Truncated and damaged input is ordinary: readers keep what they have and
 * note it in the profile's quality; they return an error only when nothing
 * useful can be read.
 */
#ifndef TOPFN_ERR_H
#define TOPFN_ERR_H

enum err_code {
    ERR_NONE = 0,
    ERR_IO,          /* the operating system said no; message has strerror */
    ERR_TRUNCATED,   /* the input ends before something it promised */
    ERR_CORRUPT,     /* the input contradicts itself or its format */
    ERR_UNSUPPORTED, /* well-formed, but of a kind we do not read */
    ERR_LIMIT,       /* beyond a stated limit of ours */
    ERR_NOT_FOUND,   /* no such file, entry or name */
    ERR_DATABASE,    /* SQLite reported an error */
    ERR_USAGE,       /* the caller asked for something meaningless */
};

struct err {
    enum err_code code;
    char message[512]; /* one sentence, no newline, no full stop */
};

/* Records the failure and returns `code`. A first failure is kept: a later
 * one is usually its consequence. `err` may be NULL. */
enum err_code err_set(struct err *err, enum err_code code, const char *format,
                      ...) __attribute__((format(printf, 3, 4)));

/* A word for the code: "truncated", "corrupt", ... */
const char *err_name(enum err_code code);

#endif
