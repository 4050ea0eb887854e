// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom.js';

const nativeLimit = 8_000_000;
const margin = 1_000_000;

/**
 * A scrolling area for lists of any height: the native height stays below the limits of browsers,
 * and is shifted.
 */
export class Scroller {
  /** @param {() => void} render */
  constructor(render) {
    this.render = render;
    /** @type {number | null} */
    this.frame = null;
    this.canvas = el('div', { class: 'grid-canvas', role: 'presentation' });
    this.element = el('div', { class: 'grid-scroller', on: { scroll: () => this.scrolled() } },
      this.canvas);
    this.total = 0;
    this.base = 0;
  }

  /** The position in the virtual list of the top edge. */
  get top() { return this.base + this.element.scrollTop; }
  get height() { return this.element.clientHeight; }
  get end() { return Math.max(0, this.total - this.height); }

  /** @param {number} total */
  setTotal(total) {
    this.total = total;
    this.canvas.style.setProperty('height', `${Math.min(total, nativeLimit)}px`);
    this.base = Math.max(0, Math.min(this.base, total - nativeLimit));
  }

  /** @param {number} position */
  scrollTo(position) {
    const target = Math.max(0, Math.min(this.end, position));
    this.rebase(target);
    this.element.scrollTop = target - this.base;
    this.schedule();
  }

  /**
   * Moves the native window so that a position is far from its ends.
   * @param {number} position
   */
  rebase(position) {
    const range = Math.max(0, this.total - nativeLimit);
    const inside = position - this.base;
    const isNear = (inside < margin && this.base > 0)
      || (inside > nativeLimit - margin - this.height && this.base < range);
    if (!range) {
      this.base = 0;
    } else if (isNear) {
      this.base = Math.max(0, Math.min(range, Math.round(position - nativeLimit / 2)));
    }
  }

  scrolled() {
    this.schedule();
    clearTimeout(this.timer);
    const inside = this.element.scrollTop;
    if (inside < margin / 2 || inside > nativeLimit - margin / 2 - this.height) this.shift();
    else this.timer = setTimeout(() => this.shift(), 150);
  }

  shift() {
    const { top } = this;
    const { base } = this;
    this.rebase(top);
    if (this.base === base) return;
    this.element.scrollTop = top - this.base;
    this.schedule();
  }

  schedule() {
    this.frame ??= requestAnimationFrame(() => { this.frame = null; this.render(); });
  }
}
