#include "engine/base/library.h"

#include <dlfcn.h>
#include <string.h>

void *library_load(const char *name)
{
    return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

/* POSIX lets a function's address pass through a pointer to an object. */
bool library_find(void *library, const char *name, void *function)
{
    void *address = library ? dlsym(library, name) : NULL;

    memcpy(function, &address, sizeof(address));
    return address != NULL;
}
