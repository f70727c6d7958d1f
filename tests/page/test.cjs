// test.cjs FOLDER [SHOTS] - the pages in FOLDER, as a person uses them.
// Prints what is wrong, and the time of a frame.
'use strict';

const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const { chromium } = require('playwright-core');

const [, , folder, shots] = process.argv;
const flags = ['--no-sandbox', '--disable-gpu', '--no-first-run',
    '--disable-background-networking', '--disable-component-update',
    '--disable-sync'];
let failed = 0;

function check(what, is, detail = '') {
    if (!is) {
        failed++;
        console.log(`wrong: ${what} ${detail}`);
    }
}

const same = (what, a, b) =>
    check(what, JSON.stringify(a) === JSON.stringify(b),
        `\n  has    ${JSON.stringify(a)}\n  wanted ${JSON.stringify(b)}`);

const json = name => JSON.parse(fs.readFileSync(path.join(folder, name)));

class Tab {
    constructor(context) {
        this.context = context;
    }

    // A page must say nothing and ask for nothing but itself.
    async open(name, hash = '') {
        const url = 'file://' + path.join(folder, name) + hash;

        if (this.page)
            await this.page.close();
        this.page = await this.context.newPage();
        this.page.on('console', m => check(name + ' is silent', false,
            m.text()));
        this.page.on('pageerror', e => check(name + ' has no error', false,
            String(e)));
        this.page.on('request', r => check(name + ' asks for nothing',
            r.url() === url.split('#')[0] || r.url() === url, r.url()));
        this.page.on('dialog', d => check(name + ' opens no dialog', false,
            d.message()));
        await this.page.goto(url);
        while (!await this.page.evaluate(() => window.topfnPage))
            await this.page.waitForTimeout(20);
        return this.page;
    }

    async shot(name) {
        if (shots)
            await this.page.screenshot({ path: path.join(shots, name),
                fullPage: true });
    }

    text(selector) {
        return this.page.textContent(selector);
    }

    hash() {
        return this.page.evaluate(() =>
            Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
    }

    // Cells of the table of functions.
    async rows() {
        await this.page.evaluate(() => {
            const more = document.querySelector('#top .more');

            while (!more.hidden)
                more.click();
        });
        return this.page.$$eval('#top tbody tr', list => list.map(row =>
            Object.fromEntries([...row.cells].map((cell, i) => [
                document.querySelectorAll('#top th')[i].textContent + i,
                cell.querySelector('button')?.title ?? cell.textContent]))));
    }

    async axe(name) {
        await this.page.evaluate(axe);
        const found = await this.page.evaluate(() => window.axe.run(document, {
            runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'] }));
        const bad = found.violations.filter(v =>
            ['serious', 'critical'].includes(v.impact));

        same('axe: ' + name, bad.map(v => [v.id, v.nodes[0].html.slice(0, 150)]),
            []);
    }
}

const number = text => +text.replace(/[^\d.-]/g, '');

// What the page shows is what `topfn top` prints.
async function equalsTop(tab, name, report) {
    await tab.page.click('#tab-top');
    const rows = (await tab.rows()).map(row => [row.function5 ?? row.function6,
        row.module4 ?? row.module5, number(row.self0), number(row.total2)])
        .sort();
    const wanted = json(report).rows.map(r =>
        [r.label, r.module, r.exclusive, r.inclusive]).sort();

    same(name + ' has the numbers of top', rows, wanted);
}

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
    await page.fill('#only', 'lookup');
    same('filtered while typing', (await tab.rows()).map(r => r.function5),
        ['Shop.Orders.PriceList.Lookup']);
    await page.fill('#only', '');
    await page.click('#top tbody tr:first-child button');
    same('a row opens its callers', (await tab.hash()).view, 'sandwich');
    await tab.open('rounds.html');
    await equalsTop(tab, 'rounds', 'rounds.json');
    await tab.open('waiting.html');
    await equalsTop(tab, 'waiting', 'waiting.json');
    check('functions that wait are marked',
        (await tab.rows()).some(r => r.waits4 === 'waits'));
}

async function selections(tab) {
    const page = await tab.open('orders.html');
    const box = await (await page.$('#timeline canvas')).boundingBox();

    check('all at first', (await tab.text('#selected'))
        .startsWith('All 1,998 samples'), await tab.text('#selected'));
    await page.mouse.move(box.x + box.width * .25, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * .5, box.y + 30, { steps: 4 });
    await page.mouse.up();
    check('a drag selects', /^\d[\d,]* of 1,998 samples/
        .test(await tab.text('#selected')), await tab.text('#selected'));
    await page.focus('#timeline canvas');
    const dragged = (await tab.hash()).time;

    await page.keyboard.press('ArrowRight');
    check('keys move the range', (await tab.hash()).time !== dragged);
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Escape');
    same('Escape clears it', (await tab.hash()).time, undefined);
    await page.click('.lanes button:nth-child(3)');
    check('a lane picks its process', (await tab.text('#process option:checked'))
        .startsWith('orders.exe'), await tab.text('#process option:checked'));
    await page.fill('#time', '100ms,200ms');
    await page.keyboard.press('Enter');
    await equalsTop(tab, 'a process and a range', 'part.json');
    await page.selectOption('#thread', { index: 1 });
    check('a thread is picked', (await tab.hash()).thread !== undefined);
    await page.fill('#time', 'nonsense');
    await page.keyboard.press('Enter');
    check('a wrong time is said', (await tab.text('#wrong')).includes('FROM,TO'));
    await tab.open('orders.html', '#view=top&process=2&time=100ms%2C200ms');
    await equalsTop(tab, 'from its address', 'part.json');
}

// What can be done without a mouse.
async function keys(tab) {
    const page = await tab.open('orders.html');
    const focused = () => page.evaluate(() => document.activeElement.id);
    const press = key => page.keyboard.press(key);

    for (const [key, view] of [['2', 'top'], ['3', 'tree'], ['4', 'sandwich'],
        ['1', undefined]]) {
        await press(key);
        same('view of ' + key, (await tab.hash()).view, view);
    }
    await press(']');
    same('the next process', (await tab.hash()).process, '0');
    await press('[');
    await press('[');
    same('the last process', (await tab.hash()).process, '3');
    await press(']');
    same('all again', (await tab.hash()).process, undefined);
    await press('f');
    same('f goes to the filter', await focused(), 'filter');
    await page.keyboard.type('--focus Lookup');
    await press('Enter');
    same('and it is taken', (await tab.hash()).filter, '--focus Lookup');
    await press('Escape');
    await press('/');
    same('/ goes to search', await focused(), 'search');
    await page.keyboard.type('re:^Shop');
    check('what is typed is searched', (await tab.text('#selected'))
        .includes('% have "re:^Shop"'), await tab.text('#selected'));
    await press('Escape');
    await press('2');
    await page.focus('#top tbody button');
    await press('ArrowDown');
    const second = await page.evaluate(() => document.activeElement.title);

    await press('Enter');
    check('a row by keys', (await tab.text('#picked')).startsWith(second),
        second);
    await page.focus('.lanes button');
    await press('Enter');
    same('a lane by keys', (await tab.hash()).process, '0');
    await page.focus('#theme');
    await press('d');
    same('colours by keys', (await tab.hash()).theme, 'dark');
}

// The line of the page does what the options do.
async function sameFilters(tab) {
    const page = await tab.open('orders.html', '#view=top');

    for (const options of [
        ['--group', 'Orders.dll!*->orders', '--fold', 'CompareOrdinal'],
        ['--group', '*!*->$1'], ['--group', 'modules'],
        ['--group', 'Orders.dll!*=>orders', '--hide', 'ntdll.dll!*'],
        ['--focus', 'Shop.*', '--ignore', 're:Compare', '--hide', 'Serve'],
        ['--fold', '*Lookup', '--leaf', 'Total'],
        ['--show-from', 'Basket.Total', '--module', 'Orders.dll'],
        ['--module', '!ledger.exe', '--fold', 'PriceList.Lookup'],
        ['--group', 'just-my-code'], ['--group', 'namespaces:2'],
        ['--group', 'runtime', '--group', 'kernel'],
        ['--mine', 'PriceList.*', '--group', 'just-my-code'],
        ['--group', 'Orders.dll!*->all', '--group', '*!*->all'],
        ['--group', '*!*=>$1'], ['--focus', 're:lookup'],
        ['--focus', 're:(?i)lookup'], ['--leaf-module', 'Orders.dll'],
        ['--leaf-module', '!Orders.dll', '--module', 'Orders.dll'],
        ['--module', 'Orders.dll', '--module', 'ntdll.dll'],
        ['--kind', 'managed'], ['--kind', 'jit'], ['--kind', 'native',
            '--kind', 'kernel'], ['--tier', 'unknown'],
        ['--tier', 'tier1', '--tier', 'precompiled'], ['--cpu', '0'],
        ['--cpu', '1-3', '--focus', 'Shop.*']]) {
        const line = options.map(o => `'${o}'`).join(' ')
            .replace(/'(--[a-z-]+)'/g, '$1');
        const wanted = JSON.parse(execFileSync(process.env.TOPFN, ['top',
            'etl/orders.etl', '-q', '-n', '0', '--format', 'json',
            ...options], { cwd: 'testdata' })).rows
            .map(r => [r.label, r.exclusive, r.inclusive]).sort();

        await page.fill('#filter', line);
        await page.keyboard.press('Enter');
        same(line, (await tab.rows()).map(r => [r.function5,
            number(r.self0), number(r.total2)]).sort(), wanted);
    }
}

async function filters(tab) {
    const page = await tab.open('orders.html');
    const selected = async line => {
        await page.fill('#filter', line);
        await page.keyboard.press('Enter');
        same('no fault of ' + line, await tab.text('#wrong'), '');
        return number((await tab.text('#selected')).replace(/^All /, '')
            .replace(/ (of|samples).*/, ''));
    };
    const focus = await selected('--focus Server.Serve');
    const ignore = await selected("--ignore 'Shop.Orders.Server.Serve'");

    same('focus', focus, json('orders.json').rows.find(r =>
        r.label === 'Shop.Orders.Server.Serve').inclusive);
    same('focus and ignore are the whole', focus + ignore, 1998);
    same('fold changes no total', await selected('--fold "*"'), 1998);
    same('hide neither', await selected('--hide re:Lookup|Total'), 1998);
    same('module', await selected('--module Orders.dll') +
        await selected('--module "!Orders.dll"'), 1998);
    same('group', await selected(
        "--group 'Orders.dll!*->orders' --focus orders"), 800);
    await page.click('#tab-top');
    check('a group is a function', (await tab.rows()).some(r =>
        r.function5 === 'orders'), JSON.stringify(await tab.rows()));
    same('leaf', await selected('--leaf CompareOrdinal'), 270);
    same('to', await selected('--to PriceList.Lookup'), 650);
    same('show-from', await selected('--show-from PriceList.Lookup'), 650);
    same('fold-percent', await selected('--fold-percent 20'), 1998);
    await page.fill('#filter', '--nonsense x');
    await page.keyboard.press('Enter');
    check('a wrong option is said', (await tab.text('#wrong'))
        .includes('--focus'));
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
    await tab.page.fill('#filter', '');
    await tab.page.keyboard.press('Enter');
    const box = await (await tab.page.$('#flame canvas')).boundingBox();

    await tab.page.mouse.move(box.x + 30, box.y + 27);
    check('the mouse tells', (await tab.text('#flame .status'))
        .startsWith('start'), await tab.text('#flame .status'));
    await tab.page.mouse.click(box.x + 30, box.y + 27);
    check('a click zooms', (await tab.hash()).zoom > 0);
    await tab.page.click('#zoom-out');
    await tab.page.keyboard.press('/');
    await tab.page.keyboard.type('mixer::mix');
    check('search tells its share', (await tab.text('#selected'))
        .includes('% have "mixer::mix"'), await tab.text('#selected'));
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
    const cells = async i => page.$$eval(`#source .rows:nth-child(${i}) tbody tr`,
        list => list.map(row => [...row.cells].map(c => c.textContent)));

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
    await page.fill('#time', '50ms,100ms');
    await page.keyboard.press('Enter');
    check('of a part it is said', (await tab.text('#source .note'))
        .includes('whole page'));
    await tab.axe('sources');
    await tab.shot('sources.png');
    await page.click('#tab-top');
    await page.fill('#time', '');
    await page.keyboard.press('Enter');
    await page.click('#top button[title^="[no symbols]"]');
    check('no lines are said', (await tab.text('#source .note'))
        .startsWith('No lines'), await tab.text('#source .note'));
    await tab.open('rounds.html', '#view=sandwich');
    check('no source is asked for', !await tab.page.isVisible('#source'));
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
    check('copying is said', (await tab.text('#copied')) === 'Copied.');
}

async function looks(tab) {
    for (const theme of ['light', 'dark']) {
        const page = await tab.open('orders.html', '#theme=' + theme);

        for (const view of ['flame', 'top', 'tree', 'sandwich']) {
            await page.click('#tab-' + view);
            await tab.axe(`${theme} ${view}`);
            await tab.shot(`${theme}-${view}.png`);
        }
    }
    const page = await tab.open('orders.html');

    for (const [name, width] of [['phone', 390], ['zoomed', 640]]) {
        await page.setViewportSize({ width, height: 800 });
        await page.waitForTimeout(100);
        same(name + ': nothing is wider than the screen',
            await page.evaluate(() => document.documentElement.scrollWidth <=
                innerWidth), true);
        await tab.shot(name + '.png');
    }
    await tab.axe('phone');
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ media: 'print' });
    check('controls are not printed', !await page.isVisible('#controls'));
    await page.emulateMedia({ media: 'screen' });
}

async function differences(tab) {
    const page = await tab.open('diff.html');
    const wanted = json('diff.json').rows;

    await tab.axe('diff');
    await tab.shot('diff-flame.png');
    for (const side of ['before', 'after', '']) {
        await page.selectOption('#side', side);
        check('a side has its width', (await tab.text('#flame .status'))
            .startsWith('all'));
    }
    await page.click('#tab-top');
    await tab.axe('diff table');
    await tab.shot('diff-table.png');
    same('verdicts and changes', (await tab.rows()).map(r =>
        [r.verdict0, r.change3.replace('+', ''), r.function8]),
    wanted.map(r => [r.verdict, r.change.toFixed(2), r.label]));
    const [first] = wanted;

    same('an interval', (await tab.rows())[0]['95 % from4'].replace('+', ''),
        first.interval[0].toFixed(2));
    await page.fill('#only', first.label);
    same('rows of one name', (await tab.rows()).map(r => r.function8),
        [first.label]);
    await page.fill('#only', '');
    await page.click('#top th:nth-child(4) button');
    const changes = (await tab.rows()).map(r => number(r.change3));

    same('sorted by change', changes, changes.slice().sort((a, b) => b - a));
    await page.click('#tab-tree');
    check('both sides in the tree', /^before/.test(await tab.text('#tree th')));
}

async function normalized(tab) {
    await tab.open('samples.html', '#view=top');
    same('the unit of --normalize', (await tab.rows()).map(r =>
        [r.verdict0, r.before1, r.after2, r.function8]),
    json('samples.json').rows.map(r => [r.verdict, r.before.toFixed(2),
        r.after.toFixed(2), r.label]));
    check('it is said', (await tab.text('#trust'))
        .includes(json('samples.json').unit), await tab.text('#trust'));
}

async function hostile(tab) {
    const page = await tab.open('hostile.html');

    for (const view of ['flame', 'top', 'tree', 'sandwich']) {
        await page.click('#tab-' + view);
        await page.waitForTimeout(30);
    }
    await page.click('#tab-top');
    await page.fill('#search', '<img');
    const names = (await tab.rows()).map(r => r.function5);

    check('names are shown', names.includes(
        '</script><script>window.broken=1</script>'), JSON.stringify(names)
        .slice(0, 500));
    check('marks are shown', names.includes('\\u202etxt.exe\\u202c') &&
        names.includes('a\\x01\\x1b[31mb\\x7f'));
    check('what a NUL ends', names.includes('nul'));
    check('a long name', names.some(n => n.length >= 2000));
    same('nothing ran', await page.evaluate(() => window.broken), undefined);
    same('no element of a name', await page.evaluate(() =>
        document.querySelectorAll('img, svg, iframe, b').length), 0);
    same('three scripts of data and one of code', await page.evaluate(() =>
        document.scripts.length), 5);
    await tab.shot('hostile.png');
}

// Loosely: a machine that is busy must not fail it.
async function large(tab) {
    const page = await tab.open('large.html');
    const times = await page.evaluate(async () => {
        const app = window.topfnPage, times = {};
        const measure = (name, act) => {
            const start = performance.now();

            for (let i = 0; i < 3; i++)
                act(i);
            times[name] = (performance.now() - start) / 3;
        };

        measure('draw', () => app.graphs.main.draw());
        measure('range', i => app.chooseTime(1000 * i, 400000 + 1000 * i));
        measure('process', i => app.given('process', String(i)));
        measure('search', i => app.state.set({ q: 'Worker' + i }));
        app.given('process', '');
        measure('zoom', i => app.graphs.main.zoomTo(i * 5));
        measure('table', i => app.state.set({ view: 'top', sort:
            i % 2 ? 'total' : 'self' }));
        measure('sandwich', i => app.pick(i));
        measure('filter', i => app.given('filter', '--fold HandleRequest' + i));
        return times;
    });

    console.log('200,000 nodes, ms: ' + Object.entries(times).map(([k, t]) =>
        `${k} ${t.toFixed(1)}`).join(', '));
    for (const name of ['draw', 'range', 'zoom'])
        check(name + ' is quick', times[name] < 1000, times[name]);
    await page.click('#tab-flame');
    await page.fill('#filter', '');
    await page.keyboard.press('Enter');
    await page.selectOption('#order', 'time');
    check('a long recording by its heaviest stacks', (await tab.text(
        '#flame .status')).includes('the heaviest stack'), await tab.text(
        '#flame .status'));
    await tab.shot('large.png');
    await page.fill('#time', '1s,1.2s');
    await page.keyboard.press('Enter');
    check('a shorter range is all there', !(await tab.text('#flame .status'))
        .includes('heaviest'), await tab.text('#flame .status'));
}

async function main() {
    const profile = fs.mkdtempSync(path.join(folder, 'profile-'));
    const context = await chromium.launchPersistentContext(profile, {
        executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
        headless: true, args: flags, viewport: { width: 1280, height: 900 },
        colorScheme: 'light' });
    const tab = new Tab(context);

    for (const test of [tables, selections, keys, filters, sameFilters, graphs,
        sources,
        callTree, copies, looks, differences, normalized, hostile, large]) {
        try {
            await test(tab);
        } catch (error) {
            check(test.name, false, String(error).slice(0, 800));
        }
    }
    await context.close();
    process.exit(failed ? 1 : 0);
}

main();
