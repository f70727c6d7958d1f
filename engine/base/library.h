/*
 * library - a shared library that is loaded when it is first needed.
 *
 *     void *curl = library_load("libcurl.so.4");
 *     struct { void (*cleanup)(CURL *); } api;
 *     if (library_find(curl, "curl_easy_cleanup", &api.cleanup))
 *         api.cleanup(handle);
 *
 * For one whose loading takes longer than many a report, and that few runs
 * use. It stays loaded.
 */
#ifndef TOPFN_LIBRARY_H
#define TOPFN_LIBRARY_H

#include <stdbool.h>

/* NULL when it is not installed; memory that runs out ends the program. */
void *library_load(const char *name);

/* Sets a pointer to a function; false if the library, which may be NULL, has
 * none of the name. */
bool library_find(void *library, const char *name, void *function);

#endif
