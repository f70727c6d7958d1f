// Samples of a profile that Firefox writes, of all threads of all processes,
// and those taken in functions whose names begin with the given words.
const [, , file, ...words] = process.argv
const counts = Object.fromEntries(words.map(w => [w, 0]))
let samples = 0

function count(profile) {
  for (const { samples: s, stackTable, frameTable, stringTable } of profile.threads)
    for (const row of s.data) {
      const stack = row[s.schema.stack]
      if (stack === null || stack === undefined)
        continue
      samples++
      const frame = stackTable.data[stack][stackTable.schema.frame]
      const name = stringTable[frameTable.data[frame][frameTable.schema.location]]
      const word = words.find(w => name.startsWith(w + ' '))
      if (word)
        counts[word]++
    }
  profile.processes.forEach(count)
}

count(JSON.parse(require('fs').readFileSync(file, 'utf8')))
console.log(samples, 'samples')
for (const w of words)
  console.log(counts[w], w)
