// timeline - samples over time, a lane for each process or thread; dragging
// selects a part.

import { ink, kindBar } from './colours.js';
import { element, spanText } from './plain.js';
import { isTurn } from './work.js';

const laneHeight = 34, column = 2;

export class Timeline {
    // calls: chosen(from, to) in steps or null, lane(i), resized().
    constructor(root, calls) {
        this.calls = calls;
        this.canvas = element('canvas', { tabindex: '0', role: 'application',
            'aria-label': 'Timeline: drag selects a range; arrow keys move ' +
                'it, with Shift its end, Escape clears it' });
        this.names = element('div', { class: 'lanes' });
        this.area = element('div', { class: 'area' }, this.canvas);
        this.told = element('p', { class: 'status', 'aria-live': 'polite' });
        root.append(element('div', { class: 'time' }, this.names, this.area),
            this.told);
        new ResizeObserver(() => this.sized()).observe(this.area);
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
            if (begun !== null)
                this.preview(begun, this.stepAt(e));
        });
        canvas.addEventListener('pointerup', e => {
            if (begun === null)
                return;
            const end = this.stepAt(e);

            if (Math.abs(end - begun) * this.scale < 3)
                this.calls.chosen(null);
            else
                this.calls.chosen(Math.min(begun, end), Math.max(begun, end));
            begun = null;
        });
        canvas.addEventListener('pointercancel', () => begun = null);
        canvas.addEventListener('keydown', e => this.key(e));
    }

    stepAt(event) {
        const x = event.clientX - this.canvas.getBoundingClientRect().left;

        return Math.round(Math.min(this.width, Math.max(0, x)) / this.scale);
    }

    preview(a, b) {
        this.range = [Math.min(a, b), Math.max(a, b)];
        this.later();
    }

    key(event) {
        const unit = Math.max(1, Math.round(this.steps / 50));
        const [from, to] = this.range || [0, unit * 5];
        const moves = { ArrowLeft: -unit, ArrowRight: unit };

        if (event.key === 'Escape') {
            this.calls.chosen(null);
        } else if (event.key in moves) {
            const by = this.range ? moves[event.key] : 0;
            const end = Math.min(this.steps, to + by);
            const start = event.shiftKey ? from
                : Math.max(0, Math.min(from + by, this.steps - (to - from)));

            this.calls.chosen(start, Math.max(start + 1,
                event.shiftKey ? end : start + (to - from)));
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    // lanes: [{title, threads}]; kindOf: of a row, -1 where it is dropped.
    *show(rows, lanes, kindOf, kinds, steps, stepNs, range) {
        const width = this.area.clientWidth;
        const columns = Math.max(1, Math.ceil(width / column)), counted = [];
        const used = new Uint8Array(kinds.length); // kinds of code

        for (const lane of lanes)
            counted.push(yield* this.count(rows, lane.threads, kindOf, used,
                columns, columns / steps));
        Object.assign(this, { lanes, kinds, steps, stepNs, range, counted,
            countedFor: width, kindsShown: kinds.filter((_, k) => used[k]) });
        this.names.replaceChildren(...lanes.map((lane, i) =>
            element('button', { type: 'button', title: lane.title,
                onclick: () => this.calls.lane(i) }, lane.title)));
        yield;
        this.draw();
    }

    // By column the samples of each kind of code.
    *count(rows, threads, kindOf, used, columns, scale) {
        const kinds = used.length, sums = new Float64Array(columns * kinds);

        for (const t of threads) {
            for (let i = rows.start[t]; i < rows.start[t + 1]; i++) {
                const kind = kindOf(i);
                const at = Math.min(columns - 1,
                    Math.floor(rows.step[i] * scale));

                if (isTurn(i))
                    yield;
                if (kind < 0)
                    continue;
                used[kind] = 1;
                sums[at * kinds + kind] += rows.weight[i];
            }
        }
        return sums;
    }

    draw() {
        const { canvas, area } = this, width = area.clientWidth;
        const ratio = window.devicePixelRatio || 1;

        if (!this.counted || !width)
            return;
        const height = this.lanes.length * laneHeight;

        this.width = width;
        this.scale = width / this.steps;
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
        canvas.style.width = width + 'px';
        canvas.style.height = height + 'px';
        this.paint(canvas.getContext('2d'), ratio, width, height);
        const range = this.range;

        this.told.textContent = range
            ? spanText(range[0] * this.stepNs) + ' to ' +
                spanText(range[1] * this.stepNs) + ', ' +
                spanText((range[1] - range[0]) * this.stepNs)
            : '0 to ' + spanText(this.steps * this.stepNs) +
                '; drag to select a part';
    }

    paint(to, ratio, width, height) {
        const colours = ink(), size = this.kinds.length;
        let most = 1;

        to.setTransform(ratio, 0, 0, ratio, 0, 0);
        to.fillStyle = colours.paper;
        to.fillRect(0, 0, width, height);
        for (const sums of this.counted)
            for (let i = 0; i < sums.length; i += size) {
                let sum = 0;

                for (let k = 0; k < size; k++)
                    sum += sums[i + k];
                most = Math.max(most, sum);
            }
        this.counted.forEach((sums, lane) => {
            const floor = (lane + 1) * laneHeight - 1;

            for (let i = 0; i * size < sums.length; i++) {
                let y = floor;

                for (let k = 0; k < size; k++) {
                    const h = sums[i * size + k] / most * (laneHeight - 5);

                    if (!h)
                        continue;
                    to.fillStyle = kindBar(this.kinds[k]);
                    to.fillRect(i * column, y - h, column, h);
                    y -= h;
                }
            }
            to.fillStyle = colours.crumbs;
            to.fillRect(0, floor, width, 1);
        });
        if (this.range) {
            const x = this.range[0] * this.scale;
            const w = Math.max(1, this.range[1] * this.scale - x);

            to.fillStyle = colours.range;
            to.fillRect(x, 0, w, height);
            to.strokeStyle = colours.focus;
            to.strokeRect(x + .5, .5, Math.max(1, w - 1), height - 1);
        }
    }
}
