// timeshape - a thread in order of time, as a flame graph draws it
// (shapes.js); samples far from each other leave a gap.
//
// If there are too many rows to see, a slot of time shows its heaviest stack:
// from each frame to its callee with most samples, as long as these are at
// least half of the caller's.

import { nodeOf, rowAt } from './model.js';
import { isTurn } from './work.js';

export class TimeShape {
    // made: columns of frames, lists of children; slot: steps, 0: each sample.
    constructor(tree, made, slot) {
        Object.assign(this, { tree, slot, parents: made.parent,
            nodes: made.node, x0: made.x0, x1: made.x1, lists: made.lists,
            n: made.node.length });
    }

    fn(i) {
        return this.tree.fn[this.nodes[i]];
    }

    inlined(i) {
        return this.tree.inlined[this.nodes[i]];
    }

    parent(i) {
        return this.parents[i];
    }

    node(i) {
        return this.nodes[i];
    }

    children(i) {
        return this.lists[i] || [];
    }

    place() {
    }
}

// [step, node] of the rows.
function* eachRow(rows, derived, thread, from, to) {
    const end = rowAt(rows, thread, to), list = [];

    for (let i = rowAt(rows, thread, from); i < end; i++) {
        const node = nodeOf(derived, rows, i);

        if (isTurn(i))
            yield;
        if (node >= 0)
            list.push([rows.step[i], node]);
    }
    return list;
}

function heaviest(met, sums, parent) {
    const best = new Map();
    let inner = 0;

    for (const node of met) {
        const rival = best.get(parent[node]);

        if (rival === undefined || sums[node] > sums[rival])
            best.set(parent[node], node);
    }
    for (let next; (next = best.get(inner)) !== undefined &&
        (!inner || 2 * sums[next] >= sums[inner]);)
        inner = next;
    return inner;
}

// [step, node] of the slots with samples.
function* eachSlot(rows, derived, thread, from, to, slot) {
    const { n, parent } = derived.tree, sums = new Float64Array(n);
    const end = rowAt(rows, thread, to), list = [];

    for (let i = rowAt(rows, thread, from); i < end;) {
        const stop = from + (Math.floor((rows.step[i] - from) / slot) + 1) *
            slot;
        const met = [];
        let all = 0;

        for (; i < end && rows.step[i] < stop; i++) {
            const node = nodeOf(derived, rows, i);

            if (isTurn(i))
                yield;
            if (node < 0)
                continue;
            all += rows.weight[i];
            for (let at = node; at; at = parent[at]) {
                if (!sums[at])
                    met.push(at);
                sums[at] += rows.weight[i];
            }
        }
        if (all)
            list.push([stop - slot, heaviest(met, sums, parent)]);
        for (const node of met)
            sums[node] = 0;
        yield;
    }
    return list;
}

// Goes on with those of the path that are the same.
function layPath(made, tree, path, node, x0, x1) {
    const wanted = [];

    for (let i = node; i; i = tree.parent[i])
        wanted.push(i);
    wanted.push(0);
    wanted.reverse();
    let same = 0;

    while (same < path.length && same < wanted.length &&
        made.node[path[same]] === wanted[same])
        made.x1[path[same]] = same ? x1 : 1, same++;
    const now = path.slice(0, same);

    for (; same < wanted.length; same++) {
        const parent = now[same - 1], id = made.node.length;

        made.parent.push(parent);
        made.node.push(wanted[same]);
        made.x0.push(x0);
        made.x1.push(x1);
        made.lists.push(null);
        (made.lists[parent] ||= []).push(id);
        now.push(id);
    }
    return now;
}

// gap: steps for which a sample stands at most; most: rows shown one by one.
export function* timeShape(rows, derived, thread, from, to, gap, most) {
    const { tree } = derived, span = to - from;
    const made = { parent: [-1], node: [0], x0: [0], x1: [1], lists: [[]] };
    const count = rowAt(rows, thread, to) - rowAt(rows, thread, from);
    const slot = count > most ? Math.ceil(span / most) : 0;
    const seen = yield* slot ? eachSlot(rows, derived, thread, from, to, slot)
        : eachRow(rows, derived, thread, from, to);
    let path = [0], until = from;

    for (let i = 0; i < seen.length; i++) {
        const [start, node] = seen[i];
        const next = i + 1 < seen.length ? seen[i + 1][0] : to;
        const stop = Math.min(next, start + Math.max(1, gap, slot));

        if (start > until)
            path = [0];
        path = layPath(made, tree, path, node, (start - from) / span,
            (stop - from) / span);
        until = stop;
        yield;
    }
    return new TimeShape(tree, made, slot);
}
