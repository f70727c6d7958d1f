// timeline - samples over time, a lane for each process or thread; dragging
// selects a range. Only the lanes that are in sight are drawn.

import { ink } from './colours.js';
import { element, shareText, spanText, timeText } from './plain.js';
import { rowAt } from './model.js';
import { isTurn } from './work.js';

const laneHeight = 34, column = 2, tickWidth = 90;

// The largest of 1, 2, 5, 10, ... that is not above a number.
function roundBelow(n) {
    const power = 10 ** Math.floor(Math.log10(n));

    return power * [5, 2, 1].find(part => part * power <= n * (1 + 1e-9));
}

export class Timeline {
    // calls: chosen(from, to) in steps or null, lane(i), resized(), zoomed().
    constructor(root, calls) {
        this.calls = calls;
        this.canvas = element('canvas', { tabindex: '0', role: 'application',
            'aria-label': 'Timeline: drag selects a range; arrow keys move ' +
                'it, with Shift its end, Enter zooms into it, Escape clears ' +
                'it' });
        this.names = element('div', { class: 'lanes' });
        this.area = element('div', { class: 'area' }, this.canvas);
        this.scroll = element('div', { class: 'time' }, this.names, this.area);
        this.outer = element('div', { class: 'outer' });
        this.axis = element('div', { class: 'axis', 'aria-hidden': 'true' });
        this.told = element('span', { class: 'status', 'aria-live': 'polite' });
        this.zoom = element('button', { type: 'button', id: 'range-in',
            onclick: () => this.calls.zoomed() });
        root.append(element('div', { class: 'axes' }, this.outer, this.axis),
            this.scroll, element('div', { class: 'tools' }, this.told,
                this.zoom));
        new ResizeObserver(() => this.sized()).observe(this.area);
        this.scroll.addEventListener('scroll', () => this.later());
        this.listen();
    }

    later() {
        this.pending ||= requestAnimationFrame(() => {
            this.pending = 0;
            this.draw();
        });
    }

    // Columns are as many as there is width for.
    sized() {
        if (this.counted && this.area.clientWidth !== this.countedFor)
            this.calls.resized();
    }

    listen() {
        const { canvas } = this;
        let begun = null;

        canvas.addEventListener('pointerdown', e => {
            begun = this.stepAt(e);
            canvas.setPointerCapture(e.pointerId);
        });
        canvas.addEventListener('pointermove', e => {
            this.cursor = this.stepAt(e);
            this.hint(e);
            if (begun !== null)
                this.range = [Math.min(begun, this.cursor),
                    Math.max(begun, this.cursor)];
            this.later();
        });
        canvas.addEventListener('pointerup', e => {
            const end = this.stepAt(e), from = begun;

            begun = null;
            if (from === null)
                return;
            if (Math.abs(end - from) * this.scale < 3)
                this.calls.chosen(null);
            else
                this.calls.chosen(Math.min(from, end), Math.max(from, end));
        });
        canvas.addEventListener('pointercancel', () => begun = null);
        canvas.addEventListener('pointerleave', () => {
            this.cursor = null;
            this.later();
        });
        canvas.addEventListener('keydown', e => this.key(e));
    }

    // At the pointer, as a time that is as round as a pixel allows.
    stepAt(event) {
        const x = event.clientX - this.canvas.getBoundingClientRect().left;
        const [from, to] = this.window, round = this.roundNs / this.stepNs;
        const at = from + Math.min(this.width, Math.max(0, x)) / this.scale;
        const origin = this.originNs / this.stepNs;

        return Math.min(to, Math.max(from,
            Math.round((origin + at) / round) * round - origin));
    }

    // Says what is under the pointer.
    hint(event) {
        const { canvas, counted, lanes, kinds } = this, size = kinds.length;
        const box = canvas.getBoundingClientRect();
        const lane = Math.floor((event.clientY - box.top +
            this.scroll.scrollTop) / laneHeight);
        const at = Math.floor((event.clientX - box.left) / this.width *
            counted[0].length / size);

        canvas.title = !lanes[lane] ? '' : [lanes[lane].title,
            this.timeAt(this.cursor), this.sharesText(counted[lane].subarray(
                at * size, (at + 1) * size))].join(' \u00b7 ');
    }

    // "blocked 75.0 %, running 25.0 %", of columns of a lane.
    sharesText(sums) {
        const { kinds } = this, size = kinds.length;
        const parts = kinds.map((kind, k) => [kind, sums.reduce((sum, n, i) =>
            i % size === k ? sum + n : sum, 0)]).filter(([, n]) => n);
        const all = parts.reduce((sum, [, n]) => sum + n, 0);

        return parts.sort(([, a], [, b]) => b - a).map(([kind, n]) =>
            `${kind} ${shareText(n, all)}`).join(', ');
    }

    key(event) {
        const [first, last] = this.window;
        const unit = Math.max(1, Math.round((last - first) / 50));
        const [from, to] = this.range || [first, first + unit * 5];
        const moves = { ArrowLeft: -unit, ArrowRight: unit };

        if (event.key === 'Escape') {
            this.calls.chosen(null);
        } else if (event.key === 'Enter' && this.range) {
            this.calls.zoomed();
        } else if (event.key in moves) {
            const by = this.range ? moves[event.key] : 0;
            const end = Math.min(last, to + by);
            const start = event.shiftKey ? from
                : Math.max(first, Math.min(from + by, last - (to - from)));

            this.calls.chosen(start, Math.max(start + 1,
                event.shiftKey ? end : start + (to - from)));
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    // lanes: [{title, threads, isChosen}]; kindOf: of a row, -1 where it is
    // dropped; barOf: colour of a kind; window, range: steps, the second may be
    // null; originNs: the time of step 0. Time of threads fills each lane.
    *show(rows, lanes, kindOf, kinds, time) {
        const width = this.area.clientWidth, [from, to] = time.window;
        const columns = Math.max(1, Math.ceil(width / column)), counted = [];
        const used = new Uint8Array(kinds.length); // kinds of code

        for (const lane of lanes) {
            const sums = new Float32Array(columns * kinds.length);

            if (rows.state)
                yield* this.countTime(rows, lane.threads, kindOf, used, sums,
                    from, to, time.stepNs);
            else
                yield* this.count(rows, lane.threads, kindOf, used, sums, from,
                    to);
            counted.push(sums);
        }
        const tallest = counted.map(sums => {
            let most = 0;

            for (let i = 0; i < sums.length; i += kinds.length) {
                let sum = 0;

                for (let k = 0; k < kinds.length; k++)
                    sum += sums[i + k];
                most = Math.max(most, sum);
            }
            return most;
        });
        const all = Math.max(1, ...tallest);

        Object.assign(this, time, { lanes, kinds, counted,
            most: rows.state ? tallest : tallest.map(() => all),
            countedFor: width, kindsShown: kinds.filter((_, k) => used[k]) });
        this.fillNames();
        yield;
        this.draw();
    }

    // A lane keeps the focus if it had it, or the lane that took its place
    // gets it.
    fillNames() {
        const { names, lanes } = this;
        const had = [...names.children].indexOf(document.activeElement);

        names.replaceChildren(...lanes.map((lane, i) =>
            element('button', { type: 'button', title: lane.hint +
                ' \u00b7 ' + this.sharesText(this.counted[i]),
                'aria-pressed': lane.isChosen === undefined ? undefined
                    : String(lane.isChosen),
                onclick: () => this.calls.lane(i) }, lane.title)));
        if (had >= 0)
            names.children[Math.min(had, lanes.length - 1)]?.focus();
    }

    // By column the samples of each kind of code.
    *count(rows, threads, kindOf, used, sums, from, to) {
        const kinds = used.length, columns = sums.length / kinds;
        const scale = columns / (to - from);

        for (const t of threads) {
            const end = rowAt(rows, t, to);

            for (let i = rowAt(rows, t, from); i < end; i++) {
                const kind = kindOf(i);
                const at = Math.min(columns - 1,
                    Math.floor((rows.step[i] - from) * scale));

                if (isTurn(i))
                    yield;
                if (kind < 0)
                    continue;
                used[kind] = 1;
                sums[at * kinds + kind] += rows.weight[i];
            }
        }
    }

    // By column the time in each state: a row lasts, and may have begun before
    // `from`.
    *countTime(rows, threads, stateOf, used, sums, from, to, stepNs) {
        const states = used.length, columns = sums.length / states;
        const scale = columns / (to - from);

        for (const t of threads) {
            const end = rowAt(rows, t, to), first = rowAt(rows, t, from);
            let until = -Infinity;

            for (let i = first === rows.start[t] ? first
                : rowAt(rows, t, rows.step[first - 1]); i < end; i++) {
                const state = stateOf(i);
                const begin = Math.max(rows.step[i], until);

                until = begin + rows.weight[i] / stepNs;
                if (isTurn(i))
                    yield;
                if (state < 0)
                    continue;
                const x0 = Math.max(0, (begin - from) * scale);
                const x1 = Math.min(columns, (until - from) * scale);

                for (let x = Math.floor(x0); x < x1; x++) {
                    used[state] = 1;
                    sums[x * states + state] += Math.min(x1, x + 1) -
                        Math.max(x0, x);
                }
            }
        }
    }

    draw() {
        const { canvas, area, scroll } = this, width = area.clientWidth;
        const ratio = window.devicePixelRatio || 1;

        if (!this.counted || !width)
            return;
        const height = Math.min(this.lanes.length * laneHeight,
            scroll.clientHeight);

        this.width = width;
        this.scale = width / (this.window[1] - this.window[0]);
        this.roundNs = Math.max(1, roundBelow(this.stepNs / this.scale));
        if (canvas.width !== Math.round(width * ratio) ||
            canvas.height !== Math.round(height * ratio)) {
            canvas.width = Math.round(width * ratio);
            canvas.height = Math.round(height * ratio);
            canvas.style.width = width + 'px';
            canvas.style.height = height + 'px';
        }
        this.paint(canvas.getContext('2d'), ratio, width, height);
        this.tell();
    }

    // A time of the recording, in the unit of the axis.
    timeAt(step, roundNs = this.roundNs) {
        return timeText(this.originNs + step * this.stepNs, roundNs,
            this.originNs + this.window[1] * this.stepNs);
    }

    tell() {
        const { range, window: [from, to], told, zoom, steps } = this;
        const isWhole = !from && to === steps;

        this.tellTicks(from, to);
        told.textContent = range
            ? `${this.timeAt(range[0])} to ${this.timeAt(range[1])}, ` +
                spanText((range[1] - range[0]) * this.stepNs)
            : isWhole ? 'drag to select a range'
                : `${this.timeAt(from)} to ${this.timeAt(to)}`;
        zoom.textContent = range ? 'Zoom into the range' : 'Whole recording';
        zoom.hidden = !range && isWhole;
    }

    tellTicks(from, to) {
        const { originNs: origin, stepNs } = this, ticks = [];
        const first = origin + from * stepNs, last = origin + to * stepNs;
        const wanted = (last - first) * tickWidth / this.width;
        const step = [1, 2, 2.5, 5].map(n => n * roundBelow(wanted))
            .find(n => n >= wanted);
        const place = ns => (ns - first) / stepNs * this.scale;
        const mark = (ns, text, name) => {
            const made = element('span', { class: name }, text);

            made.style.left = place(ns) + 'px';
            return made;
        };

        for (let i = Math.ceil(first / step); i * step <= last; i++)
            if (place(i * step) <= this.width - tickWidth / 2)
                ticks.push(mark(i * step, timeText(i * step, step, last),
                    'tick'));
        if (this.cursor !== null && this.cursor !== undefined)
            ticks.push(mark(origin + this.cursor * stepNs,
                this.timeAt(this.cursor), 'now'));
        this.axis.replaceChildren(...ticks);
    }

    paint(to, ratio, width, height) {
        const colours = ink(), top = this.scroll.scrollTop;
        const first = Math.floor(top / laneHeight);
        const end = Math.min(this.lanes.length,
            Math.ceil((top + height) / laneHeight));

        to.setTransform(ratio, 0, 0, ratio, 0, 0);
        to.fillStyle = colours.paper;
        to.fillRect(0, 0, width, height);
        for (let lane = first; lane < end; lane++) {
            const floor = (lane + 1) * laneHeight - 1 - top;

            this.paintLane(to, this.counted[lane], floor, this.most[lane]);
            to.fillStyle = colours.crumbs;
            to.fillRect(0, floor, width, 1);
        }
        const place = step => (step - this.window[0]) * this.scale;

        if (this.range) {
            const x = place(this.range[0]);
            const w = Math.max(1, place(this.range[1]) - x);

            to.fillStyle = colours.range;
            to.fillRect(x, 0, w, height);
            to.strokeStyle = colours.focus;
            to.strokeRect(x + .5, .5, Math.max(1, w - 1), height - 1);
        }
        if (this.cursor !== null && this.cursor !== undefined) {
            to.fillStyle = colours.focus;
            to.fillRect(Math.round(place(this.cursor)), 0, 1, height);
        }
    }

    paintLane(to, sums, floor, most) {
        const size = this.kinds.length;
        const w = this.width * size / sums.length;

        for (let i = 0; i * size < sums.length; i++) {
            const x = Math.round(i * w), right = Math.round((i + 1) * w);
            let y = floor;

            for (let k = 0; k < size; k++) {
                const h = sums[i * size + k] / most * (laneHeight - 5);

                if (!h)
                    continue;
                to.fillStyle = this.barOf(this.kinds[k]);
                to.fillRect(x, y - h, right - x, h);
                y -= h;
            }
        }
    }
}
