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

    // `view`: of the selection; null: there is none yet.
    *update(text, view) {
        let found = null, share = '';

        this.wrong = '';
        try {
            found = yield* searched(this.functions, text);
        } catch (error) {
            this.wrong = 'search: ' + error.message;
        }
        if (found && view)
            share = '; ' + shareText(yield* this.covered(found, view),
                view.total[0]) + ` have "${text}"`;
        Object.assign(this, { found, share });
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
