// graphs - the flame graph of what is selected, and the sandwich.

import { changeFill, heatFill, kindFill, moduleFill } from './colours.js';
import { arrow, changeText, signOf, signText } from './diff.js';
import { Flame } from './flame.js';
import { byId, element, weightText, shareText, spanText } from './plain.js';
import { calleesOf, callersOf } from './sandwich.js';
import { HeavyShape } from './shapes.js';
import { shortenRow } from './shorten.js';
import { TimeShape, timeShape } from './timeshape.js';

export const colourings = { module: 'module', kind: 'kind of code',
    self: 'self time', change: 'change' };

const modulesTold = 8;

export class Graphs {
    // app: selection, functions, state, search, label(fn).
    constructor(app) {
        this.app = app;
        this.modules = []; // [name, share]
        this.main = this.flame('flame', 'Flame graph', true);
        this.callers = this.flame('callers', 'Callers', false);
        this.callees = this.flame('callees', 'Callees', false);
        if (app.isDiff)
            this.explainChanges();
    }

    // Which colour is which change.
    explainChanges() {
        const texts = new Map([[1, 'more or new'], [-1, 'less or gone'],
            [0, 'no firm change of the function itself']]);

        byId('legend').replaceChildren(...[...texts].map(([sign, text]) => {
            const mark = element('i', { 'aria-hidden': 'true' });

            mark.style.background = changeFill(sign);
            return element('span', {}, mark, `${signText(sign)} ${text}`);
        }));
    }

    flame(id, name, keeps) {
        const { app } = this;
        const flame = new Flame(byId(id), name, {
            label: fn => app.labelAlone(fn),
            sign: fn => app.isDiff ? signText(this.signOf(fn)) : '',
            matched: () => app.search.found,
            fill: i => this.fill(flame, i),
            describe: i => this.describe(flame, i),
            weight: i => flame.shape instanceof TimeShape
                ? flame.shape.x1[i] - flame.shape.x0[i]
                : flame.of.total[flame.shape.node(i)],
            zoomed: i => keeps && app.state.set({ zoom: i }),
            opened: i => app.pick(flame.shape.fn(i)),
            asked: (option, i) => app.ask(option, flame.shape.fn(i)),
        });

        return flame;
    }

    // The modules with most samples.
    *shareOfModules() {
        const { selection, functions } = this.app;
        const { own, total } = (yield* selection.byFunction()).slice(-1)[0];
        const sums = new Map();

        for (let fn = 0; fn < own.length; fn++) {
            const module = functions.module(fn);

            if (own[fn] && module)
                sums.set(module, (sums.get(module) || 0) + own[fn]);
        }
        this.modules = [...sums].sort((a, b) => b[1] - a[1] ||
            (a[0] < b[0] ? -1 : 1)).slice(0, modulesTold)
            .map(([module, sum]) => [module, shareText(sum, total)]);
    }

    // Only if colours are those of modules.
    explainModules() {
        const { state, isDiff } = this.app;
        const by = state.values.colour || (isDiff ? 'change' : 'module');

        byId('modules').replaceChildren(...(by === 'module' ? this.modules
            : []).map(([module, share]) => {
            const mark = element('i', { 'aria-hidden': 'true' });

            mark.style.background = moduleFill(module);
            return element('span', {}, mark, `${module.slice(0, 60)} ${share}`);
        }));
    }

    fill(flame, i) {
        const { functions, state, isDiff } = this.app;
        const fn = flame.shape.fn(i), node = flame.shape.node(i);
        const by = state.values.colour || (isDiff ? 'change' : 'module');

        if (by === 'kind')
            return kindFill(fn < 0 ? '' : functions.kindName(fn));
        if (by === 'self')
            return heatFill(flame.of.self[node] / flame.of.total[node]);
        if (by === 'change')
            return changeFill(this.signOf(fn));
        return moduleFill(functions.module(fn));
    }

    // The sign of the function's own change; 0: it is not firm.
    signOf(fn) {
        return signOf(this.app.diff.byFunction.get(fn));
    }

    describe(flame, i) {
        const { functions, page, diff } = this.app, view = flame.of;
        const shape = flame.shape, node = shape.node(i), fn = shape.fn(i);
        const parts = [i ? shortenRow(this.app.label(fn), 400) : 'all'];

        if (fn >= 0 && functions.module(fn))
            parts.push(functions.module(fn).slice(0, 200));
        if (shape.inlined(i))
            parts.push('inlined');
        if (shape instanceof TimeShape)
            parts.push(spanText((shape.x1[i] - shape.x0[i]) *
                flame.span * page.about.data.step_ns));
        if (shape instanceof TimeShape && !i && shape.slot)
            parts.push('the heaviest stack of each ' + spanText(shape.slot *
                page.about.data.step_ns) + '; a shorter range shows all');
        const sides = view.sides || [view], whole = view.sides ? 1 : flame.whole;

        parts.push('total ' + this.amounts(sides.map(s => s.total[node]), whole),
            'self ' + this.amounts(sides.map(s => s.self[node]), whole));
        if (diff?.byFunction.has(fn))
            parts.push(changeText(diff.byFunction.get(fn), diff.unit));
        return parts;
    }

    // The counts of each side. A comparison shows only shares.
    amounts(counts, whole) {
        return counts.map(n => this.app.isDiff ? shareText(n, whole)
            : `${weightText(n)}, ${shareText(n, whole)}`).join(arrow);
    }

    *showMain() {
        const { selection, state, page } = this.app, flame = this.main;
        const values = state.values;
        const inTime = values.order === 'time' && page.rows;
        const view = inTime ? selection.view
            : yield* selection.shownView(values.roots);
        const shape = inTime ? yield* this.timeShape()
            : new HeavyShape(view.tree, view.total);

        flame.of = view;
        flame.whole = view.total[0];
        flame.span = selection.to - selection.from;
        flame.show(shape, values.dir === 'up', +values.zoom || 0);
        yield* this.shareOfModules();
        this.explainModules();
    }

    // The shape of the thread with most of the selected samples.
    *timeShape() {
        const { selection, page } = this.app, { about } = page;
        const { busiest } = selection.view, { from, to } = selection;

        return yield* timeShape(page.rows, selection.derived, busiest ?? 0,
            from, busiest === undefined ? from : to,
            2 * about.trace.interval_ns / about.data.step_ns,
            Math.max(100, this.main.scroll.clientWidth / 3));
    }

    *showSandwich(fn) {
        const { shown: view } = this.app.selection;
        const { side } = this.app.state.values;

        for (const [id, flame, steps] of [
            ['callers', this.callers, callersOf(view, fn, side)],
            ['callees', this.callees, calleesOf(view, fn, side)]]) {
            const of = yield* steps;

            flame.of = of;
            flame.whole = view.total[0];
            const first = of.tree.n > 1 ? 1 : 0;

            byId(id + '-none').hidden = of.tree.n !== 2; // only itself
            flame.show(new HeavyShape(of.tree, of.total),
                flame === this.callers, first, first);
        }
    }

    redraw() {
        this.explainModules();
        if (this.app.isDiff)
            this.explainChanges();
        for (const flame of [this.main, this.callers, this.callees])
            flame.draw();
    }
}
