// frames - pages of 200,000 nodes and of 12,000 processes, and how long they are
// deaf at most: the CPU time of the longest task of its thread while something is asked of it. A
// machine that is busy changes that little.
'use strict';

const { chromium } = require('playwright-core');
const { check, folder, settled } = require('./tab.cjs');

const mostMs = +process.env.FRAME_MS || 100;

// name, and what is asked of the page's App.
const asked = [
    ['range', app => app.lanes.chooseTime(1000, 401000)],
    ['another range', app => app.lanes.chooseTime(2000, 501000)],
    ['all', app => app.lanes.chooseTime(null)],
    ['process', app => app.given('process', '1')],
    ['all processes', app => app.given('process', '')],
    ['search', app => app.state.set({ q: 'Worker1' })],
    ['zoom', app => app.graphs.main.zoomTo(5)],
    ['colours', app => app.state.set({ colour: 'kind', theme: 'dark' })],
    ['order of time', app => app.state.set({ order: 'time' })],
    ['heaviest left', app => app.state.set({ order: 'left' })],
    ['fold', app => app.given('filter', '--fold HandleRequest7')],
    ['group', app => app.given('filter', "--group '*!*->$1'")],
    ['focus', app => app.given('filter', '--focus HandleRequest3')],
    ['fold', app => app.given('filter', "--fold 're:Worker[0-9]*7'")],
    ['fold of small ones', app => app.given('filter', '--fold 1%')],
    ['kind', app => app.given('filter', '--kind managed')],
    ['module', app => app.given('filter', '--module Product1.dll')],
    ['functions', app => app.state.set({ view: 'top' })],
    ['no filter', app => app.given('filter', '')],
    ['call tree', app => app.state.set({ view: 'tree' })],
    ['callers', app => app.pick(3)],
    ['flame graph', app => app.state.set({ view: 'flame' })],
];

// Of the tasks of the page's thread while `act` is done: the longest, and the
// sum; milliseconds.
async function tasks(browser, page, act) {
    await browser.startTracing(page, { categories: ['toplevel',
        '__metadata'] });
    await act();
    await settled(page);
    await page.waitForTimeout(50); // a frame that is drawn behind it
    const { traceEvents } = JSON.parse(await browser.stopTracing());
    const id = e => e.pid + '/' + e.tid;
    const threads = new Set(traceEvents.filter(e => e.name === 'thread_name' &&
        e.args.name === 'CrRendererMain').map(id));
    const times = traceEvents.filter(e => threads.has(id(e)) &&
        /RunTask$/.test(e.name)).map(e => (e.tdur ?? e.dur ?? 0) / 1000);

    return [Math.max(0, ...times), times.reduce((a, b) => a + b, 0)];
}

const ofProcesses = [
    ['group', app => app.given('process', '=cc1')],
    ['process', app => app.given('process', '5')],
    ['all processes', app => app.given('process', '')],
    ['others', app => app.lanes.choose(50)],
    ['range', app => app.lanes.chooseTime(1000, 401000)],
    ['axis', app => app.lanes.zoomTime()],
    ['whole axis', app => app.lanes.zoomTime()],
    ['focus', app => app.given('filter', '--focus HandleRequest3')],
    ['no filter', app => app.given('filter', '')],
];

async function measure(name, acts) {
    const browser = await chromium.launch({
        executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
        headless: true, args: ['--no-sandbox', '--disable-gpu'] });
    const page = await browser.newPage({ viewport: { width: 1280,
        height: 900 } });
    const told = [];
    const timed = async (what, act) => {
        const [longest, sum] = await tasks(browser, page, act);

        told.push(`${what} ${longest.toFixed(0)} of ${sum.toFixed(0)}`);
        check(`${name}, ${what}: no frame is longer than ${mostMs} ms`,
            longest <= mostMs, longest);
    };

    try {
        await timed('loading', () =>
            page.goto('file://' + folder + `/${name}.html`));
        for (const [what, act] of acts)
            await timed(what, () => page.evaluate(
                `(${act})(window.topfnPage); undefined`));
    } finally {
        console.log(`${name}.html, ms of CPU in the longest task, of all: ` +
            told.join(', '));
        await browser.close();
    }
}

async function frames() {
    await measure('large', asked);
    await measure('processes', ofProcesses);
}

module.exports = [frames];
