// about - what stands above and below everything: how far the trace can be
// trusted, and what is not in the page.

import { headText } from './diff.js';
import { byId, countText, element, plainText, shareText, spanText, weightOf,
    weightText } from './plain.js';

export function showAbout({ about, rows }, diff) {
    const isDiff = !rows, facts = byId('facts');
    const say = (what, value) => value && facts.append(
        element('dt', {}, what), element('dd', {}, String(value)));

    byId('title').textContent = about.title;
    byId('trust').textContent = isDiff ? headText(about.trust, diff)
        : about.trust.trim().replace(about.title + ' \u00b7 ', '');
    for (const trace of about.trace ? [about.trace] : []) {
        say('Files', trace.files.map(plainText).join(', '));
        say('Format', trace.format);
        say('Stacks', Object.entries(trace.stacks).map(([what, n]) =>
            `${what.replace('_', ' ')} ${weightText(weightOf(n))}`).join(', '));
        say('No function names', Object.entries(trace.unresolved.by_cause)
            .filter(([, n]) => n).map(([why, n]) =>
                `${why.replace(/_/g, ' ')} ${weightText(weightOf(n))}`).join(', '));
        say('Lost', trace.lost_events &&
            `${countText(trace.lost_events)} events, ` +
            `${countText(trace.lost_buffers)} buffers`);
        say('Not read', trace.skipped_bytes &&
            countText(trace.skipped_bytes) + ' bytes');
        say('Idle samples left out', weightText(weightOf(trace.idle_samples)));
    }
    const { data } = about, notes = [];

    if (data.samples_left_out) {
        const share = data.samples_left_out / data.samples;
        const text = `${shareText(share, 1)} of samples lack rare callers ` +
            'in this page. Counts of functions are exact; totals under a ' +
            'filter may be too low. ' +
            `topfn page --page-size ${4 * data.megabytes} keeps more.`;

        if (share > .01)
            byId('cut').textContent = text;
        else
            notes.push(text);
    }
    if (data.step_ns > 1000 && !isDiff)
        notes.push('Times are in steps of ' + spanText(data.step_ns) + '.');
    byId('left-out').textContent = notes.join(' ');
    byId('about-trace').hidden = !facts.children.length;
}
