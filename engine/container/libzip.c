#include "engine/container/libzip.h"

#include <pthread.h>
#include <stdbool.h>

#include "engine/base/library.h"

/* For what we call both are the same; the second is Debian's name of old. */
static const char *const names[] = {"libzip.so.5", "libzip.so.4"};

static struct libzip api;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

#define FIND(name) library_find(library, "zip_" #name, &api.name)

static bool find_all(void *library)
{
    return FIND(error_init) && FIND(error_fini) && FIND(error_set) &&
           FIND(error_code_zip) && FIND(error_code_system) &&
           FIND(error_strerror) && FIND(error_to_data) &&
           FIND(source_function_create) && FIND(source_free) &&
           FIND(source_make_command_bitmap) &&
           FIND(source_seek_compute_offset) && FIND(open_from_source) &&
           FIND(discard) && FIND(get_error) && FIND(get_num_entries) &&
           FIND(stat_init) && FIND(stat_index) && FIND(fopen_index) &&
           FIND(fread) && FIND(file_get_error) && FIND(fclose);
}

static void load(void)
{
    for (size_t i = 0; i < sizeof(names) / sizeof(*names) && !is_loaded; i++)
        is_loaded = find_all(library_load(names[i]));
}

const struct libzip *libzip_load(void)
{
    pthread_once(&once, load);
    return is_loaded ? &api : NULL;
}
