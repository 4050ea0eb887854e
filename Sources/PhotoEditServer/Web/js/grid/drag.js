// SPDX-License-Identifier: Apache-2.0
import { counted } from '../counted.js';
import { el } from '../dom.js';

const threshold = 6;

/** Dragging of the selection with the mouse: onto an album, or to a position in an album. */
export class Drag {
  /** @param {import('./timeline.js').Timeline} timeline */
  constructor(timeline) {
    this.timeline = timeline;
    /** @type {HTMLElement | null} the number of photos at the pointer */
    this.dragImage = null;
    /** @type {HTMLElement | null} the line where the photos would be put */
    this.mark = null;
    /** @type {HTMLElement | null} */
    this.highlighted = null;
    /** @type {(() => unknown) | null} what is done at the end */
    this.target = null;
    /** Indicates whether what is dragged was not selected before. */
    this.selects = false;
    timeline.grid.scroller.canvas.addEventListener('pointerdown', (event) => this.press(event));
  }

  /** @param {PointerEvent} event */
  press(event) {
    const { grid } = this.timeline;
    const index = grid.indexOf(event);
    if (index === null || event.button || event.pointerType === 'touch' || event.shiftKey
      || event.ctrlKey) {
      return;
    }
    const from = [event.clientX, event.clientY];
    const controller = new AbortController();
    const options = { signal: controller.signal };
    const stop = () => { controller.abort(); this.end(); };
    document.addEventListener('pointermove',
      (next) => {
        if (!this.dragImage
          && Math.hypot(next.clientX - from[0], next.clientY - from[1]) < threshold) {
          return;
        }
        if (!this.dragImage) this.begin(index);
        this.over(next.clientX, next.clientY);
      },
      options);
    document.addEventListener('pointerup',
      (next) => {
        const wasDragging = Boolean(this.dragImage);
        const { target } = this;
        stop();
        if (!wasDragging) return;
        next.preventDefault();
        // The click that follows a drag selects nothing.
        const ignored = new AbortController();
        document.addEventListener('click',
          (click) => { click.stopPropagation(); click.preventDefault(); },
          { capture: true, signal: ignored.signal });
        setTimeout(() => ignored.abort(), 0);
        if (target) target();
      },
      options);
    document.addEventListener('pointercancel', stop, options);
    document.addEventListener('keydown',
      (key) => {
        if (key.key === 'Escape' && this.dragImage) {
          key.preventDefault();
          key.stopPropagation();
          stop();
        }
      },
      { ...options, capture: true });
  }

  /** @param {number} index */
  begin(index) {
    const { list, selection } = this.timeline;
    this.selects = !selection.has(index);
    if (this.selects) selection.set([[index, index + 1]]);
    this.dragImage = el('div', { class: 'drag-image numbers', 'aria-hidden': 'true' },
      counted([...selection].map((position) => list.items[position])).items);
    this.mark = el('div', { class: 'drop-mark', hidden: true });
    document.body.append(this.dragImage);
    document.body.classList.add('dragging');
    this.timeline.grid.scroller.canvas.append(this.mark);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  over(x, y) {
    this.dragImage.style.setProperty('transform', `translate(${x + 12}px, ${y + 8}px)`);
    this.highlighted?.removeAttribute('data-drop');
    this.mark.hidden = true;
    this.target = null;
    const under = document.elementFromPoint(x, y);
    /** @type {HTMLElement | null} */
    const album = under?.closest('[data-album]');
    if (album) {
      this.highlighted = album;
      album.dataset.drop = 'true';
      const chosen = this.timeline.sidebar.flat().find((item) => item.id === album.dataset.album);
      this.target = async () => {
        await this.timeline.actions.add(chosen);
        // The bar of the selection covers the search, which nobody has asked for.
        if (this.selects) this.timeline.selection.clear();
      };
    } else if (this.timeline.isAlbum && under?.closest('.grid-canvas, .grid-scroller')) {
      this.overGrid(x, y);
    }
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  overGrid(x, y) {
    const { grid, list, actions } = this.timeline;
    const { layout, scroller } = grid;
    const box = scroller.canvas.getBoundingClientRect();
    const row = layout.rowAt(y - box.top + scroller.base);
    const index = layout.inRow(row, x - box.left);
    const cell = layout.box(index);
    const isAfter = x - box.left > cell.left + cell.width / 2;
    const before = index + (isAfter ? 1 : 0);
    const style = {
      left: cell.left + (isAfter ? cell.width + 1 : -3), top: cell.top - scroller.base,
      height: cell.height,
    };
    for (const [name, value] of Object.entries(style)) {
      this.mark.style.setProperty(name, `${value}px`);
    }
    this.mark.hidden = false;
    this.target = async () =>
      actions.move(before < list.count ? (await list.item(before)).id : null);
  }

  end() {
    this.dragImage?.remove();
    this.mark?.remove();
    this.highlighted?.removeAttribute('data-drop');
    document.body.classList.remove('dragging');
    this.dragImage = null;
    this.target = null;
  }
}
