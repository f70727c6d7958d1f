// processes - processes and threads, those with most samples first, and
// processes of one name as a group.
//
// A choice of processes is the `process` of the page's state: '' are all, a
// number is one of them, and '=cc1' are all of that name.

import { countText } from './plain.js';

const byWeight = (a, b) => b.weight - a.weight;

const sumOf = list => list.reduce((sum, { weight }) => sum + weight, 0);

const many = (name, n) => n > 1 ? `${name} \u00d7 ${countText(n)}` : name;

export class Processes {
    // countsWaits: samples of waiting threads count.
    constructor({ rows, names }, countsWaits) {
        const counts = i => countsWaits || !rows.runs || rows.runs[i];

        this.all = 0; // samples of waiting threads, too
        this.threads = names.threads.map(({ name, tid, process }, t) => {
            let weight = 0;

            for (let i = rows.start[t]; i < rows.start[t + 1]; i++) {
                weight += counts(i) ? rows.weight[i] : 0;
                this.all += rows.weight[i];
            }
            return { title: name ? `${name} (${tid})` : `thread ${tid}`, id: tid,
                process, thread: t, threads: [t], weight };
        });
        this.list = names.processes.map((title, process) => ({ title,
            name: title.replace(/ \(\d+\)$/, ''), process, threads: [],
            id: +(/\((\d+)\)$/.exec(title)?.[1] ?? 0), weight: 0 }));
        for (const { thread, process, weight } of this.threads) {
            this.list[process].threads.push(thread);
            this.list[process].weight += weight;
        }
        this.groups = new Map();
        for (const one of this.list) {
            if (!this.groups.has(one.name))
                this.groups.set(one.name, []);
            this.groups.get(one.name).push(one);
        }
        for (const members of this.groups.values())
            members.sort(byWeight);
        this.byName = [...this.groups].map(([name, members]) =>
            members.length === 1 ? members[0] : this.group(name, members))
            .sort(byWeight);
        this.weight = sumOf(this.list);
    }

    group(name, members) {
        return { title: many(name, members.length), process: '=' + name,
            count: members.length,
            threads: members.flatMap(one => one.threads),
            weight: sumOf(members) };
    }

    // The processes that a choice means.
    chosen(process) {
        return process === '' ? this.list
            : process.startsWith('=')
                ? this.groups.get(process.slice(1)) || []
                : this.list.slice(+process, +process + 1);
    }

    threadsOf({ process, thread }) {
        const all = process === '' ? this.threads.map((_, t) => t)
            : this.chosen(process).flatMap(one => one.threads);

        return thread === '' ? all : all.filter(t => t === +thread);
    }

    threadParts(threads) {
        return threads.map(t => this.threads[t]).sort(byWeight);
    }

    // The parts of a choice: groups of processes, the processes of a group,
    // or the threads of one process.
    partsOf(process) {
        const chosen = this.chosen(process);

        if (chosen.length < 2)
            return this.threadParts(chosen.flatMap(one => one.threads));
        return process === '' && this.byName.length > 1 ? this.byName
            : [...chosen].sort(byWeight);
    }

    // The choice that a choice is a part of.
    outerOf(process) {
        const [one] = this.chosen(process);

        return one && !process.startsWith('=') && this.byName.length > 1 &&
            this.groups.get(one.name).length > 1 ? '=' + one.name : '';
    }
}

// The first `most` of a list, and the others as one.
export function withOthers(list, most) {
    const rest = list.slice(most);

    return rest.length < 2 ? list : [...list.slice(0, most),
        { title: many('others', rest.length), isOthers: true,
            threads: rest.flatMap(one => one.threads), weight: sumOf(rest) }];
}
