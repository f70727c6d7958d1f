// Five questions about four traces, as an assistant asks them: by the client of
// the Model Context Protocol, in both of its eras. The client checks each
// answer against the schema that the tool has.
'use strict';
const assert = require('node:assert');
const {execFileSync} = require('node:child_process');
const {Client} = require('@modelcontextprotocol/client');
const {StdioClientTransport} = require('@modelcontextprotocol/client/stdio');

const [program, folder] = process.argv.slice(2);
const told = process.env.MCP_SIZES ? console.log : () => {};

// The report that the command writes about the same file.
function report(...words) {
  return JSON.parse(execFileSync(program, [...words, '--format', 'json', '-q']));
}

async function connect(mode) {
  const client = new Client({name: 'topfn-test', version: '1'},
                            {versionNegotiation: {mode}});
  await client.connect(new StdioClientTransport({
    command: program,
    args: ['mcp', folder, '--symbols', `${folder}/pdb`, '--source',
           `${folder}/pdb`]}));
  return client;
}

// The answer of a tool, its text the same JSON.
function asker(client, calls) {
  return async (name, args, options) => {
    const answer = await client.callTool({name, arguments: args}, options);
    calls.push(name);
    assert(!answer.isError, `${name}: ${answer.content[0].text}`);
    assert.deepStrictEqual(JSON.parse(answer.content[0].text),
                           answer.structuredContent);
    told(`  ${name} ${JSON.stringify(args)}: ` +
         `${JSON.stringify(answer.structuredContent).length} bytes`);
    return answer.structuredContent;
  };
}

const questions = {
  'Which named function is hottest, and who calls it most?': async ask => {
    const file = 'etl/orders.etl';
    const {rows} = await ask('top', {file, limit: 5});
    const hot = rows.find(row => row.kind === 'managed');
    const {functions} = await ask('callers', {file, function: hot.name});
    assert.deepStrictEqual(
        rows, report('top', `${folder}/${file}`, '-n', '5').rows);
    assert.strictEqual(hot.label, 'Shop.Orders.PriceList.Lookup');
    assert.strictEqual(functions[0].callers[0].label,
                       'Shop.Orders.Basket.Total');
  },
  'Did anything become slower?': async ask => {
    const {rows, verdicts} = await ask(
        'diff', {before: ['etl/orders.etl'], after: ['diff/changed.etl']});
    const truth = report('diff', `${folder}/etl/orders.etl`,
                         `${folder}/diff/changed.etl`, '-n', '20');
    assert.deepStrictEqual(rows, truth.rows);
    assert(verdicts.slower > 0);
  },
  'Which lines of mixer::rounds are hot?': async ask => {
    const file = 'etl/rounds.etl';
    await ask('top', {file});
    const {functions} =
        await ask('list', {file, function: 'mixer::rounds', limit: 1});
    const lines = functions[0].files[0].rows.filter(row => row.exclusive);
    assert(lines.length > 0 && lines.every(line => line.source));
    assert.deepStrictEqual(
        functions,
        report('list', 'mixer::rounds', `${folder}/${file}`, '-n', '1',
               '--symbols', `${folder}/pdb`, '--source', `${folder}/pdb`)
            .functions);
  },
  'How much of the samples is in the kernel, and can they be trusted?':
      async ask => {
        const file = 'perfdata/shop.data';
        const {trace} = await ask('info', {file});
        const {rows} = await ask('top', {file, by: 'kind'});
        assert.strictEqual(trace.samples,
                           report('info', `${folder}/${file}`).trace.samples);
        assert.strictEqual(rows.reduce((sum, row) => sum + row.exclusive, 0),
                           trace.samples);
      },
  'Which events were recorded, and in which processes are the samples?':
      async ask => {
        const file = 'etl/orders.etl';
        const {rows, events} = await ask('events', {file, limit: 100});
        assert.strictEqual(rows.reduce((sum, row) => sum + row.events, 0),
                           events);
        const counted = await ask('query', {
          file,
          sql: 'SELECT process, count(*) AS samples FROM sample ' +
              'GROUP BY process ORDER BY samples DESC LIMIT 3'});
        const top = await ask('top', {file, by: 'process', limit: 3});
        assert.deepStrictEqual(
            counted.rows.map(row => [row.process, row.samples]),
            top.rows.map(row => [row.name, row.exclusive]));
      },
};

async function misuse(client) {
  const {tools} = await client.listTools();
  assert(tools.length >= 10 && tools.every(tool => tool.description));
  for (const [name, args, said] of [
    ['top', {file: '/etc/passwd'}, /no file/],
    ['top', {file: 'etl/../../Makefile'}, /no file/],
    ['top', {file: 'etl/orders.etl', limit: 0}, /1 to 1000/],
    ['top', {file: 'etl/orders.etl', output: 'x'}, /no argument "output"/],
    ['query', {file: 'etl/orders.etl', sql: "ATTACH 'x' AS y"}, /only read/],
  ]) {
    const answer = await client.callTool({name, arguments: args});
    assert(answer.isError, name);
    assert.match(answer.content[0].text, said);
  }
}

// A call that goes on for a minute, unless it is cancelled.
async function cancellation(client) {
  const stop = new AbortController();
  const sql = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)' +
      ' SELECT max(i) FROM n';
  setTimeout(() => stop.abort(), 500);
  await assert.rejects(client.callTool(
      {name: 'query', arguments: {file: 'etl/orders.etl', sql}},
      {signal: stop.signal}));
}

async function progress(client) {
  const seen = [];
  await client.callTool(
      {name: 'info', arguments: {file: 'perfdata/shop.data', event: 'cpu'}},
      {onprogress: at => seen.push(at.progress)});
  assert(seen.every((at, i) => !i || at > seen[i - 1]));
  return seen.length;
}

async function main() {
  for (const mode of ['legacy', 'auto']) {
    const client = await connect(mode);
    told(`revision ${client.getNegotiatedProtocolVersion?.() ?? mode}`);
    for (const [question, answer] of Object.entries(questions)) {
      const calls = [];
      told(question);
      await answer(asker(client, calls));
      assert(calls.length <= 3, question);
    }
    await misuse(client);
    await cancellation(client);
    told(`progress was told ${await progress(client)} times`);
    await client.close();
  }
}

main().catch(wrong => {
  console.log(wrong.stack ?? wrong);
  process.exit(1);
});
