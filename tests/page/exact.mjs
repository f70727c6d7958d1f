// exact.mjs NAME... - pages NAME.html by their own code, without a browser:
// the table of functions must have the rows of NAME.json, which `topfn top`
// wrote. Prints what differs.

import fs from 'fs';

import { readPage } from './data.js';
import { wholeTree } from './filters.js';
import { Functions, totals } from './model.js';
import { meant } from './pattern.js';
import { plainText, setWeights, shareText, weightOf } from './plain.js';
import { Processes } from './processes.js';
import { Search } from './search.js';
import { Selection } from './selection.js';
import { shorten } from './shorten.js';
import { inSlices } from './work.js';

const everything = { process: '', thread: '', time: '', axis: '', waits: 'all',
    filter: '', side: '' };

function openPage(html) {
    const block = id => new RegExp(
        `<script type="[a-z/]*" id="${id}">([^<]*)</script>`).exec(html);

    globalThis.document = { getElementById: id => {
        const found = block(id);

        return found && { textContent: found[1] };
    } };
    return readPage();
}

// "module|label|exclusive|inclusive", sorted.
async function pageRows(selection, functions) {
    const [{ own, all }] = await inSlices(selection.byFunction());

    return [...all.keys()].filter(fn => all[fn]).map(fn => [
        functions.module(fn), functions.label(fn), own[fn],
        all[fn]].join('|')).sort();
}

// The search for everything finds every sample that has a stack.
async function checkSearch(selection, functions) {
    const { self, total } = selection.view, search = new Search(functions);
    const share = shareText(total[0] - self[0], total[0]);

    await inSlices(search.update('*', selection));
    return !total[0] || search.share.endsWith(share) ? []
        : [`${share} of samples found as ${search.share}`];
}

// Names of scripts: the function, then file and line; patterns mean the
// function (tests/report/table/test_shorten.c, test_match.c).
function checkNames() {
    const v8 = 'checkBlock file:///srv/lib/_tsc.js:83214:20';
    const names = [v8, 'handle (shop/app/views.py:12)',
        'block in handle - shop/app.rb:12', 'py::handle:/srv/views.py',
        'get size /srv/my shop/a.js:10:3', 'f a.py:12)'];
    const functions = new Functions({ labels: names, names: names.map(() => null),
        modules: ['m'], module: names.map(() => 0) });
    const found = pattern => names.filter((_, fn) =>
        meant(functions, pattern)(fn)).length;
    const has = [shorten(v8, 42), shorten(v8, 26), shorten(v8, 23),
        ...names.slice(1).map(name => shorten(name, 22)),
        found('checkBlock'), found('*Block'), found('handle'), found('get size')];
    const wanted = ['checkBlock _tsc.js:83214:20', 'checkBlock _tsc.js:83214',
        'checkBlock', 'handle views.py:12', 'block in handle',
        'handle views.py', 'get size a.js:10:3', 'f a.py:12)', 1, 1, 2, 1];

    return has.join('|') === wanted.join('|') ? []
        : [`names of scripts: ${has.join('|')}`];
}

let failed = 0;

for (const line of checkNames()) {
    failed++;
    console.log(line);
}
for (const name of process.argv.slice(2)) {
    const page = await openPage(fs.readFileSync(name + '.html', 'latin1'));
    const functions = new Functions(page.names);
    const selection = new Selection(page, functions, wholeTree(page.tree),
        page.rows && new Processes(page, true));

    setWeights(page.about);
    await inSlices(selection.update(everything));
    const rows = await pageRows(selection, functions);
    const wanted = JSON.parse(fs.readFileSync(name + '.json', 'utf8')).rows
        .map(r => [plainText(r.module), plainText(r.label),
            weightOf(r.exclusive), weightOf(r.inclusive)].join('|')).sort();
    const sum = totals(selection.tree, selection.view.self)[0];
    const wrong = [...rows.filter((r, i) => r !== wanted[i]).slice(0, 5),
        ...wanted.filter((r, i) => r !== rows[i]).slice(0, 5)
            .map(r => 'top: ' + r),
        ...sum === page.about.data.samples ? [] : [`samples ${sum}`],
        ...await checkSearch(selection, functions)];

    if (wrong.length) {
        failed++;
        console.log([`${name}: ${selection.wrong}`, ...wrong].join('\n  '));
    }
}
process.exit(failed ? 1 : 0);
