// plain - numbers and text as a person reads them.

const unseen =
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

// What acts unseen is shown, as in every report.
export function plainText(text) {
    return text.replace(unseen, c =>
        '\\u' + c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0'));
}

const grouping = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export function countText(n) {
    return grouping.format(n);
}

export function shareText(part, whole) {
    return whole ? (100 * part / whole).toFixed(1) + ' %' : '';
}

const spans = [[1e9, 's'], [1e6, 'ms'], [1e3, 'us'], [1, 'ns']];

export function spanText(ns) {
    const [unit, name] = spans.find(([n]) => Math.abs(ns) >= n) || spans[3];

    return +(ns / unit).toPrecision(4) + ' ' + name;
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
