// colours - light and dark, and what a frame's colour says.

const wantsDark = matchMedia('(prefers-color-scheme: dark)');
// The system's own colours of text and paper, which no page may change.
const isForced = matchMedia('(forced-colors: active)');
let printing = false;

export function isDark() {
    const chosen = document.documentElement.dataset.theme;

    return !printing && (chosen && !isForced.matches ? chosen === 'dark'
        : wantsDark.matches);
}

export function onThemeChange(call) {
    for (const media of [wantsDark, isForced])
        media.addEventListener('change', call);
    for (const [event, value] of [['beforeprint', true], ['afterprint', false]])
        window.addEventListener(event, () => {
            printing = value;
            document.documentElement.classList.toggle('printing', value);
            call();
        });
}

export function setTheme(theme) {
    if (theme)
        document.documentElement.dataset.theme = theme;
    else
        delete document.documentElement.dataset.theme;
}

// Apart for those who tell red from green badly, too.
const kindHues = { native: 210, managed: 145, script: 50, kernel: 20 };
// States of threads, light and dark, differ by their lightness, too.
const stateBars = {
    running: ['hsl(205 100% 30%)', 'hsl(205 90% 72%)'],
    ready: ['hsl(36 100% 40%)', 'hsl(36 100% 45%)'],
    blocked: ['hsl(0 0% 57%)', 'hsl(0 0% 43%)'],
    unknown: ['hsl(0 0% 88%)', 'hsl(0 0% 24%)'],
};
const known = new Map();

function hueOf(text) {
    let hash = 2166136261;

    if (known.has(text))
        return known.get(text);
    for (let i = 0; i < text.length; i++)
        hash = Math.imul(hash ^ text.charCodeAt(i), 16777619) >>> 0;
    known.set(text, hash % 24 * 15);
    return known.get(text);
}

export function fill(hue, strength = 1) {
    return isDark()
        ? `hsl(${hue} ${Math.round(30 * strength)}% 27%)`
        : `hsl(${hue} ${Math.round(58 * strength)}% 82%)`;
}

// On the timeline, where nothing is written on it.
export function kindBar(kind) {
    const hue = kindHues[kind] ?? 0, strength = kind in kindHues ? 50 : 0;

    return `hsl(${hue} ${strength}% ${isDark() ? 52 : 43}%)`;
}

export function stateBar(state) {
    return stateBars[state][isDark() ? 1 : 0];
}

export function kindFill(kind) {
    return kind in kindHues ? fill(kindHues[kind]) : fill(0, 0);
}

export function moduleFill(module) {
    return module ? fill(hueOf(module)) : fill(0, 0);
}

// From nothing to all.
export function heatFill(share) {
    const s = Math.sqrt(Math.min(1, Math.max(0, share)));

    return isDark() ? `hsl(15 ${Math.round(65 * s)}% ${Math.round(25 + 8 * s)}%)`
        : `hsl(28 ${Math.round(90 * s)}% ${Math.round(88 - 18 * s)}%)`;
}

// More (1) stands out by its lightness, too; less (-1) is close to the paper.
export function changeFill(sign) {
    const fills = isDark() ? ['hsl(212 80% 17%)', 'hsl(0 0% 29%)',
        'hsl(18 85% 36%)'] : ['hsl(212 90% 92%)', 'hsl(0 0% 82%)',
        'hsl(24 85% 62%)'];

    return fills[sign + 1];
}

export function ink() {
    return isDark()
        ? { text: '#eceae6', faint: '#a5a29b', paper: '#191a1c',
            line: '#191a1c', crumbs: '#3a3b3e', focus: '#ffd166',
            range: 'rgba(140,180,255,.25)' }
        : { text: '#1b1b1b', faint: '#5c5a55', paper: '#ffffff',
            line: '#ffffff', crumbs: '#d9d7d2', focus: '#8a3b00',
            range: 'rgba(30,90,200,.18)' };
}
