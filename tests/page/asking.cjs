// asking - what is selected, by mouse, keys and the line of filters.
'use strict';

const { execFileSync } = require('child_process');

const { check, equalsTop, json, number, same } =
    require('./tab.cjs');

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
    check('lanes with most samples come first', (await tab.text(
        '.lanes button:nth-child(2)')).startsWith('ledger.exe'));
    await page.click('.lanes button:nth-child(1)');
    check('a lane picks its process', (await tab.text('#process option:checked'))
        .startsWith('orders.exe'), await tab.text('#process option:checked'));
    await tab.enter('time', '100ms,200ms');
    await equalsTop(tab, 'a process and a range', 'part.json');
    await page.selectOption('#thread', { index: 1 });
    check('a thread is picked', (await tab.hash()).thread !== undefined);
    await tab.enter('time', 'nonsense');
    await tab.open('orders.html', '#view=top&process=2&time=100ms%2C200ms');
    await equalsTop(tab, 'from its address', 'part.json');
}

// Times on the axis, at the pointer, and of a range that is zoomed into.
async function axis(tab) {
    const page = await tab.open('orders.html');
    const box = await (await page.$('#timeline canvas')).boundingBox();
    const ticks = () => page.$$eval('.axis .tick', list =>
        list.map(tick => tick.textContent));

    same('ticks are round', (await ticks()).slice(0, 3),
        ['0 ms', '100 ms', '200 ms']);
    await page.mouse.move(box.x + box.width / 2, box.y + 20);
    check('the time at the pointer', /^2[56]\d\.\d ms$/.test(
        await tab.text('.axis .now')), await tab.text('.axis .now'));
    check('nothing to zoom out of', !await page.isVisible('#range-in'));
    await tab.enter('time', '100ms,200ms');
    await page.click('#range-in');
    same('the axis is in the address', await tab.hash(),
        { axis: '100ms,200ms' });
    same('ticks of a part', (await ticks()).slice(0, 2), ['100 ms', '120 ms']);
    check('all is selected', (await tab.text('#selected')).startsWith('All'));
    await page.mouse.move(box.x + box.width * .1, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * .2, box.y + 20, { steps: 4 });
    await page.mouse.up();
    check('a drag is within it, and round', /^1(09|10)(\.\d)?ms,1(19|20)(\.\d)?ms$/
        .test((await tab.hash()).time), (await tab.hash()).time);
    await page.focus('#timeline canvas');
    await page.keyboard.press('Escape');
    await page.click('#range-in');
    same('and back', (await tab.hash()).axis, undefined);
}

// Twelve thousand processes: groups first, then their members.
async function lanes(tab) {
    const page = await tab.open('processes.html');
    const names = () => page.$$eval('.lanes button', list =>
        list.map(lane => lane.textContent));
    const tall = () => page.$eval('.area canvas', canvas => canvas.height);
    const choose = async text => {
        await page.click(`.lanes button:text-is("${text}")`);
        await tab.settled();
    };

    same('processes of one name are together, the busiest first',
        (await names())[0], 'cc1 \u00d7 4,680');
    same('others are one', (await names()).length, 51);
    check('others are counted', /^others \u00d7 \d+$/.test(
        (await names())[50]), (await names())[50]);
    check('a canvas is no taller than its lanes in sight', await tall() <= 240,
        await tall());
    await choose((await names())[0]);
    check('a group is chosen', (await tab.hash()).process === '=cc1');
    check('its members', /^cc1 \(\d+\)$/.test((await names())[0]),
        (await names())[0]);
    check('the focus is on a lane', await page.evaluate(() =>
        document.activeElement.matches('.lanes button')));
    check('of all samples', / of 1,500,000 samples/.test(
        await tab.text('#selected')), await tab.text('#selected'));
    check('options are few', (await page.$$('#process option')).length < 210);
    const [one] = await names();

    await choose(one);
    check('one process is chosen', (await tab.text('#process option:checked'))
        .trim().startsWith(one), await tab.text('#process option:checked'));
    await page.click('.outer button');
    same('back to its group', (await tab.hash()).process, '=cc1');
    await page.click('.outer button');
    same('back to all', (await tab.hash()).process, undefined);
    await choose((await names())[50]);
    check('others are shown', (await names()).length > 51);
    await tab.shot('processes.png');
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
    same('the next process', (await tab.hash()).process, '2');
    await press('[');
    await press('[');
    same('the last process', (await tab.hash()).process, '0');
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
    check('what is typed is searched', (await tab.text('#matches'))
        .endsWith('% of samples'), await tab.text('#matches'));
    await press('Escape');
    await page.fill('#search', '');
    await press('2');
    await page.focus('#top tbody button');
    await press('ArrowDown');
    const second = await page.evaluate(() => document.activeElement.title);

    await press('Enter');
    check('a row by keys', (await tab.text('#picked')).startsWith(second),
        second);
    await page.focus('.lanes button');
    await press('Enter');
    same('a lane by keys', (await tab.hash()).process, '2');
    await page.focus('#theme');
    await press('d');
    same('colours by keys', (await tab.hash()).theme, 'dark');
}

async function filters(tab) {
    const page = await tab.open('orders.html');
    const selected = async line => {
        await tab.enter('filter', line);
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
    same('module', await selected('--module Orders.dll') +
        await selected('--module "!Orders.dll"'), 1998);
    same('group', await selected(
        "--group 'Orders.dll!*->orders' --focus orders"), 800);
    await page.click('#tab-top');
    check('a group is a function', (await tab.rows()).some(r =>
        r.function5 === 'orders'), JSON.stringify(await tab.rows()));
    same('leaf', await selected('--leaf CompareOrdinal'), 270);
    same('to', await selected('--show-to PriceList.Lookup'), 650);
    same('show-from', await selected('--show-from PriceList.Lookup'), 650);
    same('fold of small ones', await selected('--fold 20%'), 1998);
    await tab.enter('time', '25%,50%');
    same('a range in percent is that of top', number((await tab.text('#selected'))
        .replace(/ .*/, '')), json('quarter.json').trace.samples);
}

// The page says what the command line says.
async function mistakes(tab) {
    const page = await tab.open('orders.html', '#time=nonsense');
    const said = (...options) => {
        try {
            execFileSync(process.env.TOPFN, ['top', 'etl/orders.etl', '-q',
                ...options], { cwd: 'testdata', stdio: 'pipe' });
        } catch (error) {
            return String(error.stderr).trim().replace(/^topfn: /, '')
                .replace(/; try 'topfn help'$/, '');
        }
        return '';
    };

    same('a wrong time of the address', await tab.text('#wrong'),
        said('--time', 'nonsense'));
    check('all is shown', (await tab.text('#selected')).startsWith('All '));
    for (const time of ['2s,1s', '1,2,3', '200%,', '-1s,1s']) {
        await tab.enter('time', time);
        same('a wrong time', await tab.text('#wrong'), said('--time=' + time));
    }
    await tab.enter('time', '');
    for (const [option, value] of [['--focis', 'x'], ['--groop', 'x'],
        ['--focus'], ['--focus', ''], ['--focus', 're:('], ['--ignore', ''],
        ['--leaf', ''], ['--mine', ''], ['--module', ''], ['--show-from', ''],
        ['--show-to', ''], ['--fold', '200%'], ['--fold', 'x%'],
        ['--fold', ''], ['--group', 'x'], ['--group', 'namespaces:12'],
        ['--cpu', 'x'], ['--cpu', '1-70000'], ['--cpu', '3-1'],
        ['--tier', 'x'], ['--kind', 'x'], ['--kind'], ['--cpu']]) {
        const options = value === undefined ? [option] : [option, value];

        await page.fill('#filter', options.map(o => `'${o}'`).join(' '));
        await page.keyboard.press('Enter');
        same(options.join(' '), await tab.text('#wrong'), said(...options));
    }
    await tab.enter('filter', '--nonsense x');
    check('options of the page are said', (await tab.text('#wrong'))
        .startsWith('unknown option --nonsense; a page takes --group, '),
    await tab.text('#wrong'));
}

// An address may be of another page, or typed.
async function addresses(tab) {
    await tab.open('orders.html', '#view=nothing&process=99&thread=x&zoom=1e9' +
        '&fn=-1&colour=pink&other=1&q=Lookup&order=time%00');
    same('each wrong part is said', (await tab.text('#wrong')).trim()
        .split('\n').map(line => /^address: no (\w+) "/.exec(line)?.[1]).sort(),
    ['colour', 'fn', 'order', 'other', 'process', 'thread', 'view', 'zoom']);
    check('all is shown', (await tab.text('#selected')).startsWith('All '));
    same('the rest is taken', await tab.page.inputValue('#search'), 'Lookup');
    await tab.page.click('#tab-top');
    same('a step says it no more', await tab.text('#wrong'), '');
}

// Back undoes a step, forward does it again.
async function steps(tab) {
    const page = await tab.open('orders.html');
    const asked = async (name, ask, key, value) => {
        await ask();
        same(name, (await tab.hash())[key], value);
        await tab.settled();
        await page.waitForTimeout(1100); // later than what is one step
    };
    const canvas = await (await page.$('#flame canvas')).boundingBox();

    await asked('zoom', () => page.mouse.click(canvas.x + 30,
        canvas.y + 27), 'zoom', '2');
    await asked('filter', () => tab.enter('filter', '--focus Lookup'),
        'filter', '--focus Lookup');
    await page.fill('#search', 'Total');
    await asked('view', () => page.click('#tab-top'), 'view', 'top');
    for (const [key, value] of [['view', undefined], ['filter', undefined],
        ['zoom', undefined]]) {
        await page.goBack();
        same('back undoes ' + key, (await tab.hash())[key], value);
    }
    check('all is shown again', (await tab.text('#selected'))
        .startsWith('All '), await tab.text('#selected'));
    await page.goForward();
    same('forward', (await tab.hash()).zoom, '2');
}

// The line of the page does what the options do.
async function sameFilters(tab) {
    const page = await tab.open('orders.html', '#view=top');

    for (const options of [
        ['--group', 'Orders.dll!*->orders', '--fold', 'CompareOrdinal'],
        ['--group', '*!*->$1'], ['--group', 'modules'],
        ['--group', 'Orders.dll!*=>orders', '--show-to', 'ntdll.dll!*'],
        ['--focus', 'Shop.*', '--ignore', 're:Compare', '--fold', 'Serve'],
        ['--fold', '*Lookup', '--leaf', 'Total'],
        ['--show-from', 'Basket.Total', '--module', 'Orders.dll'],
        ['--module', '!ledger.exe', '--fold', 'PriceList.Lookup'],
        ['--group', 'just-my-code'], ['--group', 'namespaces:2'],
        ['--group', 'runtime', '--group', 'kernel'],
        ['--mine', 'PriceList.*', '--group', 'just-my-code'],
        ['--group', 'Orders.dll!*->all', '--group', '*!*->all'],
        ['--group', '*!*=>$1'], ['--focus', 're:lookup'],
        ['--focus', 're:(?i)lookup'], ['--focus', 'ookup'], ['--leaf', 'Orders.dll!*'],
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

        await tab.enter('filter', line);
        same(line, (await tab.rows()).map(r => [r.function5,
            number(r.self0), number(r.total2)]).sort(), wanted);
    }
}

module.exports = [selections, axis, lanes, keys, filters, mistakes, addresses,
    steps, sameFilters];
