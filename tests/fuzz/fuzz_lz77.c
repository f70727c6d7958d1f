/* The plain LZ77 decoder: first two bytes are the size of the output. */
#include "engine/base/mem.h"
#include "engine/base/reader.h"
#include "engine/format/etl/lz77.h"
#include "tests/fuzz/target.h"
#include "tests/support/lz77_simple.h"

/* The decoder does what the simple one does, whatever the room. */
static void compare(const uint8_t *data, size_t size, size_t room)
{
    uint8_t *one = mem_new(room, 1), *other = mem_new(room, 1);
    bool damaged, expected_damage;
    size_t n = lz77_decode(data, size, one, room, &damaged);
    size_t expected = lz77_simple(data, size, other, room, &expected_damage);

    if (n != expected || damaged != expected_damage || memcmp(one, other, n))
        abort();
    free(one);
    free(other);
}

FUZZ(lz77)
{
    size_t room;

    if (size < 2)
        return 0;
    room = load_u16(data);
    compare(data + 2, size - 2, room);
    compare(data + 2, size - 2, room / 2);
    return 0;
}
