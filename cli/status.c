#include "cli/status.h"

enum status status_of_input(enum err_code code)
{
    switch (code) {
    case ERR_NONE:
        return STATUS_OK;
    case ERR_IO:
    case ERR_NOT_FOUND:
        return STATUS_NO_INPUT;
    case ERR_USAGE:
        return STATUS_USAGE;
    default:
        return STATUS_BAD_INPUT;
    }
}

enum status status_of_output(enum err_code code)
{
    switch (code) {
    case ERR_NONE:
        return STATUS_OK;
    case ERR_NOT_FOUND:
        return STATUS_CANNOT_CREATE;
    case ERR_USAGE:
        return STATUS_USAGE;
    default:
        return STATUS_CANNOT_WRITE;
    }
}
