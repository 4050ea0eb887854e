// SPDX-License-Identifier: Apache-2.0
import { el, icon, replace } from '../dom.js';
import { nameOf, number, t } from '../language.js';
import { heightOf, topOf } from './levels.js';

/** @param {number} share */
const percent = (share) =>
  (share > 0 && share < 0.0005 ? '< ' : '') + t('percent', {
    number: share && number(Math.max(0.1, share * 100), 1),
  });

/** The histogram of the rendered preview, with the shares of clipped pixels. */
export class Histogram {
  /** @param {{ toggleClipping: () => void }} actions */
  constructor({ toggleClipping }) {
    this.canvas = el('canvas', {
      width: 512, height: 168, role: 'img', 'aria-label': t('histogram.help'),
    });
    this.shadows = this.clip(t('histogram.shadows'), 'shadows', toggleClipping);
    this.highlights = this.clip(t('histogram.highlights'), 'highlights', toggleClipping);
    this.element = el('section', { class: 'histogram', 'aria-label': t('histogram.title') },
      this.canvas,
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
      title: t('histogram.show', { name }), 'aria-label': name,
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
    element.setAttribute('aria-label', t('histogram.share', { name, share: percent(value) }));
    element.dataset.clipped = String(value > 0.0005);
  }

  /** @param {Statistics['levels']} levels */
  draw(levels) {
    const { width, height } = this.canvas;
    const context = this.canvas.getContext('2d');
    context.clearRect(0, 0, width, height);
    const top = topOf([levels.r, levels.g, levels.b, levels.luma]);
    const isLight = getComputedStyle(this.canvas).getPropertyValue('--is-light').trim() === '1';
    /** @param {number[]} list */
    const shape = (list) => {
      const path = new Path2D();
      path.moveTo(0, height);
      for (let level = 0; level < 256; level += 1) {
        path.lineTo((level / 255) * width, height - heightOf(list[level], top) * (height - 6));
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
    list, losses.map(({ kind, detail }) => el('li', {}, el('strong', {}, lossName(kind)), detail)));
  return list;
}

/**
 * The kind of a loss in words.
 * @param {string} kind
 */
export const lossName = (kind) => {
  const name = nameOf(`loss.${kind}`);
  if (name) return name;
  const text = kind.replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace('hdr', 'HDR')
    .replace('icc', 'ICC')
    .replace('xmp', 'XMP');
  return text[0].toUpperCase() + text.slice(1);
};
