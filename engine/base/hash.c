#include "engine/base/hash.h"

#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

struct hash_key hash_key;

/* SplitMix64: any seed makes four words that have nothing in common. */
void hash_set_key(uint64_t seed)
{
    for (unsigned i = 0; i < 4; i++) {
        uint64_t z = seed += 0x9E3779B97F4A7C15u;

        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
        z = (z ^ z >> 27) * 0x94D049BB133111EBu;
        hash_key.word[i] = (z ^ z >> 31) | (i & 1);
    }
}

uint64_t hash_memory(const void *bytes, size_t n)
{
    const char *at = bytes;
    uint64_t h = hash_pair(n, 0), word;

    for (; n >= sizeof(word); at += sizeof(word), n -= sizeof(word)) {
        memcpy(&word, at, sizeof(word));
        h = hash_fold(h ^ word ^ hash_key.word[0], hash_key.word[1]);
    }
    word = 0;
    if (n)
        memcpy(&word, at, n);
    return hash_pair(h, word);
}

/* A system without random numbers at hand has its clock and its pid. */
__attribute__((constructor)) static void draw_key(void)
{
    struct timespec now = {0};

    if (getrandom(&hash_key, sizeof(hash_key), GRND_NONBLOCK) ==
        (ssize_t)sizeof(hash_key)) {
        hash_key.word[1] |= 1;
        hash_key.word[3] |= 1;
        return;
    }
    clock_gettime(CLOCK_REALTIME, &now);
    hash_set_key((uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec ^
                 (uint64_t)getpid() << 48);
}
