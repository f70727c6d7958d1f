#include "symbols/capstone.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/base/library.h"
#include "engine/base/mem.h"

#define TEXT_OF(number)  #number
#define LIBRARY(version) "libcapstone.so." TEXT_OF(version)

static struct capstone api;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *library_malloc(size_t n)
{
    return mem_new(n ? n : 1, 1);
}

static void *library_calloc(size_t count, size_t size)
{
    return mem_new(count ? count : 1, size ? size : 1);
}

static void *library_realloc(void *old, size_t n)
{
    return mem_resize(old, n ? n : 1, 1);
}

/* Capstone looks at few of its allocations: ours do not fail. */
static bool set_memory(void)
{
    cs_opt_mem memory = {library_malloc, library_calloc, library_realloc, free,
                         vsnprintf};

    return !api.option(0, CS_OPT_MEM, (size_t)&memory);
}

static void load(void)
{
    void *library = library_load(LIBRARY(CS_API_MAJOR));

    is_loaded = library_find(library, "cs_open", &api.open) &&
                library_find(library, "cs_close", &api.close) &&
                library_find(library, "cs_option", &api.option) &&
                library_find(library, "cs_malloc", &api.malloc) &&
                library_find(library, "cs_free", &api.free) &&
                library_find(library, "cs_disasm_iter", &api.disasm_iter) &&
                library_find(library, "cs_insn_group", &api.insn_group) &&
                set_memory();
}

const struct capstone *capstone_load(void)
{
    pthread_once(&once, load);
    return is_loaded ? &api : NULL;
}
