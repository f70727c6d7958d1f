// questions - ten that a profile is opened for, each answered in at most two
// actions: clicks, drags, or a text that is typed.
'use strict';

const { check, json, number } = require('./tab.cjs');

const most = 2;
let told = [];

// After the actions `answer` returns true if the page shows the answer.
async function question(tab, name, [file, hash = ''], actions, answer) {
    const page = await tab.open(file, hash);

    for (const act of actions)
        await act(page);
    await tab.settled();
    check(name, await answer(page), 'the page does not show it');
    check(`${name}: at most ${most} actions`, actions.length <= most);
    told.push(`${name} ${actions.length}`);
}

const click = selector => page => page.click(selector);

async function drag(page) {
    const box = await (await page.$('#timeline canvas')).boundingBox();

    await page.mouse.move(box.x + box.width * .25, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * .5, box.y + 20, { steps: 4 });
    await page.mouse.up();
}

async function type(page, id, text) {
    await page.fill('#' + id, text);
    await page.keyboard.press('Enter');
}

async function questions(tab) {
    const text = selector => tab.text(selector);
    const top = json('orders.json').rows;
    const ask = (...rest) => question(tab, ...rest);

    told = [];
    await ask('hottest', ['orders.html'], [click('#tab-top')], async () => {
        const [row] = await tab.rows();

        return Object.values(row).includes(top[0].module) &&
            number(row.self0) === top[0].exclusive;
    });
    await ask('callers', ['orders.html'], [click('#tab-top'),
        click('#top button[title$="CompareOrdinal"]')], async page =>
        (await text('#picked')).startsWith('System.String.CompareOrdinal') &&
            await page.isVisible('#callers canvas'));
    await ask('when', ['orders.html'], [], page =>
        page.isVisible('#timeline canvas'));
    await ask('which thread', ['orders.html'], [click('.lanes button')],
        async () => /thread|\(\d+\)/.test(await text('.lanes')));
    await ask('a range only', ['orders.html'], [drag], async () =>
        /^\d[\d,]* of 1,998 samples, \d/.test(await text('#selected')));
    await ask('share of a name', ['orders.html'], [page => type(page, 'search',
        'PriceList.Lookup')], async () =>
        (await text('#matches')).includes('32.5 % of samples'));
    await ask('source line', ['sources.html'], [click('#tab-top'),
        click('#top button[title="mixer::mix"]')], page =>
        page.isVisible('#source td.code'));
    await ask('what changed, how sure', ['diff.html'], [click('#tab-top')],
        async () => {
            const [row] = await tab.rows();

            return row.verdict0.endsWith('more') && row.q6 === '<0.0001' &&
                (await text('#trust')).startsWith('1 with more share');
        });
    await ask('kernel share', ['orders.html'], [page => type(page, 'filter',
        '--kind kernel')], async () =>
        (await text('#selected')).startsWith('360 of 1,998 samples, 18.0 %'));
    await ask('trust', ['orders.html'], [], async () =>
        /of stacks are complete.*no events lost/.test(await text('body')));
    console.log('actions to an answer: ' + told.join(', '));
}

module.exports = [questions];
