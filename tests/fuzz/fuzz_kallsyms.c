/* The kernel's list of functions. */
#include "symbols/generated/kallsyms.h"
#include "tests/fuzz/target.h"

FUZZ(kallsyms)
{
    struct kallsyms *k = kallsyms_open(data, size, 0xffffffff81000000u);

    if (!k)
        return 0;
    kallsyms_find(k, 0xffffffff81000410u, NULL);
    kallsyms_find(k, 0, "ext4");
    kallsyms_find(k, UINT64_MAX, "");
    kallsyms_free(k);
    return 0;
}
