#include "cli/terminal/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "engine/base/out.h"

static bool quiet;

static void say_list(const char *prefix, const char *format, va_list args)
{
    char text[2048];
    struct out *out = out_stream(stderr);

    vsnprintf(text, sizeof(text), format, args);
    out_str(out, prefix);
    out_plain(out, text);
    out_char(out, '\n');
    out_close(out, NULL);
}

void say(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say_list("topfn: ", format, args);
    va_end(args);
}

void say_warning(const char *format, ...)
{
    va_list args;

    if (quiet)
        return;
    va_start(args, format);
    say_list("topfn: ", format, args);
    va_end(args);
}

void say_hint(const char *format, ...)
{
    va_list args;

    if (!say_is_watched())
        return;
    va_start(args, format);
    say_list("", format, args);
    va_end(args);
}

void say_quietly(bool be_quiet)
{
    quiet = be_quiet;
}

bool say_is_watched(void)
{
    return !quiet && isatty(STDERR_FILENO);
}
