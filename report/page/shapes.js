// shapes - shapes: what a flame graph draws, with a place for every node.

import { nodeOf, rowAt } from './model.js';

// Largest first. Places are from 0 to 1 and known once the children of a
// node's parent were asked for.
export class HeavyShape {
    constructor(tree, total) {
        Object.assign(this, { tree, total });
        this.x0 = new Float64Array(tree.n);
        this.x1 = new Float64Array(tree.n);
        this.x1[0] = 1;
        this.sorted = new Map();
    }

    fn(i) {
        return this.tree.fn[i];
    }

    inlined(i) {
        return this.tree.inlined[i];
    }

    parent(i) {
        return this.tree.parent[i];
    }

    node(i) {
        return i;
    }

    get n() {
        return this.tree.n;
    }

    children(i) {
        const { total, tree, x0, x1 } = this;

        if (!this.sorted.has(i)) {
            const { first, list } = tree.children;
            const own = list.slice(first[i], first[i + 1])
                .filter(child => total[child] > 0)
                .sort((a, b) => total[b] - total[a] || a - b);
            const scale = total[i] ? (x1[i] - x0[i]) / total[i] : 0;
            let x = x0[i];

            for (const child of own) {
                x0[child] = x;
                x1[child] = x += total[child] * scale;
            }
            this.sorted.set(i, own);
        }
        return this.sorted.get(i);
    }

    // So that a node of the tree has its place.
    place(i) {
        const path = [];

        for (; i; i = this.tree.parent[i])
            path.push(this.tree.parent[i]);
        while (path.length)
            this.children(path.pop());
    }
}

// In order of time, of one thread; samples far from each other leave a gap.
// Of more rows than `most` a slot of time shows its heaviest stack: from each
// frame to the one called there with most samples, as long as these are half
// of its caller's.
export class TimeShape {
    // gap: steps for which a sample stands at most.
    constructor(rows, derived, thread, from, to, gap, most) {
        const { tree } = derived, span = to - from;
        const made = { parent: [-1], node: [0], x0: [0], x1: [1], lists: [[]] };
        const count = rowAt(rows, thread, to) - rowAt(rows, thread, from);

        this.slot = count > most ? Math.ceil(span / most) : 0;
        const seen = this.slot
            ? this.slots(rows, derived, thread, from, to)
            : this.each(rows, derived, thread, from, to);
        let path = [0], until = from;

        seen.forEach(([start, node], i) => {
            const next = i + 1 < seen.length ? seen[i + 1][0] : to;
            const stop = Math.min(next, start + Math.max(1, gap, this.slot));

            if (start > until)
                path = [0];
            path = this.lay(made, tree, path, node, (start - from) / span,
                (stop - from) / span);
            until = stop;
        });
        Object.assign(this, { tree, parents: made.parent, nodes: made.node,
            x0: made.x0, x1: made.x1, lists: made.lists,
            n: made.node.length });
    }

    // [step, node] of the rows.
    each(rows, derived, thread, from, to) {
        const end = rowAt(rows, thread, to), list = [];

        for (let i = rowAt(rows, thread, from); i < end; i++) {
            const node = nodeOf(derived, rows, i);

            if (node >= 0)
                list.push([rows.step[i], node]);
        }
        return list;
    }

    // [step, node] of the slots with samples.
    slots(rows, derived, thread, from, to) {
        const { n, parent } = derived.tree, sums = new Float64Array(n);
        const end = rowAt(rows, thread, to), list = [];

        for (let i = rowAt(rows, thread, from); i < end;) {
            const slot = Math.floor((rows.step[i] - from) / this.slot);
            const stop = from + (slot + 1) * this.slot, met = [];
            let all = 0;

            for (; i < end && rows.step[i] < stop; i++) {
                const node = nodeOf(derived, rows, i);

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
                list.push([stop - this.slot, this.heaviest(met, sums, parent)]);
            for (const node of met)
                sums[node] = 0;
        }
        return list;
    }

    heaviest(met, sums, parent) {
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

    // Goes on with those of the path that are the same.
    lay(made, tree, path, node, x0, x1) {
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
