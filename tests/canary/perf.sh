# Linux perf, the newest of Debian: perf.data, and what perf script prints of it.
need perf cc
cc -O1 -g -fno-omit-frame-pointer -o work "$src/work.c"
perf record -q -g -F 997 -o perf.data ./work >/dev/null 2>&1 ||
    skip "perf cannot record here"
perf report -i perf.data --stdio --no-children -g none -q -F sample,sym \
    --dsos work 2>/dev/null |
    sed -nE 's/^ *([0-9]+) +\[\.\] ([^ ]+) *$/\1 \2/p' >theirs
what=$(perf --version)
ours() {
    topfn top "$1" -n 0 --leaf 'work!*' --format csv \
        --columns exclusive,name | tr -d '\r' | sed -e 1d -e /^0,/d | tr ',' ' '
}
ours perf.data >ours
same 'samples by function' theirs ours
perf report -i perf.data --stdio --no-children -g none -q -F sample,comm \
    2>/dev/null | awk 'NF { n += $1 } END { print n }' >theirs
topfn top perf.data -n 0 --format csv --columns exclusive |
    awk 'NR > 1 { n += $1 } END { print n }' >ours
same 'samples' theirs ours
ours perf.data >theirs
perf script -F +pid -i perf.data >perf.txt 2>/dev/null
ours perf.txt >ours
same 'perf script' theirs ours
