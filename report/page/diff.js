// diff - the page of two sides: its table, and widths by change.

import { plainText, shareText } from './plain.js';
import { totals } from './model.js';

export function readDiff(about) {
    const diff = JSON.parse(about.diff);

    diff.rows.forEach((row, i) => {
        row.index = i;
        for (const key of ['name', 'label', 'module'])
            row[key] = plainText(row[key]);
    });
    return diff;
}

// "1 slower, 2 faster; smallest change ...", as the text report begins.
export function verdictText(about) {
    const diff = JSON.parse(about.diff), { detectable, unit } = diff;
    const counts = Object.entries(diff.verdicts).map(([word, n]) =>
        `${n} ${word.replace(/_/g, ' ')}`).join(', ');

    return `${diff.count} ${about.unit}, ${unit}: ${counts}\n` +
        'detection limit: ' +
        `${detectable.of_1_percent.toFixed(2)} ${unit} for a function at ` +
        `1 % of the total, ${detectable.of_10_percent.toFixed(2)} for one at ` +
        '10 %';
}

const real = (n, sign) =>
    (sign && n > 0 ? '+' : '') + n.toFixed(2).replace(/^-(0\.00)$/, '$1');

// Columns of the table as `topfn diff` has them.
export function diffColumns(nameCell) {
    const number = (key, title, value, sign) =>
        ({ key, title, number: true, value, cell: r => real(value(r), sign) });

    return [
        { key: 'verdict', title: 'verdict', value: r => r.index,
            cell: r => {
                const word = document.createElement('span');

                word.textContent = r.verdict;
                word.className = ['slower', 'new'].includes(r.verdict)
                    ? 'worse' : ['faster', 'gone'].includes(r.verdict)
                        ? 'better' : 'note';
                return word;
            } },
        number('before', 'before', r => r.before),
        number('after', 'after', r => r.after),
        number('change', 'change', r => r.change, true),
        number('low', '95 % from', r => r.interval[0], true),
        number('high', 'to', r => r.interval[1], true),
        { key: 'q', title: 'q', number: true, value: r => -r.q,
            cell: r => r.q.toFixed(4) },
        { key: 'module', title: 'module', value: r => r.module,
            cell: r => r.module },
        { key: 'name', title: 'function', value: r => r.label,
            cell: r => nameCell(r) },
    ];
}

export function diffTreeColumns(view) {
    const cell = of => i => shareText(view()[of][i], 1);

    return [{ title: 'before', cell: cell('before') },
        { title: 'after', cell: cell('after') }];
}

// A share of one side, or the mean of both.
export function mixOf(before, after, side) {
    return side === 'before' ? before : side === 'after' ? after
        : (before + after) / 2;
}

// Shares of the sides; `width` of both, or of one of them.
export function diffView(tree, counts, side) {
    const sums = counts.map(c => c.reduce((a, b) => a + b, 0) || 1);
    const shares = counts.map((c, k) => c.map(n => n / sums[k]));
    const all = shares.map(s => totals(tree, s));
    const mix = shares[0].map((n, i) => mixOf(n, shares[1][i], side));

    return { tree, self: mix, total: totals(tree, mix), before: all[0],
        after: all[1], own: shares, sums, side };
}

export function changeOf(view, i) {
    const change = view.after[i] - view.before[i];

    return change / Math.max(.02, view.after[i], view.before[i]);
}
