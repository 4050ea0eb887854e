// SPDX-License-Identifier: Apache-2.0
import { closest, el } from '../dom.js';
import { t } from '../language.js';

const zooms = [0.125, 0.25, 0.33, 0.5, 0.67, 1, 1.5, 2, 3, 4, 8];

/**
 * The area that shows the photo: canvases that are written and never read, and the layers above
 * them.
 */
export class Stage extends EventTarget {
  /** @param {{ colorSpace?: PredefinedColorSpace }} options */
  constructor({ colorSpace = 'srgb' } = {}) {
    super();
    this.colorSpace = colorSpace;
    this.canvas = this.makeCanvas(t('editor.edited'));
    this.before = this.makeCanvas(t('editor.before'));
    this.detail = this.makeCanvas();
    this.clipping = el('img', { class: 'overlay', alt: '', hidden: true });
    this.mask = el('img', { class: 'overlay mask', alt: '', hidden: true });
    this.before.hidden = true;
    this.detail.hidden = true;
    this.handles = el('div', { class: 'handles' });
    this.frame = el('div', { class: 'frame' },
      this.canvas,
      this.detail,
      this.clipping,
      this.mask,
      this.before,
      this.handles);
    this.element = el('div', { class: 'stage', data: { note: t('original') } },
      this.frame);
    this.zoom = 0;
    this.center = [0.5, 0.5];
    /** @type {number[] | null} the size of the photo in its own pixels */
    this.full = null;
    /** @type {number[] | null} its size on the screen */
    this.size = null;
    /** @type {Region | null} the part that the detail shows */
    this.detailRegion = null;
    this.inset = 24;
    this.observer = new ResizeObserver(
      () => { this.layOut(); this.dispatchEvent(new Event('resize')); });
    this.observer.observe(this.element);
    this.element.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    this.element.addEventListener('pointerdown', (event) => this.pan(event));
    /** @type {Map<number, number[]>} */
    this.fingers = new Map();
    this.spread = { scale: 1, distance: 1, middle: [0, 0] };
    this.element.addEventListener('pointerdown', (event) => this.touch(event));
    this.element.addEventListener('pointermove', (event) => this.pinch(event));
    const lift = (/** @type {PointerEvent} */ event) => { this.fingers.delete(event.pointerId); };
    this.element.addEventListener('pointerup', lift);
    this.element.addEventListener('pointercancel', lift);
  }

  /** @param {string} [name] */
  makeCanvas(name) {
    return el('canvas', {
      width: 1, height: 1,
      ...(name ? { role: 'img', 'aria-label': name } : { 'aria-hidden': 'true' }),
    });
  }

  stop() { this.observer.disconnect(); }

  /** The device pixels of the area for a whole photo. */
  get space() {
    const box = this.element.getBoundingClientRect();
    const inset = Math.min(this.inset, box.width / 16);
    return [Math.max(64, box.width - 2 * inset), Math.max(64, box.height - 2 * inset)];
  }

  /**
   * The size and part of the preview that is needed.
   * @param {string} purpose
   * @param {boolean} [isCostly]
   * @returns {PreviewRequest}
   */
  request(purpose, isCostly) {
    const ratio = devicePixelRatio;
    const [width, height] = this.space;
    const half = purpose === 'drag' && isCostly ? 0.5 : 1;
    /** @param {number} value */
    const limit = (value) => Math.max(16, Math.min(4096, Math.round(value * ratio * half)));
    const request = { width: limit(width), height: limit(height) };
    if (!this.zoom || !this.full) return request;
    const region = this.visible();
    /**
     * @param {number} share
     * @param {number} pixels
     */
    const side = (share, pixels) =>
      Math.max(1, Math.min(4096, Math.round(share * pixels * Math.min(1, this.zoom))));
    return { width: side(region.w, this.full[0]), height: side(region.h, this.full[1]), region };
  }

  /** The visible part in fractions of the photo. */
  visible() {
    const box = this.element.getBoundingClientRect();
    const [width, height] = this.full.map((side) => (side * this.zoom) / devicePixelRatio);
    const [w, h] = [Math.min(1, box.width / width), Math.min(1, box.height / height)];
    /**
     * @param {number} value
     * @param {number} size
     */
    const clamp = (value, size) => Math.max(0, Math.min(1 - size, value - size / 2));
    return { x: clamp(this.center[0], w), y: clamp(this.center[1], h), w, h };
  }

  /**
   * Paints a preview.
   * @param {Preview} preview
   */
  paint({ bitmap, scale, region, full }) {
    if (region && this.zoom) {
      this.draw(this.detail, bitmap);
      this.detail.hidden = false;
      this.detailRegion = region;
    } else {
      this.full = full?.every((side) => side > 0)
        ? full
        : [bitmap.width / scale, bitmap.height / scale];
      this.draw(this.canvas, bitmap);
      this.detail.hidden = true;
    }
    this.layOut();
  }

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {ImageBitmap} bitmap
   */
  draw(canvas, bitmap) {
    if (canvas.width !== bitmap.width || canvas.height !== bitmap.height) {
      [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
    }
    const context = canvas.getContext('2d', { colorSpace: this.colorSpace, alpha: false });
    context.drawImage(bitmap, 0, 0);
    bitmap.close();
  }

  /**
   * The scale at which the whole photo fits; never above 1 device pixel for a pixel of the photo.
   */
  get fit() {
    if (!this.full) return 1;
    const [width, height] = this.space.map((side) => side * devicePixelRatio);
    return Math.min(1, width / this.full[0], height / this.full[1]);
  }

  get scale() { return this.zoom || this.fit; }

  layOut() {
    if (!this.full) return;
    const box = this.element.getBoundingClientRect();
    const [width, height] = this.full.map((side) =>
      Math.max(1, (side * this.scale) / devicePixelRatio));
    let [left, top] = [(box.width - width) / 2, (box.height - height) / 2];
    if (this.zoom) {
      if (width > box.width) {
        left = Math.min(0, Math.max(box.width - width, box.width / 2 - this.center[0] * width));
      }
      if (height > box.height) {
        top = Math.min(0, Math.max(box.height - height, box.height / 2 - this.center[1] * height));
      }
    }
    // Whole device pixels, so that the image is not resampled.
    [left, top] = [left, top].map((value) =>
      Math.round(value * devicePixelRatio) / devicePixelRatio);
    this.set(this.frame, { width, height, left, top });
    if (this.detailRegion) {
      const { x, y, w, h } = this.detailRegion;
      this.set(
        this.detail, { left: x * width, top: y * height, width: w * width, height: h * height });
    }
    this.size = [width, height];
    this.dispatchEvent(new Event('layout'));
  }

  /**
   * @param {HTMLElement} element
   * @param {Record<string, number>} box
   */
  set(element, box) {
    for (const [name, value] of Object.entries(box)) {
      element.style.setProperty(name, `${Math.round(value * 100) / 100}px`);
    }
  }

  /**
   * Zooms to a scale (0 fits) with a point of the window kept in place.
   * @param {number} zoom
   * @param {number[] | null} [point]
   */
  zoomTo(zoom, point = null) {
    const box = this.frame.getBoundingClientRect();
    const area = this.element.getBoundingClientRect();
    const at = point ?? [area.left + area.width / 2, area.top + area.height / 2];
    const on = [(at[0] - box.left) / box.width, (at[1] - box.top) / box.height];
    this.zoom = zoom && zoom > this.fit * 1.001 ? Math.min(8, zoom) : 0;
    if (this.zoom && this.full) {
      const size = this.full.map((side) => (side * this.zoom) / devicePixelRatio);
      this.center = [0, 1].map((axis) => {
        const middle = axis ? area.top + area.height / 2 : area.left + area.width / 2;
        return Math.max(0, Math.min(1, on[axis] + (middle - at[axis]) / size[axis]));
      });
    }
    this.element.dataset.zoomed = this.zoom ? 'true' : 'false';
    this.detail.hidden = true;
    this.layOut();
    this.dispatchEvent(new Event('view'));
  }

  /**
   * @param {number} steps
   * @param {number[]} [point]
   */
  zoomBy(steps, point) {
    const next = steps > 0
      ? zooms.find((value) => value > this.scale * 1.01)
      : zooms.findLast((value) => value < this.scale * 0.99);
    this.zoomTo(next && next > this.fit ? next : 0, point);
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    const factor = Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0018));
    this.zoomTo(this.scale * factor, [event.clientX, event.clientY]);
  }

  /**
   * Remembers a finger; the second one begins a pinch, which ends what the first one began.
   * @param {PointerEvent} event
   */
  touch(event) {
    if (event.pointerType !== 'touch' || closest(event, '.handles [role], .split-line')) {
      return;
    }
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.fingers.size !== 2) return;
    this.spread = { scale: this.scale, ...this.between() };
    this.dispatchEvent(new Event('pinch'));
  }

  /** The distance of two fingers and the point between them. */
  between() {
    const [a, b] = [...this.fingers.values()];
    return {
      distance: Math.max(1, Math.hypot(a[0] - b[0], a[1] - b[1])),
      middle: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2],
    };
  }

  /**
   * Zooms by two fingers; the part of the photo between them moves with them.
   * @param {PointerEvent} event
   */
  pinch(event) {
    if (!this.fingers.has(event.pointerId)) return;
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.fingers.size !== 2) return;
    const { distance, middle } = this.between();
    this.panBy(middle[0] - this.spread.middle[0], middle[1] - this.spread.middle[1]);
    this.spread.middle = middle;
    this.zoomTo((this.spread.scale * distance) / this.spread.distance, middle);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  panBy(x, y) {
    if (!this.zoom) return;
    const size = this.size;
    this.center = [this.center[0] - x / size[0], this.center[1] - y / size[1]].map((value) =>
      Math.max(0, Math.min(1, value)));
    this.layOut();
    this.dispatchEvent(new Event('view'));
  }

  /**
   * Moves a point of the photo into the window, if it is outside.
   * @param {Point} point in fractions
   */
  reveal(point) {
    // The browser scrolls to what gets the focus, but the photo is panned.
    this.element.scrollTo(0, 0);
    if (!this.zoom || !this.full) return;
    const { x, y, w, h } = this.visible();
    if (point[0] >= x && point[0] <= x + w && point[1] >= y && point[1] <= y + h) return;
    this.center = point.map((value) => Math.max(0, Math.min(1, value)));
    this.layOut();
    this.dispatchEvent(new Event('view'));
  }

  /** @param {PointerEvent} event */
  pan(event) {
    // What a brush paints on takes the pointer as a handle does, but leaves pinches to the photo.
    if (!this.zoom || event.button
      || closest(event, '.handles button, .handles [role], [data-paints="true"]')) {
      return;
    }
    this.element.setPointerCapture(event.pointerId);
    let last = [event.clientX, event.clientY];
    /** @param {PointerEvent} moved */
    const move = (moved) => {
      if (this.fingers.size < 2) this.panBy(moved.clientX - last[0], moved.clientY - last[1]);
      last = [moved.clientX, moved.clientY];
    };
    this.element.addEventListener('pointermove', move);
    this.element.addEventListener('lostpointercapture',
      () => this.element.removeEventListener('pointermove', move), { once: true });
  }
}
