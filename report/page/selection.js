// selection - the samples that everything on the page is about.

import { applyFilters, parseFilters } from './filters.js';
import { functionCounts, totals, weigh } from './model.js';
import { diffView, mixOf } from './diff.js';
import { spanOf } from './plain.js';
import { isTurn } from './work.js';

export class Selection {
    constructor(page, functions, tree) {
        Object.assign(this, { page, functions, whole: tree });
        this.filter = null;
        this.wrong = '';
        this.steps = page.rows
            ? Math.floor(page.about.data.end_ns / page.about.data.step_ns) + 1
            : 1;
    }

    threadsOf(values) {
        const threads = this.page.names.threads || [];

        return threads.map((_, i) => i).filter(i =>
            (values.thread === '' || +values.thread === i) &&
            (values.process === '' ||
                +values.process === threads[i].process));
    }

    // As --time has it; in steps.
    range(values) {
        const stepNs = this.page.about.data.step_ns;
        const [from, to, ...rest] = values.time.split(',');
        const at = (text, other) => !text || !text.trim() ? other
            : Math.round(spanOf(text) / stepNs);

        if (!values.time)
            return null;
        const range = [at(from, 0), Math.min(at(to, this.steps), this.steps)];

        if (rest.length || to === undefined || !(range[0] < range[1]))
            throw new Error('time: FROM,TO as in 1.5s,2s or 200ms,');
        return range;
    }

    // Applies the values, in steps that are shorter than a frame. A mistake
    // keeps the selection as it was.
    *update(values) {
        this.wrong = '';
        try {
            yield* this.select(values);
        } catch (error) {
            this.wrong = error.message;
        }
    }

    // All of it changes at once, in the end: what is shown stays of one piece.
    *select(values) {
        const { page } = this, range = page.rows ? this.range(values) : null;
        const rules = parseFilters(values.filter);
        const threads = this.threadsOf(values);
        const [from, to] = range || [0, this.steps];
        const isAll = !range &&
            threads.length === (page.names.threads || []).length;
        const span = { threads, rangeNow: range, from, to, isAll };
        const isKnown = this.filter === values.filter &&
            !rules.some(r => r.option === 'fold');
        const derived = isKnown ? this.derived : yield* applyFilters(page,
            this.whole, this.functions, rules,
            percent => this.smallFunctions(percent, span));

        yield;
        const view = yield* page.rows ? this.viewOfRows(derived, span)
            : this.viewOfSides(derived, values.side);

        Object.assign(this, { ...span, derived, view, tree: derived.tree,
            filter: values.filter, counts: null,
            isWhole: isAll && !rules.length });
        yield;
    }

    *viewOfRows(derived, { threads, from, to }) {
        const { tree } = derived;
        const { self, busiest } = yield* weigh(this.page.rows, derived,
            threads, from, to);

        return { tree, self, busiest, total: totals(tree, self) };
    }

    *viewOfSides(derived, side) {
        const [before, after] = this.page.tree.counts;

        return diffView(derived.tree, [yield* this.moved(derived, before),
            yield* this.moved(derived, after)], side);
    }

    // Returns a test for functions with fewer than `percent` of all samples.
    *smallFunctions(percent, span) {
        const plain = { tree: this.whole, place: null, keep: null };
        const view = yield* this.page.rows
            ? this.viewOfRows(plain, span) : this.sumOfSides();
        const { self, total } = view;
        const { all } = yield* functionCounts(this.whole, self, total,
            this.functions.count);

        if (span.isAll)
            all.set(this.inclusive(view));

        return fn => fn < all.length && all[fn] * 100 < percent * total[0];
    }

    *sumOfSides() {
        const [before, after] = this.page.tree.counts;
        const self = before.map((n, i) => n + after[i]);

        yield;
        return { self, total: totals(this.whole, self) };
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

    // By function of the profile, in the unit of the view. A tree that lacks
    // callers has too little of it.
    inclusive({ sums, side }) {
        const [before, after] = this.page.tree.inclusive;

        if (!after)
            return before;
        if (!sums)
            return before.map((n, i) => n + after[i]);
        return before.map((n, i) => mixOf(n / sums[0], after[i] / sums[1],
            side));
    }

    *byFunction() {
        if (!this.counts) {
            this.counts = yield* functionCounts(this.tree, this.view.self,
                this.view.total, this.functions.count);
            if (this.isWhole)
                this.counts.all.set(this.inclusive(this.view));
        }
        return this.counts;
    }
}
