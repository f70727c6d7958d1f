// test.cjs FOLDER [SHOTS] - the pages in FOLDER, as a person uses them.
// Prints what is wrong, and how long a large page is deaf (frames.cjs).
'use strict';

const fs = require('fs');
const path = require('path');
const { chromium } = require('playwright-core');
const { Tab, check, failures, folder, json, number, same } =
    require('./tab.cjs');

const flags = ['--no-sandbox', '--disable-gpu', '--no-first-run',
    '--disable-background-networking', '--disable-component-update',
    '--disable-sync'];

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

    await page.emulateMedia({ forcedColors: 'active' });
    await tab.axe('forced colours');
    check('a bar is seen in forced colours', await page.$eval('#hottest i',
        bar => getComputedStyle(bar).backgroundColor !==
            getComputedStyle(document.body).backgroundColor));
    await tab.shot('forced.png');
    await page.emulateMedia({ forcedColors: 'none' });
    for (const scheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme: scheme });
        for (const width of [1440, 1024, 390]) {
            await page.setViewportSize({ width, height: 900 });
            await page.reload();
            await tab.shot(`${width}-${scheme}.png`);
        }
    }
    await page.emulateMedia({ colorScheme: 'light' });
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

const words = { slower: '\u25b2 more', faster: '\u25bc less',
    new: '\u25b2 new', gone: '\u25bc gone', inconclusive: 'inconclusive',
    unchanged: 'unchanged' };

// Of what a browser makes of a colour (WCAG 2, relative luminance).
const luminance = ([r, g, b]) => [[r, .2126], [g, .7152], [b, .0722]]
    .reduce((sum, [n, share]) => sum + share * (n / 255 <= .04045
        ? n / 255 / 12.92 : ((n / 255 + .055) / 1.055) ** 2.4), 0);

const contrast = (a, b) => (Math.max(a, b) + .05) / (Math.min(a, b) + .05);

// Only a firm verdict has a colour, which is not told by its hue alone.
async function colours(tab, page, wanted) {
    for (const theme of ['light', 'dark']) {
        await page.selectOption('#theme', theme);
        await tab.settled();
        const frames = await page.evaluate(() => {
            const { graphs, functions } = window.topfnPage;
            const { shape } = graphs.main;
            const to = document.createElement('canvas').getContext('2d',
                { willReadFrequently: true });
            const rgb = fill => {
                to.fillStyle = fill;
                to.fillRect(0, 0, 1, 1);
                return [...to.getImageData(0, 0, 1, 1).data].slice(0, 3);
            };

            return [...Array(shape.n).keys()].slice(1).map(i => {
                const fn = shape.fn(i);

                return { label: functions.label(fn),
                    sign: graphs.main.calls.sign(fn),
                    colour: rgb(graphs.fill(graphs.main, i)) };
            });
        });
        const text = luminance(theme === 'dark' ? [236, 234, 230]
            : [27, 27, 27]);
        const of = sign => luminance(frames.find(f => f.sign === sign).colour);

        for (const { label, sign, colour } of frames) {
            const firm = wanted.filter(r => r.label === label)
                .map(r => words[r.verdict][0]).find(c => /\W/.test(c));

            same('sign of ' + label, sign, firm || '');
            same('grey without one', colour[0] === colour[1] &&
                colour[1] === colour[2], !firm);
            check(theme + ': a label can be read',
                contrast(text, luminance(colour)) >= 4.5, colour);
        }
        check(theme + ': signs differ in lightness',
            contrast(of('\u25b2'), of('\u25bc')) >= 1.8);
    }
    same('the legend', (await tab.text('#legend')),
        '\u25b2 more or new\u25bc less or gone no firm change of the function itself');
    await tab.shot('diff-dark.png');
    await page.selectOption('#theme', '');
}

async function differences(tab) {
    const page = await tab.open('diff.html');
    const wanted = json('diff.json').rows;

    await tab.axe('diff');
    await tab.shot('diff-flame.png');
    same('it begins as the text report, with the interval of the total',
        (await tab.text('#trust')).split('\n').slice(0, 8),
        fs.readFileSync(path.join(folder, 'diff.txt'), 'utf8').split('\n')
            .slice(0, 8).map(line => !line.startsWith('total: ') ? line : line +
            ', 95 % interval of the change ' + json('diff.json').total.interval
                .map(n => (n > 0 ? '+' : '') + n.toFixed(0)).join(' to ') +
            ' ms'));
    check('q is explained', (await tab.text('#trust')).includes('\nq: a change'));
    for (const side of ['before', '']) {
        await page.selectOption('#side', side);
        same('both sides are told', await tab.text('#flame .status'),
            'all \u00b7 total 100.0 % \u2192 100.0 % \u00b7 self 0.0 % \u2192 0.0 %');
    }
    await colours(tab, page, wanted);
    await page.fill('#search', 'Lookup');
    check('a search has both shares', / \u00b7 32\.5 % \u2192 34\.1 % of samples$/
        .test(await tab.text('#matches')), await tab.text('#matches'));
    await page.fill('#search', '');
    await page.click('#tab-top');
    await tab.axe('diff table');
    await tab.shot('diff-table.png');
    same('verdicts and changes', (await tab.rows()).map(r =>
        [r.verdict0, r.change3.replace('+', ''), r.function8]),
    wanted.map(r => [words[r.verdict], r.change.toFixed(2), r.label]));
    const [first] = wanted;

    same('an interval', (await tab.rows())[0]['95 % from4'].replace('+', ''),
        first.interval[0].toFixed(2));
    await page.fill('#search', first.label);
    same('rows of one name', (await tab.rows()).map(r => r.function8),
        [first.label]);
    await page.fill('#search', '');
    await tab.settled();
    await page.click('#top th:nth-child(4) button');
    const changes = (await tab.rows()).map(r => number(r.change3));

    same('sorted by change', changes, changes.slice().sort((a, b) => b - a));
    await page.click('#tab-tree');
    check('both sides in the tree', /^before/.test(await tab.text('#tree th')));
}

async function normalized(tab) {
    await tab.open('samples.html', '#view=top');
    same('the unit of --normalize', (await tab.rows()).map(r =>
        [r.verdict0, r['before samples1'], r['after samples2'], r.function8]),
    json('samples.json').rows.map(r => [words[r.verdict], r.before.toFixed(2),
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
    await tab.settled();
    await page.fill('#search', '');
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

async function large(tab) {
    const page = await tab.open('large.html');

    await page.selectOption('#order', 'time');
    check('a long recording by its heaviest stacks', (await tab.text(
        '#flame .status')).includes('the heaviest stack'), await tab.text(
        '#flame .status'));
    await tab.shot('large.png');
    await tab.enter('time', '1s,1.2s');
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

    for (const test of [...require('./views.cjs'), ...require('./asking.cjs'),
        ...require('./first.cjs'), ...require('./people.cjs'),
        ...require('./finding.cjs'), ...require('./frames.cjs'),
        looks, differences, normalized, hostile, large]) {
        try {
            await test(tab);
        } catch (error) {
            check(test.name, false, String(error).slice(0, 800));
        }
    }
    await context.close();
    process.exit(failures() ? 1 : 0);
}

main();
