// tree - who called whom, row by row.

import { weightText, element, shareText, showFound } from './plain.js';
import { isTurn } from './work.js';

const childrenShown = 200;

export class CallTree {
    // calls: label(fn), columns [{title, cell(i)}], picked(fn), isFound(fn).
    constructor(root, calls) {
        this.calls = calls;
        this.body = element('tbody');
        root.append(element('div', { class: 'rows' }, element('table',
            { role: 'treegrid', 'aria-label': 'Call tree' },
            element('thead', {}, element('tr', {},
                ...calls.columns.map(c => element('th',
                    { scope: 'col', class: 'number' }, c.title)),
                element('th', { scope: 'col' }, 'function'))), this.body)));
        this.body.addEventListener('keydown', e => this.key(e));
        this.body.addEventListener('click', e => {
            const row = e.target.closest('tr');

            if (row)
                this.toggle(row);
        });
    }

    // Open along the hot path.
    show(shape, total) {
        Object.assign(this, { shape, total });
        this.body.replaceChildren(...this.rowsOf(0, 1));
        for (let row = this.body.firstChild; row;) {
            const i = +row.dataset.node;

            if (i < 0 || total[i] * 2 <= total[0] || !shape.children(i).length)
                break;
            this.open(row);
            row = row.nextSibling;
        }
        if (this.body.firstChild)
            this.body.firstChild.tabIndex = 0;
    }

    rowsOf(parent, level) {
        const all = Array.from(this.shape.children(parent));
        const rows = all.slice(0, childrenShown).map(i => this.row(i, level));

        if (all.length > rows.length) {
            const rest = all.slice(childrenShown)
                .reduce((sum, i) => sum + this.total[i], 0);

            rows.push(element('tr', { 'aria-level': level, 'data-node': -1,
                'data-parent': parent },
            element('td', { colspan: this.calls.columns.length + 1 },
                `${all.length - rows.length} more with ` +
                shareText(rest, this.total[0]))));
        }
        return rows;
    }

    row(i, level) {
        const { shape, calls } = this, fn = shape.fn(i);
        const inner = shape.children(i).length > 0;
        const name = element('td', { class: 'name' },
            element('span', { class: 'twist', 'aria-hidden': 'true' }),
            calls.label(fn), shape.inlined(i) ? element('span',
                { class: 'note' }, ' inlined') : '',
            element('span', { class: 'note' }, ' ' + calls.module(fn)));
        const row = element('tr', { tabindex: '-1', 'aria-level': level,
            'aria-expanded': inner ? 'false' : undefined, 'data-node': i,
            'data-parent': shape.parent(i),
            class: calls.isFound(fn) ? 'found' : undefined },
        ...calls.columns.map(c => element('td', { class: 'number' },
            c.cell(i))), name);

        name.style.paddingLeft = Math.min(level, 40) * 12 + 'px';
        return row;
    }

    // After another search.
    mark() {
        for (const row of this.body.rows)
            row.classList.toggle('found', +row.dataset.node >= 0 &&
                this.calls.isFound(this.shape.fn(+row.dataset.node)));
    }

    // The nodes of functions that are `found`, largest first.
    *matches(found) {
        const { shape, total } = this, list = [];

        for (let i = 1; i < shape.n; i++) {
            if (isTurn(i))
                yield;
            if (found[shape.fn(i)] && total[i])
                list.push(i);
        }
        return list.sort((a, b) => total[b] - total[a] || a - b);
    }

    // Opens its callers. A callee of a caller with very many may have no row;
    // then the row of the rest is shown.
    reveal(i) {
        const path = [];
        let row;

        for (let at = i; at; at = this.shape.parent(at))
            path.unshift(at);
        for (const at of path) {
            if (row?.getAttribute('aria-expanded') === 'false')
                this.open(row);
            row = this.body.querySelector(`[data-node="${at}"]`) ||
                this.body.querySelector(`[data-node="-1"][data-parent="${
                    this.shape.parent(at)}"]`);
            if (!row || +row.dataset.node < 0)
                break;
        }
        showFound(row);
    }

    open(row) {
        row.setAttribute('aria-expanded', 'true');
        row.after(...this.rowsOf(+row.dataset.node,
            +row.getAttribute('aria-level') + 1));
    }

    close(row) {
        const level = +row.getAttribute('aria-level');

        row.setAttribute('aria-expanded', 'false');
        while (row.nextSibling &&
            +row.nextSibling.getAttribute('aria-level') > level)
            row.nextSibling.remove();
    }

    toggle(row) {
        const expanded = row.getAttribute('aria-expanded');

        if (expanded === 'false')
            this.open(row);
        else if (expanded)
            this.close(row);
    }

    key(event) {
        const row = event.target.closest('tr');
        const expanded = row.getAttribute('aria-expanded');
        const go = to => {
            if (to) {
                row.tabIndex = -1;
                to.tabIndex = 0;
                to.focus();
            }
        };
        const outer = () => {
            let to = row;

            while (to && +to.getAttribute('aria-level') >=
                +row.getAttribute('aria-level'))
                to = to.previousSibling;
            return to;
        };
        const acts = {
            ArrowDown: () => go(row.nextSibling),
            ArrowUp: () => go(row.previousSibling),
            ArrowRight: () => expanded === 'false' ? this.open(row)
                : expanded && go(row.nextSibling),
            ArrowLeft: () => expanded === 'true' ? this.close(row)
                : go(outer()),
            Enter: () => this.toggle(row),
            s: () => this.calls.picked(this.shape.fn(+row.dataset.node)),
        };

        if (acts[event.key]) {
            event.preventDefault();
            event.stopPropagation();
            acts[event.key]();
        }
    }
}

export function treeColumns(view) {
    return [
        { title: 'total', cell: i => weightText(view().total[i]) },
        { title: '%', cell: i => shareText(view().total[i], view().total[0]) },
        { title: 'self', cell: i => weightText(view().self[i]) },
    ];
}
