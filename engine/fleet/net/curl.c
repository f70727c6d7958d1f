#include "engine/fleet/net/curl.h"

#include <pthread.h>
#include <stdbool.h>

#include "engine/base/library.h"

#define LIBRARY "libcurl.so.4"

static struct curl api;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool find_all(void *library)
{
    return library_find(library, "curl_easy_init", &api.init) &&
           library_find(library, "curl_easy_cleanup", &api.cleanup) &&
           library_find(library, "curl_easy_reset", &api.reset) &&
           library_find(library, "curl_easy_setopt", &api.setopt) &&
           library_find(library, "curl_easy_getinfo", &api.getinfo) &&
           library_find(library, "curl_easy_perform", &api.perform) &&
           library_find(library, "curl_easy_strerror", &api.strerror);
}

static void load(void)
{
    CURLcode (*global_init)(long flags);
    void *library = library_load(LIBRARY);

    is_loaded = find_all(library) &&
                library_find(library, "curl_global_init", &global_init) &&
                !global_init(CURL_GLOBAL_DEFAULT);
}

const struct curl *curl_load(void)
{
    pthread_once(&once, load);
    return is_loaded ? &api : NULL;
}
