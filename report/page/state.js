// state - what is shown, kept in the address's fragment.

const defaults = {
    view: 'flame', process: '', thread: '', time: '', filter: '', q: '',
    zoom: '0', fn: '', colour: '', order: 'left', dir: 'down', theme: '',
    sort: '', names: '', side: '',
};

export class State {
    constructor(changed) {
        this.changed = changed;
        this.values = { ...defaults };
        this.read();
        window.addEventListener('hashchange', () => {
            if (location.hash.slice(1) !== this.written) {
                this.read();
                this.changed(this.values, Object.keys(defaults));
            }
        });
    }

    read() {
        const given = new URLSearchParams(location.hash.slice(1));

        for (const key of Object.keys(defaults))
            this.values[key] = given.get(key) ?? defaults[key];
    }

    set(values) {
        const keys = Object.keys(values).filter(key =>
            this.values[key] !== String(values[key]));
        const parts = new URLSearchParams();

        if (!keys.length)
            return;
        for (const key of keys)
            this.values[key] = String(values[key]);
        for (const [key, value] of Object.entries(this.values))
            if (value !== defaults[key])
                parts.set(key, value);
        this.written = parts.toString();
        history.replaceState(null, '', '#' + this.written);
        this.changed(this.values, keys);
    }
}
