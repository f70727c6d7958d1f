// groups - the first step of the filter: what functions are called together,
// as --group on the command line has it (engine/analysis/algebra_impl.h).

import { notValid } from './options.js';
import { globTest, matches } from './pattern.js';
import { isTurn } from './work.js';

// The first parts of a name, but its last: with 2, System.Text.Json.Read is
// in "System.Text". Arguments have no parts of their own.
function namespaceOf(label, parts) {
    let depth = 0, end = 0;

    for (let i = 0; i < label.length && label[i] !== '(' && parts; i++) {
        depth += (label[i] === '<') - (label[i] === '>');
        if (depth > 0 || !i)
            continue;
        if (label[i] === '.' || label.startsWith('::', i)) {
            end = i;
            parts--;
            i += label[i] === ':';
        }
    }
    return end ? label.slice(0, end) : null;
}

// Returns a test for one's own functions: by the globs, else by the trace.
function mineTest(functions, globs) {
    const tests = globs.map(glob => {
        const means = matches(functions, glob), isModule = globTest(glob);

        return fn => means(fn) !== null || isModule(functions.module(fn));
    });

    return globs.length ? fn => tests.some(test => test(fn))
        : fn => functions.isMine(fn);
}

function presetRule(functions, value, mine) {
    const [, parts] = /^namespaces:([1-9])$/.exec(value) || [];
    const presets = {
        modules: fn => functions.module(fn),
        kernel: fn => functions.kindName(fn) === 'kernel' ? '[kernel]' : null,
        runtime: fn => functions.isRuntime(fn) ? '[runtime]' : null,
        'just-my-code': fn => mine(fn) ? null : 'other',
    };

    if (parts)
        return { nameOf: fn => functions.nameless(fn) ? null
            : namespaceOf(functions.label(fn), +parts) };
    if (!Object.hasOwn(presets, value))
        throw notValid('group', value);
    return { nameOf: presets[value], byEntry: value === 'just-my-code' };
}

function ruleOf(functions, value, mine) {
    const [, pattern, arrow, name] = /^(.+?)(->|=>)([^]*)$/.exec(value) || [];

    if (pattern === undefined)
        return presetRule(functions, value, mine);
    const match = matches(functions, pattern);

    return { byEntry: arrow === '=>', nameOf: fn => {
        const found = match(fn);

        return found && name.replace(/\$([1-9$])/g, (_, n) =>
            n === '$' ? n : found[+n] ?? '');
    } };
}

// A group is in its members' module, if it is one, and of their kind.
function plainGroup(functions, known, name, fn) {
    const was = known.get(name);

    if (!was) {
        known.set(name, { module: functions.module(fn),
            kind: functions.kind(fn), members: [fn] });
        return;
    }
    was.members.push(fn);
    if (was.module !== functions.module(fn))
        was.module = '[several]';
    if (was.kind !== functions.kind(fn))
        was.kind = 0;
}

function entryGroup(functions, name, fn) {
    const module = functions.module(fn), label = functions.label(fn);
    const full = `${name} <<${label.startsWith('[') ? module : label}>>`;

    return functions.group(`=>${full}\0${module}`, full, module,
        functions.kind(fn));
}

// By function of the profile: `group`, 0 in none, and what it becomes.
// Null: nothing is grouped.
export function* groupsOf(functions, values, globs) {
    const n = functions.recorded, mine = mineTest(functions, globs);
    const rules = values.map(value => ruleOf(functions, value, mine));
    const group = new Int32Array(n), becomes = new Int32Array(n);
    const ids = new Map(), plain = new Map();

    if (!rules.length)
        return null;
    for (let fn = 0; fn < n; fn++) {
        let name = null, at = 0;

        if (isTurn(fn))
            yield;
        for (; at < rules.length; at++)
            if ((name = rules[at].nameOf(fn)) !== null)
                break;
        becomes[fn] = fn;
        if (name === null || (!name && !rules[at].byEntry))
            continue;
        if (!ids.has(name))
            ids.set(name, ids.size + 1);
        group[fn] = name ? ids.get(name) : -1 - at;
        if (!rules[at].byEntry)
            plainGroup(functions, plain, name, fn);
        else if (name)
            becomes[fn] = entryGroup(functions, name, fn);
    }
    for (const [name, { module, kind, members }] of plain) {
        const id = functions.group(`->${name}\0${module}\0${kind}`, name,
            module, kind);

        for (const fn of members)
            becomes[fn] = id;
    }
    return { group, becomes };
}
