#include "engine/base/err.h"

#include <stdarg.h>
#include <stdio.h>

/* Every verdict about an input passes here: the place for a breakpoint. */
enum err_code err_set(struct err *err, enum err_code code, const char *format,
                      ...)
{
    va_list args;

    if (!err || err->code)
        return code;
    err->code = code;
    va_start(args, format);
    vsnprintf(err->message, sizeof(err->message), format, args);
    va_end(args);
    return code;
}

const char *err_name(enum err_code code)
{
    static const char *const names[] = {
        [ERR_NONE] = "none",
        [ERR_IO] = "i/o",
        [ERR_TRUNCATED] = "truncated",
        [ERR_CORRUPT] = "corrupt",
        [ERR_UNSUPPORTED] = "unsupported",
        [ERR_LIMIT] = "limit",
        [ERR_NOT_FOUND] = "not found",
        [ERR_DATABASE] = "database",
        [ERR_USAGE] = "usage",
    };

    return names[code];
}
