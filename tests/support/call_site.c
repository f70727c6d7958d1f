#include "tests/support/call_site.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 7 }; /* bytes of a call */

/* `call` to where a register or memory says: FF /2, of `length` bytes from
 * there on, the operand's bytes being what the second one asks for. */
static bool is_indirect(const uint8_t *at, unsigned length)
{
    unsigned mode = at[1] >> 6, base = at[1] & 7, size = 2;

    if (at[0] != 0xff || (at[1] >> 3 & 7) != 2)
        return false;
    if (mode != 3 && base == 4 && length > size) {
        base = at[2] & 7;
        size++;
    }
    if (mode == 1)
        size += 1;
    else if (mode == 2 || (mode == 0 && base == 5))
        size += 4;
    return size == length;
}

/* What a signal handler returns to, and no call is before: the end of the
 * signal by system call 15. */
static bool ends_signal(int file, uint64_t at)
{
    static const uint8_t code[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
    uint8_t there[sizeof(code)];

    return pread(file, there, sizeof(there), (off_t)at) ==
               (ssize_t)sizeof(there) &&
           !memcmp(there, code, sizeof(code));
}

bool is_call_site(const char *path, uint64_t at)
{
    uint8_t before[LONGEST];
    bool called = false;
    ssize_t got;
    int file;

    if (*path != '/')
        return *path == '[' && strcmp(path, "[unknown]") != 0;
    file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return true;
    called = ends_signal(file, at);
    got = at < LONGEST ? 0 : pread(file, before, LONGEST, (off_t)at - LONGEST);
    close(file);
    if (got != LONGEST)
        return false;
    for (unsigned length = 2; length <= LONGEST; length++)
        called |= is_indirect(before + LONGEST - length, length);
    return called || before[LONGEST - 5] == 0xe8;
}
