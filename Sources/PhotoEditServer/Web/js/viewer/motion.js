// SPDX-License-Identifier: Apache-2.0
import { path } from '../api.js';
import { button, el, replace } from '../dom.js';
import { t } from '../language.js';

/** The moving part of a photo: a Live Photo over its still, or a video with controls. */
export class Motion {
  /** @param {import('./viewer.js').Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    /** @type {Item | null} */
    this.item = null;
    /** @type {HTMLVideoElement | null} */
    this.video = null;
    this.button = button(
      t('viewer.live'), () => this.toggle(),
      { symbol: 'live', class: 'button live-button', hidden: true });
    this.note = el('p', { class: 'original-note', role: 'status', hidden: true });
  }

  /**
   * @param {Item} item
   * @param {'current' | 'original'} [version]
   */
  show(item, version = 'current') {
    this.stop();
    const isLive = item.flags?.includes('live') ?? false;
    const isMovie = item.flags?.includes('movie') ?? false;
    this.item = item;
    this.button.hidden = !isLive;
    if (isMovie) this.play({ controls: true, version });
  }

  /** @param {{ controls: boolean, version?: string }} options */
  play({ controls, version = 'current' }) {
    const { item } = this;
    const video = el('video', {
      playsinline: true, preload: 'auto', ...(controls ? { controls: true } : {}),
      'aria-label': item.title ?? t('viewer.video'),
    });
    video.hidden = !controls;
    // A browser plays what it has of an address, so that each edit has another one.
    const address = path`/api/assets/${item.id}/movie`;
    video.src = `${address}?version=${version}&picture=${item.picture}`;
    // The still stays until the video can play.
    video.addEventListener('playing', () => { video.hidden = false; });
    video.addEventListener('ended', () => { if (!controls) this.stop(); });
    video.addEventListener('error', () => this.failed(item));
    this.video = video;
    this.viewer.stage.frame.append(video);
    if (!controls) video.play().catch(() => {});
  }

  /** @param {Item} item */
  failed(item) {
    if (this.item !== item) return;
    this.stop();
    replace(this.note,
      `${t('viewer.noPlayback')} `,
      el('a', { href: `${path`/api/assets/${item.id}/file`}?version=current` },
        t('viewer.downloadIt')));
    this.note.hidden = false;
    this.viewer.stage.element.append(this.note);
  }

  toggle() {
    if (!this.item?.flags?.includes('live')) return;
    if (this.video) this.stop();
    else this.play({ controls: false });
  }

  stop() {
    this.note.hidden = true;
    if (!this.video) return;
    this.video.pause();
    this.video.removeAttribute('src');
    this.video.load();
    this.video.remove();
    this.video = null;
  }
}
