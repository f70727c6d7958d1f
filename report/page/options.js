// options - the options that the page takes, with the errors that the command
// line gives for them (cli/options/option_list.h).

// The kind of the value, and the help that an error shows.
const optionValues = {
    group: ['RULE', 'PATTERN->NAME or =>NAME; modules, just-my-code, ...'],
    mine: ['GLOB', 'just-my-code: modules or functions that are your own'],
    fold: ['FUNCTION|P%', 'count these, or those below P %, for their callers'],
    focus: ['FUNCTION', 'only samples with this function on their stack'],
    ignore: ['FUNCTION', 'only samples without this function on their stack'],
    leaf: ['FUNCTION', 'only samples taken in it; MODULE!*: in a module'],
    module: ['GLOB', 'only samples with this module on their stack'],
    kind: ['KIND'],
    tier: ['TIER'],
    cpu: ['N,N-N', 'only these processors: 0,2-5'],
    'show-from': ['FUNCTION', 'begin stacks at this function; drop other samples'],
    'show-to': ['FUNCTION', 'end stacks at this function; drop other samples'],
    time: ['FROM,TO', 'only this range: 1.5s,2s or ,200ms or 25%,50%'],
};

export const filterOptions = Object.keys(optionValues).filter(o => o !== 'time');

export function notValid(option, value) {
    const [kind, help] = optionValues[option];

    return new Error(`--${option}: not a valid ${kind}: "${value}" (${help})`);
}

export function unknownValue(option, value, words) {
    return new Error(`--${option}: unknown value "${value}" ` +
        `(${words.join(', ')})`);
}

export function needsValue(option) {
    return new Error(`--${option} needs a value: ${optionValues[option][0]}`);
}

// Letters to add, remove or replace until one word is the other.
function lettersApart(a, b) {
    let row = Array.from({ length: b.length + 1 }, (_, k) => k);

    for (let i = 1; i <= a.length; i++) {
        const next = [i];

        for (let k = 1; k <= b.length; k++)
            next.push(Math.min(row[k] + 1, next[k - 1] + 1,
                row[k - 1] + (a[i - 1] !== b[k - 1])));
        row = next;
    }
    return row[b.length];
}

export function unknownOption(given) {
    const name = given.replace(/^-+/, '').replace(/=.*/s, '').slice(0, 40);
    const most = Math.min(2, Math.floor(name.length / 3));
    const [near] = filterOptions.filter(o => lettersApart(name, o) <= most)
        .sort((a, b) => lettersApart(name, a) - lettersApart(name, b));

    return new Error(given.startsWith('-')
        ? `unknown option ${given.slice(0, 40)}` +
            (near ? ` (did you mean --${near}?)`
                : `; a page takes --${filterOptions.join(', --')}`)
        : `"${given.slice(0, 40)}" is no option; a page takes ` +
            `--${filterOptions.join(', --')}`);
}

// "25%"; NaN: none.
export function percentOf(text) {
    const [, digits] = /^\s*(\d+\.?\d*|\.\d+)%\s*$/.exec(text) || [];

    return digits !== undefined && +digits <= 100 ? +digits : NaN;
}
