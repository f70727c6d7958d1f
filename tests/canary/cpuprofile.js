// Percent of the samples of a .cpuprofile by function, added up from its JSON:
// of named ones that have some, without the time that nothing ran.
const profile = JSON.parse(require('fs').readFileSync(process.argv[2], 'utf8'))
const names = new Map(profile.nodes.map(n => [n.id, n.callFrame.functionName]))
const busy = profile.samples.filter(id => names.get(id) !== '(idle)')
const counts = new Map()
for (const id of busy)
  counts.set(names.get(id), (counts.get(names.get(id)) || 0) + 1)
for (const [name, n] of counts)
  if (name && !name.startsWith('(') && n * 200 > busy.length)
    console.log((n * 100 / busy.length).toFixed(2), name)
