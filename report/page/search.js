// search - which functions a text means, and the share of the samples that
// have one of them.

import { searched } from './pattern.js';
import { shareText } from './plain.js';
import { isTurn } from './work.js';

export class Search {
    constructor(functions) {
        this.functions = functions;
        this.found = null; // by function, or null: nothing is sought
        this.wrong = this.share = '';
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
            share = '; ' + (yield* this.shareOf(found, selection)) +
                ` have "${text}"`;
        Object.assign(this, { found, share });
    }

    // Exact of one function; of several a tree that lacks callers has too few.
    *shareOf(found, selection) {
        const { view, page } = selection;
        const { all } = yield* selection.byFunction();
        const among = [...found.keys()].filter(fn => found[fn] && all[fn]);
        const most = among.reduce((n, fn) => Math.max(n, all[fn]),
            yield* this.covered(found, view));
        const isExact = !page.about.data.samples_left_out ||
            (selection.isWhole && among.length < 2);

        return (isExact ? '' : 'at least ') + shareText(most, view.total[0]);
    }

    *covered(found, { tree, self }) {
        const { parent, fn, n } = tree, covered = new Uint8Array(n);
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
}
