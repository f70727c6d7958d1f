// shapes - shapes: what a flame graph draws, with a place for every node.

import { rowAt } from './model.js';

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
export class TimeShape {
    constructor(rows, derived, thread, from, to, gap) {
        const { tree, place } = derived;
        const end = rowAt(rows, thread, to), span = to - from;
        const made = { parent: [-1], node: [0], x0: [0], x1: [1], lists: [[]] };
        let path = [0], until = from;

        for (let i = rowAt(rows, thread, from); i < end; i++) {
            const node = place ? place[rows.node[i]] : rows.node[i];
            const next = i + 1 < end ? rows.step[i + 1] : to;
            const start = rows.step[i];
            const stop = Math.min(next, start + Math.max(1, gap));

            if (node < 0)
                continue;
            if (start > until)
                path = [0];
            path = this.lay(made, tree, path, node, (start - from) / span,
                (stop - from) / span);
            until = stop;
        }
        Object.assign(this, { tree, parents: made.parent, nodes: made.node,
            x0: made.x0, x1: made.x1, lists: made.lists,
            n: made.node.length });
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
