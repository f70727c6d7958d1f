// The CPU profile of a program in Chromium, by its debugging protocol: messages
// on two pipes, each ends with a zero byte.
const [, , browser, program, output] = process.argv
const fs = require('fs')
const child = require('child_process').spawn(browser,
  ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-pipe',
   `--user-data-dir=${process.cwd()}/profile`],
  { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
const waiting = new Map()
let text = '', last = 0

child.on('error', () => process.exit(77))
child.on('exit', () => process.exit(fs.existsSync(output) ? 0 : 77))
child.stdio[4].on('data', data => {
  const messages = (text + data).split('\0')
  text = messages.pop()
  for (const m of messages.map(JSON.parse))
    if (waiting.has(m.id))
      waiting.get(m.id)(m.result || m)
})

function send(method, params = {}, sessionId) {
  const id = ++last
  child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0')
  return new Promise(resolve => waiting.set(id, resolve))
}

async function main() {
  const { product } = await send('Browser.getVersion')
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' })
  const { sessionId } =
    await send('Target.attachToTarget', { targetId, flatten: true })
  await send('Profiler.enable', {}, sessionId)
  await send('Profiler.setSamplingInterval', { interval: 1000 }, sessionId)
  await send('Profiler.start', {}, sessionId)
  await send('Runtime.evaluate',
    { expression: fs.readFileSync(program, 'utf8') }, sessionId)
  const { profile } = await send('Profiler.stop', {}, sessionId)
  fs.writeFileSync(output, JSON.stringify(profile))
  console.log(product)
  await send('Browser.close')
}
main()
