// model - functions, trees of stacks, and samples that are selected.

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

    // The function that stands for a group, or for what has no frame left.
    group(label, module, kind) {
        const key = label + '\0' + module;
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

    // Whether no caller is the same function: a sample counts once.
    get outermost() {
        if (!this.outer) {
            const { n, fn } = this, { first, list } = this.children;
            const outer = new Uint8Array(n), turns = [0];
            const open = new Map();

            while (turns.length) {
                const turn = turns.pop(), node = turn < 0 ? ~turn : turn;
                const f = fn[node], times = open.get(f) || 0;

                if (turn < 0) {
                    open.set(f, times - 1);
                    continue;
                }
                outer[node] = times ? 0 : 1;
                open.set(f, times + 1);
                turns.push(~node);
                for (let i = first[node]; i < first[node + 1]; i++)
                    turns.push(list[i]);
            }
            this.outer = outer;
        }
        return this.outer;
    }
}

// Builds a tree of which nodes are found by what they are.
export class Builder {
    constructor(functions) {
        this.functions = functions;
        this.parent = [0];
        this.fn = [-1];
        this.inlined = [0];
        this.self = [0];
        this.ids = new Map();
    }

    child(parent, fn, inlined) {
        const key = (parent * 2 + inlined) * 4194304 + fn;
        let id = this.ids.get(key);

        if (id === undefined) {
            id = this.fn.length;
            this.ids.set(key, id);
            this.parent.push(parent);
            this.fn.push(fn);
            this.inlined.push(inlined);
            this.self.push(0);
        }
        return id;
    }

    tree() {
        return new Tree(Int32Array.from(this.parent), Int32Array.from(this.fn),
            Uint8Array.from(this.inlined), this.fn.length);
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
export function functionCounts(tree, self, total, count) {
    const own = new Float64Array(count), all = new Float64Array(count);
    const outer = tree.outermost, fn = tree.fn;

    for (let i = 1; i < tree.n; i++) {
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

// Samples by node of the tree as filters leave it. `threads`: a list;
// `from`, `to`: steps.
export function weigh(rows, derived, threads, from, to) {
    const self = new Float64Array(derived.tree.n), place = derived.place;

    for (const t of threads) {
        const end = rowAt(rows, t, to);

        for (let i = rowAt(rows, t, from); i < end; i++) {
            const node = place ? place[rows.node[i]] : rows.node[i];

            if (node >= 0)
                self[node] += rows.weight[i];
        }
    }
    return self;
}
