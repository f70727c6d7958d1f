// sandwich - one function: its callers above, what it called below.

import { Builder, totals } from './model.js';
import { isTurn } from './work.js';

// The stacks above it, as a tree that begins with the function.
export function* callersOf(tree, total, fn) {
    const made = new Builder(), outer = yield* tree.outermost();

    for (let i = 1; i < tree.n; i++) {
        if (isTurn(i))
            yield;
        if (tree.fn[i] !== fn || !outer[i] || !total[i])
            continue;
        let to = 0;

        for (let at = i; at; at = tree.parent[at])
            to = made.child(to, tree.fn[at], at === i ? 0 : tree.inlined[at]);
        made.self[to] += total[i];
        yield;
    }
    return made;
}

// The callees of a function, from all its callers.
export function* calleesOf(tree, self, total, fn) {
    const made = new Builder(), outer = yield* tree.outermost();
    const place = new Int32Array(tree.n).fill(-1);

    for (let i = 1; i < tree.n; i++) {
        const above = place[tree.parent[i]];

        if (isTurn(i))
            yield;
        if (!total[i])
            continue;
        if (above > 0)
            place[i] = made.child(above, tree.fn[i], tree.inlined[i]);
        else if (tree.fn[i] === fn && outer[i])
            place[i] = made.child(0, fn, 0);
        if (place[i] > 0)
            made.self[place[i]] += self[i];
    }
    return made;
}

export function finished(made) {
    const tree = made.tree(), self = made.self.slice(0, made.n);

    return { tree, self, total: totals(tree, self) };
}
