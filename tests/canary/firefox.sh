# Firefox, the newest of Debian: a profile of its start, counted here by hand.
need node
browser=${FIREFOX:-$(command -v firefox-esr || command -v firefox)}
[ -n "$browser" ] || skip "no firefox: make deps-canary"
{ echo '<script>'; cat "$src/work.js"; echo '</script>'; } >work.html
mkdir profile
MOZ_PROFILER_STARTUP=1 MOZ_PROFILER_STARTUP_FEATURES=js,stackwalk,cpu \
MOZ_PROFILER_SHUTDOWN=$PWD/work.json HOME=$PWD \
    timeout 120 "$browser" --headless --no-remote --profile "$PWD/profile" \
    --screenshot "$PWD/work.png" "file://$PWD/work.html" >/dev/null 2>&1
[ -s work.json ] || skip "firefox does not start"
what="$("$browser" --version 2>/dev/null | tail -n 1), gecko profile version $(
    node -p "require('./work.json').meta.version")"
node "$src/gecko.js" work.json spin turn >theirs
topfn top work.json -n 0 --include-idle --format csv \
    --columns exclusive,name | tr -d '\r"' | sed -e 1d -e 's/,/ /' |
    awk '{ n += $1; if ($2 == "spin" || $2 == "turn") in_[$2] += $1 }
        END { print n " samples"; print in_["spin"] + 0 " spin"
              print in_["turn"] + 0 " turn" }' >ours
same 'samples in all, and in two functions' theirs ours
