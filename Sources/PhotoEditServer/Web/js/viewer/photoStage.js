// SPDX-License-Identifier: Apache-2.0
import { path } from '../api.js';
import { el } from '../dom.js';
import { Stage } from '../editor/stage.js';
import { loadImage } from '../grid/images.js';
import { imageAddress } from '../grid/tile.js';
import { t } from '../language.js';

/**
 * A stage that shows an item of a list: at the size of the window, and above it only the visible
 * part.
 */
export class PhotoStage extends Stage {
  constructor() {
    super();
    this.inset = 0;
    /** @type {Item | null} */
    this.item = null;
    this.version = 'current';
    /** @type {string | null} the address of the image that is requested */
    this.shown = null;
    this.image = el('img', { alt: '', class: 'fit', decoding: 'async' });
    this.region = el('img', { alt: '', class: 'region', hidden: true });
    this.canvas.remove();
    this.before.remove();
    this.frame.prepend(this.image, this.region);
    /** @type {number | undefined} */
    let timer;
    this.addEventListener(
      'view', () => { clearTimeout(timer); timer = setTimeout(() => this.showRegion(), 120); });
    this.addEventListener('resize', () => { if (this.item) this.showImage(); });
    this.element.addEventListener('dblclick', (event) =>
      this.zoomTo(this.zoom ? 0 : 1, [event.clientX, event.clientY]));
  }

  /** @param {Item} item */
  show(item) {
    this.item = item;
    this.version = 'current';
    this.image.hidden = false;
    this.zoomTo(0);
    this.full = [item.w || 4, item.h || 3];
    this.layOut();
    this.showImage();
  }

  /** @param {'current' | 'original'} version */
  showVersion(version) {
    if (this.version === version || !this.item) return;
    this.version = version;
    this.showImage();
  }

  /** First the thumbnail that the grid has, then the image at the size of the window. */
  showImage() {
    const { item, image } = this;
    const extra = this.version === 'original' ? '&version=original' : '';
    const sharp = imageAddress(item, this.size?.[0] ?? 800, this.size?.[1] ?? 600, extra);
    image.alt = item.title ?? t('photo');
    if (this.shown !== sharp) {
      this.shown = sharp;
      if (!extra) image.src = loadImage(imageAddress(item, 128, 128)).src;
      loadImage(sharp).decode().then(() => { if (this.shown === sharp) image.src = sharp; }, () => {
        if (this.shown === sharp) this.dispatchEvent(new CustomEvent('failed', { detail: sharp }));
      });
    }
    this.region.hidden = true;
  }

  showRegion() {
    const { item, region } = this;
    if (!this.zoom || !item) { region.hidden = true; return; }
    const part = this.visible();
    const side = Math.min(2048,
      2 ** Math.ceil(Math.log2(Math.max(part.w * item.w, part.h * item.h)
        * Math.min(1, this.zoom))));
    const crop = [part.x, part.y, part.w, part.h].map((value) => value.toFixed(5)).join(',');
    const picture = path`/api/assets/${item.id}/picture/${item.picture}`;
    const source = `${picture}?w=${side}&h=${side}&fit=inside&crop=${crop}`;
    loadImage(source).decode().then(() => {
      if (this.item !== item || !this.zoom) return;
      region.src = source;
      region.hidden = false;
      this.set(region, {
        left: part.x * this.size[0], top: part.y * this.size[1], width: part.w * this.size[0],
        height: part.h * this.size[1],
      });
    }, () => {});
  }

  get scaleText() {
    const scale = t('percent', { number: Math.round(this.scale * 100) });
    return this.zoom ? scale : t('fitScale', { scale });
  }
}
