// SPDX-License-Identifier: Apache-2.0
import { closest, el } from '../dom.js';
import { t } from '../language.js';
import { keep, setting } from '../settings.js';
import { Layout } from './layout.js';
import { onPinch } from './pinch.js';
import { Scroller } from './scroller.js';
import { Scrubber } from './scrubber.js';
import { Tile } from './tile.js';

const headerHeight = 44;
/** The heights of rows, as multiples of the usual one. */
const tileSizes = [0.5, 0.7, 1, 1.4, 2];

/**
 * A row of tiles, and the layout in which they were placed.
 * @typedef {{ element: HTMLElement, layout: Layout | null }} Row
 */

/**
 * The grid of a list: only the rows near the window exist, and every position is known from the
 * start.
 */
export class Grid {
  /**
   * @param {import('./list.js').AssetList} list
   * @param {import('./selection.js').Selection} selection
   * @param {object} actions
   * @param {(index: number) => void} actions.open
   * @param {() => void} actions.selected
   * @param {() => void} actions.stale
   * @param {() => void} actions.arrived called when items are loaded
   * @param {(top: number) => void} actions.moved
   */
  constructor(list, selection, actions) {
    this.list = list;
    this.selection = selection;
    this.actions = actions;
    /** @type {Map<number, Row>} */
    this.rows = new Map();
    /** @type {Map<number, Tile>} */
    this.tiles = new Map();
    /** @type {Map<number, { element: HTMLElement, caption: HTMLElement, section: Section }>} */
    this.headers = new Map();
    this.current = 0;
    /** The asset from which Shift selects a range, while nothing is selected. */
    this.pivot = 0;
    /** @type {Layout | null} */
    this.layout = null;
    /** @type {number | undefined} the position and time of the last rendering */
    this.lastTop = undefined;
    /** @type {number | undefined} */
    this.lastTime = undefined;
    /** Indicates whether a finger has selected an asset by staying on it. */
    this.isHeld = false;
    this.scroller = new Scroller(() => this.render());
    this.scrubber = new Scrubber(
      { jump: (share) => this.scroller.scrollTo(share * this.scroller.end) });
    this.scroller.element.setAttribute('role', 'grid');
    this.scroller.element.setAttribute('aria-label', t('grid.photos'));
    this.scroller.element.setAttribute('aria-multiselectable', 'true');
    this.element = el('div', { class: 'grid' }, this.scroller.element, this.scrubber.element);
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(this.scroller.element);
    selection.addEventListener('change', () => this.showSelection());
    this.scroller.canvas.addEventListener('pointerdown', (event) => this.pressed(event));
    this.scroller.canvas.addEventListener('click', (event) => this.clicked(event));
    this.scroller.canvas.addEventListener('dblclick', (event) => {
      const index = this.indexOf(event);
      if (index !== null) actions.open(index);
    });
    onPinch(this.scroller.element, (step, y) => this.resizeTiles(step, y));
    list.onStale = () => actions.stale();
    // Before the first rendering as well.
    list.arrived = () => this.arrived();
  }

  stop() {
    this.observer.disconnect();
    for (const tile of this.tiles.values()) tile.release();
  }

  get rowHeight() {
    const size = setting('tileSize', 1);
    return innerWidth < 700
      ? Math.max(64, (this.scroller.canvas.clientWidth / 3.4) * size)
      : 196 * size;
  }

  resized() {
    const width = this.scroller.canvas.clientWidth;
    if (!width || (width === this.layout?.width && this.scroller.height === this.knownHeight)) {
      return;
    }
    this.knownHeight = this.scroller.height;
    const anchor = this.layout ? this.anchor() : null;
    this.measure();
    this.restore(anchor);
  }

  /**
   * Makes the tiles larger or smaller; the first visible photo stays where it is, or the one at a
   * distance from the top edge.
   * @param {number} step
   * @param {number} [y]
   */
  resizeTiles(step, y = 1) {
    const index = tileSizes.indexOf(setting('tileSize', 1)) + step;
    if (!tileSizes[index]) return;
    keep('tileSize', tileSizes[index]);
    const anchor = this.anchor(y);
    this.measure();
    for (const row of this.rows.values()) row.layout = null;
    this.restore(anchor);
  }

  measure() {
    const started = performance.now();
    this.layout = new Layout(this.list.shapes, this.list.sections, {
      width: this.scroller.canvas.clientWidth, height: this.rowHeight, header: headerHeight,
    });
    this.layoutTime = performance.now() - started;
    this.scroller.setTotal(this.layout.total);
    this.scroller.element.setAttribute('aria-rowcount', String(this.layout.rowCount));
    this.scrubber.show(this.layout, this.list.sections);
  }

  /**
   * The first asset of the row at a distance from the top edge, and the row's own distance.
   * @param {number} [y]
   */
  anchor(y = 1) {
    const row = this.layout.rowAt(this.scroller.top + y);
    return { asset: this.layout.starts[row], offset: this.layout.tops[row] - this.scroller.top };
  }

  /** @param {{ asset: number, offset: number } | null} anchor */
  restore(anchor) {
    if (anchor && this.list.count) {
      const row = this.layout.rowOf(Math.min(anchor.asset, this.list.count - 1));
      this.scroller.scrollTo(this.layout.tops[row] - anchor.offset);
    }
    this.render();
  }

  render() {
    const { layout, scroller } = this;
    if (!layout) return;
    const { top } = scroller;
    this.scrubber.move(top, scroller.end);
    this.actions.moved(top);
    if (!this.list.count) { this.clear(); return; }
    const now = performance.now();
    const speed = Math.abs(top - (this.lastTop ?? top))
      / Math.max(1, now - (this.lastTime ?? now - 16));
    [this.lastTop, this.lastTime] = [top, now];
    const height = Math.max(200, scroller.height);
    const first = layout.rowAt(top - height * 0.8);
    const final = layout.rowAt(top + height * 1.8);
    const visible = [layout.rowAt(top), layout.rowAt(top + height)];
    for (const [row, { element }] of this.rows) {
      if (row < first || row > final) { element.remove(); this.rows.delete(row); }
    }
    const [from, to] = [layout.starts[first], layout.starts[final + 1]];
    for (const [index, tile] of this.tiles) {
      if (index < from || index >= to) { tile.release(); this.tiles.delete(index); }
    }
    for (let row = first; row <= final; row += 1) this.renderRow(row);
    this.renderHeaders(top - height, top + 2 * height);
    // While tiles fly by, images are requested only for what is about to be seen; a tile that is
    // visible for two frames would only delay the images of the place where the scrolling ends.
    const loads = speed < 6 ? [first, final] : visible;
    for (const [index, tile] of this.tiles) {
      const row = tile.row;
      tile.show(
        this.list.items[index], { loads: row >= loads[0] && row <= loads[1] && speed < 12 });
    }
    this.list.need(layout.starts[visible[0]], to, () => this.arrived());
    clearTimeout(this.idleTimer);
    if (speed > 1) this.idleTimer = setTimeout(() => this.render(), 90);
  }

  /** Shows items that have arrived. */
  arrived() {
    this.actions.arrived();
    for (const { caption, section } of this.headers.values()) {
      caption.textContent = this.list.counted(section).items;
    }
    this.scroller.schedule();
  }

  /** @param {number} row */
  renderRow(row) {
    const { layout, scroller } = this;
    let shown = this.rows.get(row);
    if (!shown) {
      const element = el('div', { class: 'row', role: 'row', 'aria-rowindex': row + 1 });
      shown = { element, layout: null };
      this.rows.set(row, shown);
      scroller.canvas.append(element);
    }
    const { element } = shown;
    element.style.setProperty(
      'transform', `translateY(${(layout.tops[row] - scroller.base).toFixed(2)}px)`);
    if (shown.layout === layout) return;
    shown.layout = layout;
    layout.eachInRow(row, (index, left, width) => {
      let tile = this.tiles.get(index);
      if (!tile) {
        tile = new Tile();
        this.tiles.set(index, tile);
        this.decorate(tile, index);
      }
      tile.row = row;
      tile.element.dataset.index = String(index);
      tile.place(left, width, layout.heights[row]);
      if (tile.element.parentNode !== element) element.append(tile.element);
    });
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  renderHeaders(from, to) {
    const { layout, list, scroller } = this;
    const [first, final] = [layout.sectionAt(from), layout.lastSectionAt(to)];
    for (const [index, { element, section }] of this.headers) {
      if (index < first || index > final || section !== list.sections[index]) {
        element.remove();
        this.headers.delete(index);
      }
    }
    for (let index = first; index <= final; index += 1) {
      const section = list.sections[index];
      if (!section?.title) continue;
      let element = this.headers.get(index)?.element;
      if (!element) {
        const caption = el('span', { class: 'caption numbers' }, list.counted(section).items);
        element = el('div', { class: 'section-head' },
          el('h2', { title: section.title }, section.title),
          caption,
          el('button', {
            type: 'button', class: 'button plain small',
            on: { click: () => this.toggleSection(section) },
          }, t('grid.select')));
        this.headers.set(index, { element, caption, section });
        scroller.canvas.append(element);
      }
      const [left, width] = [layout.sectionLefts[index], layout.sectionWidths[index]];
      element.dataset.shared = String(width < layout.width);
      element.style.setProperty('width', `${width}px`);
      element.style.setProperty('transform',
        `translate(${left}px, ${(layout.sectionTops[index] - scroller.base).toFixed(2)}px)`);
    }
  }

  clear() {
    for (const { element } of [...this.rows.values(), ...this.headers.values()]) element.remove();
    for (const tile of this.tiles.values()) tile.release();
    for (const map of [this.rows, this.headers, this.tiles]) map.clear();
  }

  /** @param {Section} section */
  toggleSection({ start, count }) {
    const { selection } = this;
    let all = true;
    for (let index = start; index < start + count && all; index += 1) all = selection.has(index);
    if (all) selection.remove(start, start + count);
    else selection.add(start, start + count);
  }

  /**
   * @param {Tile} tile
   * @param {number} index
   */
  decorate(tile, index) {
    tile.element.setAttribute('aria-selected', String(this.selection.has(index)));
    tile.setCurrent(index === this.focused);
  }

  showSelection() {
    for (const [index, tile] of this.tiles) this.decorate(tile, index);
    this.element.dataset.selecting = String(this.selection.count > 0);
    this.actions.selected();
  }

  /**
   * The index of the asset at an event; null if there is none.
   * @param {Event} event
   */
  indexOf(event) {
    const element = closest(event, '.tile');
    return element ? Number(element.dataset.index) : null;
  }

  /** @param {PointerEvent} event */
  pressed(event) {
    const index = this.indexOf(event);
    if (index === null || event.button) return;
    // A click that a browser did not send after a finger was held is not this one.
    this.isHeld = false;
    this.pivot = event.shiftKey ? this.focused : index;
    this.focus(index, { scrolls: false });
    if (event.pointerType === 'touch') this.hold(event);
  }

  /**
   * Selects the asset under a finger that stays; the click that follows does nothing.
   * @param {PointerEvent} event
   */
  hold(event) {
    const ended = new AbortController();
    const options = { signal: ended.signal };
    const tile = closest(event, '.tile');
    const timer = setTimeout(() => {
      this.selection.toggle(Number(tile.dataset.index));
      this.isHeld = true;
    }, 450);
    ended.signal.addEventListener('abort', () => clearTimeout(timer));
    for (const type of ['pointerup', 'pointercancel']) {
      document.addEventListener(type, () => ended.abort(), options);
    }
    document.addEventListener('pointermove',
      (next) => {
        if (Math.hypot(next.clientX - event.clientX, next.clientY - event.clientY) > 8) {
          ended.abort();
        }
      },
      options);
    // The browser's own menu of an image would open at the same time.
    tile.addEventListener('contextmenu', (menu) => menu.preventDefault(), options);
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const index = this.indexOf(event);
    if (index === null) return;
    if (this.isHeld) { this.isHeld = false; return; }
    const isTouch = event instanceof PointerEvent && event.pointerType === 'touch';
    const isMark = closest(event, '.mark');
    if (event.shiftKey) {
      // From the last selected photo, or from the one that had the focus.
      this.selection.anchor ??= this.pivot;
      this.selection.extend(index);
    } else if (event.ctrlKey || event.metaKey || isMark || this.selection.count) {
      this.selection.toggle(index);
    } else if (isTouch || matchMedia('(pointer: coarse)').matches) {
      this.actions.open(index);
    }
  }

  /** The asset that keys are for; only its tile is marked, and is a stop of Tab. */
  get focused() { return this.current; }

  set focused(index) {
    this.tiles.get(this.current)?.setCurrent(false);
    this.current = index;
    this.tiles.get(index)?.setCurrent(true);
  }

  /**
   * Moves the focus to an asset and scrolls until it is visible.
   * @param {number} index
   * @param {{ scrolls?: boolean }} options
   */
  focus(index, { scrolls = true } = {}) {
    if (!this.list.count) return;
    this.focused = Math.max(0, Math.min(this.list.count - 1, index));
    if (scrolls) this.reveal(this.focused);
    this.actions.moved(this.scroller.top);
    this.tiles.get(this.focused)?.element.focus({ preventScroll: true });
  }

  /** @param {number} index */
  reveal(index) {
    const box = this.layout.box(index);
    const { top, height } = this.scroller;
    if (box.top - headerHeight < top) {
      this.scroller.scrollTo(box.top - headerHeight - 8);
    } else if (box.top + box.height > top + height - 8) {
      this.scroller.scrollTo(box.top + box.height - height + 16);
    }
    this.render();
  }

  /**
   * The asset in the row below or above, at the same horizontal position.
   * @param {number} step
   */
  vertical(step) {
    const box = this.layout.box(this.focused);
    const row = Math.max(0, Math.min(this.layout.rowCount - 1, box.row + step));
    return this.layout.inRow(row, box.left + box.width / 2);
  }

  get visibleRows() {
    return Math.max(1,
      this.layout.rowAt(this.scroller.top + this.scroller.height)
        - this.layout.rowAt(this.scroller.top));
  }
}
