#include "engine/net/curl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#define LIBRARY "libcurl.so.4"

static struct curl api;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* POSIX lets a function's address pass through a pointer to an object. */
static bool find(void *library, const char *name, void *function)
{
    void *address = dlsym(library, name);

    memcpy(function, &address, sizeof(address));
    return address != NULL;
}

static bool find_all(void *library)
{
    return find(library, "curl_easy_init", &api.init) &&
           find(library, "curl_easy_cleanup", &api.cleanup) &&
           find(library, "curl_easy_reset", &api.reset) &&
           find(library, "curl_easy_setopt", &api.setopt) &&
           find(library, "curl_easy_getinfo", &api.getinfo) &&
           find(library, "curl_easy_perform", &api.perform) &&
           find(library, "curl_easy_strerror", &api.strerror);
}

static void load(void)
{
    CURLcode (*global_init)(long flags);
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

    is_loaded = library && find_all(library) &&
                find(library, "curl_global_init", &global_init) &&
                !global_init(CURL_GLOBAL_DEFAULT);
}

const struct curl *curl_load(void)
{
    pthread_once(&once, load);
    return is_loaded ? &api : NULL;
}
