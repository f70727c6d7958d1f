// consumers.cjs FOLDER - exports, opened by the own code of speedscope, of the
// Firefox Profiler and of Chrome's DevTools: of each NAME.want in the folder
// ("function|self|total" a line) the same rows from NAME.firefox.json and what
// else there is of it: NAME.speedscope.json, .collapsed, .callgrind,
// .cpuprofile, and .devtools for DevTools alone. Prints what differs. (Of pprof speedscope leaves inlined functions out; go tool pprof has
// them.)
'use strict';

const { execFileSync, spawn } = require('child_process');
const fs = require('fs');
const path = require('path');
const { chromium } = require('playwright-core');

const folder = process.argv[2];
const profiler =
    require.resolve('@firefox-devtools/profiler-cli/dist/profiler-cli.js');
const speedscope = path.join(path.dirname(require.resolve(
    'speedscope/package.json')), 'dist/release/index.html');
let failed = 0;

function compare(what, got, wanted) {
    delete got['(root)']; // of callgrind
    const lines = Object.entries(got).map(([name, [self, total]]) =>
        `${name}|${self}|${total}`);
    const wrong = [...lines.filter(l => !wanted.includes(l)),
        ...wanted.filter(l => !lines.includes(l)).map(l => 'not there: ' + l)];

    if (wrong.length || !lines.length) {
        failed++;
        console.log([what + ':', ...wrong].join('\n  '));
    }
}

function add(rows, name, self, total) {
    const row = rows[name] ||= [0, 0];

    row[0] += self;
    row[1] += total;
}

// ---- speedscope: the table of its view of functions ----

// Of samples, or of time in milliseconds.
function number(text) {
    const [, digits, unit] = /^([\d.]+)(\D*)$/.exec(text.replace(/,/g, '')
        .replace(/ .*/, ''));

    return digits * ({ ns: 1e-6, s: 1000 }[unit] ?? 1);
}

// "3" shows the view, once there is something to show.
async function showsProfile(page, i) {
    await page.waitForFunction(i => i === 1 ||
        document.body.innerText.includes(`(${i}/`), i);
    for (let tries = 0; tries < 200; tries++) {
        await page.keyboard.press('3');
        await page.waitForTimeout(100);
        if (await page.evaluate(() => [...document.querySelectorAll(
            'tr td:first-child')].some(c => /%\)$/.test(c.innerText.trim()))))
            return;
    }
    throw new Error('speedscope shows no functions');
}

async function bySpeedscope(browser, file) {
    const page = await browser.newPage({ viewport: { width: 1280,
        height: 3000 } });
    const rows = {};

    await page.goto('file://' + speedscope);
    await (await page.waitForSelector('input[type=file]',
        { state: 'attached' })).setInputFiles(file);
    // It opens on the heaviest thread.
    await showsProfile(page, 1);
    for (let at = 2; at > 1;) {
        at = +(/\((\d+)\/\d+\)/.exec(await page.evaluate(() =>
            document.body.innerText)) || [0, 1])[1];
        if (at > 1)
            await page.keyboard.press('p');
        await page.waitForTimeout(100);
    }
    for (let i = 1, count = 1; i <= count; i++) {
        await showsProfile(page, i);
        const text = await page.evaluate(() => document.body.innerText);

        count = +(/\(\d+\/(\d+)\)/.exec(text) || [0, 1])[1];
        for (const [total, self, name] of await page.$$eval('tr', list =>
            list.map(row => [...row.cells].map(c => c.innerText.trim()))
                .filter(cells => / *\(.*%\)$/.test(cells[0]))))
            add(rows, name.replace(/_\[[kji]\]$/, ''), number(self),
                number(total));
        await page.keyboard.press('n');
    }
    await page.close();
    return rows;
}

// ---- DevTools: the frames of its flame chart, in milliseconds ----

async function byDevTools(browser, file) {
    const page = await browser.newPage();

    await page.goto('devtools://devtools/bundled/js_app.html');
    const rows = await page.evaluate(async text => {
        const { CPUProfileDataModel } =
            await import('./models/cpu_profile/cpu_profile.js');
        const model = new CPUProfileDataModel.CPUProfileDataModel(
            JSON.parse(text));
        const rows = {}, open = {};
        const row = name => rows[name] ||= [0, 0];

        // Recursive calls of a function have the time of the outermost.
        model.forEachFrame((depth, { functionName: name }) =>
            open[name] = (open[name] || 0) + 1,
        (depth, { functionName: name }, at, start, total, self) => {
            row(name)[0] += self;
            if (!--open[name])
                row(name)[1] += total;
        });
        return rows;
    }, fs.readFileSync(file, 'utf8'));

    await page.close();
    for (const [name, [self, total]] of Object.entries(rows))
        rows[name] = [Math.round(self), Math.round(total)];
    return rows;
}

// ---- the Firefox Profiler: its functions of every thread ----

const env = { ...process.env, PROFILER_CLI_NO_SYMBOLICATE: '1',
    PROFILER_CLI_SESSION_DIR: path.join(folder, 'sessions') };

function ask(...words) {
    return execFileSync(process.execPath, [profiler, ...words],
        { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env });
}

// Its daemon is begun here, as it may take its time, and asked when its log
// says that the profile is there: who asks before takes it for dead.
async function opened(file, session) {
    const log = path.join(env.PROFILER_CLI_SESSION_DIR, session + '.log');
    const daemon = spawn(process.execPath, [profiler, '--daemon', file,
        '--session', session], { stdio: 'ignore', env });
    const said = () => fs.existsSync(log) ? fs.readFileSync(log, 'utf8') : '';

    while (daemon.exitCode === null && daemon.signalCode === null) {
        if (said().includes('Profile loaded'))
            return daemon;
        await new Promise(done => setTimeout(done, 100));
    }
    throw new Error(`the Firefox Profiler does not read it: ${said()}`);
}

async function byFirefox(file) {
    const session = path.basename(file).replace(/\W/g, '-'), rows = {};
    const daemon = await opened(file, session);

    try {
        const [, threads] = /contains (\d+) thread/.exec(ask('profile', 'info',
            '--session', session));

        for (let i = 0; i < threads; i++) {
            const { functions } = JSON.parse(ask('thread', 'functions',
                '--session', session, '--thread', 't-' + i, '--limit', '0',
                '--include-idle', '--json'));

            for (const f of functions)
                add(rows, f.name, f.selfSamples, f.totalSamples);
        }
    } finally {
        daemon.kill();
    }
    return rows;
}

async function main() {
    const browser = await chromium.launch({ executablePath:
        process.env.CHROMIUM || '/usr/bin/chromium', headless: true, args: [
        '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader',
        '--enable-unsafe-swiftshader'] });

    for (const file of fs.readdirSync(folder).filter(f => /\.want$/.test(f))) {
        const name = path.join(folder, file.slice(0, -'.want'.length));
        const wanted = fs.readFileSync(path.join(folder, file), 'utf8').trim()
            .split('\n');

        for (const kind of ['speedscope.json', 'collapsed', 'callgrind',
            'cpuprofile'].filter(kind => fs.existsSync(`${name}.${kind}`)))
            compare(`${file}: ${kind} in speedscope`,
                await bySpeedscope(browser, `${name}.${kind}`), wanted);
        for (const kind of ['cpuprofile', 'devtools'].filter(kind =>
            fs.existsSync(`${name}.${kind}`)))
            compare(`${file}: ${kind} in DevTools`,
                await byDevTools(browser, `${name}.${kind}`), wanted);
        compare(`${file}: in the Firefox Profiler`,
            await byFirefox(name + '.firefox.json'), wanted);
    }
    await browser.close();
    process.exit(failed ? 1 : 0);
}

main().catch(error => {
    console.log(String(error).slice(0, 800));
    process.exit(1);
});
