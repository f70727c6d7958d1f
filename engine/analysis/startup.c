#include "engine/analysis/startup.h"

#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/text.h"

/* ---- the table: names as globs, without regard to case ---- */

/* Their code without a name starts threads and programs. */
static const char *const system_modules[] = {
    "ntdll.dll",    "kernel32.dll", "kernelbase.dll", "wow64.dll",
    "wow64cpu.dll", "ucrtbase.dll", "msvcr???.dll",   "vcruntime*.dll",
    "libc.so.6",    "libc-2.*.so",  "libpthread*",    "ld-linux*",
    "ld-musl*",
};

static const char *const system_functions[] = {
    "RtlUserThreadStart",
    "_RtlUserThreadStart",
    "__RtlUserThreadStart",
    "BaseThreadInitThunk",
    "BaseThreadStart",
    "BaseProcessStart",
    "TppWorkerThread",
    "mainCRTStartup",
    "wmainCRTStartup",
    "WinMainCRTStartup",
    "wWinMainCRTStartup",
    "__tmainCRTStartup",
    "__scrt_common_main",
    "__scrt_common_main_seh",
    "invoke_main",
    "_threadstart",
    "_threadstartex",
    "_callthreadstart",
    "_callthreadstartex",
    "thread_start",
    "_start",
    "__libc_start_main*",
    "__libc_start_call_main",
    "generic_start_main",
    "start_thread",
    "clone",
    "clone3",
    "__clone",
    "__clone3",
};

/* All of their code hosts or is the runtime of .NET. */
static const char *const runtime_modules[] = {
    "mscoree.dll", "mscoreei.dll",  "mscorwks.dll",   "clr.dll",
    "coreclr.dll", "hostfxr.dll",   "hostpolicy.dll", "dotnet.exe",
    "dotnet",      "libcoreclr.so", "libhostfxr.so",  "libhostpolicy.so",
};

/* Their code without a name runs threads. */
static const char *const managed_modules[] = {
    "System.Private.CoreLib*",
    "mscorlib*",
};

static const char *const managed_functions[] = {
    "System.Threading.Thread.StartCallback",
    "System.Threading.Thread.StartHelper.*",
    "System.Threading.Thread+StartHelper.*",
    "System.Threading.ThreadHelper.ThreadStart*",
    "System.Threading.ExecutionContext.Run*",
    "System.Threading.ThreadPoolWorkQueue.Dispatch*",
    "System.Threading._ThreadPoolWaitCallback.PerformWaitCallback",
    "System.Threading.PortableThreadPool*WorkerThread.WorkerThreadStart",
    "System.Threading.PortableThreadPool*WorkerThread.WorkerDoWork",
    "System.Threading.Tasks.Task.ExecuteWithThreadLocal",
    "System.Threading.Tasks.Task.ExecuteEntry*",
    "System.Threading.Tasks.Task.ExecuteFromThreadPool",
    "System.Threading.Tasks.Task.ExecutionContextCallback",
    "System.Threading.Tasks.Task.System.Threading.*ExecuteWorkItem",
    "System.Threading.Tasks.Task.<.cctor>*",
};

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

/* No glob of a table begins with a star. */
static bool is_among(const char *text, const char *const *globs, size_t n)
{
    char first = ascii_fold(*text);

    while (n--)
        if (ascii_fold(*globs[n]) == first && glob_match(globs[n], text))
            return true;
    return false;
}

/* ---- classes ---- */

/* A name without arguments and versions: "__libc_start_main@@GLIBC_2.34". */
static const char *bare_name(const char *name, struct arena *scratch)
{
    size_t n = 0;

    while (name[n] && name[n] != '(' && name[n] != '@')
        n++;
    return arena_strndup(scratch, name, n);
}

static enum startup_class class_of_unnamed(const char *module)
{
    if (is_among(module, system_modules, COUNT(system_modules)))
        return STARTUP_OF_SYSTEM;
    if (is_among(module, runtime_modules, COUNT(runtime_modules)))
        return STARTUP_OF_RUNTIME_UNNAMED;
    if (is_among(module, managed_modules, COUNT(managed_modules)))
        return STARTUP_OF_MANAGED;
    return STARTUP_OTHER;
}

static enum startup_class class_of_named(const char *name, const char *module,
                                         bool managed)
{
    if (*name == '[') /* what stands for a lost part of a stack */
        return STARTUP_OTHER;
    if (managed)
        return is_among(name, managed_functions, COUNT(managed_functions))
                   ? STARTUP_OF_MANAGED
                   : STARTUP_OTHER_MANAGED;
    if (is_among(name, system_functions, COUNT(system_functions)))
        return STARTUP_OF_SYSTEM;
    if (is_among(module, runtime_modules, COUNT(runtime_modules)))
        return STARTUP_OF_RUNTIME;
    return STARTUP_OTHER_NAMED;
}

static enum startup_class class_of(const struct profile *p,
                                   const struct function *f,
                                   struct arena *scratch)
{
    const char *module = strings_get(p->strings, f->module);
    const char *name = strings_get(p->strings, f->name);

    if (f->kind == CODE_KERNEL)
        return STARTUP_OTHER;
    if (!f->name || f->cause != CAUSE_NONE)
        return class_of_unnamed(module);
    return class_of_named(bare_name(name, scratch), module,
                          f->kind == CODE_MANAGED);
}

enum startup_class startup_class_of(const struct profile *p, uint32_t function)
{
    struct arena scratch = {0};
    enum startup_class class =
        class_of(p, &p->functions.data[function], &scratch);

    arena_release(&scratch);
    return class;
}

uint8_t *startup_classes(const struct profile *p)
{
    uint8_t *classes = mem_new(p->functions.len, 1);
    struct arena scratch = {0};

    for (size_t i = 0; i < p->functions.len; i++) {
        classes[i] = (uint8_t)class_of(p, &p->functions.data[i], &scratch);
        arena_reset(&scratch);
    }
    arena_release(&scratch);
    return classes;
}

/* ---- along a stack ---- */

static enum startup_phase after_system(enum startup_class frame)
{
    switch (frame) {
    case STARTUP_OF_SYSTEM:
        return STARTUP_SYSTEM;
    case STARTUP_OF_RUNTIME:
        return STARTUP_RUNTIME;
    case STARTUP_OF_RUNTIME_UNNAMED:
        return STARTUP_RUNTIME_UNNAMED;
    case STARTUP_OF_MANAGED:
        return STARTUP_MANAGED;
    case STARTUP_OTHER_MANAGED:
    case STARTUP_OTHER_NAMED:
        return STARTUP_ENDED_SYSTEM;
    case STARTUP_OTHER:
        break;
    }
    return STARTUP_ENDED_NONE;
}

static enum startup_phase after_runtime(enum startup_phase phase,
                                        enum startup_class frame)
{
    switch (frame) {
    case STARTUP_OF_SYSTEM:
    case STARTUP_OF_RUNTIME:
    case STARTUP_OF_RUNTIME_UNNAMED:
        return phase;
    case STARTUP_OF_MANAGED:
        return STARTUP_MANAGED;
    case STARTUP_OTHER_MANAGED:
        return STARTUP_ENDED_ALL;
    case STARTUP_OTHER_NAMED:
    case STARTUP_OTHER:
        break;
    }
    /* The system's part ends; the runtime itself is shown. */
    return phase == STARTUP_RUNTIME ? STARTUP_ENDED_SYSTEM : STARTUP_ENDED_NONE;
}

enum startup_phase startup_next(enum startup_phase phase,
                                enum startup_class frame)
{
    switch (phase) {
    case STARTUP_SYSTEM:
        return after_system(frame);
    case STARTUP_RUNTIME:
    case STARTUP_RUNTIME_UNNAMED:
        return after_runtime(phase, frame);
    case STARTUP_MANAGED:
        if (frame == STARTUP_OF_MANAGED)
            return phase;
        return frame == STARTUP_OTHER_MANAGED || frame == STARTUP_OTHER_NAMED
                   ? STARTUP_ENDED_ALL
                   : STARTUP_ENDED_NONE;
    default:
        return phase;
    }
}

bool startup_folds(enum startup_phase phase, enum startup_phase end)
{
    return end == STARTUP_ENDED_ALL
               ? !startup_has_ended(phase)
               : end == STARTUP_ENDED_SYSTEM && phase == STARTUP_SYSTEM;
}
