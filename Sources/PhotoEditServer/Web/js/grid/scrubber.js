// SPDX-License-Identifier: Apache-2.0
import { el, replace } from '../dom.js';
import { t } from '../language.js';

/** The years at the right edge: a jump to any part of the list. */
export class Scrubber {
  /** @param {{ jump: (share: number) => void }} actions */
  constructor({ jump }) {
    this.jump = jump;
    /** @type {import('./layout.js').Layout | null} */
    this.layout = null;
    /** @type {Section[]} */
    this.sections = [];
    this.share = 0;
    this.isPressed = false;
    this.thumb = el('span', { class: 'scrub-thumb', 'aria-hidden': 'true' });
    this.bubble = el('span', { class: 'scrub-bubble', 'aria-hidden': 'true', hidden: true });
    this.years = el('span', { class: 'scrub-years', 'aria-hidden': 'true' });
    this.element = el('div', {
      class: 'scrubber', role: 'slider', tabindex: '0', 'aria-label': t('grid.date'),
      'aria-orientation': 'vertical', 'aria-valuemin': 0, 'aria-valuemax': 1000,
      on: {
        pointerdown: (event) => this.press(event),
        pointermove: (event) => this.hover(event),
        pointerleave: () => { this.bubble.hidden = true; },
        keydown: (event) => this.keys(event),
      },
    }, this.years, this.thumb, this.bubble);
  }

  /**
   * @param {import('./layout.js').Layout} layout
   * @param {Section[]} sections
   */
  show(layout, sections) {
    [this.layout, this.sections] = [layout, sections];
    const height = this.element.clientHeight || 600;
    /** @type {HTMLElement[]} */
    const marks = [];
    let previous = '';
    let free = -100;
    for (const [index, section] of sections.entries()) {
      const year = /\b(1[89]|20|21)\d\d\b/.exec(section.title ?? '')?.[0]
        ?? section.key?.slice(0, 4);
      if (!year || year === previous) continue;
      previous = year;
      const top = (layout.sectionTops[index] / Math.max(1, layout.total)) * height;
      if (top - free < 18) continue;
      free = top;
      const mark = el('span', { class: 'scrub-year' }, /^\d{4}$/.test(year) ? year : '–');
      mark.style.setProperty('top', `${Math.min(height - 14, top)}px`);
      marks.push(mark);
    }
    replace(this.years, marks);
  }

  /**
   * @param {number} top the position of the top edge
   * @param {number} end its last position
   */
  move(top, end) {
    const share = end > 0 ? Math.min(1, top / end) : 0;
    // Of photos that are all seen, there is no place to show.
    this.thumb.hidden = end <= 0;
    this.thumb.style.setProperty('top', `${share * 100}%`);
    this.share = share;
    this.element.setAttribute('aria-valuenow', String(Math.round(share * 1000)));
    if (this.layout) this.element.setAttribute('aria-valuetext', this.titleAt(top));
  }

  /** @param {number} position */
  titleAt(position) {
    return this.sections[this.layout.sectionAt(position)]?.title || t('grid.all');
  }

  /** @param {PointerEvent} event */
  at(event) {
    const box = this.element.getBoundingClientRect();
    return Math.min(1, Math.max(0, (event.clientY - box.top) / box.height));
  }

  /** @param {PointerEvent} event */
  hover(event) {
    if (!this.layout) return;
    const share = this.at(event);
    this.bubble.hidden = false;
    this.bubble.textContent = this.titleAt(share * this.layout.total);
    this.bubble.style.setProperty('top', `${share * 100}%`);
    if (this.isPressed) this.jump(share);
  }

  /** @param {PointerEvent} event */
  press(event) {
    event.preventDefault();
    this.element.setPointerCapture(event.pointerId);
    this.isPressed = true;
    this.jump(this.at(event));
    this.element.addEventListener(
      'lostpointercapture', () => { this.isPressed = false; }, { once: true });
  }

  /** @param {KeyboardEvent} event */
  keys(event) {
    const step = {
      ArrowDown: 0.005, ArrowUp: -0.005, PageDown: 0.05, PageUp: -0.05, Home: -2, End: 2,
    }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    this.jump(Math.min(1, Math.max(0, this.share + step)));
  }
}
