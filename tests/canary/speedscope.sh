# speedscope, the newest of npm: the kinds of profiles that its schema knows,
# and the folded stacks that it shows as an example.
need node
release=$npm/speedscope/dist/release
[ -d "$release" ] || skip "no speedscope: make deps-canary"
what="speedscope $(node -p "require('$npm/speedscope/package.json').version")"
# topfn reads these two, and units by name.
node -e "
    const types = require('$release/file-format-schema.json').definitions
    for (const t of ['ProfileType', 'ValueUnit'])
        console.log(t, types['FileFormat.' + t].enum.sort().join(' '))
" >theirs
cat >ours <<'END'
ProfileType evented sampled
ValueUnit bytes microseconds milliseconds nanoseconds none seconds
END
same 'kinds of profiles and units' theirs ours
cp "$release"/perf-vertx-stacks-01-collapsed-all-*.txt stacks.txt
# Marks of kinds of code are no part of names.
awk '{
        n = split($0, part, ";")
        sub(/(_\[[a-z]\])? [0-9]+$/, "", part[n])
        self[part[n]] += $NF
    }
    END { for (name in self) print self[name], name }' stacks.txt >theirs
topfn top stacks.txt -n 0 --format csv --columns exclusive,name |
    tr -d '\r"' | sed -e 1d -e /^0,/d -e 's/,/ /' >ours
same 'samples by function' theirs ours
