// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom.js';
import { t } from '../language.js';
import { canonical } from './schema.js';

/** @typedef {{ bitmap: ImageBitmap, scale: number }} Rendered */

/**
 * Comparison with another version of the photo: while a key or button is held, or on one side of a
 * line.
 */
export class Compare {
  /**
   * @param {import('./stage.js').Stage} stage
   * @param {object} options
   * @param {import('./schema.js').Schema} options.schema
   * @param {(graph: Graph, size: PreviewRequest) => Promise<Preview>} options.load
   */
  constructor(stage, { schema, load }) {
    this.stage = stage;
    this.schema = schema;
    this.load = load;
    this.held = false;
    /** @type {number | null} the share of the area before the split line */
    this.split = null;
    /** @type {Graph | null} the version that is compared, in place of the original */
    this.other = null;
    /** @type {Map<string, Rendered>} */
    this.bitmaps = new Map();
    /** @type {Rendered | undefined} the version that is shown */
    this.entry = undefined;
    /** @type {string | undefined} the keys of the versions in `bitmaps` */
    this.originalKey = undefined;
    /** @type {string | undefined} */
    this.splitKey = undefined;
    this.line = el('div', {
      class: 'split-line', role: 'slider', tabindex: '0',
      'aria-label': t('editor.splitLine'), 'aria-valuemin': 0, 'aria-valuemax': 100,
      hidden: true,
      on: { keydown: (event) => this.keys(event), pointerdown: (event) => this.drag(event) },
    });
    this.labels = [
      el('span', { class: 'split-label before' }, t('editor.splitBefore')),
      el('span', { class: 'split-label after' }, t('editor.splitAfter')),
    ];
    for (const label of this.labels) label.hidden = true;
    stage.frame.append(this.line, ...this.labels);
    stage.addEventListener('layout', () => this.layOut());
  }

  /**
   * The graph of the version that is compared.
   * @param {Graph} current
   */
  graph(current) {
    if (this.other) return this.other;
    const kept = this.held
      ? []
      : current.nodes.filter((node) => this.schema.filter(node.filter)?.family === 'geometry');
    return { ...current, nodes: kept };
  }

  /**
   * @param {Graph} current
   * @param {PreviewRequest} request
   */
  key(current, request) {
    return canonical([this.graph(current).nodes, request.width, request.height]);
  }

  /**
   * Loads the version that a held key shows, and that of the split line, while nothing else is
   * rendered.
   * @param {Graph} current
   */
  async prepare(current) {
    const request = this.stage.request('still', false);
    delete request.region;
    const full = this.stage.zoom
      ? this.stage.space.map((side) => Math.min(4096, Math.round(side * devicePixelRatio)))
      : [request.width, request.height];
    const size = { width: full[0], height: full[1] };
    const was = this.held;
    this.held = true;
    const originalKey = this.key(current, size);
    const original = this.graph(current);
    this.held = was;
    await this.fetch(originalKey, original, size);
    this.originalKey = originalKey;
    // The key may be held since before it was loaded.
    if (this.held) this.show();
    if (this.split === null) return;
    const splitKey = canonical([this.splitGraph(current).nodes, size.width, size.height]);
    await this.fetch(splitKey, this.splitGraph(current), size);
    this.splitKey = splitKey;
    this.show();
  }

  /** @param {Graph} current */
  splitGraph(current) {
    const held = this.held;
    this.held = false;
    const graph = this.graph(current);
    this.held = held;
    return graph;
  }

  /**
   * @param {string} key
   * @param {Graph} graph
   * @param {PreviewRequest} size
   */
  async fetch(key, graph, size) {
    if (this.bitmaps.has(key)) return;
    const { bitmap, scale } = await this.load(graph, size);
    this.bitmaps.set(key, { bitmap, scale });
    while (this.bitmaps.size > 3) {
      /** @param {string} name */
      const isShown = (name) => name === this.originalKey || name === this.splitKey;
      const names = [...this.bitmaps.keys()];
      const oldest = names.find((name) => !isShown(name)) ?? names[0];
      this.bitmaps.get(oldest).bitmap.close();
      this.bitmaps.delete(oldest);
    }
  }

  /** @param {boolean} isHeld */
  hold(isHeld) {
    if (this.held === isHeld) return;
    this.held = isHeld;
    this.show();
  }

  /**
   * Sets the split line on or off; `other` is a graph to compare with instead of the original.
   * @param {boolean} isOn
   * @param {Graph | null} [other]
   */
  setSplit(isOn, other = null) {
    this.other = isOn ? other : null;
    this.split = isOn ? this.split ?? 0.5 : null;
    this.show();
  }

  show() {
    const entry = this.bitmaps.get(this.held ? this.originalKey : this.splitKey);
    const isShown = Boolean(entry) && (this.held || this.split !== null);
    this.stage.before.hidden = !isShown;
    const isSplit = this.split !== null && !this.held;
    this.line.hidden = !isSplit;
    for (const label of this.labels) label.hidden = !isSplit;
    this.stage.element.dataset.original = String(this.held);
    if (isShown) {
      const { before } = this.stage;
      if (before.dataset.key !== (this.held ? this.originalKey : this.splitKey)) {
        [before.width, before.height] = [entry.bitmap.width, entry.bitmap.height];
        const context = before.getContext(
          '2d', { colorSpace: this.stage.colorSpace, alpha: false });
        context.drawImage(entry.bitmap, 0, 0);
        before.dataset.key = this.held ? this.originalKey : this.splitKey;
      }
    }
    this.entry = entry;
    this.layOut();
  }

  layOut() {
    const { stage } = this;
    if (!stage.size) return;
    const [width, height] = stage.size;
    if (this.entry && !stage.before.hidden) {
      // The original can have other proportions than the edited photo: it fits the same area.
      const { bitmap, scale } = this.entry;
      const full = [bitmap.width / scale, bitmap.height / scale];
      const space = stage.space;
      const fit = stage.zoom
        || Math.min(1, ...[0, 1].map((axis) => (space[axis] * devicePixelRatio) / full[axis]));
      const same = Math.abs(full[0] / full[1] - width / height) < 0.01;
      const size = same ? [width, height] : full.map((side) => (side * fit) / devicePixelRatio);
      stage.set(stage.before, {
        left: (width - size[0]) / 2, top: (height - size[1]) / 2, width: size[0], height: size[1],
      });
    }
    const isSplit = this.split !== null && !this.held;
    stage.before.style.setProperty(
      'clip-path', isSplit ? `inset(0 ${(1 - this.split) * 100}% 0 0)` : 'none');
    if (!isSplit) return;
    this.line.style.setProperty('left', `${this.split * width}px`);
    this.line.setAttribute('aria-valuenow', String(Math.round(this.split * 100)));
    this.labels[0].style.setProperty('right', `${(1 - this.split) * width + 10}px`);
    this.labels[1].style.setProperty('left', `${this.split * width + 10}px`);
  }

  /** @param {number} share */
  move(share) {
    this.split = Math.min(1, Math.max(0, share));
    this.layOut();
  }

  /** @param {KeyboardEvent} event */
  keys(event) {
    const step = { ArrowLeft: -0.01, ArrowRight: 0.01, PageDown: -0.1, PageUp: 0.1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.move(this.split + step * (event.shiftKey ? 5 : 1));
  }

  /** @param {PointerEvent} event */
  drag(event) {
    event.preventDefault();
    event.stopPropagation();
    this.line.focus();
    this.line.setPointerCapture(event.pointerId);
    /** @param {PointerEvent} moved */
    const move = (moved) => {
      const box = this.stage.frame.getBoundingClientRect();
      this.move((moved.clientX - box.left) / box.width);
    };
    this.line.addEventListener('pointermove', move);
    this.line.addEventListener('lostpointercapture',
      () => this.line.removeEventListener('pointermove', move), { once: true });
  }
}
