// SPDX-License-Identifier: Apache-2.0
import { path } from '../api.js';
import { el, icon, replace } from '../dom.js';
import { label } from '../editor/schema.js';
import { date, list, t } from '../language.js';
import { keepImage } from './images.js';
import { LivePreview } from './livePreview.js';

const sides = [128, 256, 512, 1024, 2048];

/**
 * The address of the image of an item for a number of device pixels.
 * @param {Item} item
 * @param {number} width
 * @param {number} height
 * @param {string} [extra]
 */
export function imageAddress(item, width, height, extra = '') {
  const pixels = Math.max(width, height) * Math.min(2, devicePixelRatio);
  const side = sides.find((value) => value >= pixels * 0.9) ?? 2048;
  const picture = path`/api/assets/${item.id}/picture/${item.picture ?? '0'}`;
  return `${picture}?w=${side}&h=${side}&fit=inside${extra}`;
}

/**
 * A duration in minutes and seconds.
 * @param {number} seconds
 */
export function duration(seconds) {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** @type {Record<string, string>} */
const words = {
  favorite: t('tile.favorite'), edited: t('tile.edited'), live: t('tile.live'),
  movie: t('tile.video'), raw: 'RAW', burst: t('tile.burst'), hdr: 'HDR',
  missing: t('tile.missing'),
};

/**
 * The name of an item for assistive technology.
 * @param {Item} item
 */
export function nameOf(item) {
  const taken = item.date
    ? date(item.date, { dateStyle: 'medium', timeStyle: 'short' })
    : t('tile.noDate');
  const stars = item.rating < 0
    ? t('tile.rejected')
    : item.rating > 0 && t('stars', { count: item.rating });
  const marks = (item.flags ?? []).map((flag) => words[flag]);
  const color = item.label && t('tile.label', { label: label(item.label) });
  return list([item.title, taken, stars, color, ...marks].filter(Boolean));
}

/**
 * A dot in the color of a label.
 * @param {string} color
 */
export const labelMark = (color) => el('span', { class: 'label-mark', data: { color } });

/** A cell of the grid: gray until its image arrives. */
export class Tile {
  constructor() {
    /** @type {HTMLImageElement | null} */
    this.image = null;
    /** @type {Item | undefined} */
    this.item = undefined;
    /** @type {string | null} */
    this.address = null;
    /** @type {HTMLElement | null} the title in place of an image that cannot be shown */
    this.note = null;
    this.failures = 0;
    this.row = 0;
    this.width = 0;
    this.height = 0;
    this.badges = el('span', { class: 'badges', 'aria-hidden': 'true' });
    this.mark = el('span', { class: 'mark', 'aria-hidden': 'true' }, icon('check'));
    this.element = el('div', {
      class: 'tile', role: 'gridcell', tabindex: '-1', 'aria-selected': 'false',
    }, this.badges, this.mark);
    this.live = new LivePreview(this);
  }

  /**
   * Shows whether keys are for this asset: the focus itself is not always here.
   * @param {boolean} isCurrent
   */
  setCurrent(isCurrent) {
    this.element.tabIndex = isCurrent ? 0 : -1;
    this.element.dataset.current = String(isCurrent);
  }

  /**
   * @param {number} left
   * @param {number} width
   * @param {number} height
   */
  place(left, width, height) {
    const { style } = this.element;
    style.setProperty('transform', `translateX(${left.toFixed(2)}px)`);
    style.setProperty('width', `${width.toFixed(2)}px`);
    style.setProperty('height', `${height.toFixed(2)}px`);
    [this.width, this.height] = [width, height];
  }

  /**
   * @param {Item | undefined} item
   * @param {{ loads: boolean }} options
   */
  show(item, { loads }) {
    if (item !== this.item) {
      if (item?.id !== this.item?.id) this.live.stop();
      this.item = item;
      this.element.setAttribute('aria-label', item ? nameOf(item) : t('tile.loading'));
      this.showBadges(item);
    }
    if (!item || !loads) return;
    const address = imageAddress(item, this.width, this.height);
    if (this.address === address) return;
    this.address = address;
    const image = el('img', { alt: '', draggable: 'false', decoding: 'async' });
    image.onload = () => {
      // The image outlives its tile, which its listeners would keep as well.
      [image.onload, image.onerror] = [null, null];
      keepImage(image);
      if (this.address !== address) return;
      if (this.image !== image) this.image?.remove();
      this.image = image;
      this.element.dataset.loaded = 'true';
      this.note?.remove();
    };
    image.onerror = () => { image.remove(); if (this.address === address) this.failed(); };
    image.src = address;
    this.element.prepend(image);
  }

  failed() {
    this.failures += 1;
    this.element.dataset.failed = 'true';
    this.note ??= el('span', { class: 'tile-note', 'aria-hidden': 'true' });
    this.note.textContent = this.item?.title ?? '';
    this.element.prepend(this.note);
    if (this.failures < 4) setTimeout(() => { this.address = null; }, 400 * this.failures);
  }

  /** @param {Item | undefined} item */
  showBadges(item) {
    const flags = new Set(item?.flags ?? []);
    this.element.dataset.rejected = String(item?.rating < 0);
    /**
     * @param {string} name
     * @param {...Child} content
     */
    const badge = (name, ...content) => el('span', { class: `tile-badge ${name}` }, ...content);
    const stars = item?.rating > 0 && badge('stars', '★'.repeat(item.rating));
    if (stars) stars.dataset.short = `${item.rating}★`;
    replace(this.badges,
      stars,
      item?.rating < 0 && badge('text', t('tile.rejectedMark')),
      item?.label && labelMark(item.label),
      flags.has('favorite') && badge('favorite', icon('heart')),
      flags.has('edited') && badge('edited', icon('edit')),
      flags.has('movie')
        && badge('movie', icon('play'), item.duration ? duration(item.duration) : ''),
      flags.has('live') && badge('text', t('tile.liveMark')),
      flags.has('raw') && badge('text', 'RAW'),
      flags.has('hdr') && badge('text', 'HDR'),
      flags.has('burst') && badge('text', icon('layers')),
      flags.has('missing') && badge('text', t('tile.missingMark')));
  }

  /** Drops the image; a request that still runs is aborted. */
  release() {
    this.live.stop();
    for (const image of this.element.querySelectorAll('img')) {
      if (!image.complete) image.src = '';
      image.remove();
    }
    this.element.remove();
  }
}
