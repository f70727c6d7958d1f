// people - what helps those who print, who hold a phone, who use keys or a
// screen reader, whose browser runs no scripts; and empty states.
'use strict';

const path = require('path');
const { check, folder, json, same } = require('./tab.cjs');

// What was used is gone: the focus is on what came in its place.
async function focusStays(tab) {
    const page = await tab.open('orders.html', '#view=top');
    const focused = () => page.evaluate(() => {
        const { id, tagName } = document.activeElement;

        return id || tagName;
    });

    await page.click('#top tbody button');
    await tab.settled();
    same('behind a row', await focused(), 'picked');
    await page.click('#tab-flame');
    await page.focus('#flame canvas');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('s');
    await tab.settled();
    same('behind a frame', await focused(), 'picked');
    await page.click('#tab-processes');
    await page.click('#processes tbody button');
    await tab.settled();
    check('behind a process', await page.evaluate(() =>
        document.activeElement.matches('#processes tbody button')),
    await focused());
}

async function nothing(tab) {
    const page = await tab.open('orders.html');

    await tab.enter('filter', '--focus NoSuchFunction');
    check('nothing matches is said', await page.isVisible('#nothing'));
    check('there are no empty graphs', !await page.isVisible('#flame') &&
        !await page.isVisible('#timeline'));
    await page.click('#show-all');
    await tab.settled();
    check('all is shown again', await page.isVisible('#flame canvas') &&
        (await tab.text('#selected')).startsWith('All'));
    check('and drawn', await page.$eval('#flame canvas', canvas =>
        canvas.width) > 500);
}

async function ends(tab) {
    const page = await tab.open('orders.html');

    await page.fill('#search', 'CompareOrdinal');
    await page.click('#hottest li:nth-child(3) button');
    await tab.settled();
    check('a leaf has no callees', await page.isVisible('#callees-none') &&
        !await page.isVisible('#callers-none'));
    await tab.open('rounds.html', '#view=tree');
    await tab.page.focus('#tree tr[tabindex="0"]');
    await tab.page.keyboard.press('s');
    await tab.settled();
    check('a root has no callers', await tab.page.isVisible('#callers-none') &&
        !await tab.page.isVisible('#callees-none'));
}

// Every control is large enough for a finger that trembles.
async function targets(tab) {
    const page = await tab.open('orders.html');

    for (const view of ['flame', 'top', 'tree', 'processes']) {
        await page.click('#tab-' + view);
        await tab.settled();
        same('targets of ' + view, await page.$$eval(
            'button, select, input:not([type=checkbox]), summary', list =>
                list.map(node => [node.id || node.textContent.slice(0, 20),
                    node.getBoundingClientRect()])
                    .filter(([, { height, width }]) => width && height < 24)
                    .map(([name, { height }]) => `${name} ${height}`)), []);
    }
}

async function phone(tab) {
    const page = await tab.open('orders.html');

    await page.setViewportSize({ width: 390, height: 800 });
    await page.reload();
    await tab.settled();
    check('the graph is in sight', await page.$eval('#flame canvas', canvas =>
        canvas.getBoundingClientRect().bottom) < 800);
    same('vertical swipes over the timeline scroll', await page.$eval(
        '.area canvas', canvas => getComputedStyle(canvas).touchAction),
    'pan-y');
    same('and over the graph', await page.$eval('#flame canvas', canvas =>
        getComputedStyle(canvas).touchAction), 'auto');
    await tab.shot('phone.png');
    await page.click('#tab-top');
    await tab.shot('phone-top.png');
    await page.setViewportSize({ width: 1280, height: 900 });
}

// A graph is whole on paper, and the first page is in use.
async function printed(tab) {
    const page = await tab.open('large.html');
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await tab.settled();
    const whole = await page.$eval('#flame canvas', canvas =>
        canvas.clientHeight);

    same('a graph is whole on paper', whole >= await page.evaluate(() =>
        window.topfnPage.graphs.main.tall), true);
    check('and fits a page', whole <= 235 / 25.4 * 96 + 1, whole);
    same('nothing is wider than paper', await page.evaluate(() =>
        document.body.getBoundingClientRect().width <= 700), true);
    await tab.shot('printed-large.png');
    await tab.open('orders.html', '#theme=dark');
    await tab.page.emulateMedia({ media: 'print' });
    await tab.page.evaluate(() => window.dispatchEvent(
        new Event('beforeprint')));
    await tab.shot('printed.png');
    await tab.page.emulateMedia({ media: 'screen' });
}

// By the browser's own engine: the table is in the page without its script.
async function withoutScript(tab) {
    const context = await tab.context.browser()?.newContext({
        javaScriptEnabled: false });
    const rows = json('orders.json').rows.sort((a, b) =>
        b.exclusive - a.exclusive);

    if (!context) {
        const page = await tab.open('orders.html');
        const text = await page.$eval('noscript', node => node.textContent);
        const names = [...text.matchAll(/<td>([^<\n]*)\n/g)].map(m => m[1]);

        same('a table without scripts', names.sort(), rows.filter(r =>
            r.exclusive).map(r => r.label).sort());
        return;
    }
    const page = await context.newPage();

    await page.goto('file://' + path.join(folder, 'orders.html'));
    check('a table without scripts', (await page.textContent('noscript'))
        .includes(rows[0].label));
    await context.close();
}

module.exports = [focusStays, nothing, ends, targets, phone, printed, withoutScript];
