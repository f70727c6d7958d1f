// first - what a page answers before anybody touches it.
'use strict';

const { check, equalsTop, json, same } = require('./tab.cjs');

const hottest = page => page.$$eval('#hottest li', list => list.map(row =>
    [row.querySelector('strong').textContent,
        row.querySelector('span').textContent]));

// The verdict of the command line, and the rows of `topfn top`.
async function firstLook(tab) {
    const page = await tab.open('orders.html');
    const { rows } = json('orders.json');
    const trust = await tab.text('#trust');

    for (const line of ['99.6 % of stacks are complete', 'processes',
        'no events lost'])
        check('the verdict says ' + line, trust.includes(line), trust);
    check('and the hot path', (await (await tab.open('rounds.html'))
        .textContent('#trust')).includes('hot path'));
    await tab.open('orders.html');
    same('the hottest functions', await hottest(tab.page),
        rows.sort((a, b) => b.exclusive - a.exclusive).slice(0, 5).map(r =>
            [`${(r.exclusive / 19.98).toFixed(1)} %`, r.label.startsWith('[')
                ? `${r.module} ${r.label}` : r.label]));
    same('kinds of code have shares', (await tab.page.$$eval('#legend span',
        list => list.map(mark => mark.textContent))), ['native 45.9 %',
        'managed 36.0 %', 'kernel 18.0 %']);
    const place = id => tab.page.$eval(id, node =>
        node.getBoundingClientRect().top);

    check('the graph is in sight', await place('#flame canvas') < 900);
    await tab.page.click('#hottest li:nth-child(2) button');
    same('a click shows callers', (await tab.hash()).view, 'sandwich');
    await tab.page.setViewportSize({ width: 390, height: 800 });
    await tab.open('orders.html');
    await tab.page.setViewportSize({ width: 390, height: 800 });
    await tab.page.reload();
    await tab.settled();
    check('a phone folds controls', !await tab.page.isVisible('#process'));
    check('and has the graph above the timeline',
        await place('#flame canvas') < await place('#timeline'));
    await tab.page.click('#asked summary');
    check('controls are there', await tab.page.isVisible('#process'));
    await tab.page.setViewportSize({ width: 1280, height: 900 });
}

// Waiting threads are apart, as in text of `topfn top`.
async function waits(tab) {
    const page = await tab.open('waiting.html');

    check('waiting samples are told', /waiting/.test(
        await tab.text('#selected')), await tab.text('#selected'));
    same('running threads', await hottest(page),
        [['100.0 %', 'Start.Program.Main']]);
    await page.check('#waits');
    await equalsTop(tab, 'waiting', 'waiting.json');
    same('the choice is in the address', (await tab.hash()).waits, 'all');
    check('functions that wait are marked',
        (await tab.rows()).some(r => r.waits4 === 'waits'));
    await page.uncheck('#waits');
    same('counts of running threads', (await tab.rows()).map(r =>
        [r.function6 ?? r.function5, r.self0, r.total2]),
    [['Start.Program.Main', '2', '2']]);
    await tab.open('orders.html');
    check('no toggle where nobody waits', !await tab.page.isVisible('#waits'));
}

// `topfn page --time` has the axis of its part.
async function cropped(tab) {
    const page = await tab.open('cropped.html', '#view=top');
    const ticks = await page.$$eval('.axis .tick', list => list.map(tick =>
        tick.textContent));

    same('the axis begins and ends with the part', [ticks[0], ticks.pop()],
        ['100 ms', '180 ms']);
    await page.selectOption('#process', '2');
    await equalsTop(tab, 'a part of the time', 'part.json');
    await tab.enter('time', '150ms,160ms');
    check('times are those of the recording', /^[1-9]\d* of /.test(
        await tab.text('#selected')), await tab.text('#selected'));
}

// Lanes of threads are divided by what the threads do.
async function states(tab) {
    const page = await tab.open('states.html');
    const legend = () => page.$$eval('#legend span', list =>
        list.map(mark => mark.textContent));

    same('states have shares', await legend(), ['running 31.1 %',
        'ready 22.0 %', 'blocked 24.1 %', 'unknown 22.8 %']);
    same('and those of a lane', await page.$eval(
        '.lanes button:nth-child(2)', lane => lane.title),
    'worker (41) \u00b7 13.44 ms, 34.0 % \u00b7 ready 55.4 %, running 44.6 %');
    const box = await (await page.$('#timeline canvas')).boundingBox();
    const at = (x, y) => page.mouse.move(box.x + box.width * x, box.y + y);

    await at(.9, 15);
    check('the pointer is told the state', /^thread 42 · 12\.\d+ ms · blocked 100/
        .test(await page.$eval('#timeline canvas', canvas => canvas.title)),
    await page.$eval('#timeline canvas', canvas => canvas.title));
    await at(.3, 50);
    check('of every lane', /^worker .* running 100/.test(
        await page.$eval('#timeline canvas', canvas => canvas.title)));
    await tab.shot('states.png');
    await tab.enter('filter', '--focus futex_wait');
    same('of a filter', await legend(), ['ready 25.0 %', 'blocked 75.0 %']);
    await page.selectOption('#theme', 'dark');
    await tab.shot('states-dark.png');
    await page.selectOption('#theme', '');
}

module.exports = [firstLook, waits, cropped, states];
