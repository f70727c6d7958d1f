// tab - a page of the folder in a browser, and what is checked of it.
'use strict';

const fs = require('fs');
const path = require('path');
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const [, , folder, shots] = process.argv;
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

const number = text => +text.replace(/[^\d.-]/g, '');

// Keys come a little after press() says they are pressed. The policy of the
// page refuses what waitForFunction would put into it.
async function settled(page) {
    const end = Date.now() + 30000;

    await page.evaluate(() => new Promise(requestAnimationFrame));
    while (!await page.evaluate(() =>
        window.topfnPage && !window.topfnPage.work.isBusy)) {
        if (Date.now() > end)
            throw new Error('the page does not settle');
        await page.waitForTimeout(20);
    }
}

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
        await this.settled();
        return this.page;
    }

    // What is asked may take the page several slices of time.
    settled() {
        return settled(this.page);
    }

    // Into a control of that name.
    async enter(id, text) {
        await this.page.fill('#' + id, text);
        await this.page.keyboard.press('Enter');
        while (await this.page.evaluate(name =>
            window.topfnPage.state.values[name], id) !== text)
            await this.page.waitForTimeout(20);
        await this.settled();
    }

    async shot(name) {
        await this.settled();
        if (shots)
            await this.page.screenshot({ path: path.join(shots, name),
                fullPage: true });
    }

    async text(selector) {
        await this.settled();
        return this.page.textContent(selector);
    }

    async hash() {
        await this.settled();
        return this.page.evaluate(() =>
            Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
    }

    // Cells of the table of functions.
    async rows() {
        await this.settled();
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
        await this.settled();
        await this.page.evaluate(axe);
        const found = await this.page.evaluate(() => window.axe.run(document, {
            runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'] }));
        const bad = found.violations.filter(v =>
            ['serious', 'critical'].includes(v.impact));

        same('axe: ' + name, bad.map(v => [v.id, v.nodes[0].html.slice(0, 150)]),
            []);
    }
}

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

module.exports = { Tab, check, equalsTop, folder, json, number, same, settled,
    failures: () => failed };
