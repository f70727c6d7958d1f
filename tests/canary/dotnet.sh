# .NET: EventPipe of the newest SDK, and what dotnet-trace reports of it.
need dotnet dotnet-trace
cat >work.csproj <<'END'
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net$(BundledNETCoreAppTargetFrameworkVersion)</TargetFramework>
    <UseAppHost>false</UseAppHost>
  </PropertyGroup>
</Project>
END
cat >work.cs <<'END'
using System.Diagnostics;
using System.Runtime.CompilerServices;

class Work
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    static uint Spin(int n, uint x)
    {
        while (n-- > 0)
            x = x * 1664525 + 1013904223;
        return x;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static uint Turn(int n, uint x)
    {
        while (n-- > 0) {
            x ^= x << 13;
            x ^= x >> 17;
        }
        return x;
    }

    static int Main()
    {
        uint x = 1;

        for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < 2000;)
            x = Turn(300000, Spin(1000000, x));
        return x == 7 ? 1 : 0;
    }
}
END
dotnet build -c Release -o out --nologo -v quiet >build.log 2>&1 ||
    skip "dotnet cannot build here"
runtime=Microsoft-Windows-DotNETRuntime:4c14fccbd:5
DOTNET_EnableEventPipe=1 DOTNET_EventPipeOutputPath=work.nettrace \
    DOTNET_EventPipeConfig=Microsoft-DotNETCore-SampleProfiler:0:5,$runtime \
    dotnet out/work.dll
what="dotnet $(dotnet --version), dotnet-trace $(dotnet-trace --version)"
# "1.  module!Class.Method(types..."; ours has the namespace. Names of generic
# code are cut by dotnet-trace.
dotnet-trace report work.nettrace topN -n 12 |
    sed -nE 's/^[0-9]+\. +([^!(]*!)?([^!(]*)\(.* ([0-9.]+)% +([0-9.]+)% *$/\4 \2/p' |
    grep -v '[][`]' | awk '$1 >= 0.5' >theirs
topfn top work.nettrace -n 0 --dotnet-trace-weights --format csv \
    --columns exclusive_percent,name | tr -d '\r"' |
    sed -E -e 1d -e 's/\(.*//' \
        -e 's/^([0-9.]+),(.*\.)?([^.]+\.\.?[^.]+)$/\1 \3/' |
    awk '!seen[$2]++' >ours
near 'percent of time by function' theirs ours
