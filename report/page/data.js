// data - the blocks of the page as columns (report/page/page.h).

import { inSlices, isTurn } from './work.js';

function* bytesOf(text) {
    const raw = atob(text);
    const bytes = new Uint8Array(raw.length);

    for (let i = 0; i < raw.length; i++) {
        if (isTurn(i))
            yield;
        bytes[i] = raw.charCodeAt(i);
    }
    return bytes;
}

async function unpack(id) {
    const packed = await inSlices(
        bytesOf(document.getElementById(id).textContent));
    const stream = new Blob([packed]).stream()
        .pipeThrough(new DecompressionStream('deflate'));

    return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Numbers of seven bits a byte, lowest first.
export class Numbers {
    constructor(bytes) {
        this.bytes = bytes;
        this.at = 0;
    }

    next() {
        let value = 0, scale = 1, byte;

        do {
            byte = this.bytes[this.at++];
            value += (byte & 127) * scale;
            scale *= 128;
        } while (byte & 128);
        return value;
    }

    change() {
        const twice = this.next();

        return twice % 2 ? -(twice + 1) / 2 : twice / 2;
    }

    // `n` of them behind what stands at `first`.
    *column(Kind, n, first) {
        const values = new Kind(n);

        for (let i = first; i < n; i++) {
            if (isTurn(i))
                yield;
            values[i] = this.next();
        }
        return values;
    }
}

function* readTree(numbers, n, sides, inclusives, functions) {
    const depth = yield* numbers.column(Int32Array, n, 1);
    const fn = yield* numbers.column(Int32Array, n, 1);
    const inlined = yield* numbers.column(Uint8Array, n, 1);
    const counts = [], inclusive = []; // by side; the second by function
    const parent = new Int32Array(n), last = [0];

    for (let i = 0; i < sides; i++)
        counts.push(yield* numbers.column(Float64Array, n, 1));
    for (let i = 0; i < inclusives; i++)
        inclusive.push(yield* numbers.column(Float64Array, functions, 0));
    fn[0] = -1;
    for (let i = 1; i < n; i++) {
        if (isTurn(i))
            yield;
        parent[i] = last[depth[i] - 1];
        last[depth[i]] = i;
    }
    return { n, parent, fn, inlined, counts, inclusive };
}

// Sums of what `next` gives, from 0 on in each thread.
function* readSums(values, start, next) {
    for (let t = 0; t + 1 < start.length; t++)
        for (let i = start[t], now = 0; i < start[t + 1]; i++) {
            if (isTurn(i))
                yield;
            values[i] = now += next();
        }
    return values;
}

const waitsBit = 32768; // PAGE_WAITS
const stateShift = 9; // PAGE_STATE_SHIFT

// hasStates: rows are the time of threads.
function* readRows(numbers, n, threads, hasStates, { processors: hasCpus,
    waits: hasWaits }) {
    const start = new Int32Array(threads + 1);

    for (let t = 0; t < threads; t++)
        start[t + 1] = start[t] + numbers.next();
    const step = yield* readSums(new Int32Array(n), start,
        () => numbers.next());
    const node = yield* readSums(new Int32Array(n), start,
        () => numbers.change());
    const weight = yield* numbers.column(Float64Array, n, 0);

    for (let i = 0; i < n; i++)
        weight[i]++;
    const code = yield* numbers.column(Uint16Array, n, 0);
    const runs = hasWaits ? new Uint8Array(n) : null;

    for (let i = 0; runs && i < n; i++) {
        if (isTurn(i))
            yield;
        runs[i] = code[i] < waitsBit ? 1 : 0;
        code[i] %= waitsBit;
    }
    const state = hasStates ? new Uint8Array(n) : null;

    for (let i = 0; state && i < n; i++) {
        if (isTurn(i))
            yield;
        state[i] = code[i] >> stateShift;
        code[i] %= 1 << stateShift;
    }
    const cpu = hasCpus ? yield* numbers.column(Uint16Array, n, 0) : null;

    return { n, start, step, node, weight, code, runs, state, cpu };
}

export async function readPage() {
    const about = JSON.parse(document.getElementById('data-about').textContent);
    const names = JSON.parse(new TextDecoder().decode(await unpack('data-names')));
    const sides = document.getElementById('data-samples') ? 1 : 2;
    const tree = await inSlices(readTree(
        new Numbers(await unpack('data-tree')), about.data.nodes, sides,
        about.data.waits ? 2 : sides,
        names.labels.length));
    const rows = sides === 2 ? null : await inSlices(readRows(
        new Numbers(await unpack('data-samples')), about.data.rows,
        names.threads.length, !!names.states, about.data));

    const sources = !document.getElementById('data-source') ? null
        : JSON.parse(new TextDecoder().decode(await unpack('data-source')));

    return { about, names, tree, rows, sources };
}
