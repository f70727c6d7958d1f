// state - what is shown, kept in the address's fragment. The browser's Back
// undoes what selects or moves.

const defaults = {
    view: 'flame', process: '', thread: '', time: '', filter: '', q: '',
    zoom: '0', axis: '', fn: '', colour: '', order: 'left', dir: 'down',
    theme: '', waits: '', roots: '', sort: '', names: '', side: '',
};
const undone = ['view', 'process', 'thread', 'time', 'axis', 'filter', 'waits',
    'zoom', 'fn', 'order', 'side'];
const soonMs = 1000; // what is changed again so soon is one step back

export class State {
    // isValid(key, value, values): true if the page has that; `values` has the
    // keys before it. Other values of an address become the default and a line
    // of `wrong`.
    constructor(changed, isValid) {
        Object.assign(this, { changed, isValid });
        this.values = { ...defaults };
        this.read();
        window.addEventListener('hashchange', () => {
            if (location.hash.slice(1) !== this.written)
                this.changed(this.values, this.read());
        });
    }

    // Returns the keys whose values changed.
    read() {
        const before = this.values;

        this.written = location.hash.slice(1);
        const given = new URLSearchParams(this.written);
        const values = this.values = { ...defaults };
        const wrong = [...given.keys()].filter(key =>
            !Object.hasOwn(defaults, key));

        for (const key of Object.keys(defaults)) {
            values[key] = given.get(key) ?? defaults[key];
            if (values[key] === defaults[key] ||
                this.isValid(key, values[key], values))
                continue;
            values[key] = defaults[key];
            wrong.push(key);
        }
        this.wrong = wrong.map(key => `address: no ${key.slice(0, 40)} ` +
            `"${given.get(key).slice(0, 100)}" in this page; left out\n`).join('');
        return Object.keys(defaults).filter(key =>
            values[key] !== before[key]);
    }

    set(values) {
        const keys = Object.keys(values).filter(key =>
            this.values[key] !== String(values[key]));
        const parts = new URLSearchParams();
        const what = keys.join(), now = performance.now();

        if (!keys.length)
            return;
        for (const key of keys)
            this.values[key] = String(values[key]);
        for (const [key, value] of Object.entries(this.values))
            if (value !== defaults[key])
                parts.set(key, value);
        this.written = parts.toString();
        this.wrong = '';
        const isStep = keys.some(key => undone.includes(key)) &&
            !(what === this.last && now - this.lastAt < soonMs);

        Object.assign(this, { last: what, lastAt: now });
        history[isStep ? 'pushState' : 'replaceState'](null, '',
            '#' + this.written);
        this.changed(this.values, keys);
    }
}
