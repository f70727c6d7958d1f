// copy - what is shown, as text for other programs.

// Lines of FlameGraph: outermost;...;innermost COUNT.
export function foldedText(tree, self, label) {
    const lines = [], names = new Map();
    const name = fn => {
        if (!names.has(fn))
            names.set(fn, label(fn).replace(/;/g, ':').replace(/\s+/g, ' '));
        return names.get(fn);
    };

    for (let i = 1; i < tree.n; i++) {
        const path = [];

        if (!self[i])
            continue;
        for (let at = i; at; at = tree.parent[at])
            path.push(name(tree.fn[at]));
        lines.push(path.reverse().join(';') + ' ' + self[i]);
    }
    return lines.sort().join('\n') + '\n';
}

// Tabs between, as spreadsheets take it; no cell is a formula.
export function tableText(columns, rows) {
    const cell = text => {
        const plain = String(text).replace(/[\t\r\n]+/g, ' ');

        return /^[=+@]|^-(?![\d.]+$)/.test(plain) ? "'" + plain : plain;
    };

    return [columns.map(c => c.title), ...rows.map(row =>
        columns.map(c => cell(c.value(row))))]
        .map(cells => cells.join('\t')).join('\n') + '\n';
}

export async function copyText(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        const area = document.createElement('textarea');

        area.value = text;
        document.body.append(area);
        area.select();
        const done = document.execCommand('copy');

        area.remove();
        return done;
    }
}
