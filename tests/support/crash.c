#include "tests/support/crash.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS = 20 };

/* Only a sanitizer's run-time defines it. */
void __sanitizer_set_death_callback(void (*callback)(void))
    __attribute__((weak));

static char note[1200];
static const void *note_data;
static size_t note_size;

/* Called from signal handlers: system calls only. */
static void tell(void)
{
    int fd;

    if (!note[0] || write(2, note, strlen(note)) < 0)
        return;
    fd = open("crash-replay", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (fd < 0)
        return;
    if (note_size && write(fd, note_data, note_size) < 0)
        note[0] = '\0';
    close(fd);
}

static void on_signal(int number)
{
    tell();
    signal(number, SIG_DFL);
    raise(number);
}

bool crash_sanitized(void)
{
    return __sanitizer_set_death_callback != NULL;
}

void crash_watch(void)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL};

    signal(SIGALRM, on_signal);
    if (crash_sanitized()) {
        __sanitizer_set_death_callback(tell);
        return;
    }
    for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
        signal(fatal[i], on_signal);
}

void crash_note(const char *name, const char *how, size_t number,
                const void *data, size_t size)
{
    snprintf(note, sizeof(note), "\n%s, %s %zu: failed\n", name, how, number);
    note_data = data;
    note_size = size;
    alarm(SECONDS);
}

void crash_clear(void)
{
    alarm(0);
    note[0] = '\0';
}
