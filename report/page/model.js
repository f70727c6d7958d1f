// model - functions, trees of stacks, and samples that are selected.

import { isTurn } from './work.js';

// Those of the profile, and groups that a filter makes of them.
export class Functions {
    constructor(names) {
        this.names = names;
        this.recorded = names.labels.length;
        this.groups = [];
        this.groupIds = new Map();
    }

    get count() {
        return this.recorded + this.groups.length;
    }

    // The function that stands for a group, or for what has no frame left;
    // `key` tells groups of the same label apart.
    group(key, label, module, kind) {
        let id = this.groupIds.get(key);

        if (id === undefined) {
            id = this.count;
            this.groups.push({ label, module, kind });
            this.groupIds.set(key, id);
        }
        return id;
    }

    label(id) {
        return id < 0 ? 'all' : id < this.recorded ? this.names.labels[id]
            : this.groups[id - this.recorded].label;
    }

    name(id) {
        return id >= 0 && id < this.recorded
            ? this.names.names[id] || this.names.labels[id] : this.label(id);
    }

    module(id) {
        return id < 0 ? '' : id < this.recorded
            ? this.names.modules[this.names.module[id]]
            : this.groups[id - this.recorded].module;
    }

    kind(id) {
        return id < 0 ? 0 : id < this.recorded ? this.names.kind[id]
            : this.groups[id - this.recorded].kind;
    }

    kindName(id) {
        return this.names.kinds[this.kind(id)];
    }

    nameless(id) {
        return id >= 0 && id < this.recorded && !!this.names.nameless[id];
    }

    // As --group just-my-code and runtime take it.
    isMine(id) {
        return !!this.names.mine[id];
    }

    isRuntime(id) {
        return !!this.names.runtime[id];
    }

    waits(id) {
        return id >= 0 && id < this.recorded && !!this.names.waits[id];
    }
}

// Parents stand before their children; node 0 is the root.
export class Tree {
    constructor(parent, fn, inlined, n) {
        Object.assign(this, { parent, fn, inlined, n });
    }

    // Children of i: list[first[i] .. first[i + 1]).
    get children() {
        if (!this.lists) {
            const { n, parent } = this;
            const first = new Int32Array(n + 2), list = new Int32Array(n);

            for (let i = 1; i < n; i++)
                first[parent[i] + 2]++;
            for (let i = 2; i < n + 2; i++)
                first[i] += first[i - 1];
            for (let i = 1; i < n; i++)
                list[first[parent[i] + 1]++] = i;
            this.lists = { first, list };
        }
        return this.lists;
    }

    // By node whether no caller is the same function: a sample counts once.
    *outermost() {
        this.outer ||= yield* this.findOutermost();
        return this.outer;
    }

    *findOutermost() {
        const { n, fn } = this, { first, list } = this.children;
        const outer = new Uint8Array(n), turns = [0];
        let most = 0;

        for (let i = 0; i < n; i++)
            most = Math.max(most, fn[i]);
        const open = new Int32Array(most + 2); // by function + 1

        for (let step = 1; turns.length; step++) {
            const turn = turns.pop(), node = turn < 0 ? ~turn : turn;
            const f = fn[node] + 1;

            if (isTurn(step))
                yield;
            if (turn < 0) {
                open[f]--;
                continue;
            }
            outer[node] = open[f]++ ? 0 : 1;
            turns.push(~node);
            for (let i = first[node]; i < first[node + 1]; i++)
                turns.push(list[i]);
        }
        return outer;
    }
}

// Builds a tree whose nodes are found by parent and function, in a table with
// open addressing: a Map of a million keys takes several frames.
export class Builder {
    // most: nodes that are expected.
    constructor(most = 1) {
        this.n = 1;
        this.room(Math.max(1024, 1 << (32 - Math.clz32(most))));
        this.fn[0] = -1;
    }

    room(most) {
        const grown = (Kind, old) => {
            const made = new Kind(most);

            if (old)
                made.set(old);
            return made;
        };

        this.parent = grown(Int32Array, this.parent);
        this.fn = grown(Int32Array, this.fn);
        this.inlined = grown(Uint8Array, this.inlined);
        this.self = grown(Float64Array, this.self);
        this.table = new Int32Array(2 * most); // 0, the root, is free
        for (let id = 1; id < this.n; id++)
            this.table[this.find(this.parent[id], this.fn[id],
                this.inlined[id])] = id;
    }

    // Where in the table it is or would be.
    find(parent, fn, inlined) {
        const { table } = this, mask = table.length - 1;
        let hash = Math.imul(parent, 0x9e3779b1) ^
            Math.imul(2 * fn + inlined, 0x85ebca6b);

        hash ^= hash >>> 15;
        for (let at = hash & mask; ; at = (at + 1) & mask) {
            const id = table[at];

            if (!id || (this.parent[id] === parent && this.fn[id] === fn &&
                this.inlined[id] === inlined))
                return at;
        }
    }

    child(parent, fn, inlined) {
        if (this.n === this.fn.length)
            this.room(2 * this.n);
        const at = this.find(parent, fn, inlined);

        if (!this.table[at]) {
            this.parent[this.n] = parent;
            this.fn[this.n] = fn;
            this.inlined[this.n] = inlined;
            this.table[at] = this.n++;
        }
        return this.table[at];
    }

    tree() {
        const { n } = this;

        return new Tree(this.parent.slice(0, n), this.fn.slice(0, n),
            this.inlined.slice(0, n), n);
    }
}

// Counts of a tree at or below each node.
export function totals(tree, self) {
    const total = Float64Array.from(self), parent = tree.parent;

    for (let i = tree.n - 1; i > 0; i--)
        total[parent[i]] += total[i];
    return total;
}

// By function: samples in it, and samples with it on their stack.
export function* functionCounts(tree, self, total, count) {
    const own = new Float64Array(count), all = new Float64Array(count);
    const outer = yield* tree.outermost(), fn = tree.fn;

    for (let i = 1; i < tree.n; i++) {
        if (isTurn(i))
            yield;
        own[fn[i]] += self[i];
        if (outer[i])
            all[fn[i]] += total[i];
    }
    return { own, all };
}

// First row of a thread at or behind a step.
export function rowAt(rows, thread, step) {
    let low = rows.start[thread], high = rows.start[thread + 1];

    while (low < high) {
        const middle = (low + high) >> 1;

        if (rows.step[middle] < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Which node of the tree as filters leave it a row is at; -1: dropped.
export function nodeOf(derived, rows, i) {
    const { place, keep } = derived, node = rows.node[i];

    return keep && !keep[i] ? -1 : place ? place[node] : node;
}

// Counts samples by node of that tree and by thread, and finds the thread with
// the most of them. `threads`: a list; `from`, `to`: steps.
export function* weigh(rows, derived, threads, from, to) {
    const self = new Float64Array(derived.tree.n);
    const byThread = new Float64Array(rows.start.length);
    let busiest, most = -1;

    for (const t of threads) {
        const end = rowAt(rows, t, to);
        let sum = 0;

        for (let i = rowAt(rows, t, from); i < end; i++) {
            const node = nodeOf(derived, rows, i);

            if (isTurn(i))
                yield;
            if (node < 0)
                continue;
            self[node] += rows.weight[i];
            sum += rows.weight[i];
        }
        if (sum > most)
            [busiest, most] = [t, sum];
        byThread[t] = sum;
    }
    return { self, busiest, byThread };
}
