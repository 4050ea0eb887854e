// SPDX-License-Identifier: Apache-2.0
import { el, icon, replace } from '../dom.js';

/** @param {number} share */
const percent = (share) =>
  (share === 0 ? '0 %' : share < 0.0005 ? '< 0.1 %' : `${(share * 100).toFixed(1)} %`);

/** The histogram of the rendered preview, with the shares of clipped pixels. */
export class Histogram {
  /** @param {{ toggleClipping: () => void }} actions */
  constructor({ toggleClipping }) {
    this.canvas = el('canvas', {
      width: 512, height: 168, role: 'img', 'aria-label': 'Histogram of red, green, blue and luma',
    });
    this.shadows = this.clip('Shadow clipping', 'shadows', toggleClipping);
    this.highlights = this.clip('Highlight clipping', 'highlights', toggleClipping);
    this.element = el('section', { class: 'histogram', 'aria-label': 'Histogram' }, this.canvas,
      el('div', { class: 'clips' }, this.shadows.element, this.highlights.element));
  }

  /**
   * @param {string} name
   * @param {string} kind
   * @param {() => void} toggle
   */
  clip(name, kind, toggle) {
    const share = el('span', { class: 'numbers' }, '–');
    const element = el('button', {
      type: 'button', class: `clip ${kind}`, 'aria-pressed': 'false',
      title: `${name}: show on the photo (j)`, 'aria-label': name,
      on: { click: toggle },
    }, icon('clip'), share);
    return { element, share, name };
  }

  /** @param {boolean} isShown */
  showClipping(isShown) {
    for (const { element } of [this.shadows, this.highlights]) {
      element.setAttribute('aria-pressed', String(isShown));
    }
  }

  /** @param {Statistics} statistics */
  show({ levels, clipped }) {
    this.showShare(this.shadows, clipped.shadows);
    this.showShare(this.highlights, clipped.highlights);
    this.draw(levels);
  }

  /**
   * @param {ReturnType<Histogram['clip']>} side
   * @param {number} value
   */
  showShare({ element, share, name }, value) {
    share.textContent = percent(value);
    element.setAttribute('aria-label', `${name}: ${percent(value)} of the pixels`);
    element.dataset.clipped = String(value > 0.0005);
  }

  /** @param {Statistics['levels']} levels */
  draw(levels) {
    const { width, height } = this.canvas;
    const context = this.canvas.getContext('2d');
    context.clearRect(0, 0, width, height);
    // The scale ignores the ends, so that clipped pixels do not flatten everything else.
    const inner = [levels.r, levels.g, levels.b, levels.luma].flatMap((list) => list.slice(2, 254))
      .sort((a, b) => a - b);
    const top = Math.max(1, inner[Math.floor(inner.length * 0.995)] * 1.08);
    const isLight = getComputedStyle(this.canvas).getPropertyValue('--is-light').trim() === '1';
    /** @param {number[]} list */
    const shape = (list) => {
      const path = new Path2D();
      path.moveTo(0, height);
      for (let level = 0; level < 256; level += 1) {
        path.lineTo(
          (level / 255) * width, height - Math.min(1, Math.sqrt(list[level] / top)) * (height - 6));
      }
      path.lineTo(width, height);
      path.closePath();
      return path;
    };
    const colors = isLight ? ['#ff6b60', '#4fbf63', '#5e8dff'] : ['#981010', '#109810', '#101098'];
    context.globalCompositeOperation = isLight ? 'multiply' : 'lighter';
    for (const [index, list] of [levels.r, levels.g, levels.b].entries()) {
      context.fillStyle = colors[index];
      context.fill(shape(list));
    }
    context.globalCompositeOperation = 'source-over';
    context.strokeStyle = isLight ? '#00000070' : '#ffffff80';
    context.lineWidth = 1.5;
    context.stroke(shape(levels.luma));
  }
}

/**
 * The losses as a list of sentences.
 * @param {Loss[]} losses
 */
export function lossList(losses) {
  const list = el('ul', { class: 'facts' });
  replace(
    list, losses.map(({ kind, detail }) => el('li', {}, el('strong', {}, words(kind)), detail)));
  return list;
}

/**
 * The kind of a loss in words.
 * @param {string} kind
 */
export const words = (kind) => {
  const text = kind.replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace('hdr', 'HDR')
    .replace('icc', 'ICC')
    .replace('xmp', 'XMP');
  return text[0].toUpperCase() + text.slice(1);
};
