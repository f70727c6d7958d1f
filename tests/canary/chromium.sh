# Chromium, the newest of Debian: what DevTools record, counted here by hand.
need node
browser=${CHROMIUM:-$(command -v chromium-headless-shell || command -v chromium)}
[ -n "$browser" ] || skip "no chromium: make deps-canary"
what=$(timeout 60 node "$src/chromium.js" "$browser" "$src/work.js" \
    work.cpuprofile) || skip "chromium does not start"
node "$src/cpuprofile.js" work.cpuprofile >theirs
topfn top work.cpuprofile -n 0 --format csv --columns exclusive_percent,name |
    tr -d '\r"' | sed -e 1d -e 's/,/ /' >ours
near 'percent of samples by function' theirs ours
