// selection - the samples that everything on the page is about.

import { applyFilters, parseFilters } from './filters.js';
import { functionCounts, totals, weigh } from './model.js';
import { diffView } from './diff.js';
import { notValid, percentOf } from './options.js';
import { spanOf } from './plain.js';
import { withOthers } from './processes.js';
import { joinedView, rootedView } from './shown.js';
import { isTurn } from './work.js';

const rootsMost = 100; // processes or threads as roots

export class Selection {
    // processes: of the page of a recording, not of a diff.
    constructor(page, functions, tree, processes) {
        Object.assign(this, { page, functions, whole: tree, processes });
        this.filter = null;
        this.wrong = '';
        this.steps = page.rows
            ? Math.floor((page.about.data.end_ns -
                (page.about.data.begin_ns || 0)) / page.about.data.step_ns) + 1
            : 1;
    }

    // As --time has it; in steps.
    range(time) {
        const { about } = this.page, { begin_ns: begin = 0 } = about.data;
        const [from, to, ...rest] = time.split(',');
        const inPercent = time.includes('%');
        const nsOf = text => !inPercent ? spanOf(text)
            : begin + percentOf(text) / 100 * about.trace.duration_ns;
        const at = (text, other) => !text || !text.trim() ? other
            : Math.max(0, Math.round((nsOf(text) - begin) /
                about.data.step_ns));

        if (!time)
            return null;
        const range = [at(from, 0), Math.min(at(to, this.steps), this.steps)];

        if (rest.length || to === undefined || !(range[0] < range[1]))
            throw notValid('time', time);
        return range;
    }

    // Applies the values, in steps that are shorter than a frame. A mistake
    // keeps the selection as it was; at first it is all samples.
    *update(values) {
        this.wrong = '';
        try {
            yield* this.select(values);
        } catch (error) {
            this.wrong = error.message;
            if (!this.view)
                yield* this.select({ ...values, time: '', axis: '',
                    filter: '' });
        }
    }

    // All of it changes at once, in the end: what is shown stays of one piece.
    *select(values) {
        const { page } = this, range = page.rows ? this.range(values.time) : null;
        const rules = parseFilters(values.filter);
        const threads = this.processes ? this.processes.threadsOf(values) : [];
        const [from, to] = range || [0, this.steps];
        const window = page.rows && this.range(values.axis) || [0, this.steps];
        const isAll = !range &&
            threads.length === (page.names.threads || []).length;
        const span = { threads, rangeNow: range, from, to, isAll };
        const isKnown = this.filter === values.filter &&
            this.waits === values.waits && !rules.some(r => r.option === 'fold');
        const derived = isKnown ? this.derived : yield* applyFilters(page,
            this.whole, this.functions, rules,
            percent => this.smallFunctions(percent, span));

        if (!isKnown && page.rows?.runs && values.waits !== 'all')
            derived.keep = yield* this.keepRunning(derived.keep);

        yield;
        const view = yield* page.rows ? this.viewOfRows(derived, span)
            : this.viewOfSides(derived, values.side);
        const shown = yield* joinedView(view, this.functions, values.side);

        Object.assign(this, { ...span, window, derived, view, shown, rooted: null, tree: derived.tree,
            chosen: values.process, filter: values.filter,
            waits: values.waits, counts: null,
            isWhole: isAll && !rules.length });
        yield;
    }

    // As graphs draw it: roots is '', 'process' or 'thread'.
    *shownView(roots) {
        const { processes, page } = this;

        if (!roots || !processes)
            return this.shown;
        if (this.rooted?.roots !== roots) {
            const kept = new Set(this.threads);
            const chosen = processes.chosen(this.chosen);
            const parts = roots === 'thread'
                ? processes.threadParts(this.threads)
                : chosen.length < 2 ? chosen : processes.partsOf(this.chosen);

            this.rooted = { roots, view: yield* rootedView(this,
                this.functions, page.rows, withOthers(parts.map(part => ({
                    ...part, threads: part.threads.filter(t =>
                        kept.has(t)) })), rootsMost)) };
        }
        return this.rooted.view;
    }

    // By row whether it stays: those of running threads.
    *keepRunning(keep) {
        const { runs } = this.page.rows, kept = Uint8Array.from(runs);

        for (let i = 0; keep && i < kept.length; i++) {
            if (isTurn(i))
                yield;
            kept[i] &= keep[i];
        }
        return kept;
    }

    *viewOfRows(derived, { threads, from, to }) {
        const { tree } = derived;
        const { self, busiest, byThread } = yield* weigh(this.page.rows, derived,
            threads, from, to);

        return { tree, self, busiest, byThread, total: totals(tree, self) };
    }

    *viewOfSides(derived, side) {
        const [before, after] = this.page.tree.counts;

        return diffView(derived.tree, [yield* this.moved(derived, before),
            yield* this.moved(derived, after)], side);
    }

    // Returns a test for functions with fewer than `percent` of all samples.
    *smallFunctions(percent, span) {
        const plain = { tree: this.whole, place: null, keep: null };
        const { self, total } = yield* this.viewOfRows(plain, span);
        const { all } = yield* functionCounts(this.whole, self, total,
            this.functions.count);

        if (span.isAll)
            all.set(this.page.tree.inclusive[0]);

        return fn => fn < all.length && all[fn] * 100 < percent * total[0];
    }

    // Counts of the tree as it is, by node as the filters leave it.
    *moved({ place, tree }, counts) {
        const sums = new Float64Array(tree.n);

        for (let i = 0; i < counts.length; i++) {
            const to = place ? place[i] : i;

            if (isTurn(i))
                yield;
            if (to >= 0)
                sums[to] += counts[i];
        }
        return sums;
    }

    // By function: {own, all} and what they were counted from, {self, total};
    // of two sides a list of both, else a list of one.
    *byFunction() {
        if (this.counts)
            return this.counts;
        const { view, tree, page, isWhole } = this, counts = [];
        const sides = view.sides || [view];
        const isRunning = page.rows?.runs && this.waits !== 'all';

        for (const [k, { self, total, sum = 1 }] of sides.entries()) {
            const { own, all } = yield* functionCounts(tree, self, total,
                this.functions.count);

            // A tree that lacks callers has too little of it.
            if (isWhole)
                all.set(page.tree.inclusive[isRunning ? 1 : k].map(n =>
                    n / sum));
            counts.push({ own, all, self, total: total[0] });
        }
        return this.counts = counts;
    }
}
