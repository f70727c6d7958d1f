// pattern - which functions a pattern means, as on the command line: a glob
// of the whole name without regard to case; without * and ? its last parts
// will do, else any part; behind "re:" a regular expression; with "!"
// module!function.

import { scriptPlace } from './shorten.js';
import { isTurn } from './work.js';

const special = /[.+^${}()|[\]\\]/g;

// A * takes as little as will do, and the last one the rest.
export function globSource(glob) {
    const last = glob.lastIndexOf('*');

    return glob.replace(/[\s\S]/g, (c, at) => c === '*'
        ? at === last ? '(.*)' : '(.*?)' : c === '?' ? '.'
            : c.replace(special, '\\$&'));
}

export function globTest(glob) {
    const expression = new RegExp('^' + globSource(glob) + '$', 'is');

    return text => expression.test(text);
}

function plainMatcher(pattern) {
    const low = pattern.toLowerCase(), n = pattern.length;

    return text => {
        const at = text.length - n;

        return at >= 0 && (!at || '.:'.includes(text[at - 1])) &&
            text.slice(at).toLowerCase() === low ? [text.slice(at)] : null;
    };
}

// A function from text to what matched or null. Throws for what is none.
export function matcher(pattern) {
    if (!pattern.startsWith('re:')) {
        if (!/[*?]/.test(pattern))
            return plainMatcher(pattern);
        const expression = new RegExp('^' + globSource(pattern) + '$', 'is');

        return text => expression.exec(text);
    }
    const [, anyCase, source] = /^re:(\(\?i\))?([^]*)$/.exec(pattern);
    const expression = new RegExp(source, anyCase ? 'is' : 's');

    return text => expression.exec(text);
}

function withoutParameters(name) {
    const [fn] = scriptPlace(name) || [];

    if (fn)
        return fn;
    const close = name.lastIndexOf(')');
    let depth = 0;

    for (let at = close; at > 0; at--) {
        depth += (name[at] === ')') - (name[at] === '(');
        if (!depth)
            return name.slice(0, at);
    }
    return name;
}

// All names of a function that a pattern may match.
export function textsOf(functions, id, withModule) {
    const label = functions.label(id), name = functions.name(id);
    const texts = [label, name, withoutParameters(name)];
    const module = functions.module(id) + '!';

    return withModule ? texts.map(text => module + text).concat(texts) : texts;
}

// By function what the pattern found in it, or null.
export function matches(functions, pattern) {
    const match = matcher(pattern), withModule = pattern.includes('!');

    return id => {
        for (const text of textsOf(functions, id, withModule)) {
            const found = match(text);

            if (found)
                return found;
        }
        return null;
    };
}

// By function whether a filter means it: those that meet the first of these
// rules that any function meets. Its label or recorded name is exactly so; a
// name matches; a name contains the text.
export function meant(functions, pattern) {
    const match = matcher(pattern), withModule = pattern.includes('!');
    const low = /^re:|[*?]/.test(pattern) ? null : pattern.toLowerCase();
    const rules = Uint8Array.from({ length: functions.count }, (_, id) => {
        const texts = textsOf(functions, id, withModule);

        return texts.some((t, i) => i % 3 < 2 && t === pattern) ? 1
            : texts.some(match) ? 2
            : low && texts.some(t => t.toLowerCase().includes(low)) ? 3 : 4;
    });
    const first = rules.reduce((least, rule) => Math.min(least, rule), 4);

    return id => first < 4 && rules[id] === first;
}

// By function whether a search means it: text anywhere in its label, or a
// pattern of the command line.
export function* searched(functions, text) {
    const found = new Uint8Array(functions.count);
    let match;

    if (!text)
        return null;
    if (text.startsWith('re:') || /[*?]/.test(text)) {
        const means = matches(functions, text);

        match = id => means(id) !== null;
    } else {
        const low = text.toLowerCase();

        match = id => functions.label(id).toLowerCase().includes(low);
    }
    for (let i = 0; i < functions.count; i++) {
        if (isTurn(i))
            yield;
        found[i] = match(i) ? 1 : 0;
    }
    return found;
}
