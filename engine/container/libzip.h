/*
 * libzip - the library of zip archives, loaded when one is met.
 *
 *     const struct libzip *lib = libzip_load();
 *     if (lib)
 *         lib->error_init(&error);
 *
 * It comes with OpenSSL, whose 20,000 addresses a loader has to set: a third of
 * the time from the start of the program to its first line.
 */
#ifndef TOPFN_LIBZIP_H
#define TOPFN_LIBZIP_H

#include <zip.h>

struct libzip {
    void (*error_init)(zip_error_t *error);
    void (*error_fini)(zip_error_t *error);
    void (*error_set)(zip_error_t *error, int zip, int system);
    int (*error_code_zip)(const zip_error_t *error);
    int (*error_code_system)(const zip_error_t *error);
    const char *(*error_strerror)(zip_error_t *error);
    zip_int64_t (*error_to_data)(const zip_error_t *error, void *data,
                                 zip_uint64_t n);
    zip_source_t *(*source_function_create)(zip_source_callback callback,
                                            void *state, zip_error_t *error);
    void (*source_free)(zip_source_t *source);
    zip_int64_t (*source_make_command_bitmap)(zip_source_cmd_t first, ...);
    zip_int64_t (*source_seek_compute_offset)(zip_uint64_t at,
                                              zip_uint64_t size, void *data,
                                              zip_uint64_t n,
                                              zip_error_t *error);
    zip_t *(*open_from_source)(zip_source_t *source, int flags,
                               zip_error_t *error);
    void (*discard)(zip_t *zip);
    zip_error_t *(*get_error)(zip_t *zip);
    zip_int64_t (*get_num_entries)(zip_t *zip, zip_flags_t flags);
    void (*stat_init)(zip_stat_t *stat);
    int (*stat_index)(zip_t *zip, zip_uint64_t i, zip_flags_t flags,
                      zip_stat_t *stat);
    zip_file_t *(*fopen_index)(zip_t *zip, zip_uint64_t i, zip_flags_t flags);
    zip_int64_t (*fread)(zip_file_t *file, void *to, zip_uint64_t n);
    zip_error_t *(*file_get_error)(zip_file_t *file);
    int (*fclose)(zip_file_t *file);
};

/* NULL when it is not installed. It stays loaded. */
const struct libzip *libzip_load(void);

#endif
