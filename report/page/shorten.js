// shorten - fits a label into a number of characters, by the rule of the text
// reports (table/text.h). Parameters go first, then template arguments;
// namespaces become initials, then go; the function's own name is last.

const ellipsis = '\u2026';
const operator = /^operator(?= ?[<>()[\]=\-!&|+*/%^~,]) ?(?:\(\)|\[\]|[<>=\-!&|+*/%^~,]*)/;
const named = /^ (?:\[|lambda|closure|async|iterator|state machine|#)/;

function operatorAt(text, at) {
    if (text[at] !== 'o' || (at && !':. '.includes(text[at - 1])))
        return 0;
    const found = operator.exec(text.slice(at, at + 24));

    return found ? found[0].length : 0;
}

function pastBrackets(text, at) {
    let depth = 0;

    for (; at < text.length; at++) {
        const c = text[at], skip = operatorAt(text, at);

        if (skip)
            at += skip - 1;
        else if ('<([{'.includes(c))
            depth++;
        else if (depth && (')]}'.includes(c) ||
            (c === '>' && !'-='.includes(text[at - 1]))) && !--depth)
            return at + 1;
    }
    return at;
}

function separatorAt(text, start, at) {
    if (at === start)
        return 0;
    if (text.startsWith('::', at))
        return at + 2 < text.length && text[at + 2] !== '<' ? 2 : 0;
    if (text[at] === '/')
        return 1;
    return text[at] === '.' && at + 1 < text.length && text[at + 1] !== ' ' &&
        text[at - 1] !== '.' ? 1 : 0;
}

function splitLabel(text) {
    const parts = [];
    let at = 0, start = 0;

    while (at < text.length &&
        !(text[at] === ' ' && named.test(text.slice(at, at + 16)))) {
        const n = separatorAt(text, start, at);

        if (n) {
            parts.push([text.slice(start, at), text.slice(at, at + n)]);
            start = at += n;
        } else {
            at = operatorAt(text, at) ? at + operatorAt(text, at)
                : '<([{'.includes(text[at]) ? pastBrackets(text, at) : at + 1;
        }
    }
    parts.push([text.slice(start), '']);
    return parts;
}

function withoutArguments(part, brackets) {
    let made = '';

    for (let at = 0; at < part.length;) {
        const c = part[at], skip = operatorAt(part, at);
        let end = at + (skip || 1), shrinks = false;

        if (!skip && at && part[at - 1] !== ' ' && (c === '<' || c === '(') &&
            !part.startsWith('(anonymous', at)) {
            shrinks = c === '(' || brackets;
            end = pastBrackets(part, at);
        }
        made += shrinks && end - at > 5
            ? c + ellipsis + part[end - 1] : part.slice(at, end);
        at = end;
    }
    return made;
}

function joined(parts, first, initials) {
    return (first && first + 1 < parts.length ? ellipsis : '') +
        parts.slice(first).map(([name, mark], i) =>
            (i + first < initials ? name.slice(0, 1) : name) + mark).join('');
}

// In a row of text a name has an end, too.
export function shortenRow(label, width) {
    const text = shorten(label, width), most = Math.max(200, width);

    return text.length > most ? text.slice(0, most) + ellipsis : text;
}

// [function, place] of a name that ends in a place of its script, else null:
// V8's "f file:///srv/a.js:1:2", py-spy's "f (a.py:1)", rbspy's "f - a.rb:1",
// CPython's "py::f:/srv/a.py".
export function scriptPlace(name) {
    const python = /^py::([^:]+):(.+)$/s.exec(name);

    if (python || !/:\d+\)?$/.test(name))
        return python && python.slice(1);
    const [, fn, open, place, close] =
        /^(.+?) (\(?)((?:\/|[a-z-]+:\/\/|.:\\).*?)(\)?)$/s.exec(name) ||
        /^(.+) (\(?)(.*?)(\)?)$/s.exec(name) || [];

    return fn && !open === !close ? [fn.replace(/ -$/, ''), place] : null;
}

export function shorten(label, width) {
    const unnamed = /^(\S+) \[[^\]]*\]$/.exec(label);

    if (label.length <= width)
        return label;
    if (unnamed) // code without a name, behind its module
        return unnamed[1];
    const [fn, place] = scriptPlace(label) || [];

    if (fn) {
        const whole = fn + ' ' + place.replace(/^.*[\\/]/s, '');
        const text = whole.length <= width ? whole
            : whole.replace(/(:\d+):\d+$/, '$1');

        return text.length <= width ? text : shorten(fn, width);
    }
    let parts = splitLabel(label);
    const names = parts.length - 1;

    for (const brackets of [false, true]) {
        parts = parts.map(([n, mark]) => [withoutArguments(n, brackets), mark]);
        if (joined(parts, 0, 0).length <= width)
            return joined(parts, 0, 0);
    }
    for (let i = 1; i < names; i++)
        if (joined(parts, 0, i).length <= width)
            return joined(parts, 0, i);
    for (let i = 1; i < names; i++)
        if (joined(parts, i, 0).length <= width)
            return joined(parts, i, 0);
    return parts[names][0];
}
