/* Text of perf script, from bytes to a finished profile. */
#include "engine/format/perfdata/perfdata.h"
#include "tests/fuzz/target.h"
#include "tests/support/fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_format(&perf_script_format, data, size);
    return 0;
}
