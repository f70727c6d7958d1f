// shown - a view as graphs and the call tree draw it: callers and callees of
// one module without names are one frame, and processes or threads may be the
// roots.

import { drawnOf } from './diff.js';
import { Builder, nodeOf, rowAt, totals } from './model.js';
import { isTurn } from './work.js';

function* hasRuns({ n, fn, parent }, functions) {
    for (let i = 1; i < n; i++) {
        if (isTurn(i))
            yield;
        if (fn[i] === fn[parent[i]] && functions.nameless(fn[i]))
            return true;
    }
    return false;
}

// view: {tree, self, total}, and `sides` of both in a comparison.
export function* joinedView(view, functions, side) {
    const { tree } = view;

    if (!(yield* hasRuns(tree, functions)))
        return view;
    const made = new Builder(tree.n), place = new Int32Array(tree.n);

    for (let i = 1; i < tree.n; i++) {
        const above = place[tree.parent[i]], fn = tree.fn[i];

        if (isTurn(i))
            yield;
        place[i] = functions.nameless(fn) && made.fn[above] === fn ? above
            : made.child(above, fn, tree.inlined[i]);
    }
    const joined = made.tree();
    const moved = ({ self: own, ...rest }) => {
        const self = new Float64Array(joined.n);

        for (let i = 0; i < tree.n; i++)
            self[place[i]] += own[i];
        return { ...rest, self, total: totals(joined, self) };
    };
    const sides = view.sides && view.sides.map(moved);

    yield;
    return { ...view, ...sides ? drawnOf(sides, side) : moved(view), sides,
        tree: joined };
}

// Each part {title, threads} is a frame below all that its threads ran.
export function* rootedView(selection, functions, rows, parts) {
    const { derived, from, to } = selection, { tree } = derived;
    const made = new Builder(tree.n), path = [];
    const place = new Int32Array(tree.n), owner = new Int32Array(tree.n);

    for (const [k, { title, threads }] of parts.entries()) {
        const root = made.child(0, functions.group('root\0' + title, title, '',
            0), 0);

        for (const t of threads) {
            const end = rowAt(rows, t, to);

            for (let i = rowAt(rows, t, from); i < end; i++) {
                let at = nodeOf(derived, rows, i);

                if (isTurn(i))
                    yield;
                if (at < 0)
                    continue;
                const node = at;

                for (; at && owner[at] !== k + 1; at = tree.parent[at])
                    path.push(at);
                let to = at ? place[at] : root;

                while (path.length) {
                    const inner = path.pop(), fn = tree.fn[inner];

                    to = functions.nameless(fn) && made.fn[to] === fn ? to
                        : made.child(to, fn, tree.inlined[inner]);
                    place[inner] = to;
                    owner[inner] = k + 1;
                }
                made.self[node ? place[node] : root] += rows.weight[i];
            }
        }
        yield;
    }
    const built = made.tree(), self = made.self.slice(0, made.n);

    return { tree: built, self, total: totals(built, self) };
}
