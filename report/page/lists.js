// lists - the table of functions, or of what changed, and the call tree.

import { diffColumns, diffTreeColumns, eitherTotal } from './diff.js';
import { byId, element } from './plain.js';
import { HeavyShape } from './shapes.js';
import { shortenRow } from './shorten.js';
import { Table, functionColumns, processColumns } from './table.js';
import { CallTree, treeColumns } from './tree.js';

export class Lists {
    // app: page, isDiff, functions, selection, state, label(fn), short(fn).
    constructor(app) {
        this.app = app;
        this.columns = app.isDiff ? diffColumns(app.diff,
            row => this.link(row.fn, row.label))
            : functionColumns(app.page.names.waits.includes(1),
                () => this.top.total, (fn, label) => this.link(fn, label));
        this.top = new Table(byId('top'), 'Functions', this.columns,
            sort => app.state.set({ sort }));
        this.sortOfProcesses = 'self';
        this.processes = app.isDiff ? null : new Table(byId('processes'),
            'Processes and threads', processColumns(
                () => this.processes.total, part => app.choose(part)), sort => {
                this.sortOfProcesses = sort;
                app.changed(['sort']);
            });
        this.tree = new CallTree(byId('tree'), {
            label: fn => app.short(fn),
            module: fn => app.functions.nameless(fn) ? ''
                : app.functions.module(fn).slice(0, 60),
            columns: (app.isDiff ? diffTreeColumns : treeColumns)(
                () => this.view),
            picked: fn => app.pick(fn),
            isFound: fn => fn >= 0 && !!app.search.found?.[fn],
        });
    }

    // On a narrow screen the module has no column.
    link(fn, label) {
        const { app } = this, isNarrow = matchMedia('(max-width: 40rem)');
        const text = isNarrow.matches && fn >= 0 ? app.labelAlone(fn) : label;

        return element('button', { type: 'button',
            title: label.slice(0, 2000), onclick: () => app.pick(fn) },
        shortenRow(text, app.nameWidth()));
    }

    *showTable() {
        const { app } = this;
        const rows = app.isDiff ? this.changes() : yield* this.functions();

        yield;
        this.top.show(rows, app.state.values.sort ||
            (app.isDiff ? 'verdict' : app.page.about.sort),
        app.selection.view.total[0]);
    }

    // Rows that are not in the graph are found by their text.
    changes() {
        const { diff, search, state } = this.app, { found } = search;
        const low = state.values.q.toLowerCase();

        return diff.rows.filter(r => !found || (r.fn >= 0 ? found[r.fn]
            : r.label.toLowerCase().includes(low)));
    }

    *functions() {
        const { app } = this, { functions, search: { found } } = app;
        const [{ own, all }] = yield* app.selection.byFunction(), rows = [];

        for (let fn = 0; fn < own.length; fn++)
            if (all[fn] && (!found || found[fn]))
                rows.push({ fn, self: own[fn], total: all[fn],
                    label: app.label(fn), waits: functions.waits(fn),
                    module: functions.module(fn) });
        return rows;
    }

    // Processes and threads by their samples of the selection.
    *showProcesses() {
        const { processes, selection: { view }, state } = this.app;
        const rows = processes.partsOf(state.values.process).map(part => ({
            ...part, self: part.threads.reduce((sum, t) =>
                sum + view.byThread[t], 0), label: part.title }));

        yield;
        this.processes.show(rows, this.sortOfProcesses, view.total[0]);
    }

    *showTree() {
        const { selection, state } = this.app;
        const view = this.view = yield* selection.shownView(
            state.values.roots);
        const total = eitherTotal(view);

        this.tree.show(new HeavyShape(view.tree, total), total);
    }
}
