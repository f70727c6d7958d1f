#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "engine/base/mem.h"
#include "engine/base/newfile.h"

/* Only what is safe in a signal handler and without memory. */
static _Noreturn void die(const char *message, enum status status)
{
    new_file_abandon();
    (void)!write(STDERR_FILENO, message, strlen(message));
    _exit((int)status);
}

static void no_memory(size_t wanted)
{
    (void)wanted;
    die("topfn: out of memory\n", STATUS_NO_MEMORY);
}

/* Inputs are mapped: one that another program cuts short while we read has
 * pages that are not there any more. */
static void on_bus_error(int signal)
{
    (void)signal;
    die("topfn: an input file shrank or failed while it was read\n",
        STATUS_BAD_INPUT);
}

static void on_stop(int number)
{
    new_file_abandon();
    signal(number, SIG_DFL);
    raise(number);
}

static void handle(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};

    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

/* `nohup` and shells start us with signals ignored; that stays. */
static void handle_stop(int number)
{
    struct sigaction old;

    if (!sigaction(number, NULL, &old) && old.sa_handler != SIG_IGN)
        handle(number, on_stop);
}

int main(int argc, char **argv)
{
    mem_set_handler(no_memory);
    handle(SIGBUS, on_bus_error);
    handle(SIGXFSZ, SIG_IGN); /* a file too large is an error of writing */
    handle(SIGPIPE, on_stop); /* `topfn ... | head` ends without a word */
    handle_stop(SIGINT);
    handle_stop(SIGTERM);
    handle_stop(SIGHUP);
    handle_stop(SIGQUIT);
    handle_stop(SIGXCPU);
    return (int)command_main(argc, argv);
}
