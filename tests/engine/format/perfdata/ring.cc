/* What test_report.c records: loops whose functions call inlined ones, reads
 * and page faults. */
#include <cstdio>
#include <cstdlib>
template <class T> static inline T mix(T x) { return x * 31 ^ x >> 3; }
struct Ring {
    unsigned at, slots[64];
    void push(unsigned x)
    {
        slots[at++ % 64] ^= mix(x);
    }
};
extern "C" __attribute__((noinline)) void fill(Ring *r, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        r->push(i);
}
extern "C" __attribute__((noinline)) unsigned drain(Ring *r, unsigned n)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += mix(mix(r->slots[i % 64] + sum));
    return sum;
}
extern "C" __attribute__((noinline)) void touch(char *pages, int n)
{
    for (int i = 0; i < n; i++)
        pages[i * 4096]++;
}
int main()
{
    static Ring r;
    unsigned sum = 0;
    FILE *f = fopen("/dev/zero", "r");
    static char bytes[1 << 20], more[1 << 25];
    touch(more, sizeof(more) >> 12);
    for (int i = 0; i < 60; i++) {
        fill(&r, 1000000);
        sum += drain(&r, 1000000);
        sum += (unsigned)fread(bytes, 1, sizeof(bytes), f);
    }
    return sum == 1;
}
