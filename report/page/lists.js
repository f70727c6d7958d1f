// lists - the table of functions, or of what changed, and the call tree.

import { diffColumns, diffTreeColumns, readDiff } from './diff.js';
import { searched } from './pattern.js';
import { byId, element } from './plain.js';
import { HeavyShape } from './shapes.js';
import { shortenRow } from './shorten.js';
import { Table, functionColumns } from './table.js';
import { CallTree, treeColumns } from './tree.js';

export class Lists {
    // app: page, isDiff, functions, selection, state, label(fn), short(fn).
    constructor(app) {
        this.app = app;
        this.diff = app.isDiff ? readDiff(app.page.about) : null;
        this.columns = app.isDiff ? diffColumns(row => this.link(
            this.functionOf(row), row.label))
            : functionColumns(app.page.names.waits.includes(1),
                () => this.top.total, (fn, label) => this.link(fn, label));
        this.top = new Table(byId('top'), 'Functions', this.columns,
            sort => app.state.set({ sort }));
        this.tree = new CallTree(byId('tree'), {
            label: fn => app.short(fn),
            module: fn => app.functions.nameless(fn) ? ''
                : app.functions.module(fn).slice(0, 60),
            columns: (app.isDiff ? diffTreeColumns : treeColumns)(
                () => app.selection.view),
            picked: fn => app.pick(fn),
        });
    }

    // The function of a row of a diff; -1: it is not in the graph.
    functionOf({ label, module }) {
        const { functions } = this.app;

        this.ids ||= new Map(Array.from({ length: functions.recorded },
            (_, fn) => [functions.module(fn) + '\0' + functions.label(fn),
                fn]));
        return this.ids.get(module + '\0' + label) ?? -1;
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
        const { app } = this, only = byId('only').value;
        const rows = app.isDiff ? this.changes(only.toLowerCase())
            : yield* this.functions(only);

        yield;
        this.top.show(rows, app.state.values.sort ||
            (app.isDiff ? 'verdict' : app.page.about.sort),
        app.selection.view.total[0]);
    }

    changes(only) {
        return this.diff.rows.filter(r => !only ||
            r.label.toLowerCase().includes(only));
    }

    *functions(only) {
        const { app } = this, { functions } = app, rows = [];
        const { own, all } = yield* app.selection.byFunction();
        let found = null;

        try {
            found = yield* searched(functions, only);
        } catch {
            // Not yet a pattern: all are shown.
        }
        for (let fn = 0; fn < own.length; fn++)
            if (all[fn] && (!found || found[fn]))
                rows.push({ fn, self: own[fn], total: all[fn],
                    label: app.label(fn), waits: functions.waits(fn),
                    module: functions.module(fn) });
        return rows;
    }

    showTree() {
        const { view } = this.app.selection;

        this.tree.show(new HeavyShape(view.tree, view.total), view.total);
    }
}
