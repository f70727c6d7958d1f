// filters - the editable line: what the options of the same names do on the
// command line, in the same order: group, fold, keep or drop, cut.

import { groupsOf } from './groups.js';
import { Builder, Tree } from './model.js';
import { filterOptions, needsValue, notValid, percentOf, unknownOption,
    unknownValue } from './options.js';
import { globTest, matcher, meant } from './pattern.js';
import { isTurn } from './work.js';

const most = 30; // patterns of an option: bits of a number

// Words as a shell takes them apart.
function words(line) {
    const found = [];
    const word = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g;

    for (const [text] of line.matchAll(word))
        found.push(text.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));
    return found;
}

// Patterns that no function has are an error of none.
function checkValue(option, value) {
    if (['kind', 'tier', 'cpu', 'group'].includes(option))
        return;
    try {
        if (!value || (option === 'fold' && value.endsWith('%') &&
            !(percentOf(value) >= 0)))
            throw notValid(option, value);
        matcher(value.replace(/^!/, ''));
    } catch {
        throw notValid(option, value);
    }
}

// [{option, value}]; throws an Error that says what is wrong.
export function parseFilters(line) {
    const list = words(line), rules = [];

    while (list.length) {
        const word = list.shift();
        const [, option, joined] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) || [];

        if (!filterOptions.includes(option))
            throw unknownOption(word);
        const value = joined ?? list.shift();

        if (value === undefined)
            throw needsValue(option);
        checkValue(option, value);
        rules.push({ option, value });
    }
    return rules;
}

// Bits of the patterns that a function matches, looked up once.
function bitsOf(functions, patterns) {
    const tests = patterns.map(p => meant(functions, p));
    const known = new Int32Array(functions.count).fill(-1);

    return fn => {
        if (!tests.length)
            return 0;
        if (known[fn] < 0)
            known[fn] = tests.reduce((bits, test, i) =>
                bits | (test(fn) ? 1 << i : 0), 0);
        return known[fn];
    };
}

// The same for modules; `inside` and `outside`: the bits of those that are to
// be met, and not to be.
function moduleWords(functions, globs) {
    const tests = globs.map(g => globTest(g.replace(/^!/, '')));
    const known = new Int32Array(functions.recorded).fill(-1);
    const of = fn => {
        if (known[fn] < 0)
            known[fn] = tests.reduce((bits, test, i) =>
                bits | (test(functions.module(fn)) ? 1 << i : 0), 0);
        return known[fn];
    };
    const bits = negated => globs.reduce((sum, g, i) =>
        sum | (g.startsWith('!') === negated ? 1 << i : 0), 0);

    return { of: globs.length ? of : () => 0, inside: bits(false),
        outside: bits(true) };
}

const meets = (words, bits) => !(bits & words.outside) &&
    (!words.inside || (bits & words.inside) !== 0);

// The tree as it is, or as the rules leave it: `place` by node of the tree as
// it is: its node, -1 where its samples are dropped; `keep` by row, or null.
// smallShare(percent): a generator of whether a function has less than that.
export function* applyFilters(page, tree, functions, rules, smallShare) {
    const small = /^(.*)%$/; // a --fold of rare functions
    const of = option => rules.filter(r => r.option === option &&
        !(option === 'fold' && small.test(r.value))).map(r => r.value);
    const percent = Math.max(0, ...rules.filter(r => r.option === 'fold')
        .map(r => Number(small.exec(r.value)?.[1] ?? 0)));

    if (!rules.length)
        return { tree, place: null, keep: null };
    if (filterOptions.some(option => of(option).length > most))
        throw new Error(`more than ${most} patterns of an option`);
    const keep = yield* keepRows(page, of);
    const groups = yield* groupsOf(functions, of('group'), of('mine'));

    if (keep && (groups || of('fold').length || percent))
        throw new Error('on a page, --kind, --tier and --cpu cannot be ' +
            'combined with --group and --fold');
    const isSmall = percent ? yield* smallShare(percent) : () => false;

    return { ...yield* rewrite(tree, functions, groups, of, isSmall), keep };
}

function* rewrite(tree, functions, groups, of, isSmall) {
    const [folds, focus, ignore, leaf, from, to] = ['fold', 'focus', 'ignore',
        'leaf', 'show-from', 'show-to'].map(option =>
        bitsOf(functions, of(option)));
    const any = moduleWords(functions, of('module'));
    const wanted = (1 << of('focus').length) - 1;
    const begins = of('show-from').length > 0, ends = of('show-to').length > 0;
    const leaves = of('leaf').length > 0;
    const keeps = ['focus', 'ignore', 'leaf', 'module']
        .some(option => of(option).length);
    const { n, parent } = tree, made = new Builder(n);
    const out = new Int32Array(n), place = new Int32Array(n).fill(-1);
    const met = new Int32Array(n), modules = new Int32Array(n);
    const last = new Int32Array(n); // the innermost left; 0: none
    const ignored = new Uint8Array(n);
    const cut = new Uint8Array(n); // 0: not begun, 1: in between, 2: ended

    cut[0] = begins ? 0 : 1;
    for (let i = 1; i < n; i++) {
        const p = parent[i], was = tree.fn[i];
        const group = groups ? groups.group[was] : 0;
        const fn = groups ? groups.becomes[was] : was;

        if (isTurn(i))
            yield;
        out[i] = out[p];
        met[i] = met[p];
        modules[i] = modules[p];
        last[i] = last[p];
        ignored[i] = ignored[p];
        cut[i] = cut[p];
        if ((group && p && groups.group[tree.fn[p]] === group) || folds(fn) ||
            isSmall(fn))
            continue;
        met[i] |= focus(fn);
        modules[i] |= any.of(was);
        last[i] = i;
        if (ignore(fn))
            ignored[i] = 1;
        if (!cut[i] && from(fn))
            cut[i] = 1;
        if (cut[i] === 1)
            out[i] = made.child(out[p], fn, group ? 0 : tree.inlined[i]);
        if (cut[i] === 1 && ends && to(fn))
            cut[i] = 2;
    }
    const finalOf = i => groups ? groups.becomes[tree.fn[i]] : tree.fn[i];

    yield;
    const folded = functions.group('[folded]', '[folded]', '', 0);

    for (let i = 0; i < n; i++) {
        if (isTurn(i))
            yield;
        if ((keeps && !i) || ignored[i] || (met[i] & wanted) !== wanted ||
            !meets(any, modules[i]) || (begins && !cut[i]) ||
            (ends && cut[i] !== 2) ||
            (leaves && !(last[i] && leaf(finalOf(last[i])))))
            continue;
        place[i] = i && !out[i] ? made.child(0, folded, 0) : out[i];
    }
    return { tree: made.tree(), place };
}

// ---- what rows say of their samples ----

function numbersOf(text) {
    const found = new Set();

    for (const part of text.split(',')) {
        const [, from, to] = /^(\d+)(?:-(\d+))?$/.exec(part) || [];

        if (from === undefined || +(to ?? from) > 65535 ||
            +from > +(to ?? from))
            throw notValid('cpu', text);
        for (let i = +from; i <= +(to ?? from); i++)
            found.add(i);
    }
    return found;
}

function bitsOfWords(option, values, known) {
    return values.reduce((bits, word) => {
        const i = known.indexOf(word);

        if (i < 0)
            throw unknownValue(option, word, known);
        return bits | 1 << i;
    }, 0);
}

// By row whether it stays; null: all do.
function* keepRows(page, of) {
    const { rows, names } = page;
    const asked = ['kind', 'tier', 'cpu'].filter(o => of(o).length);

    if (!asked.length)
        return null;
    if (!rows || (of('cpu').length && !rows.cpu))
        throw new Error(`this page has no data for --${asked.join(', --')}; ` +
            'give these options to topfn page');
    const kinds = bitsOfWords('kind', of('kind'), names.leafKinds);
    const tiers = bitsOfWords('tier', of('tier'), names.leafTiers);
    const cpus = of('cpu').length
        ? new Set(of('cpu').flatMap(text => [...numbersOf(text)])) : null;
    const shift = names.leafKinds.length, keep = new Uint8Array(rows.n);

    for (let i = 0; i < rows.n; i++) {
        if (isTurn(i))
            yield;
        keep[i] = (!kinds || rows.code[i] & kinds) &&
            (!tiers || tiers >> (rows.code[i] >> shift) & 1) &&
            (!cpus || cpus.has(rows.cpu[i])) ? 1 : 0;
    }
    return keep;
}

// A tree without filters, of the page's own columns.
export function wholeTree(raw) {
    return new Tree(raw.parent, raw.fn, raw.inlined, raw.n);
}
