// lanes - what the timeline shows of the selection, and what is chosen there.

import { kindBar, stateBar } from './colours.js';
import { nodeOf, rowAt } from './model.js';
import { byId, element, shareText, timeOption, weightUnitText } from
    './plain.js';
import { withOthers } from './processes.js';
import { Timeline } from './timeline.js';
import { isTurn } from './work.js';

const lanesAtOnce = 50;

export class Lanes {
    // app: page, selection, processes, functions, state, changed(keys).
    constructor(app) {
        this.app = app;
        this.limit = lanesAtOnce;
        this.timeline = new Timeline(byId('timeline'), {
            chosen: (from, to) => this.chooseTime(from, to),
            lane: i => this.choose(i),
            resized: () => app.changed(['width']),
            zoomed: () => this.zoomTime(),
        });
    }

    chooseTime(from, to) {
        const { page: { about: { data } }, state } = this.app;
        const at = step => timeOption((data.begin_ns || 0) +
            step * data.step_ns);

        state.set({ time: from === null ? '' : at(from) + ',' + at(to),
            zoom: state.values.order === 'time' ? 0 : state.values.zoom });
    }

    // The axis shows the selected range, or all that the page has.
    zoomTime() {
        const { state } = this.app, { time } = state.values;

        state.set(time ? { axis: time, time: '' } : { axis: '' });
    }

    // Those with most samples come first, whatever is selected, and there is
    // no more than `limit` of them.
    get list() {
        return withOthers(this.app.processes.partsOf(
            this.app.state.values.process), this.limit);
    }

    // Chooses a lane; the others: shows more of them.
    choose(i) {
        const lane = this.list[i];

        if (!lane.isOthers) {
            this.app.choose(lane);
            return;
        }
        this.limit *= 4;
        this.app.changed(['width']);
    }

    *show() {
        const { selection, functions, page, state, processes } = this.app;
        const { derived, steps, rangeNow } = selection, { rows, names } = page;
        const kindOfNode = rows.state ? null : Uint8Array.from(derived.tree.fn,
            fn => functions.kind(fn));
        const kindOf = i => {
            const node = nodeOf(derived, rows, i);

            return node < 0 ? -1 : rows.state ? rows.state[i]
                : kindOfNode[node];
        };

        // Kinds of code, or states of threads.
        this.kinds = names.states || names.kinds;
        const lanes = this.list.map(lane => ({ ...lane,
            hint: `${lane.title} \u00b7 ${weightUnitText(lane.weight)}, ` +
                shareText(lane.weight, processes.weight),
            isChosen: lane.thread === undefined ? undefined
                : state.values.thread === String(lane.thread) }));

        yield;
        // Before the timeline has lanes, which redraw() then explains.
        this.sums = yield* this.sumsOf(kindOf);
        yield* this.timeline.show(rows, lanes, kindOf, this.kinds,
            { steps, barOf: names.states ? stateBar : kindBar, stepNs: page.about.data.step_ns,
                originNs: page.about.data.begin_ns || 0,
                window: selection.window, range: rangeNow });
        this.showOuter();
        this.explain();
    }

    // By kind: what is selected.
    *sumsOf(kindOf) {
        const { selection: { threads, from, to }, page: { rows } } = this.app;
        const sums = new Float64Array(this.kinds.length);

        for (const t of threads)
            for (let i = rowAt(rows, t, from), end = rowAt(rows, t, to);
                i < end; i++) {
                if (isTurn(i))
                    yield;
                sums[kindOf(i)] += rows.weight[i];
            }
        return sums;
    }

    // A way back from a group or a process.
    showOuter() {
        const { state, processes } = this.app, { process } = state.values;
        const { outer } = this.timeline;

        outer.replaceChildren(...process === '' ? [] : [element('button', {
            type: 'button', onclick: () => {
                state.set({ process: processes.outerOf(process), thread: '',
                    zoom: 0 });
                this.timeline.names.querySelector('button')?.focus();
            } }, '\u2039 ' + (processes.outerOf(process).slice(1) ||
                'all processes'))]);
    }

    // Which colour is which kind, and its share of what is selected.
    explain() {
        const { view } = this.app.selection, { kinds, sums } = this;

        byId('legend').replaceChildren(...this.timeline.kindsShown.map(kind => {
            const mark = element('i', { 'aria-hidden': 'true' });

            mark.style.background = this.timeline.barOf(kind);
            return element('span', {}, mark, `${kind} ` +
                shareText(sums[kinds.indexOf(kind)], view.total[0]));
        }));
    }

    // In other colours.
    redraw() {
        if (!this.timeline.counted)
            return;
        this.timeline.draw();
        this.explain();
    }
}
