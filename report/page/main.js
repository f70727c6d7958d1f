// main - the page: its controls, and what follows from a change.

import { showAbout } from './about.js';
import { setTheme } from './colours.js';
import { readPage } from './data.js';
import { readDiff } from './diff.js';
import { wholeTree } from './filters.js';
import { Graphs, colourings } from './graphs.js';
import { Hottest } from './hottest.js';
import { inputs, listen, views } from './input.js';
import { Lanes } from './lanes.js';
import { Lists } from './lists.js';
import { Functions } from './model.js';
import { byId, element, setWeights, shareText, weightOf, weightText,
    weightUnitText } from './plain.js';
import { Processes, withOthers } from './processes.js';
import { Search } from './search.js';
import { Selection } from './selection.js';
import { shortenRow } from './shorten.js';
import { SourceView } from './source.js';
import { State } from './state.js';
import { Work } from './work.js';

const selecting = ['process', 'thread', 'time', 'axis', 'filter', 'waits',
    'side'];
const optionsMost = 100;

class App {
    constructor(page) {
        this.page = page;
        this.isDiff = !page.rows;
        this.functions = new Functions(page.names);
        this.processes = this.isDiff ? null : new Processes(page);
        this.selection = new Selection(page, this.functions,
            wholeTree(page.tree), this.processes);
        this.search = new Search(this.functions);
        this.diff = this.isDiff ? readDiff(page.about, this.functions) : null;
        // On a small screen the graph comes first.
        for (const id of ['asked', 'drawn'])
            byId(id).open = !matchMedia('(max-width: 40rem)').matches;
        this.state = new State((values, keys) => this.changed(keys),
            (key, value, values) => this.has(key, value, values));
        this.views = Object.keys(views).filter(view =>
            !this.isDiff || view !== 'processes');
        this.waiting = new Set();
        this.work = new Work();
        setWeights(page.about);
        showAbout(page, this.diff);
        this.fillControls();
        this.graphs = new Graphs(this);
        this.lanes = this.isDiff ? null : new Lanes(this);
        this.lists = new Lists(this);
        this.hottest = new Hottest(this);
        this.source = new SourceView(byId('source'), page);
        listen(this);
        this.changed(Object.keys(this.state.values));
    }

    // ---- what functions are called ----

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

    // ---- what can be asked ----

    // True if an address may ask for it.
    has(key, value, { process, order }) {
        const { processes, page: { tree } } = this;
        const isBelow = n => /^\d+$/.test(value) && +value < n;
        const of = { view: views, colour: colourings, order: { time: 1 },
            dir: { up: 1 }, theme: { light: 1, dark: 1 }, names: { full: 1 },
            side: { before: 1 }, waits: { all: 1 },
            roots: { process: 1, thread: 1 } }[key];

        if (key === 'process')
            return !!processes && (value.startsWith('=') ||
                isBelow(processes.list.length)) &&
                processes.chosen(value).length > 0;
        if (key === 'thread')
            return !!processes && isBelow(processes.threads.length) &&
                processes.threadsOf({ process, thread: value }).length > 0;
        if (key === 'zoom')
            return isBelow(order === 'time' ? Infinity : tree.n);
        if (key === 'fn')
            return isBelow(Infinity);
        return !of || Object.hasOwn(of, value);
    }

    pick(fn) {
        if (fn >= 0)
            this.state.set({ fn, view: 'sandwich' });
    }

    // A group or process, or a thread; the same thread again: all threads.
    choose({ process, thread, title }) {
        const { values } = this.state;

        if (title === undefined)
            return;
        if (thread === undefined)
            this.state.set({ process, thread: '', zoom: 0 });
        else
            this.state.set({ zoom: 0, thread: values.thread === String(thread)
                ? '' : thread });
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

    // By a control.
    given(id, value) {
        const values = { [id]: value };

        if (id === 'process')
            values.thread = '';
        if (['filter', 'order', 'thread', 'process'].includes(id))
            values.zoom = 0;
        this.state.set(values);
    }

    // ---- controls ----

    fillControls() {
        const option = (value, text) => element('option', { value }, text);

        for (const node of document.querySelectorAll(
            this.isDiff ? '.of-one' : '.of-two'))
            node.hidden = true;
        byId('timeline').hidden = this.isDiff;
        byId('waits').parentNode.hidden = !this.page.rows?.runs;
        for (const [key, title] of Object.entries(colourings))
            if (key !== 'change' || this.isDiff)
                byId('colour').append(option(key ===
                    (this.isDiff ? 'change' : 'module') ? '' : key, title));
        byId('tabs').append(...this.views.map(view =>
            element('button', { type: 'button', role: 'tab',
                id: 'tab-' + view, 'aria-controls': 'view-' + view,
                onclick: () => this.state.set({ view }) }, views[view])));
    }

    // The choice that is made and those that it is a part of, each with its
    // parts.
    fillProcesses() {
        const { processes } = this, { process } = this.state.values;
        const outer = processes.outerOf(process);
        const option = (of, depth) => element('option', { value: of.process },
            '\u2003'.repeat(depth) + this.partTitle(of));
        const options = parts => withOthers(parts, optionsMost)
            .filter(part => part.process !== undefined);
        const groups = options(processes.byName);
        const chosen = [outer, process].find(key => key.startsWith('='));
        const inner = !chosen ? [] : options(processes.partsOf(chosen));
        const isThere = list => list.some(part => part.process === process ||
            String(part.process) === process);

        if (process && !isThere(groups) && !isThere(inner))
            inner.push(...processes.chosen(process));
        byId('process').replaceChildren(
            element('option', { value: '' }, 'all'),
            ...groups.flatMap(part => [option(part, 0),
                ...part.process === chosen ? inner.map(one => option(one, 1))
                    : []]));
    }

    fillThreads() {
        const { processes } = this, { process } = this.state.values;
        const threads = processes.threadParts(
            processes.threadsOf({ process, thread: '' }));

        byId('thread').replaceChildren(element('option', { value: '' }, 'all'),
            ...withOthers(threads, optionsMost).map(part => element('option',
                { value: part.thread, disabled: part.isOthers },
                this.partTitle(part))));
    }

    partTitle({ title, weight }) {
        return `${title} \u00b7 ${shareText(weight, this.processes.weight)}`;
    }

    showControls() {
        const { values } = this.state;

        for (const id of inputs)
            if (byId(id).value !== values[id])
                byId(id).value = values[id];
        byId('waits').checked = values.waits === 'all';
        if (byId('search').value !== values.q)
            byId('search').value = values.q;
    }

    // ---- what follows from a change ----

    changed(keys) {
        for (const key of keys)
            this.waiting.add(key);
        if (keys.includes('theme'))
            setTheme(this.state.values.theme);
        if (keys.includes('waits') && !this.isDiff)
            this.processes = this.selection.processes = new Processes(
                this.page, this.state.values.waits === 'all');
        if ((keys.includes('process') || keys.includes('waits')) &&
            !this.isDiff) {
            this.fillProcesses();
            this.fillThreads();
        }
        this.showControls();
        this.isTold = false;
        this.work.begin(this.follow());
        if (this.work.isBusy && !this.isTold && this.waits(...selecting))
            byId('selected').textContent = 'Filtering\u2026';
    }

    waits(...keys) {
        return keys.some(key => this.waiting.has(key));
    }

    // Until all of it is done what was shown stays; a change in between
    // begins it again.
    *follow() {
        const chosen = this.waits(...selecting), { selection } = this;
        const { values } = this.state;

        if (chosen)
            yield* selection.update(values);
        if (chosen || this.waits('q'))
            yield* this.search.update(values.q, selection);
        byId('wrong').textContent = this.state.wrong +
            (selection.wrong || this.search.wrong);
        yield* this.show(chosen);
        yield* this.showMatches();
        this.waiting.clear();
    }

    *show(chosen) {
        const inTable = this.state.values.view === 'top' && this.waits('q');

        if (chosen || inTable || this.waits('view', 'order', 'dir', 'fn',
            'sort', 'names', 'roots'))
            yield* this.showView();
        else if (this.waits('zoom') &&
            +this.state.values.zoom !== this.graphs.main.zoom)
            yield* this.graphs.showMain();
        yield;
        if (this.waits('theme'))
            this.redraw();
        else if (this.waits('q', 'colour'))
            this.graphs.redraw();
        if (this.waits('q') && this.lists.tree.shape)
            this.lists.tree.mark();
        this.tellSelected();
        if (!this.isDiff && (chosen || this.waits('names')))
            yield* this.hottest.show();
        if (this.lanes && (chosen || this.waits('width')))
            yield* this.lanes.show();
    }

    redraw() {
        this.graphs.redraw();
        if (this.lanes)
            this.lanes.redraw();
    }

    tellSelected() {
        const [selected] = this.selection.view.total;
        const { weight: whole = 0, all = 0 } = this.processes || {};
        const waiting = all - whole;

        this.isTold = true;
        for (const id of ['first', 'views'])
            byId(id).classList.toggle('hidden', !selected);
        byId('nothing').hidden = !!selected;
        if (!this.page.about.data.samples)
            byId('nothing').textContent = 'The recording has no samples.';
        byId('selected').textContent = this.isDiff ? ''
            : (selected === whole ? `All ${weightUnitText(whole)}`
                : `${weightText(selected)} of ${weightUnitText(whole)}, ` +
                shareText(selected, whole)) +
            (waiting > 0 ? ` of running threads; ${shareText(waiting, all)}` +
                ' of all samples are waiting' : '');
    }

    // ---- matches of the search, in the view that is shown ----

    // Places and how they are shown; callers and callees step through
    // functions.
    *matchesOf(view) {
        const { search: { found }, graphs, lists, selection } = this;

        if (view === 'flame')
            return ['frames', yield* graphs.main.matches(found)];
        if (view === 'tree')
            return ['frames', yield* lists.tree.matches(found)];
        if (view === 'top')
            return ['functions', lists.top.rows.map((_, i) => i)];
        const [{ all }] = (yield* selection.byFunction()).slice(-1);

        return ['functions', [...all.keys()].filter(fn => found[fn] && all[fn])
            .sort((a, b) => all[b] - all[a])];
    }

    *showMatches() {
        const { search, state } = this;

        // Stepping changes only the zoom or the function.
        if (!this.waits(...selecting, 'q', 'view', 'order', 'sort'))
            return;
        const [kind, places] = search.found
            ? yield* this.matchesOf(state.values.view) : ['', []];

        search.list(places, kind);
        this.tellMatches();
    }

    tellMatches() {
        byId('matches').textContent = this.search.text;
        for (const id of ['next', 'previous'])
            byId(id).disabled = !this.search.places.length;
    }

    step(by) {
        const place = this.search.step(by), { view } = this.state.values;

        if (place === undefined)
            return;
        if (view === 'flame')
            this.graphs.main.reveal(place);
        else if (view === 'tree')
            this.lists.tree.reveal(place);
        else if (view === 'top')
            this.lists.top.reveal(place);
        else
            this.state.set({ fn: place });
        this.tellMatches();
    }

    *showView() {
        const { view } = this.state.values;
        const had = document.activeElement.closest('[role=tabpanel]');

        for (const name of this.views) {
            const tab = byId('tab-' + name), on = name === view;

            tab.setAttribute('aria-selected', String(on));
            tab.tabIndex = on ? 0 : -1;
            byId('view-' + name).hidden = !on;
        }
        if (view === 'top')
            yield* this.lists.showTable();
        else if (view === 'tree')
            yield* this.lists.showTree();
        else if (view === 'processes')
            yield* this.lists.showProcesses();
        else if (view === 'sandwich')
            yield* this.showSandwich();
        else
            yield* this.graphs.showMain();
        if (had?.hidden)
            document.querySelector(`#view-${view} :is(h2, canvas, tbody ` +
                'button, tr[tabindex])')?.focus();
    }

    *showSandwich() {
        const sides = yield* this.selection.byFunction();
        const { own, total } = sides[sides.length - 1];
        let fn = this.state.values.fn === '' ? -1 : +this.state.values.fn;

        if (!(fn >= 0 && fn < own.length))
            fn = own.reduce((best, n, i) => n > own[best] ? i : best, 0);
        const amounts = key => this.graphs.amounts(sides.map(s => s[key][fn]),
            this.isDiff ? 1 : total);

        byId('picked').textContent = `${shortenRow(this.label(fn), 400)} \u00b7 ` +
            `${this.functions.module(fn).slice(0, 200)} \u00b7 total ` +
            `${amounts('all')} \u00b7 self ${amounts('own')}`;
        this.source.show(fn, this.isDiff ? !this.state.values.filter
            : total === this.processes.weight);
        yield* this.graphs.showSandwich(fn);
    }
}

try {
    window.topfnPage = new App(await readPage());
} catch (error) {
    byId('wrong').textContent = 'This browser cannot show the page: ' +
        error.message;
    throw error;
}
