// table - rows that are sorted by a click and filtered while one types.

import { element, shareText, showFound, weightText } from './plain.js';

const atOnce = 100;

export class Table {
    // columns: [{key, title, number, value(row), cell(row)}]
    constructor(root, name, columns, sorted) {
        Object.assign(this, { columns, sorted });
        this.limit = atOnce;
        this.heads = columns.map(c => element('th', { scope: 'col',
            class: c.number ? 'number' : c.key },
        element('button', { type: 'button', onclick: () => this.sorted(
            this.sort === c.key ? '-' + c.key : c.key) }, c.title)));
        this.head = element('tr', {}, ...this.heads);
        this.body = element('tbody');
        this.more = element('button', { type: 'button', class: 'more',
            onclick: () => {
                this.limit *= 4;
                this.fill();
            } });
        root.append(element('div', { class: 'rows' }, element('table', {},
            element('caption', { class: 'hidden' }, name),
            element('thead', {}, this.head), this.body)), this.more);
        this.body.addEventListener('keydown', e => this.key(e));
    }

    key(event) {
        const step = { ArrowDown: 'nextElementSibling',
            ArrowUp: 'previousElementSibling' }[event.key];
        const row = step && event.target.closest('tr')[step];
        const to = row && row.querySelector('button');

        if (to) {
            event.preventDefault();
            to.focus();
        }
    }

    // sort: a column's key, behind a "-" upwards.
    show(rows, sort, total) {
        const upwards = sort.startsWith('-'), key = sort.replace(/^-/, '');
        const column = this.columns.find(c => c.key === key) ||
            this.columns.find(c => c.number);
        const sign = upwards ? -1 : 1;

        this.rows = rows.slice().sort((a, b) => {
            const x = column.value(a), y = column.value(b);

            return sign * (column.number ? y - x : x < y ? -1 : +(x > y));
        });
        this.total = total;
        this.limit = atOnce;
        this.sort = sort;
        this.columns.forEach((c, i) => this.heads[i].setAttribute('aria-sort',
            c !== column ? 'none'
                : upwards === !!c.number ? 'ascending' : 'descending'));
        this.fill();
    }

    // Shows row `i`, if need be with those before it.
    reveal(i) {
        if (i >= this.limit) {
            this.limit = i + atOnce;
            this.fill();
        }
        showFound(this.body.rows[i]);
    }

    fill() {
        const shown = this.rows.slice(0, this.limit);
        const focused = document.activeElement;
        const hadFocus = this.body.contains(focused) || focused === this.more;
        const at = focused === this.more ? this.body.children.length : 0;

        this.body.replaceChildren(...shown.map(row => element('tr', {},
            ...this.columns.map(c => element('td',
                { class: c.number ? 'number' : c.key }, c.cell(row))))));
        this.more.hidden = this.rows.length <= this.limit;
        this.more.textContent =
            `${this.rows.length - shown.length} more: show`;
        if (hadFocus)
            this.body.children[at]?.querySelector('button')?.focus();
    }
}

// Columns of rows {fn, self, total, waits, module, label}; `link` makes the
// cell of a name.
export function functionColumns(hasWaits, whole, link) {
    const number = (key, title) => ({ key, title, number: true,
        value: r => r[key], cell: r => weightText(r[key]) });
    const share = (key, of) => ({ key, title: '%', number: true,
        value: r => r[of], cell: r => shareText(r[of], whole()) });
    const waits = { key: 'waits', title: 'waits',
        value: r => r.waits ? 'waits' : '', cell: r => r.waits ? 'waits' : '' };

    return [number('self', 'self'), share('selfShare', 'self'),
        number('total', 'total'), share('totalShare', 'total'),
        ...hasWaits ? [waits] : [],
        { key: 'module', title: 'module', value: r => r.module,
            cell: r => r.module },
        { key: 'name', title: 'function', value: r => r.label,
            cell: r => link(r.fn, r.label) }];
}

// Columns of groups of processes, of processes, or of threads; `chosen` gets
// the row of a name that is clicked.
export function processColumns(whole, chosen) {
    const number = (key, title, value) => ({ key, title, number: true, value,
        cell: r => value(r) ? countText(value(r)) : '' });

    return [
        { key: 'self', title: 'samples', number: true, value: r => r.self,
            cell: r => weightText(r.self) },
        { key: 'share', title: '%', number: true, value: r => r.self,
            cell: r => shareText(r.self, whole()) },
        number('count', 'processes', r => r.count ?? (r.thread === undefined
            ? 1 : 0)),
        number('threads', 'threads', r => r.threads.length),
        { key: 'id', title: 'id', number: true, value: r => r.id ?? 0,
            cell: r => String(r.id ?? '') },
        { key: 'name', title: 'process or thread', value: r => r.title,
            cell: r => element('button', { type: 'button', title: r.title,
                onclick: () => chosen(r) }, r.title) },
    ];
}
