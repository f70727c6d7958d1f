// search - which functions a text means, in every view; the share of the
// samples that have one of them; and where they are, one after the other.

import { searched } from './pattern.js';
import { countText, shareText } from './plain.js';
import { isTurn } from './work.js';

export class Search {
    constructor(functions) {
        this.functions = functions;
        this.found = null; // by function, or null: nothing is sought
        this.wrong = this.share = '';
        this.list([], '');
    }

    // Without a view there is no selection yet.
    *update(text, selection) {
        const { view } = selection;

        let found = null, share = '';

        this.wrong = '';
        try {
            found = yield* searched(this.functions, text);
        } catch (error) {
            this.wrong = 'search: ' + error.message;
        }
        if (found && view)
            share = yield* this.shareOf(found, selection);
        Object.assign(this, { found, share });
    }

    // The share on each side.
    *shareOf(found, selection) {
        const { view, page } = selection, shares = [];
        let isLess = false;

        for (const { all, self, total } of yield* selection.byFunction()) {
            const among = [...found.keys()].filter(fn => found[fn] && all[fn]);
            const most = among.reduce((n, fn) => Math.max(n, all[fn]),
                yield* this.covered(found, view.tree, self));

            // Exact of one function; of several a tree that lacks callers has
            // too few.
            isLess ||= page.about.data.samples_left_out &&
                !(selection.isWhole && among.length < 2);
            shares.push(shareText(most, total));
        }
        return (isLess ? 'at least ' : '') + shares.join(' \u2192 ');
    }

    *covered(found, { parent, fn, n }, self) {
        const covered = new Uint8Array(n);
        let sum = 0;

        for (let i = 1; i < n; i++) {
            if (isTurn(i))
                yield;
            covered[i] = covered[parent[i]] | found[fn[i]];
            if (covered[i])
                sum += self[i];
        }
        return sum;
    }

    // Takes the view's places in the order of `step`; kind: "frames",
    // "functions".
    list(places, kind) {
        Object.assign(this, { places, kind, at: -1 });
    }

    // The next place, or the one before; undefined: there is none.
    step(by) {
        const n = this.places.length;

        if (n)
            this.at = this.at < 0 ? by > 0 ? 0 : n - 1 : (this.at + by + n) % n;
        return this.places[this.at];
    }

    get text() {
        const n = this.places.length, kind = n === 1
            ? this.kind.slice(0, -1) : this.kind;

        if (!this.found)
            return '';
        return (this.at < 0 ? countText(n)
            : `${countText(this.at + 1)} of ${countText(n)}`) +
            ` ${kind} \u00b7 ${this.share} of samples`;
    }
}
