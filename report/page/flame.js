// flame - a flame graph or icicle on a canvas, by mouse and keyboard.

import { ink } from './colours.js';
import { byId, element } from './plain.js';
import { shorten } from './shorten.js';
import { isTurn } from './work.js';

const labelMs = 10;
// Fingers need more than a pointer.
const rowHeight = matchMedia('(pointer: coarse)').matches ? 24 : 18;
const font = '12px system-ui, sans-serif';

export class Flame {
    // root: an element for it. calls: fill(i), describe(i): texts, the name
    // first, label(fn), sign(fn), weight(i), matched() by function or null, zoomed(i),
    // opened(i), asked(option, i).
    constructor(root, name, calls) {
        this.calls = calls;
        this.canvas = element('canvas', { tabindex: '0', role: 'application',
            'aria-label': name + ': arrow keys move, Enter zooms in, ' +
                'Escape zooms out, S shows callers and callees, O keeps only ' +
                'stacks with the function, M merges it into its callers' });
        this.spacer = element('div');
        this.scroll = element('div', { class: 'scroll' }, this.canvas,
            this.spacer);
        this.status = element('p', { class: 'status', 'aria-live': 'polite' });
        // Readers of a screen hear the status, which says the same.
        this.tip = element('div', { class: 'tip', 'aria-hidden': 'true',
            hidden: true });
        root.append(this.status, this.scroll, this.tip);
        this.boxes = [];
        this.fitted = new Map();
        this.focus = this.zoom = 0;
        this.marked = -1;
        this.listen();
    }

    listen() {
        const { canvas } = this;
        const left = () => {
            this.hideTip();
            this.later();
        };

        new ResizeObserver(() => this.later()).observe(this.scroll);
        this.scroll.addEventListener('scroll', () => this.later());
        canvas.addEventListener('keydown', e => this.key(e));
        canvas.addEventListener('focus', () => this.later());
        canvas.addEventListener('blur', left);
        canvas.addEventListener('mousemove', e => this.hover(this.at(e), e));
        canvas.addEventListener('mouseleave', () => this.hover(-1));
        canvas.addEventListener('click', e => {
            const box = this.at(e);

            if (box >= 0) {
                this.focus = this.boxes[box].i;
                this.zoomTo(this.focus);
            }
        });
    }

    // Draws a shape (shapes.js), upwards or downwards. `base`: the outermost
    // box that is drawn.
    show(shape, up, zoom = 0, base = 0) {
        const stays = this.shape && this.up === up;

        this.shape = shape;
        this.up = up;
        this.base = base;
        this.zoom = zoom < shape.n ? zoom : 0;
        this.tallest = 0;
        this.focus = this.zoom;
        shape.place(this.zoom);
        this.over = this.marked = -1;
        this.hideTip();
        this.tell(this.focus);
        this.draw();
        if (!stays)
            this.scroll.scrollTop = up ? 1e7 : 0;
    }

    later() {
        this.pending ||= requestAnimationFrame(() => {
            this.pending = 0;
            this.draw();
        });
    }

    // Frames that are wide enough to be seen, and strips of those that are
    // not.
    layOut(width) {
        const { shape, zoom } = this, boxes = [], turns = [];
        const path = [];

        for (let i = zoom; i !== this.base;)
            path.unshift(i = shape.parent(i));
        path.forEach((i, depth) =>
            boxes.push({ i, x: 0, w: width, depth, above: true }));
        const left = shape.x0[zoom], span = shape.x1[zoom] - left || 1;
        const scale = width / span;
        let deepest = path.length;

        turns.push(zoom, path.length);
        while (turns.length) {
            const depth = turns.pop(), i = turns.pop();
            const x = (shape.x0[i] - left) * scale;
            let crumb = null;

            boxes.push({ i, x, w: (shape.x1[i] - shape.x0[i]) * scale, depth });
            if (depth > deepest)
                deepest = depth;
            for (const child of shape.children(i)) {
                const at = (shape.x0[child] - left) * scale;
                const w = (shape.x1[child] - shape.x0[child]) * scale;

                if (w >= 1) {
                    turns.push(child, depth + 1);
                } else if (crumb && at - (crumb.x + crumb.w) < 1) {
                    crumb.w = at + w - crumb.x;
                } else {
                    crumb = { i: -1, x: at, w, depth: depth + 1 };
                    boxes.push(crumb);
                    deepest = Math.max(deepest, depth + 1);
                }
            }
        }
        this.boxes = boxes;
        this.deepest = deepest;
    }

    y(depth) {
        const { height, tall } = this, top = this.scroll.scrollTop;

        return (this.up ? Math.max(tall, height) - (depth + 1) * rowHeight
            : depth * rowHeight) - top;
    }

    draw() {
        const { canvas, scroll } = this;
        const width = scroll.clientWidth, ratio = window.devicePixelRatio || 1;

        if (!this.shape || !width)
            return;
        const start = performance.now();

        this.layOut(width);
        this.tall = (this.deepest + 1) * rowHeight;
        this.tallest = Math.max(this.tallest, this.tall);
        scroll.style.height = this.tallest + 2 + 'px';
        this.height = scroll.clientHeight;
        this.spacer.style.height =
            Math.max(0, this.tall - this.height) + 'px';
        if (canvas.width !== Math.round(width * ratio) ||
            canvas.height !== Math.round(this.height * ratio)) {
            canvas.width = Math.round(width * ratio);
            canvas.height = Math.round(this.height * ratio);
            canvas.style.width = width + 'px';
            canvas.style.height = this.height + 'px';
        }
        this.paint(canvas.getContext('2d'), width, ratio);
        this.drawn = performance.now() - start;
        this.frames = (this.frames || 0) + 1;
    }

    paint(to, width, ratio) {
        const colours = ink(), matched = this.calls.matched();

        to.setTransform(ratio, 0, 0, ratio, 0, 0);
        to.fillStyle = colours.paper;
        to.fillRect(0, 0, width, this.height);
        to.font = font;
        to.textBaseline = 'middle';
        this.character ||= to.measureText('abcdefghijklmnop').width / 16;
        this.labelEnd = performance.now() + labelMs;
        this.hasAllLabels = true;
        for (const box of this.boxes) {
            const y = this.y(box.depth);

            if (y > -rowHeight && y < this.height)
                this.paintBox(to, box, y, colours, matched);
        }
        for (const [i, wanted] of [[this.over, true], [this.marked, true],
            [this.focus, document.activeElement === this.canvas]]) {
            const box = wanted && this.boxes.find(b => b.i === i && i >= 0);

            if (box) {
                to.strokeStyle = colours.focus;
                to.lineWidth = 2;
                to.strokeRect(box.x + 1, this.y(box.depth) + 1,
                    Math.max(2, box.w - 3), rowHeight - 3);
            }
        }
        if (!this.hasAllLabels)
            this.later();
    }

    paintBox(to, box, y, colours, matched) {
        const { shape, calls } = this, { i, x, w } = box;
        const gap = w > 3 ? 1 : 0;

        if (i < 0) {
            to.fillStyle = colours.crumbs;
            to.fillRect(x, y, Math.max(w, .5), rowHeight - 1);
            return;
        }
        const fn = shape.fn(i), dim = matched && !(fn >= 0 && matched[fn]);

        to.fillStyle = dim ? colours.crumbs : calls.fill(i);
        to.fillRect(x, y, w - gap, rowHeight - 1);
        if (shape.inlined(i)) {
            to.fillStyle = colours.faint;
            for (let at = x + 1; at < x + w - 3 && w > 6; at += 6)
                to.fillRect(at, y + rowHeight - 3, 3, 1);
        }
        if (w > 24) {
            const sign = calls.sign(fn), room = sign ? 16 : 4;
            const text = this.fit(to, i ? calls.label(fn) : 'all',
                w - room - 4);

            to.fillStyle = colours.text;
            to.fillText(sign, x + 4, y + rowHeight / 2);
            to.fillText(text, x + room, y + rowHeight / 2);
        }
    }

    // The label, shortened to `width` pixels. Empty when this frame has no time
    // left: the next frame draws it.
    fit(to, label, width) {
        const places = Math.floor(width / this.character);
        const key = places + label, known = this.fitted.get(key);

        if (known !== undefined)
            return known;
        if (performance.now() > this.labelEnd) {
            this.hasAllLabels = false;
            return '';
        }
        const text = this.measured(to, label, width, places);

        if (this.fitted.size > 50000)
            this.fitted.clear();
        this.fitted.set(key, text);
        return text;
    }

    // A label that no rule makes short enough loses its end.
    measured(to, label, width, most) {
        let text, places = most;

        for (let i = 0; i < 4; i++) {
            text = shorten(label, places);
            const is = to.measureText(text.slice(0, 600)).width;

            if (is <= width)
                break;
            places = Math.min(places - 1, Math.floor(places * width / is));
        }
        if (to.measureText(text.slice(0, 600)).width > width) {
            text = text.slice(0, most + 2);
            while (text && to.measureText(text + '\u2026').width > width)
                text = text.slice(0, -1);
            text = text.length > 1 ? text + '\u2026' : '';
        }
        return text;
    }

    at(event) {
        const area = this.canvas.getBoundingClientRect();
        const x = event.clientX - area.left, y = event.clientY - area.top;

        return this.boxes.findIndex(b => b.i >= 0 && x >= b.x &&
            x < b.x + b.w && y >= this.y(b.depth) &&
            y < this.y(b.depth) + rowHeight);
    }

    hover(box, at) {
        const i = box < 0 ? -1 : this.boxes[box].i;

        if (i < 0)
            this.hideTip();
        else
            this.showTip(i, at.clientX + 12, at.clientY + 18, at.clientY - 8);
        if (i === this.over)
            return;
        this.over = i;
        this.tell(i < 0 ? this.focus : i);
        this.later();
    }

    tell(i) {
        this.status.textContent = this.calls.describe(i).join(' \u00b7 ');
    }

    // Below `top`, or above `bottom` where the window ends.
    showTip(i, left, top, bottom) {
        const { tip } = this, [name, ...rest] = this.calls.describe(i);

        tip.replaceChildren(element('b', {}, name), '\n' + rest.join('\n'));
        tip.hidden = false;
        const { width, height } = tip.getBoundingClientRect();

        tip.style.left = Math.max(4, Math.min(left, innerWidth - width - 4)) +
            'px';
        tip.style.top = (top + height < innerHeight ? top
            : Math.max(4, bottom - height)) + 'px';
    }

    hideTip() {
        this.tip.hidden = true;
    }

    // At the frame itself, where it is drawn.
    tipAt(i) {
        const box = this.boxes.find(b => b.i === i);
        const area = this.canvas.getBoundingClientRect();

        if (!box)
            return;
        const top = area.top + this.y(box.depth);

        this.showTip(i, area.left + box.x + 8, top + rowHeight + 4, top - 4);
    }

    // The frames of all functions that are `found`, widest first.
    *matches(found) {
        const { shape, calls } = this, list = [];

        for (let i = 1; i < shape.n; i++) {
            if (isTurn(i))
                yield;
            if (shape.fn(i) >= 0 && found[shape.fn(i)] && calls.weight(i))
                list.push(i);
        }
        return list.sort((a, b) => calls.weight(b) - calls.weight(a) || a - b);
    }

    // Marks a frame; zooms to where it can be seen.
    reveal(i) {
        if (!this.boxes.some(b => b.i === i))
            this.zoomTo(i);
        this.go(i);
        this.marked = i;
        this.draw();
        this.tipAt(i);
    }

    zoomTo(i) {
        this.shape.place(i);
        this.zoom = i;
        this.marked = -1;
        this.hideTip();
        this.tell(i);
        this.draw();
        this.calls.zoomed(i);
    }

    // Moves the focus and what is seen of the graph.
    go(i) {
        if (i < 0 || i === undefined)
            return;
        this.focus = i;
        this.tell(i);
        const box = this.boxes.find(b => b.i === i);

        if (box) {
            const y = this.y(box.depth);

            if (y < 0 || y + rowHeight > this.height)
                this.scroll.scrollTop += y - this.height / 2;
            this.tipAt(i);
        }
        this.later();
    }

    key(event) {
        const { shape, focus } = this, parent = shape.parent(focus);
        const inner = () => this.go(shape.children(focus)[0]);
        const outer = () => {
            if (focus === this.base)
                return;
            if (focus === this.zoom)
                this.zoomTo(parent);
            this.go(parent);
        };
        const beside = step => {
            const list = Array.from(focus === this.base ? []
                : shape.children(parent));

            this.go(list[list.indexOf(focus) + step]);
        };
        const acts = {
            ArrowDown: this.up ? outer : inner,
            ArrowUp: this.up ? inner : outer,
            ArrowLeft: () => beside(-1), ArrowRight: () => beside(1),
            Home: () => this.go(this.zoom),
            Enter: () => this.zoomTo(focus),
            Escape: () => {
                const to = this.zoom === this.base ? this.base
                    : shape.parent(this.zoom);

                this.zoomTo(to);
                this.go(to);
            },
            s: () => this.calls.opened(focus),
            o: () => this.calls.asked('focus', focus),
            m: () => this.calls.asked('fold', focus),
        };

        if (acts[event.key] && !event.ctrlKey && !event.metaKey) {
            event.preventDefault();
            event.stopPropagation();
            acts[event.key]();
        }
    }
}

export function panelOf(id) {
    const panel = byId(id);

    panel.replaceChildren();
    return panel;
}
