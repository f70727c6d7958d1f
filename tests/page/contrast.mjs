// contrast.mjs PAGE.CSS - colours of graphs, bars and text against each other:
// WCAG 2.1 wants 4.5 for text and 3 for what is told by a colour. The modules
// of the page are beside it. Prints what has less.

import fs from 'fs';

let dark = false;

globalThis.document = { documentElement: { dataset: {} } };
globalThis.matchMedia = query => ({ addEventListener() {},
    get matches() {
        return dark && query.includes('dark');
    } });

const { changeFill, fill, heatFill, ink, kindBar, kindFill,
    stateBar } =
    await import('./colours.js');

function channels(colour) {
    const hsl = /^hsl\((\d+) (\d+)% (\d+)%\)$/.exec(colour);

    if (!hsl) {
        const [hex] = /[0-9a-f]+$/.exec(colour);

        return [0, 1, 2].map(i => parseInt(hex.length < 6 ? hex[i] + hex[i]
            : hex.slice(2 * i, 2 * i + 2), 16) / 255);
    }
    const [h, s, l] = [+hsl[1], hsl[2] / 100, hsl[3] / 100];

    return [0, 8, 4].map(n => {
        const k = (n + h / 30) % 12;

        return l - s * Math.min(l, 1 - l) *
            Math.max(-1, Math.min(k - 3, 9 - k, 1));
    });
}

function luminance(colour) {
    const [r, g, b] = channels(colour).map(c => c <= .04045 ? c / 12.92
        : ((c + .055) / 1.055) ** 2.4);

    return .2126 * r + .7152 * g + .0722 * b;
}

function contrast(a, b) {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);

    return (high + .05) / (low + .05);
}

let failed = 0;

function least(what, wanted, a, b) {
    if (contrast(a, b) >= wanted)
        return;
    failed++;
    console.log(`${dark ? 'dark' : 'light'}: ${what}, ${a} on ${b}: ` +
        contrast(a, b).toFixed(2));
}

const css = fs.readFileSync(process.argv[2], 'utf8');
const hues = Array.from({ length: 24 }, (_, i) => 15 * i);
const shares = [0, .1, .25, .5, .75, 1];
const kinds = ['native', 'managed', 'script', 'kernel', 'unknown'];

for (dark of [false, true]) {
    const [, block] = (dark ? /theme=dark\] \{([^}]*)/ : /:root \{([^}]*)/)
        .exec(css);
    const of = Object.fromEntries([...block.matchAll(/--(\w+): (#\w+)/g)]
        .map(m => [m[1], m[2]]));
    const { text, paper, crumbs, focus } = ink();

    for (const frame of [...hues.map(hue => fill(hue)), fill(0, 0), crumbs,
        ...shares.map(heatFill), ...kinds.map(kindFill),
        ...[-1, 0, 1].map(changeFill)]) {
        least('a label', 4.5, text, frame);
        least('the frame in focus', 3, focus, frame);
    }
    for (const kind of kinds)
        least('a bar of ' + kind, 3, kindBar(kind), paper);
    for (const state of ['running', 'ready', 'blocked'])
        least('a bar of ' + state, 3, stateBar(state), paper);
    for (const [name, on] of [['text', 'paper'], ['faint', 'paper'],
        ['text', 'row'], ['faint', 'row'], ['text', 'bar'], ['text', 'found'],
        ['wrong', 'paper'], ['worse', 'paper'], ['better', 'paper'],
        ['worse', 'row'], ['better', 'row']])
        least(name, 4.5, of[name], of[on]);
    least('a bar', 3, of.strong, of.paper);
}
process.exit(failed ? 1 : 0);
