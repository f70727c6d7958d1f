#include "engine/base/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "engine/base/mem.h"

void *library_load(const char *name)
{
    void *library;

    errno = 0;
    library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        mem_check_errno();
    return library;
}

/* POSIX lets a function's address pass through a pointer to an object. */
bool library_find(void *library, const char *name, void *function)
{
    void *address = library ? dlsym(library, name) : NULL;

    memcpy(function, &address, sizeof(address));
    return address != NULL;
}
