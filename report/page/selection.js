// selection - the samples that everything on the page is about.

import { applyFilters, parseFilters } from './filters.js';
import { functionCounts, nodeOf, rowAt, totals, weigh } from './model.js';
import { diffView } from './diff.js';
import { spanOf } from './plain.js';

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

    // What the values ask for, in steps that are shorter than a frame; on a
    // mistake what was there stays.
    *update(values) {
        this.wrong = '';
        try {
            yield* this.select(values);
        } catch (error) {
            this.wrong = error.message;
        }
    }

    *select(values) {
        const { page } = this, range = page.rows ? this.range(values) : null;
        const rules = parseFilters(values.filter);
        const threads = this.threadsOf(values);
        const [from, to] = range || [0, this.steps];
        const plain = { tree: this.whole, place: null, keep: null };
        const bySide = page.tree.counts;
        const weights = derived => page.rows
            ? weigh(page.rows, derived, threads, from, to) : null;

        if (this.filter !== values.filter || rules.some(r =>
            r.option === 'fold-percent')) {
            const small = percent => {
                const self = weights(plain) ||
                    bySide[0].map((n, i) => n + bySide[1][i]);
                const total = totals(this.whole, self);
                const { all } = functionCounts(this.whole, self, total,
                    this.functions.count);

                return fn => fn < all.length &&
                    all[fn] * 100 < percent * total[0];
            };

            this.derived = yield* applyFilters(page, this.whole, this.functions,
                rules, small);
            this.filter = values.filter;
            yield;
        }
        Object.assign(this, { threads, rangeNow: range, from, to });
        this.tree = this.derived.tree;
        if (page.rows) {
            const self = weights(this.derived);

            this.view = { tree: this.tree, self,
                total: totals(this.tree, self) };
        } else {
            this.view = diffView(this.tree, bySide.map(c => this.moved(c)),
                values.side);
        }
        this.counts = null;
        yield;
    }

    // Counts of the tree as it is, by node as the filters leave it.
    moved(counts) {
        const { place, tree } = this.derived;
        const sums = new Float64Array(tree.n);

        for (let i = 0; i < counts.length; i++) {
            const to = place ? place[i] : i;

            if (to >= 0)
                sums[to] += counts[i];
        }
        return sums;
    }

    byFunction() {
        this.counts ||= functionCounts(this.tree, this.view.self,
            this.view.total, this.functions.count);
        return this.counts;
    }

    // Where most of the selected samples of a thread are.
    busiestThread() {
        const { rows } = this.page;
        let best, most = -1;

        for (const t of this.threads) {
            const end = rowAt(rows, t, this.to);
            let sum = 0;

            for (let i = rowAt(rows, t, this.from); i < end; i++)
                if (nodeOf(this.derived, rows, i) >= 0)
                    sum += rows.weight[i];
            if (sum > most)
                [best, most] = [t, sum];
        }
        return best;
    }
}
