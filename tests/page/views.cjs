// views - tables, graphs, sources, and what is copied.
'use strict';

const fs = require('fs');
const path = require('path');

const { check, equalsTop, folder, json, number, same } =
    require('./tab.cjs');

async function tables(tab) {
    const page = await tab.open('orders.html');

    await equalsTop(tab, 'orders', 'orders.json');
    const heads = await page.$$('#top th button');

    await heads[2].click();
    let totals = (await tab.rows()).map(r => number(r.total2));

    same('sorted by total', totals, totals.slice().sort((a, b) => b - a));
    await page.keyboard.press('Enter');
    totals = (await tab.rows()).map(r => number(r.total2));
    same('upwards', totals, totals.slice().sort((a, b) => a - b));
    same('the sort is in the address', (await tab.hash()).sort, '-total');
    await page.fill('#search', 'lookup');
    same('filtered while typing', (await tab.rows()).map(r => r.function5),
        ['Shop.Orders.PriceList.Lookup']);
    await page.fill('#search', '');
    await tab.settled();
    await page.click('#top tbody tr:first-child button');
    same('a row opens its callers', (await tab.hash()).view, 'sandwich');
    await tab.open('rounds.html');
    await equalsTop(tab, 'rounds', 'rounds.json');
}

async function graphs(tab) {
    const page = await tab.open('rounds.html');
    const status = () => tab.text('#flame .status');

    await page.focus('#flame canvas');
    await page.keyboard.press('ArrowDown');
    check('down', (await status()).startsWith('start'), await status());
    await page.keyboard.press('ArrowDown');
    check('inlined is said', (await status()).includes('inlined'),
        await status());
    await page.keyboard.press('ArrowRight');
    check('beside', (await status()).includes('push'), await status());
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowUp');
    check('up', (await status()).startsWith('start'), await status());
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const { zoom } = await tab.hash();

    check('Enter zooms', zoom > 0);
    await tab.open('rounds.html', '#zoom=' + zoom);
    check('zoomed from the address', (await tab.text('#flame .status'))
        .includes('mix_rounds'));
    await tab.page.focus('#flame canvas');
    await tab.page.keyboard.press('Escape');
    await tab.page.keyboard.press('Escape');
    same('Escape zooms out', (await tab.hash()).zoom, undefined);
    await tab.page.keyboard.press('ArrowDown');
    await tab.page.keyboard.press('s');
    same('S shows callers', (await tab.hash()).view, 'sandwich');
    check('of the one in focus', (await tab.text('#picked'))
        .startsWith('start'));
    await tab.page.keyboard.press('1');
    await tab.page.focus('#flame canvas');
    for (const key of ['Home', 'ArrowDown', 'ArrowDown', 'o', 'ArrowDown',
        'm'])
        await tab.page.keyboard.press(key);
    same('O and M ask of a function', (await tab.hash()).filter,
        "--focus 'mixer.exe!mix_rounds' --fold 'mixer.exe!start'");
    check('and are taken', (await tab.text('#selected'))
        .startsWith('81 of 100'), await tab.text('#selected'));
    await tab.enter('filter', '');
    const box = await (await tab.page.$('#flame canvas')).boundingBox();

    await tab.page.mouse.move(box.x + 30, box.y + 27);
    check('the mouse tells', (await tab.text('#flame .status'))
        .startsWith('start'), await tab.text('#flame .status'));
    await tab.page.mouse.click(box.x + 30, box.y + 27);
    check('a click zooms', (await tab.hash()).zoom > 0);
    await tab.page.click('#zoom-out');
    await tab.page.keyboard.press('/');
    await tab.page.keyboard.type('mixer::mix');
    same('search tells its share', await tab.text('#matches'),
        '3 frames \u00b7 72.0 % of samples');
    for (const [id, values] of [['colour', ['kind', 'self']], ['dir', ['up']],
        ['order', ['time']], ['names', ['full']]])
        for (const value of values) {
            await tab.page.selectOption('#' + id, value);
            same(id + ' is in the address', (await tab.hash())[id], value);
        }
    await tab.page.focus('#flame canvas');
    await tab.page.keyboard.press('ArrowUp');
    check('time order tells a span', / m?s( |$)/.test(await tab.text(
        '#flame .status')), await tab.text('#flame .status'));
    await tab.page.selectOption('#order', 'left');
    await tab.page.focus('#tab-flame');
    await tab.page.keyboard.press('ArrowRight');
    same('arrows change the view', (await tab.hash()).view, 'top');
}

// Lines and instructions, with the counts of `topfn list`.
async function sources(tab) {
    const page = await tab.open('sources.html', '#view=top');
    const wanted = json('list.json').functions.find(f =>
        f.label === 'mixer::mix').files[0];
    const cells = async i => {
        await tab.settled();
        return page.$$eval(`#source .rows:nth-child(${i}) tbody tr`, list =>
            list.map(row => [...row.cells].map(c => c.textContent)));
    };

    await page.click('#top button[title="mixer::mix"]');
    same('lines of the source', (await cells(1)).map(([self, total, line, text]) =>
        [self, total, line, text]), wanted.rows.map(r => [
        String(r.exclusive ?? ''), String(r.inclusive ?? ''), String(r.line),
        r.source]));
    const code = [...await cells(2), ...await cells(3)];

    same('samples of its instructions', code.filter(([, , , line]) =>
        line).length > 5, true);
    check('instructions are said', code.some(([n, at, text]) => n === '30' &&
        at === '0x1030' && text.startsWith('add ')), JSON.stringify(code));
    same('of all samples nothing is said', await tab.text('#source .note'), '');
    await tab.enter('time', '50ms,100ms');
    check('of a part it is said', (await tab.text('#source .note'))
        .includes('whole page'));
    await tab.axe('sources');
    await tab.shot('sources.png');
    await page.click('#tab-top');
    await tab.enter('time', '');
    await page.click('#top button[title^="[no symbols]"]');
    check('no lines are said', (await tab.text('#source .note'))
        .startsWith('This page has no source lines'), await tab.text('#source .note'));
    await tab.open('rounds.html', '#view=sandwich');
    check('no source is asked for', !await tab.page.isVisible('#source'));
}

// Of a diff those of both sides, each with its own counts.
async function sourcesOfSides(tab) {
    const page = await tab.open('sides.html', '#view=top');
    const tables = async () => {
        await tab.settled();
        return page.$$eval('#source table', list => list.map(t =>
            [t.caption.textContent, [...t.tBodies[0].rows].map(row =>
                [...row.cells].map(c => c.textContent))]));
    };
    const wanted = ['list-before.json', 'list.json'].map(name =>
        json(name).functions.find(f => f.label === 'mixer::mix').files[0].rows
            .map(r => [String(r.exclusive ?? ''), String(r.inclusive ?? ''),
                String(r.line), r.source]));

    await page.click('#top button[title="mixer::mix"]');
    const files = (await tables()).filter(([title]) =>
        title.endsWith('mixer.cpp'));

    same('a file of each side', files.map(([title]) =>
        title.replace(/ .*/, '')), ['before', 'after']);
    same('lines of both sides', files.map(([, rows]) => rows), wanted);
    check('instructions of the side whose image there is',
        (await tables()).some(([title]) =>
            title === 'after \u00b7 mixer::rounds in mixer.exe'));
    same('of all samples nothing is said of a diff',
        await tab.text('#source .note'), '');
    await tab.axe('sources of sides');
    await tab.shot('sides.png');
}

async function callTree(tab) {
    const page = await tab.open('rounds.html', '#view=tree');
    const rows = () => page.$$eval('#tree tbody tr', l => l.length);
    const before = await rows();

    await page.focus('#tree tbody tr');
    await page.keyboard.press('ArrowLeft');
    check('left closes', await rows() < before);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    check('a row opens', await rows() > 2);
    await page.click('#tree tbody tr');
    await page.keyboard.press('s');
    same('S from the tree', (await tab.hash()).view, 'sandwich');
}

async function copies(tab) {
    const page = await tab.open('orders.html');
    const copied = async id => {
        await page.evaluate(() => {
            window.copied = '';
            Object.defineProperty(navigator, 'clipboard', { configurable: true,
                value: { writeText: async text => void (window.copied = text) }
            });
        });
        await page.click('#' + id);
        return page.evaluate(() => window.copied);
    };
    const wanted = fs.readFileSync(path.join(folder, 'orders.folded'), 'utf8')
        .trim().split('\n').reduce((sums, line) => {
            const [, stack, n] = /^[^;]*;(.*) (\d+)$/.exec(line);

            sums[stack] = (sums[stack] || 0) + +n;
            return sums;
        }, {});

    same('copied stacks are those of folded',
        (await copied('copy-folded')).trim().split('\n').sort(),
        Object.entries(wanted).map(([s, n]) => `${s} ${n}`).sort());
    await page.click('#tab-top');
    check('copied table', (await copied('copy-table'))
        .startsWith('self\ttotal\tmodule\tfunction\n728\t'));
    check('copying is said', (await tab.text('#copy-table-told')) === 'Copied.');
}

// Processes and threads as frames, and by their counts.
async function processes(tab) {
    const page = await tab.open('orders.html', '#view=processes');
    const rows = async () => {
        await tab.settled();
        return page.$$eval('#processes tbody tr', list => list.map(row =>
            [...row.cells].map(cell => cell.textContent)));
    };

    same('processes by samples', (await rows())[0],
        ['950', '47.5 %', '1', '3', '3120', 'orders.exe (3120)']);
    await page.click('#processes tbody button');
    same('its threads', (await rows()).length, 3);
    await tab.open('orders.html');
    await tab.page.selectOption('#roots', 'process');
    await tab.page.focus('#flame canvas');
    await tab.page.keyboard.press('ArrowDown');
    check('a process is a frame', (await tab.text('#flame .status'))
        .startsWith('orders.exe (3120) \u00b7 total 950'),
    await tab.text('#flame .status'));
    await tab.page.selectOption('#roots', 'thread');
    await tab.page.focus('#flame canvas');
    await tab.page.keyboard.press('ArrowDown');
    check('a thread is a frame', / \(\d+\) |^thread \d+/.test(
        await tab.text('#flame .status')), await tab.text('#flame .status'));
    await tab.page.selectOption('#roots', '');
    check('modules have a legend', (await tab.text('#modules'))
        .includes('ledger.exe 36.4 %'), await tab.text('#modules'));
    await tab.page.selectOption('#colour', 'kind');
    same('only where colours are modules', await tab.text('#modules'), '');
    const deepest = await tab.page.evaluate(() => {
        const { tree } = window.topfnPage.graphs.main.of;
        const { functions } = window.topfnPage;
        let twice = 0;

        for (let i = 1; i < tree.n; i++)
            twice += tree.fn[i] === tree.fn[tree.parent[i]] &&
                functions.nameless(tree.fn[i]) ? 1 : 0;
        return twice;
    });

    same('a module without names is one frame', deepest, 0);
}

module.exports = [processes, tables, graphs, sources, sourcesOfSides, callTree, copies];
