// shapes - what a flame graph draws, with a place for every node.

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
