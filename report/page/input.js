// input - what people do to the controls, and the keys of the page.

import { onThemeChange } from './colours.js';
import { copyText, foldedText, tableText } from './copy.js';
import { byId } from './plain.js';

export const views = { flame: 'Flame graph', top: 'Functions', tree: 'Call tree',
    sandwich: 'Callers and callees', processes: 'Processes' };
export const inputs = ['process', 'thread', 'time', 'filter', 'names', 'theme',
    'order', 'roots', 'dir', 'colour', 'side'];

// Says beside the button whether it is done.
async function copy(button, text) {
    const done = await copyText(text);

    byId(button + '-told').textContent = done ? 'Copied.'
        : 'The browser does not let the page copy.';
}

function key(app, event) {
    const { values } = app.state;
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    const process = step => {
        const { options, selectedIndex: at } = byId('process');
        const n = options.length;

        if (n)
            app.given('process', options[(at + step + n) % n].value);
    };
    const acts = {
        '/': () => byId('search').focus(),
        n: () => app.step(1), p: () => app.step(-1),
        f: () => byId('filter').focus(),
        '[': () => process(-1), ']': () => process(1),
    };

    app.views.forEach((view, i) =>
        acts[i + 1] = () => app.state.set({ view }));
    if (event.key === 'Escape' && typing)
        event.target.blur();
    if (typing || event.ctrlKey || event.metaKey || event.altKey ||
        !acts[event.key])
        return;
    event.preventDefault();
    acts[event.key]();
}

export function listen(app) {
    for (const id of inputs)
        byId(id).addEventListener('change', e => app.given(id,
            e.target.value));
    byId('waits').addEventListener('change', e => app.state.set({
        waits: e.target.checked ? 'all' : '' }));
    byId('search').addEventListener('input', e =>
        app.state.set({ q: e.target.value }));
    byId('search').addEventListener('keydown', e => {
        if (e.key === 'Enter')
            app.step(e.shiftKey ? -1 : 1);
    });
    byId('next').addEventListener('click', () => app.step(1));
    byId('previous').addEventListener('click', () => app.step(-1));
    byId('show-all').addEventListener('click', () => {
        app.state.set({ process: '', thread: '', time: '', filter: '',
            zoom: 0 });
        byId('filter').focus();
    });
    byId('controls').addEventListener('submit', e => e.preventDefault());
    byId('zoom-out').addEventListener('click', () =>
        app.graphs.main.zoomTo(0));
    byId('to-sandwich').addEventListener('click', () => {
        const flame = app.graphs.main;

        app.pick(flame.shape.fn(flame.focus));
    });
    byId('copy-folded').addEventListener('click', () => {
        const { view } = app.selection, { side } = app.state.values;
        const of = view.sides?.[side === 'before' ? 0 : 1];

        copy('copy-folded', foldedText(view.tree, of ? of.self.map(n =>
            Math.round(n * of.sum)) : view.self, fn => app.labelAlone(fn)));
    });
    byId('copy-table').addEventListener('click', () =>
        copy('copy-table', tableText(app.lists.columns.filter(c => c.title !== '%'),
            app.lists.top.rows)));
    byId('tabs').addEventListener('keydown', e => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
        const keys = app.views;

        if (step) {
            const at = keys.indexOf(app.state.values.view) + step;
            const view = keys[(at + keys.length) % keys.length];

            app.state.set({ view });
            byId('tab-' + view).focus();
        }
    });
    document.addEventListener('keydown', e => key(app, e));
    onThemeChange(() => app.redraw());
}
