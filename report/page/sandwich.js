// sandwich - one function: its callers above, what it called below.

import { drawnOf } from './diff.js';
import { Builder, totals } from './model.js';
import { isTurn } from './work.js';

// Adds the stacks above it to a tree that begins with the function.
function* addCallers(made, tree, { total }, fn) {
    const outer = yield* tree.outermost();

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
}

// Adds the callees of a function, from all its callers.
function* addCallees(made, tree, { self, total }, fn) {
    const outer = yield* tree.outermost();
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
}

// {tree, self, total}; of two sides with `sides`, as in the view.
function* built(view, fn, drawn, add) {
    const made = new Builder(), counts = [];

    for (const side of view.sides || [view]) {
        made.self.fill(0);
        yield* add(made, view.tree, side, fn);
        counts.push(made.self);
        made.self = made.self.slice();
    }
    const tree = made.tree(), sides = counts.map(own => {
        const self = new Float64Array(tree.n);

        self.set(own.subarray(0, tree.n));
        return { self, total: totals(tree, self) };
    });

    return { tree, ...drawnOf(sides, drawn), sides: view.sides && sides };
}

export const callersOf = (view, fn, drawn) =>
    built(view, fn, drawn, addCallers);

export const calleesOf = (view, fn, drawn) =>
    built(view, fn, drawn, addCallees);
