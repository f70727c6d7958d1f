# Go: runtime/pprof, and the profile of a test.
need go
export GOCACHE=$PWD/cache GOFLAGS=-mod=mod GOTOOLCHAIN=local HOME=$PWD
mkdir work
cat >work/go.mod <<'END'
module work
go 1.19
END
cat >work/work.go <<'END'
package main

import (
	"os"
	"runtime/pprof"
	"time"
)

//go:noinline
func spin(n int) (x uint32) {
	for ; n > 0; n-- {
		x = x*1664525 + 1013904223
	}
	return
}

//go:noinline
func turn(n int) (x uint32) {
	for x = 1; n > 0; n-- {
		x ^= x << 13
		x ^= x >> 17
	}
	return
}

func Run(d time.Duration) (x uint32) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		x += spin(1000000) + turn(200000)
	}
	return
}

func main() {
	f, _ := os.Create("work.pprof")
	pprof.StartCPUProfile(f)
	Run(1500 * time.Millisecond)
	pprof.StopCPUProfile()
	f.Close()
}
END
cat >work/work_test.go <<'END'
package main

import (
	"testing"
	"time"
)

func TestRun(t *testing.T) { Run(time.Second) }
END
cd work || exit 1
what=$(go version)
go build -o work . || skip "go cannot build here"
./work
go test -cpuprofile test.pprof >/dev/null
for file in work.pprof test.pprof; do
    go tool pprof -top -nodecount=100000 -nodefraction=0 "$file" 2>/dev/null |
        awk '/%/ && $2 ~ /%$/ && $1 != "0" {
            sub(/%/, "", $2); p = $2; name = $6
            for (i = 7; i <= NF; i++) name = name " " $i
            sub(/ \(inline\)$/, "", name)
            print p, name
        }' >theirs
    topfn top "$file" -n 0 --format csv --columns exclusive_percent,name |
        tr -d '\r"' | sed -e 1d -e 's/,/ /' >ours
    near "$file: percent by function" theirs ours
done
