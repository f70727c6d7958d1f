// The program of mixer.exe and mixer.pdb. It needs no library.
//
//   clang++ --target=x86_64-pc-windows-msvc -O2 -g -gcodeview
//       -fno-exceptions
//       -fno-rtti -c mixer.cpp -o mixer.obj
//   lld-link /nologo /debug /brepro /pdb:mixer.pdb /pdbaltpath:mixer.pdb
//       /nodefaultlib /entry:start /subsystem:console /out:mixer.exe mixer.obj
//
// mixer-public.exe and .pdb: the same without -g.

namespace mixer {

volatile int total;

static inline int mix(int a, int b)
{
    int r = a * 31 + b;
    total += r;
    return r ^ (r >> 7);
}

static inline int mix_twice(int a, int b)
{
    int first = mix(a, b);
    return mix(first, total);
}

template <class T, int N> struct Ring {
    T slots[N];
    int at;

    __attribute__((noinline)) T push(T value)
    {
        T old = slots[at];
        slots[at] = value;
        at = mix(at, 1) & (N - 1);
        return old;
    }
};

__attribute__((noinline)) static int rounds(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += mix_twice(i, n);
    return sum;
}

Ring<int, 8> ring;

} // namespace mixer

extern "C" __declspec(dllexport) int mix_rounds(int n)
{
    return mixer::rounds(n) + 1;
}

extern "C" int start(void)
{
    return mix_rounds(9) + mixer::ring.push(mixer::mix(3, 4));
}
