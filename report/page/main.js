// main - the page: controls, views, and what follows from a change.

import { showAbout } from './about.js';
import { kindBar, setTheme } from './colours.js';
import { readPage } from './data.js';
import { diffColumns, diffTreeColumns, readDiff } from './diff.js';
import { wholeTree } from './filters.js';
import { Graphs, colourings } from './graphs.js';
import { inputs, listen, views } from './input.js';
import { Functions, nodeOf } from './model.js';
import { searched } from './pattern.js';
import { byId, countText, element, shareText } from './plain.js';
import { Selection } from './selection.js';
import { HeavyShape } from './shapes.js';
import { shortenRow } from './shorten.js';
import { SourceView } from './source.js';
import { State } from './state.js';
import { Table, functionColumns } from './table.js';
import { Timeline } from './timeline.js';
import { CallTree, treeColumns } from './tree.js';

const selecting = ['process', 'thread', 'time', 'filter', 'side'];
const sliceMs = 30;

class App {
    constructor(page) {
        this.page = page;
        this.isDiff = !page.rows;
        this.functions = new Functions(page.names);
        this.selection = new Selection(page, this.functions,
            wholeTree(page.tree));
        this.state = new State((values, keys) => this.changed(keys));
        showAbout(page);
        this.fillControls();
        this.graphs = new Graphs(this);
        this.timeline = this.isDiff ? null : new Timeline(byId('timeline'), {
            chosen: (from, to) => this.chooseTime(from, to),
            lane: i => this.chooseLane(i),
        });
        this.fillTable();
        this.source = new SourceView(byId('source'), page);
        this.tree = new CallTree(byId('tree'), {
            label: fn => this.short(fn),
            module: fn => this.functions.nameless(fn) ? ''
                : this.functions.module(fn).slice(0, 60),
            columns: (this.isDiff ? diffTreeColumns : treeColumns)(
                () => this.selection.view),
            picked: fn => this.pick(fn),
        });
        listen(this);
        this.changed(Object.keys(this.state.values));
    }

    label(fn) {
        return this.state.values.names === 'full' ? this.functions.name(fn)
            : this.functions.label(fn);
    }

    // Where no module stands beside it.
    labelAlone(fn) {
        const label = this.label(fn);

        return label.startsWith('[') && this.functions.nameless(fn)
            ? this.functions.module(fn) + ' ' + label : label;
    }

    // Characters that a table has for a name.
    nameWidth() {
        return Math.max(30, Math.floor((innerWidth - 420) / 7));
    }

    short(fn) {
        return shortenRow(this.labelAlone(fn), this.nameWidth());
    }

    matched() {
        return this.found;
    }

    pick(fn) {
        if (fn >= 0)
            this.state.set({ fn, view: 'sandwich' });
    }

    // Adds an option about a function to the line of filters.
    ask(option, fn) {
        const module = this.functions.module(fn);
        const pattern = ((module && module + '!') + this.functions.label(fn))
            .replace(/['*]/g, '?');

        if (fn >= 0 && !this.isDiff)
            this.given('filter', (this.state.values.filter +
                ` --${option} '${pattern}'`).trim());
    }

    chooseTime(from, to) {
        const ms = step =>
            +(step * this.page.about.data.step_ns / 1e6).toFixed(6) + 'ms';

        this.state.set({ time: from === null ? '' : ms(from) + ',' + ms(to),
            zoom: this.state.values.order === 'time' ? 0
                : this.state.values.zoom });
    }

    lanes() {
        const { names } = this.page, values = this.state.values;
        const threads = this.selection.threadsOf({ ...values, thread: '' });
        const processes = names.processes.map((title, i) => ({ title, i,
            threads: threads.filter(t => names.threads[t].process === i) }));

        if (values.process === '' && names.processes.length > 1)
            return processes.map(p => ({ ...p, process: p.i }));
        return threads.map(t => ({ title: this.threadTitle(t), thread: t,
            threads: [t] }));
    }

    chooseLane(i) {
        const lane = this.lanes()[i], values = this.state.values;

        if (lane.process !== undefined)
            this.state.set({ process: lane.process, thread: '' });
        else
            this.state.set({ thread: +values.thread === lane.thread &&
                values.thread !== '' ? '' : lane.thread });
    }

    threadTitle(t) {
        const { name, tid } = this.page.names.threads[t];

        return name ? `${name} (${tid})` : `thread ${tid}`;
    }

    // ---- what is there from the beginning ----

    fillControls() {
        const { names } = this.page;
        const option = (value, text) => element('option', { value }, text);

        for (const node of document.querySelectorAll(
            this.isDiff ? '.of-one' : '.of-two'))
            node.hidden = true;
        byId('timeline').hidden = this.isDiff;
        for (const [key, title] of Object.entries(colourings))
            if (key !== 'change' || this.isDiff)
                byId('colour').append(option(key ===
                    (this.isDiff ? 'change' : 'module') ? '' : key, title));
        if (!this.isDiff)
            byId('process').append(option('', 'all'),
                ...names.processes.map((title, i) => option(i, title)));
        byId('tabs').append(...Object.entries(views).map(([view, title]) =>
            element('button', { type: 'button', role: 'tab',
                id: 'tab-' + view, 'aria-controls': 'view-' + view,
                onclick: () => this.state.set({ view }) }, title)));
    }

    fillThreads() {
        const values = this.state.values;
        const of = this.selection.threadsOf({ ...values, thread: '' });

        byId('thread').replaceChildren(element('option', { value: '' }, 'all'),
            ...of.map(t => element('option', { value: t },
                this.threadTitle(t))));
    }

    fillTable() {
        const link = (fn, label) => {
            const text = innerWidth < 640 && fn >= 0 ? this.labelAlone(fn)
                : label;

            return element('button', { type: 'button',
                title: label.slice(0, 2000), onclick: () => this.pick(fn) },
            shortenRow(text, this.nameWidth()));
        };

        if (this.isDiff) {
            this.diff = readDiff(this.page.about);
            this.columns = diffColumns(row => link(
                this.page.names.labels.indexOf(row.label), row.label));
        } else {
            this.columns = functionColumns(this.page.names.waits.includes(1),
                () => this.top.total, link);
        }
        this.top = new Table(byId('top'), 'Functions', this.columns,
            sort => this.state.set({ sort }));
    }

    // ---- what follows ----

    given(id, value) {
        const values = { [id]: value };

        if (id === 'process')
            values.thread = '';
        if (['filter', 'order', 'thread', 'process'].includes(id))
            values.zoom = 0;
        this.state.set(values);
    }

    changed(keys) {
        const { values } = this.state;

        this.waiting = new Set([...this.waiting || [], ...keys]);
        if (this.waits('theme'))
            setTheme(values.theme);
        if (keys.includes('process') && !this.isDiff)
            this.fillThreads();
        for (const id of inputs)
            if (byId(id).value !== values[id])
                byId(id).value = values[id];
        if (byId('search').value !== values.q)
            byId('search').value = values.q;
        clearTimeout(this.turn);
        this.work(this.waits(...selecting) ? this.selection.update(values)
            : [][Symbol.iterator]());
    }

    waits(...keys) {
        return keys.some(key => this.waiting.has(key));
    }

    // As much as a frame has time for; until all is done what was shown stays.
    work(steps) {
        const end = performance.now() + sliceMs;

        while (!steps.next().done)
            if (performance.now() > end) {
                byId('selected').textContent = 'Filtering\u2026';
                this.turn = setTimeout(() => this.work(steps));
                return;
            }
        this.show();
        this.waiting.clear();
    }

    show() {
        const chosen = this.waits(...selecting), large = 50000;

        if (chosen || this.waits('q'))
            this.search();
        byId('wrong').textContent = this.selection.wrong || this.searchWrong;
        if (!this.selection.view)
            return;
        if (!this.isDiff && this.waits(...selecting, 'theme')) {
            if (this.selection.whole.n < large)
                this.showTimeline();
            else
                this.turn = setTimeout(() => this.showTimeline());
        }
        if (chosen || this.waits('view', 'order', 'dir', 'fn', 'sort', 'names'))
            this.showView();
        else if (this.waits('zoom') &&
            +this.state.values.zoom !== this.graphs.main.zoom)
            this.graphs.showMain();
        if (this.waits('q', 'colour', 'theme'))
            this.redraw();
        this.tellSelected();
    }

    search() {
        const text = this.state.values.q, { view } = this.selection;

        this.searchWrong = '';
        this.found = null;
        this.share = '';
        try {
            this.found = searched(this.functions, text);
        } catch (error) {
            this.searchWrong = 'search: ' + error.message;
        }
        if (!this.found || !view)
            return;
        const { parent, fn, n } = view.tree, covered = new Uint8Array(n);
        let sum = 0;

        for (let i = 1; i < n; i++) {
            covered[i] = covered[parent[i]] | this.found[fn[i]];
            if (covered[i])
                sum += view.self[i];
        }
        this.share = `; ${shareText(sum, view.total[0])} have "${text}"`;
    }

    tellSelected() {
        const { view } = this.selection, { about, rows } = this.page;
        const whole = rows ? about.trace.samples : 0;

        byId('selected').textContent = this.isDiff ? this.share.slice(2)
            : (view.total[0] === whole ? `All ${countText(whole)} ` +
                about.unit
                : `${countText(view.total[0])} of ${countText(whole)} ` +
                `${about.unit}, ${shareText(view.total[0], whole)}`) +
                this.share;
    }

    showTimeline() {
        const { derived } = this.selection, { page } = this;
        const { kinds } = page.names, { rows } = page;
        const kindOfNode = Uint8Array.from(derived.tree.fn, fn =>
            this.functions.kind(fn));
        const used = new Uint8Array(kinds.length);
        const kindOf = i => {
            const node = nodeOf(derived, rows, i);

            if (node < 0)
                return -1;
            used[kindOfNode[node]] = 1;
            return kindOfNode[node];
        };

        this.timeline.show(page.rows, this.lanes(), kindOf, kinds,
            this.selection.steps, page.about.data.step_ns,
            this.selection.rangeNow);
        byId('legend').replaceChildren(...kinds.map((kind, i) => [kind, i])
            .filter(([, i]) => used[i]).map(([kind]) => {
                const mark = element('i', { 'aria-hidden': 'true' });

                mark.style.background = kindBar(kind);
                return element('span', {}, mark, kind);
            }));
    }

    showView() {
        const { view } = this.state.values;

        for (const name of Object.keys(views)) {
            const tab = byId('tab-' + name), on = name === view;

            tab.setAttribute('aria-selected', String(on));
            tab.tabIndex = on ? 0 : -1;
            byId('view-' + name).hidden = !on;
        }
        if (view === 'top')
            this.showTable();
        else if (view === 'tree')
            this.showTree();
        else if (view === 'sandwich')
            this.showSandwich();
        else
            this.graphs.showMain();
    }

    showTable() {
        const only = byId('only').value, { functions } = this;
        const { view } = this.selection, sort = this.state.values.sort;
        let rows;

        if (this.isDiff) {
            const low = only.toLowerCase();

            rows = this.diff.rows.filter(r => !low ||
                r.label.toLowerCase().includes(low));
        } else {
            const { own, all } = this.selection.byFunction();
            const found = this.onlyOf(only);

            rows = [];
            for (let fn = 0; fn < own.length; fn++)
                if (all[fn] && (!found || found[fn]))
                    rows.push({ fn, self: own[fn], total: all[fn],
                        label: this.label(fn), waits: functions.waits(fn),
                        module: functions.module(fn) });
        }
        this.top.show(rows, sort || (this.isDiff ? 'verdict' : this.page.about.sort),
            view.total[0]);
    }

    onlyOf(text) {
        try {
            return searched(this.functions, text);
        } catch {
            return null;
        }
    }

    showTree() {
        const { view } = this.selection;

        this.tree.show(new HeavyShape(view.tree, view.total), view.total);
    }

    showSandwich() {
        const { values } = this.state, { own, all } =
            this.selection.byFunction();
        let fn = values.fn === '' ? -1 : +values.fn;

        if (!(fn >= 0 && fn < own.length))
            fn = own.reduce((best, n, i) => n > own[best] ? i : best, 0);
        const total = this.selection.view.total[0];
        const amount = n => this.isDiff ? shareText(n, total)
            : `${countText(n)}, ${shareText(n, total)}`;

        byId('picked').textContent = `${shortenRow(this.label(fn), 400)} \u00b7 ` +
            `${this.functions.module(fn).slice(0, 200)} \u00b7 total ${amount(all[fn])} ` +
            `\u00b7 self ${amount(own[fn])}`;
        this.graphs.showSandwich(fn);
        this.source.show(fn, total === this.page.about.trace?.samples);
    }

    redraw() {
        this.graphs.redraw();
        if (this.timeline)
            this.showTimeline();
    }
}

try {
    window.topfnPage = new App(await readPage());
} catch (error) {
    byId('wrong').textContent = 'This browser cannot show the page: ' +
        error.message;
    throw error;
}
