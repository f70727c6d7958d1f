// source - lines and instructions of the function that is picked, with the
// samples of the whole page; of a diff those of both sides.

import { weightText, element, plainText } from './plain.js';

const line = (samples, ...cells) => element('tr',
    samples ? {} : { class: 'note' }, ...cells.map(([kind, text]) =>
        element('td', { class: kind }, text)));

const count = n => ['number', n ? weightText(n) : n === null ? '' : '0'];

function table(title, heads, rows) {
    return element('div', { class: 'rows' }, element('table', {},
        element('caption', {}, title),
        element('thead', {}, element('tr', {}, ...heads.map(([kind, text]) =>
            element('th', { scope: 'col', class: kind }, text)))),
        element('tbody', {}, ...rows)));
}

function fileTable(of, { file, found, too_short: tooShort, lines }) {
    const rows = [];
    let before = 0;

    for (const [number, self, total, text] of lines) {
        if (before && number > before + 1)
            rows.push(line(0, ['code', '\u2026']));
        before = number;
        rows.push(line(self || total, count(self), count(total),
            ['number', String(number || '')], ['code', plainText(text ?? '')]));
    }
    return table(of + plainText(file) +
        (found ? '' : ' \u00b7 source not found') +
        (tooShort ? ' \u00b7 does not match: too short' : ''),
    [['number', 'self'], ['number', 'total'], ['number', 'line'],
        ['', 'source']], rows);
}

function codeTable(of, { module, name, lines }) {
    let before = '';

    return table(of + plainText(`${name ?? 'code'} in ${module}`),
        [['number', 'self'], ['number', 'address'], ['', 'instruction'],
            ['', 'line']],
        lines.map(([address, samples, number, file, text]) => {
            const at = number ? `${file.replace(/^.*[\\/]/, '')}:${number}` : '';
            const row = line(samples, count(samples),
                ['number', '0x' + address.toString(16)],
                ['code', plainText(text ?? '')],
                ['note', at === before ? '' : plainText(at)]);

            before = at;
            return row;
        }));
}

export class SourceView {
    constructor(root, page) {
        this.root = root;
        this.title = element('h3', {}, 'Source');
        this.told = element('p', { class: 'note' });
        this.tables = element('div');
        this.sources = page.sources || [];
        this.sides = page.rows ? [''] : ['before \u00b7 ', 'after \u00b7 '];
        this.cut = page.about.data.sources_cut;
        this.ofFirst = page.about.data.sources_of_first_run;
        root.hidden = !page.sources;
        root.append(this.title, this.told, this.tables);
    }

    // isWhole: all samples of the page are selected.
    show(fn, isWhole) {
        const found = this.sources.filter(f => f.function === fn);
        const notes = [];

        if (this.root.hidden)
            return;
        if (!found.length)
            notes.push('This page has no source lines of the function' + (this.cut
                ? ', only of functions with more samples.' : '.'));
        else if (!isWhole)
            notes.push('Counts are those of the whole page, not of the ' +
                'selection.');
        if (found.length && this.ofFirst)
            notes.push('From the first recording of each side.');
        this.told.textContent = notes.join(' ');
        this.tables.replaceChildren(...found.flatMap(({ side, files, code }) =>
            [...files.map(f => fileTable(this.sides[side], f)),
                ...code.map(c => codeTable(this.sides[side], c))]));
    }
}
