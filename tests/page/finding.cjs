// finding - one search for all views, what it is at, and what stands beside
// the frame that is pointed at.
'use strict';

const path = require('path');

const { check, folder, same } = require('./tab.cjs');

// By keys and buttons, in each view.
async function searches(tab) {
    const page = await tab.open('rounds.html');
    const matches = () => tab.text('#matches');
    const marked = () => page.evaluate(() => {
        const { main } = window.topfnPage.graphs;

        return main.marked < 0 ? '' : window.topfnPage.functions.label(
            main.shape.fn(main.marked));
    });

    await page.fill('#search', 'mix*');
    check('frames of the graph', /^\d+ frames \u00b7 /.test(await matches()),
        await matches());
    await page.keyboard.press('Enter');
    check('Enter goes to the widest', /^1 of \d+ frames/.test(await matches()),
        await matches());
    const first = await marked();

    check('it is marked', first.startsWith('mix'), first);
    check('and told beside it', await page.isVisible('#flame .tip'));
    await page.click('#next');
    await page.click('#previous');
    same('next and previous', await marked(), first);
    await page.keyboard.press('Shift+Enter');
    await page.click('#tab-top');
    check('functions of the table', /^\d+ functions \u00b7 /
        .test(await matches()), await matches());
    same('those that match', (await tab.rows()).every(r =>
        r.function5.startsWith('mix')), true);
    await page.keyboard.press('n');
    same('a row is marked', await page.$$eval('#top tr.at', l => l.length), 1);
    await page.click('#tab-tree');
    check('rows of the tree are marked', await page.$$eval('#tree tr.found',
        l => l.length) > 0);
    await page.keyboard.press('n');
    await page.keyboard.press('n');
    check('the tree opens at the second', (await page.textContent(
        '#tree tr.at .name')).startsWith('mix'));
    await page.click('#tab-sandwich');
    await page.keyboard.press('n');
    const one = await tab.text('#picked');

    await page.keyboard.press('n');
    check('functions one after the other', one.startsWith('mix') &&
        await tab.text('#picked') !== one, one);
    await page.fill('#search', 'nothing of that name');
    check('nothing is found', (await matches()).startsWith('0 functions'),
        await matches());
    same('then nothing is next', await page.isDisabled('#next'), true);
    await page.fill('#search', 're:(');
    check('a mistake is said', (await tab.text('#wrong'))
        .startsWith('search: '));
}

async function tooltips(tab) {
    const page = await tab.open('rounds.html');
    const box = await (await page.$('#flame canvas')).boundingBox();
    const tip = () => page.$eval('#flame .tip', e => {
        const { left, top, right, bottom } = e.getBoundingClientRect();

        return { text: e.textContent, left, top, right, bottom,
            hidden: e.hidden };
    });
    const [x, y] = [box.x + 30, box.y + 27];

    await page.mouse.move(x, y);
    let is = await tip();

    check('at the pointer', !is.hidden && is.left - x < 30 && is.top - y < 30 &&
        is.text.startsWith('start\n'), JSON.stringify(is));
    await page.mouse.move(box.x + box.width - 2, y);
    is = await tip();
    check('inside the window', is.hidden || is.right <= 1280,
        JSON.stringify(is));
    await page.mouse.move(5, 5);
    same('away', (await tip()).hidden, true);
    await page.focus('#flame canvas');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    is = await tip();
    check('at the focused frame', !is.hidden && is.text.includes('inlined') &&
        is.top > box.y + 36 && is.top < box.y + 80, JSON.stringify(is));
    check('the status stands over the graph', (await (await page.$(
        '#flame .status')).boundingBox()).y < box.y);
    await page.focus('#search');
    same('gone with the focus', (await tip()).hidden, true);
}

// The script of `topfn flame --interactive`.
async function image(tab) {
    const page = await tab.context.newPage();
    const box = name => page.evaluate(name => {
        const g = [...document.querySelectorAll('[role=listitem]')].find(g =>
            g.querySelector('title').textContent.startsWith(name + ': '));

        return [g.style.display, +g.querySelector('rect').getAttribute('width'),
            g.querySelector('text')?.textContent];
    }, name);
    const last = 'System.String.CompareOrdinal';

    await page.goto('file://' + path.join(folder, 'zoom.svg'));
    const before = await box(last);

    await page.click('g > text:text("Shop.Orders.PriceList.Lookup")');
    same('a click zooms', (await box('Shop.Orders.PriceList.Lookup'))[1], 1180);
    same('what is above grows', (await box(last))[2], last);
    same('others are hidden', (await box('ledger.exe'))[0], 'none');
    same('what is below stays', (await box('orders.exe'))[0], '');
    await page.keyboard.press('Escape');
    same('Escape shows all', await box(last), before);
    page.on('dialog', d => d.accept('lookup'));
    await page.keyboard.press('/');
    check('a search', (await page.textContent('[role=button]')) ===
        'Search: "lookup" in 1', await page.textContent('[role=button]'));
    await page.close();
}

module.exports = [searches, tooltips, image, ...require('./questions.cjs')];
