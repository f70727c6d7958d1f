// figures.cjs PAGE... - how fast pages of large recordings are, in Chromium
// and in Firefox, if it is there: milliseconds until a page can be used and
// until a filter is done, the longest time that its thread is deaf, and the
// memory of its process beside an empty page's. Run it by hand:
//
//     NODE_PATH=build-npm/node_modules node tests/page/figures.cjs FILE
'use strict';

const fs = require('fs');
const path = require('path');
const playwright = require('playwright-core');
const { settled } = require('./tab.cjs');

const browsers = [
    ['chromium', playwright.chromium, process.env.CHROMIUM ||
        '/usr/bin/chromium', ['--no-sandbox', '--disable-gpu']],
    ['firefox', playwright._bidiFirefox, process.env.FIREFOX ||
        '/usr/bin/firefox-esr', []],
];

const asked = [
    ['filter', app => app.given('filter', '--ignore re:^_')],
    ['no filter', app => app.given('filter', '')],
    ['first process', app => app.given('process', '0')],
    ['all processes', app => app.given('process', '')],
    ['functions', app => app.state.set({ view: 'top' })],
    ['flame graph', app => app.state.set({ view: 'flame' })],
];

function read(file) {
    try {
        return fs.readFileSync(file, 'utf8');
    } catch {
        return '';
    }
}

// Megabytes that the largest process of a page has for itself.
function memory() {
    const parents = {}, sizes = [];

    for (const id of fs.readdirSync('/proc').filter(name => +name))
        parents[id] = /^PPid:\s*(\d+)/m.exec(read(`/proc/${id}/status`))?.[1];
    for (const id of Object.keys(parents)) {
        let at = id;

        while (at && at !== String(process.pid))
            at = parents[at];
        if (at && /--type=renderer|-contentproc.*tab$/.test(
            read(`/proc/${id}/cmdline`).replace(/\0/g, ' ').trim()))
            sizes.push([...read(`/proc/${id}/smaps_rollup`)
                .matchAll(/^Private_\w+:\s*(\d+)/mg)]
                .reduce((sum, [, kB]) => sum + +kB / 1000, 0));
    }
    return Math.max(0, ...sizes);
}

// Notes the longest time between two turns of the page's thread.
function watch() {
    const { port1, port2 } = new MessageChannel();
    let last = performance.now();

    window.deaf = 0;
    port1.onmessage = () => {
        const now = performance.now();

        window.deaf = Math.max(window.deaf, now - last);
        last = now;
        port2.postMessage(0);
    };
    port2.postMessage(0);
}

async function measure(name, kind, executablePath, args, file) {
    const browser = await kind.launch({ executablePath, args,
        headless: true });
    const page = await browser.newPage({ viewport: { width: 1280,
        height: 900 } });
    const told = [], before = memory();
    const took = async (what, act) => {
        const start = performance.now();

        await act();
        await settled(page);
        told.push(`${what} ${(performance.now() - start).toFixed(0)} ms`);
        if (what !== 'load') {
            told.push(`(deaf ${(await page.evaluate(() =>
                window.deaf)).toFixed(0)})`);
            await page.evaluate(() => {
                window.deaf = 0;
            });
        }
    };

    page.on('pageerror', error => {
        throw error;
    });
    await took('load', () => page.goto('file://' + path.resolve(file)));
    told.push(`memory ${(memory() - before).toFixed(0)} MB`);
    await page.evaluate(watch);
    for (const [what, act] of asked)
        await took(what, () => page.evaluate(
            `(${act})(window.topfnPage); undefined`));
    told.push(`memory ${(memory() - before).toFixed(0)} MB`);
    console.log(`${path.basename(file)} ${name}: ${told.join(', ')}`);
    await browser.close();
}

async function main() {
    for (const file of process.argv.slice(2))
        for (const [name, kind, program, args] of browsers)
            if (fs.existsSync(program))
                await measure(name, kind, program, args, file);
}

main();
