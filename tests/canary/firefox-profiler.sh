# The Firefox Profiler, the newest of npm: the version of processed profiles
# that it writes is one that topfn was proved on.
need node
cli=$npm/@firefox-devtools/profiler-cli/dist/profiler-cli.js
[ -e "$cli" ] || skip "no profiler-cli: make deps-canary"
newest=$(grep -oE 'preprocessedProfileVersion:[0-9]+,appBuildID' "$cli" |
    tr -dc '0-9\n' | sort -n | tail -n 1)
proved=$(sed -nE \
    's/^.*"preprocessedProfileVersion",.* ([0-9]+)\},?$/\1/p' \
    "$src/../../engine/format/firefox/firefox.c")
[ -n "$proved" ] || skip "topfn states no version that it was proved on"
what="profiler-cli $(node "$cli" --version), processed profile version $newest"
at_most 'processed profile version that topfn was proved on' "${newest:-none}" \
    "$proved"
