// diff - the page of two sides: its table, shares of both sides, and which
// changes are firm.

import { plainText, shareText } from './plain.js';
import { totals } from './model.js';

export const arrow = ' \u2192 ';

const firm = { slower: 1, new: 1, faster: -1, gone: -1 };
const verdictWords = { slower: 'more', faster: 'less' };

// 1: it got more or is new; -1: less or gone; 0: no firm verdict.
export const signOf = row => row && firm[row.verdict] || 0;

// With an arrow, so that no colour is needed.
export const signText = sign => sign > 0 ? '\u25b2' : sign < 0 ? '\u25bc' : '';

// The rows as `topfn diff --format json` has them; `fn`: the page's function,
// -1: it is not in the graph.
export function readDiff(about, functions) {
    const diff = JSON.parse(about.diff), ids = new Map();

    for (let fn = 0; fn < functions.recorded; fn++)
        ids.set(functions.module(fn) + '\0' + functions.label(fn), fn);
    diff.byFunction = new Map();
    diff.rows.forEach((row, i) => {
        row.index = i;
        for (const key of ['name', 'label', 'module', 'hint'])
            row[key] = plainText(row[key] ?? '');
        row.fn = ids.get(row.module + '\0' + row.label) ?? -1;
        if (row.fn >= 0)
            diff.byFunction.set(row.fn, row);
    });
    return diff;
}

const real = (n, sign) =>
    (sign && n > 0 ? '+' : '') + n.toFixed(2).replace(/^-(0\.00)$/, '$1');

const intervalText = ([low, high], digits) =>
    `${low > 0 ? '+' : ''}${low.toFixed(digits)} to ` +
    `${high > 0 ? '+' : ''}${high.toFixed(digits)}`;

// The head of the text report, with the interval of the total and with what q
// of a row says.
export function headText(trust, { total, total_unit: unit, q }) {
    const digits = total && Math.max(total.before, total.after) < 100 ? 2 : 0;
    const lines = trust.trim().split('\n').map(line =>
        !line.startsWith('total: ') || !total ? line
            : `${line}, 95 % interval of the change ` +
                `${intervalText(total.interval, digits)} ${unit}`);

    return [...lines, `q: a change is firm where q is at most ${q}; chance ` +
        `alone makes at most ${+(100 * q).toFixed(4)} % of the firm changes.`].join('\n');
}

// The row of a function, as a frame of it tells it.
export function changeText(row, unit) {
    return `own change ${real(row.before)}${arrow}${real(row.after)} ${unit}, ` +
        `95 % interval ${intervalText(row.interval, 2)}: ` +
        (signOf(row) ? `${signText(signOf(row))} ${wordOf(row)}`
            : wordOf(row));
}

// As the text report has it: a larger share need not be more time.
function wordOf({ verdict, interval: [low, high] }) {
    return verdict === 'inconclusive' && (low > 0 || high < 0) ? 'perhaps'
        : verdictWords[verdict] || verdict;
}

// Columns of the table as `topfn diff` has them.
export function diffColumns({ unit, rows }, nameCell) {
    const number = (key, title, value, sign) =>
        ({ key, title, number: true, value, cell: r => real(value(r), sign) });
    const hint = { key: 'hint', title: 'hint', value: r => r.hint,
        cell: r => r.hint };

    return [
        { key: 'verdict', title: 'verdict', value: r => r.index,
            cell: r => {
                const word = document.createElement('span');
                const sign = signOf(r);

                word.textContent = `${signText(sign)} ${wordOf(r)}`.trim();
                word.className = sign > 0 ? 'worse' : sign ? 'better' : 'note';
                return word;
            } },
        number('before', 'before ' + unit, r => r.before),
        number('after', 'after ' + unit, r => r.after),
        number('change', 'change', r => r.change, true),
        number('low', '95 % from', r => r.interval[0], true),
        number('high', 'to', r => r.interval[1], true),
        { key: 'q', title: 'q', number: true, value: r => -r.q,
            cell: r => r.q < .0001 ? '<0.0001' : r.q.toFixed(4) },
        { key: 'module', title: 'module', value: r => r.module,
            cell: r => r.module },
        { key: 'name', title: 'function', value: r => r.label,
            cell: r => nameCell(r) },
        ...rows.some(r => r.hint) ? [hint] : [],
    ];
}

export function diffTreeColumns(view) {
    const cell = k => i => shareText(view().sides[k].total[i], 1);

    return [{ title: 'before', cell: cell(0) }, { title: 'after', cell: cell(1) }];
}

// Shares of both sides; `self` and `total` are those of the side that is
// drawn: `side`, or the one that has anything.
export function diffView(tree, counts, side) {
    const sides = counts.map(own => {
        const sum = own.reduce((a, b) => a + b, 0) || 1;
        const self = own.map(n => n / sum);

        return { self, total: totals(tree, self), sum };
    });

    return { tree, sides, ...drawnOf(sides, side) };
}

export function drawnOf(sides, side) {
    const wanted = sides[side === 'before' ? 0 : sides.length - 1];
    const { self, total } = wanted.total[0] ? wanted
        : sides.find(s => s.total[0]) || wanted;

    return { self, total };
}

// Both sides together, for lists that show whatever is in one of them.
export function eitherTotal({ sides, total }) {
    return sides ? total.map((_, i) => sides[0].total[i] + sides[1].total[i])
        : total;
}
