// plain - numbers and text as a person reads them.

const unseen =
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

// Shows invisible characters, as every report does.
export function plainText(text) {
    return text.replace(unseen, c =>
        '\\u' + c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0'));
}

const grouping = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export function countText(n) {
    return grouping.format(n);
}

const sizes = [[1e15, 'PB'], [1e12, 'TB'], [1e9, 'GB'], [1e6, 'MB'],
    [1e3, 'kB'], [1, 'B']];
let weight = { one: 1, ns: 0, unit: 'samples' };

// Sets the unit of weights, as `about` states it. Call it before the first
// weight is shown.
export function setWeights({ decimals, unit, unit_ns: ns }) {
    weight = { one: 10 ** decimals, ns, unit, text: new Intl.NumberFormat(
        'en-US', { maximumFractionDigits: decimals }) };
}

// Times and bytes are scaled.
export function weightText(n) {
    const value = n / weight.one;

    if (value && weight.ns)
        return spanText(value * weight.ns);
    if (value && weight.unit === 'bytes')
        return scaledText(value, sizes);
    return weight.text.format(value);
}

// The same with the unit, where that does not say it.
export function weightUnitText(n) {
    return weight.ns || weight.unit === 'bytes' ? weightText(n)
        : `${weightText(n)} ${weight.unit}`;
}

// A number of JSON, which has its decimals, as one of the page's data.
export function weightOf(value) {
    return Math.round(value * weight.one);
}

export function shareText(part, whole) {
    return whole ? (100 * part / whole).toFixed(1) + ' %' : '';
}

const spans = [[1e9, 's'], [1e6, 'ms'], [1e3, 'us'], [1, 'ns']];

function scaledText(value, units) {
    const [unit, name] = units.find(([n]) => Math.abs(value) >= n) ||
        units[units.length - 1];

    return +(value / unit).toPrecision(4) + ' ' + name;
}

export function spanText(ns) {
    return scaledText(ns, spans);
}

// A time that is one of many: all have the unit of the last one, and decimals
// for a step between them.
export function timeText(ns, step, last) {
    const [unit, name] = spans.find(([n]) => last >= n) ||
        spans[spans.length - 1];
    const decimals = Math.max(0, -Math.floor(Math.log10(step / unit) + 1e-9));

    return (ns / unit).toFixed(decimals) + ' ' + name;
}

// A time as --time takes it.
export function timeOption(ns) {
    return ns >= 1e9 ? +(ns / 1e9).toFixed(9) + 's'
        : +(ns / 1e6).toFixed(6) + 'ms';
}

// "1.5s", "200ms"; a plain number is seconds. NaN: none.
export function spanOf(text) {
    const parts = /^\s*(\d*\.?\d+)\s*(s|ms|us|ns)?\s*$/.exec(text);

    if (!parts)
        return NaN;
    return +parts[1] * spans.find(([, name]) => name === (parts[2] || 's'))[0];
}

// An element with text, attributes and children; text never is markup.
export function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);

    for (const [key, value] of Object.entries(attributes)) {
        if (key.startsWith('on'))
            made.addEventListener(key.slice(2), value);
        else if (value !== false && value !== undefined)
            made.setAttribute(key, value === true ? '' : value);
    }
    made.append(...children);
    return made;
}

export function byId(id) {
    return document.getElementById(id);
}

// Marks a row as the one that a search is at, and brings it into view.
export function showFound(row) {
    for (const was of document.querySelectorAll('tr.at'))
        was.classList.remove('at');
    row.classList.add('at');
    row.scrollIntoView({ block: 'nearest' });
}
