// lanes - what the timeline shows of the selection, and what is chosen there.

import { kindBar } from './colours.js';
import { nodeOf } from './model.js';
import { byId, element } from './plain.js';
import { Timeline } from './timeline.js';

export class Lanes {
    // app: page, selection, functions, state, threadTitle(t), changed(keys).
    constructor(app) {
        this.app = app;
        this.weights = this.weigh();
        this.timeline = new Timeline(byId('timeline'), {
            chosen: (from, to) => this.chooseTime(from, to),
            lane: i => this.choose(i),
            resized: () => app.changed(['width']),
        });
    }

    chooseTime(from, to) {
        const { page, state } = this.app;
        const ms = step =>
            +(step * page.about.data.step_ns / 1e6).toFixed(6) + 'ms';

        state.set({ time: from === null ? '' : ms(from) + ',' + ms(to),
            zoom: state.values.order === 'time' ? 0 : state.values.zoom });
    }

    // By thread its samples, all of them.
    weigh() {
        const { rows, names } = this.app.page;

        return names.threads.map((_, t) => {
            let sum = 0;

            for (let i = rows.start[t]; i < rows.start[t + 1]; i++)
                sum += rows.weight[i];
            return sum;
        });
    }

    // The lanes: processes, or threads if one process is chosen or there is
    // only one. The lanes with most samples come first, whatever is selected.
    get list() {
        const { names } = this.app.page, { values } = this.app.state;
        const threads = this.app.selection.threadsOf({ ...values,
            thread: '' });
        const lanes = values.process === '' && names.processes.length > 1
            ? names.processes.map((title, process) => ({ title, process,
                threads: threads.filter(t =>
                    names.threads[t].process === process) }))
            : threads.map(t => ({ title: this.app.threadTitle(t), thread: t,
                threads: [t] }));

        for (const lane of lanes)
            lane.weight = lane.threads.reduce((sum, t) =>
                sum + this.weights[t], 0);
        return lanes.sort((a, b) => b.weight - a.weight);
    }

    // Chooses a lane; choosing it again shows all.
    choose(i) {
        const { process, thread } = this.list[i], { state } = this.app;
        const isChosen = state.values.thread === String(thread);

        state.set(process === undefined ? { thread: isChosen ? '' : thread }
            : { process, thread: '' });
    }

    *show() {
        const { selection, functions, page } = this.app;
        const { derived, steps, rangeNow } = selection, { rows, names } = page;
        const kindOfNode = Uint8Array.from(derived.tree.fn, fn =>
            functions.kind(fn));
        const kindOf = i => {
            const node = nodeOf(derived, rows, i);

            return node < 0 ? -1 : kindOfNode[node];
        };

        yield;
        yield* this.timeline.show(rows, this.list, kindOf, names.kinds, steps,
            page.about.data.step_ns, rangeNow);
        this.explain();
    }

    // Which colour is which kind of code.
    explain() {
        byId('legend').replaceChildren(...this.timeline.kindsShown.map(kind => {
            const mark = element('i', { 'aria-hidden': 'true' });

            mark.style.background = kindBar(kind);
            return element('span', {}, mark, kind);
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
