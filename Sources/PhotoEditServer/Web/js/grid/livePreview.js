// SPDX-License-Identifier: Apache-2.0
import { path } from '../api.js';
import { el } from '../dom.js';

const delay = 500;
const reduced = matchMedia('(prefers-reduced-motion: reduce)');

/** Plays the video of a Live Photo in its tile while the pointer or the focus stays on it. */
export class LivePreview {
  /** @param {import('./tile.js').Tile} tile */
  constructor(tile) {
    this.tile = tile;
    /** @type {HTMLVideoElement | null} */
    this.video = null;
    const { element } = tile;
    for (const type of ['pointerenter', 'focus']) element.addEventListener(type, () => this.wait());
    for (const type of ['pointerleave', 'blur']) element.addEventListener(type, () => this.stop());
  }

  wait() {
    this.stop();
    const { item } = this.tile;
    if (!item?.flags?.includes('live') || reduced.matches) return;
    this.timer = setTimeout(() => this.play(item), delay);
  }

  /** @param {Item} item */
  play(item) {
    const video = el('video', { playsinline: true, 'aria-hidden': 'true', hidden: true });
    video.muted = true;
    video.src = `${path`/api/assets/${item.id}/movie`}?version=current`;
    // The still stays until the video can play, and returns at its end.
    video.addEventListener('playing', () => { video.hidden = false; });
    for (const type of ['ended', 'error']) video.addEventListener(type, () => this.stop());
    this.video = video;
    this.tile.image?.after(video);
    video.play().catch(() => {});
  }

  stop() {
    clearTimeout(this.timer);
    if (!this.video) return;
    const { video } = this;
    this.video = null;
    video.removeAttribute('src');
    video.load();
    video.remove();
  }
}
