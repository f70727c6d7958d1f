// svg - zoom and search in a flame graph of `topfn flame --interactive`.
//
// A click on a box makes it as wide as the image and hides what is not on its
// stacks; on a box below it, or Escape, leads back. "/" or a click on Search
// asks for a part of a name.
const ns = 'http://www.w3.org/2000/svg', svg = document.documentElement;
const width = svg.viewBox.baseVal.width, margin = 10, letter = 7;
const boxes = [...document.querySelectorAll('[role=listitem]')].map(g => {
    const rect = g.querySelector('rect'), title =
        g.querySelector('title').textContent;

    return { g, rect, text: g.querySelector('text'), list: g.parentNode,
        name: title.slice(0, title.lastIndexOf(': ')), x: +rect.getAttribute('x'),
        y: +rect.getAttribute('y'), w: +rect.getAttribute('width') };
});
const told = svg.appendChild(document.createElementNS(ns, 'text'));

function place(box, x, w) {
    const room = Math.floor((w - 4) / letter);

    box.rect.setAttribute('x', x);
    box.rect.setAttribute('width', w);
    box.text ||= box.g.appendChild(document.createElementNS(ns, 'text'));
    box.label ??= box.text.textContent;
    box.text.setAttribute('x', x + 3);
    box.text.setAttribute('y', box.y + 12);
    box.text.textContent = w === box.w ? box.label
        : box.name.length <= room ? box.name
        : room > 2 ? box.name.slice(0, room - 1) + '\u2026' : '';
}

// Boxes of the same graph; `to` null: all are as they were.
function zoom(to) {
    const scale = to && (width - 2 * margin) / to.w, near = .15;

    for (const box of boxes) {
        const below = to && box.y > to.y && box.x <= to.x + near &&
            box.x + box.w >= to.x + to.w - near;
        const within = to && box.y <= to.y && box.x >= to.x - near &&
            box.x + box.w <= to.x + to.w + near;

        if (!to || box.list !== to.list)
            place(box, box.x, box.w);
        else if (below)
            place(box, margin, width - 2 * margin);
        else if (within)
            place(box, margin + (box.x - to.x) * scale, box.w * scale);
        box.g.style.display = !to || box.list !== to.list || below || within
            ? '' : 'none';
        box.g.style.opacity = below ? .5 : '';
    }
}

function search() {
    const part = (prompt('Part of a name') || '').toLowerCase();
    let n = 0;

    for (const box of boxes) {
        const found = part && box.name.toLowerCase().includes(part);

        n += !!found;
        box.rect.style.stroke = found ? '#8a3b00' : '';
        box.rect.style.strokeWidth = found ? 2 : '';
    }
    told.textContent = part ? `Search: "${part}" in ${n}` : 'Search';
}

told.setAttribute('x', width - margin);
told.setAttribute('y', 18);
told.setAttribute('text-anchor', 'end');
told.setAttribute('role', 'button');
told.textContent = 'Search';
told.addEventListener('click', search);
for (const box of boxes)
    box.g.addEventListener('click', () => zoom(box));
document.addEventListener('keydown', e => {
    if (e.key === 'Escape')
        zoom(null);
    else if (e.key === '/') {
        e.preventDefault();
        search();
    }
});
