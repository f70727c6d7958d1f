/* Bytes taken for code; the first one says of which machine. */
#include "symbols/disasm.h"
#include "tests/fuzz/target.h"

FUZZ(disasm)
{
    uint64_t address = 0xFFFFFFFFFFFFF000; /* wraps */
    struct instruction i;
    struct disasm *d;
    struct bytes code;
    size_t left = size;

    if (!size)
        return 0;
    d = disasm_open((enum debug_machine)(DEBUG_X86 + *data % 3));
    code = (struct bytes){data + 1, --left};
    while (disasm_next(d, &code, &address, &i)) {
        if (!i.bytes.len || i.bytes.len > left || !*i.text ||
            strlen(i.text) >= INSTRUCTION_TEXT)
            abort();
        left -= i.bytes.len;
        if (code.len != left)
            abort();
    }
    if (left)
        abort();
    disasm_close(d);
    return 0;
}
