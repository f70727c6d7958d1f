// filters - the editable line: what the options of the same names do on the
// command line, in the same order: group, fold, keep or drop, cut.

import { Builder, Tree } from './model.js';
import { matches } from './pattern.js';

const takes = ['group', 'fold', 'fold-percent', 'focus', 'ignore', 'leaf',
    'module', 'hide', 'show-from', 'to'];

// Words as a shell takes them apart.
function words(line) {
    const found = [];
    const word = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g;

    for (const [text] of line.matchAll(word))
        found.push(text.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));
    return found;
}

// [{option, value}]; throws an Error that says what is wrong.
export function parseFilters(line) {
    const list = words(line), rules = [];

    while (list.length) {
        const [, option, joined] =
            /^--([a-z-]+)(?:=(.*))?$/s.exec(list.shift()) || [];

        if (!takes.includes(option))
            throw new Error('options: --' + takes.join(', --'));
        const value = joined ?? list.shift();

        if (value === undefined)
            throw new Error('--' + option + ' needs a value');
        rules.push({ option, value });
    }
    return rules;
}

function groupRules(functions, values) {
    const rules = [];

    for (const value of values) {
        const [, pattern, arrow, name] =
            /^(.*?)(->|=>)(.*)$/s.exec(value) || [];

        if (value === 'modules')
            rules.push({ match: id => ['', functions.module(id)],
                name: '$1', arrow: '->' });
        else if (value === 'kernel')
            rules.push({ match: id =>
                functions.kindName(id) === 'kernel' ? [''] : null,
            name: '[kernel]', arrow: '->' });
        else if (pattern === undefined)
            throw new Error("--group 'PATTERN->NAME', modules or kernel");
        else
            rules.push({ match: matches(functions, pattern), name, arrow });
    }
    return rules;
}

// By function the group it is in, or undefined.
function groupsOf(functions, rules) {
    const known = new Map();

    return fn => {
        if (!rules.length || known.has(fn))
            return known.get(fn);
        let group;

        for (const rule of rules) {
            const found = rule.match(fn);

            if (!found)
                continue;
            if (rule.name) {
                const name = rule.name.replace(/\$(\d)/g,
                    (_, n) => found[+n] ?? '');
                const label = rule.arrow === '->' ? name
                    : name + ' <<' + functions.label(fn) + '>>';

                group = { key: name, fn: functions.group(label,
                    functions.module(fn), functions.kind(fn)) };
            }
            break;
        }
        known.set(fn, group);
        return group;
    };
}

// One test of a function for several patterns, remembered.
function anyOf(functions, patterns) {
    const tests = patterns.map(p => matches(functions, p)), known = new Map();

    return fn => {
        if (!tests.length)
            return 0;
        if (!known.has(fn))
            known.set(fn, tests.reduce((bits, test, i) =>
                bits | (test(fn) ? 1 << i : 0), 0));
        return known.get(fn);
    };
}

function moduleTest(functions, patterns) {
    const tests = patterns.map(p => {
        const wanted = new RegExp('^' + p.replace(/^!/, '')
            .replace(/[.+^${}()|[\]\\]/g, '\\$&').replace(/\*/g, '.*')
            .replace(/\?/g, '.') + '$', 'i');

        return fn => wanted.test(functions.module(fn));
    });

    return fn => tests.reduce((bits, test, i) =>
        bits | (test(fn) ? 1 << i : 0), 0);
}

// The tree as it is, or as the rules leave it: `place` by node of the tree as
// it is: its node, -1 where its samples are dropped.
export function applyFilters(tree, functions, rules, smallShare) {
    const of = option => rules.filter(r => r.option === option)
        .map(r => r.value);

    if (!rules.length)
        return { tree, place: null };
    if (of('focus').length > 30 || of('module').length > 30)
        throw new Error('too many patterns');
    const groupOf = groupsOf(functions, groupRules(functions, of('group')));
    const folds = anyOf(functions, of('fold'));
    const focus = anyOf(functions, of('focus'));
    const ignore = anyOf(functions, of('ignore'));
    const leaf = anyOf(functions, of('leaf'));
    const hides = anyOf(functions, of('hide'));
    const from = anyOf(functions, of('show-from'));
    const to = anyOf(functions, of('to'));
    const moduleBits = moduleTest(functions, of('module'));
    const wanted = (1 << of('focus').length) - 1;
    const inside = of('module').reduce((bits, m, i) =>
        bits | (m.startsWith('!') ? 0 : 1 << i), 0);
    const outside = of('module').reduce((bits, m, i) =>
        bits | (m.startsWith('!') ? 1 << i : 0), 0);
    const percent = Math.max(0, ...of('fold-percent').map(Number));
    const isSmall = percent ? smallShare(percent) : () => false;
    const n = tree.n, made = new Builder(functions);
    const out = new Int32Array(n), group = new Array(n);
    const met = new Int32Array(n), modules = new Int32Array(n);
    const last = new Int32Array(n).fill(-1);
    const ignored = new Uint8Array(n), cut = new Uint8Array(n);
    const place = new Int32Array(n).fill(-1);
    const begins = of('show-from').length > 0, ends = of('to').length > 0;

    if (!begins)
        cut[0] = 1;
    for (let i = 1; i < n; i++) {
        const p = tree.parent[i], g = groupOf(tree.fn[i]);
        const fn = g ? g.fn : tree.fn[i];

        out[i] = out[p];
        met[i] = met[p];
        modules[i] = modules[p];
        last[i] = last[p];
        ignored[i] = ignored[p];
        cut[i] = cut[p];
        group[i] = g ? g.key : undefined;
        if ((g && group[p] === g.key) || folds(fn) || isSmall(fn))
            continue;
        met[i] |= focus(fn);
        modules[i] |= moduleBits(tree.fn[i]);
        last[i] = fn;
        if (ignore(fn))
            ignored[i] = 1;
        // 0: not begun, 1: in between, 2: ended.
        if (!cut[i] && from(fn))
            cut[i] = 1;
        if (cut[i] === 1 && !hides(fn))
            out[i] = made.child(out[p], fn, g ? 0 : tree.inlined[i]);
        if (cut[i] === 1 && ends && to(fn))
            cut[i] = 2;
    }
    for (let i = 0; i < n; i++) {
        if (ignored[i] || (met[i] & wanted) !== wanted ||
            (modules[i] & inside) !== inside || (modules[i] & outside) ||
            (of('leaf').length && !(last[i] >= 0 && leaf(last[i]))) ||
            (begins && !cut[i]) || (ends && cut[i] !== 2))
            continue;
        place[i] = out[i];
        if (i && !out[i])
            place[i] = made.child(0, functions.group(
                last[i] < 0 ? '[folded]' : '[hidden]', '', 0), 0);
    }
    return { tree: made.tree(), place };
}

// A tree without filters, of the page's own columns.
export function wholeTree(raw) {
    return new Tree(raw.parent, raw.fn, raw.inlined, raw.n);
}
