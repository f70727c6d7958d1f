// The program of folded.pdb: functions of equal code, which the linker has
// folded into one. A name, its lines and its inlined calls must be of the
// same one of them. Of folded.exe nothing is kept.
//
//   clang++ --target=x86_64-pc-windows-msvc -O2 -g -gcodeview
//       -fno-exceptions -fno-rtti -c folded.cpp -o folded.obj
//   lld-link /nologo /debug /brepro /opt:icf /opt:ref /pdb:folded.pdb
//       /pdbaltpath:folded.pdb /nodefaultlib /entry:start
//       /subsystem:console /out:folded.exe folded.obj

static volatile int total;

static inline int add(int value)
{
    total += value;
    return total * 3;
}

__attribute__((noinline)) inline int first(int n)
{
    int sum = add(n);
    sum ^= add(n + 1);
    return sum;
}

__attribute__((noinline)) inline int second(int n)
{
    int sum = add(n);
    sum ^= add(n + 1);
    return sum;
}

__attribute__((noinline)) inline int third(int n)
{
    int sum = add(n);
    sum ^= add(n + 1);
    return sum;
}

extern "C" int start(void)
{
    return first(1) + second(2) + third(3);
}
