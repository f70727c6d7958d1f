// hottest - the functions with most samples of the selection, as bars.

import { byId, element, shareText, weightText } from './plain.js';

const shown = 5;

export class Hottest {
    // app: selection, labelAlone(fn), short(fn), pick(fn), isDiff.
    constructor(app) {
        this.app = app;
        this.list = byId('hottest-list');
        byId('hottest').hidden = app.isDiff;
    }

    *show() {
        const { app } = this;
        const [{ own, total }] = yield* app.selection.byFunction();
        const first = [];

        for (let fn = 0; fn < own.length; fn++) {
            if (!own[fn] || (first.length === shown &&
                own[fn] <= own[first[shown - 1]]))
                continue;
            first.push(fn);
            first.sort((a, b) => own[b] - own[a] || a - b);
            first.length = Math.min(first.length, shown);
        }
        const had = [...this.list.querySelectorAll('button')]
            .indexOf(document.activeElement);

        this.list.replaceChildren(...first.map(fn => this.row(fn, own, total,
            own[first[0]])));
        byId('hottest').hidden = app.isDiff || !first.length;
        if (had >= 0)
            this.list.querySelectorAll('button')[had]?.focus();
    }

    row(fn, own, total, most) {
        const { app } = this, bar = element('i', { 'aria-hidden': 'true' });
        const module = app.functions.module(fn);

        bar.style.width = 100 * own[fn] / most + '%';
        return element('li', {}, element('button', { type: 'button',
            title: `${app.label(fn)}\n${module}\nexclusive ` +
                `${weightText(own[fn])}: callers and callees`,
            onclick: () => app.pick(fn) }, bar,
        element('strong', {}, shareText(own[fn], total)),
        element('span', {}, app.labelAlone(fn))));
    }
}
