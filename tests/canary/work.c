/* Three functions whose shares are about 6, 3 and 1. */
#include <stdlib.h>

__attribute__((noinline)) unsigned spin(unsigned n, unsigned seed)
{
    while (n--)
        seed = seed * 1664525u + 1013904223u;
    return seed;
}

__attribute__((noinline)) unsigned turn(unsigned n, unsigned seed)
{
    while (n--)
        seed ^= seed << 13, seed ^= seed >> 17, seed ^= seed << 5;
    return seed;
}

int main(int argc, char **argv)
{
    unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 300, seed = 1;

    for (unsigned i = 0; i < n; i++)
        seed = turn(300000, spin(1000000, seed));
    return seed == 7;
}
