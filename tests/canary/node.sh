# Node.js: --cpu-prof, whose samples are counted here by hand.
need node
what="node $(node --version)"
node --cpu-prof --cpu-prof-interval 1000 --cpu-prof-name work.cpuprofile \
    "$src/work.js"
node "$src/cpuprofile.js" work.cpuprofile >theirs
topfn top work.cpuprofile -n 0 --format csv --columns exclusive_percent,name |
    tr -d '\r"' | sed -e 1d -e 's/,/ /' >ours
near 'percent of samples by function' theirs ours
