// SPDX-License-Identifier: Apache-2.0
import { askForText } from '../dialogs.js';
import { el, iconButton, replace } from '../dom.js';
import { t } from '../language.js';
import { keep, setting } from '../settings.js';
import { parseRatio } from './cropGeometry.js';

const common = [
  ['free', t('crop.free')],
  ['original', t('original')],
  ['1', '1 : 1'],
  [String(5 / 4), '5 : 4'],
  [String(4 / 3), '4 : 3'],
  [String(7 / 5), '7 : 5'],
  [String(3 / 2), '3 : 2'],
  [String(16 / 9), '16 : 9'],
];
/** The number of ratios of one's own that are remembered. */
const most = 4;
const free = { ratio: 'free', isSwapped: false };

/**
 * The choice of the ratio of a crop. The one of a crop is known again by its shape; the ratio that
 * was chosen last is the first after none, and those that were typed are remembered.
 * @param {object} options
 * @param {() => number[]} options.size of the photo in pixels
 * @param {(target: number | null) => void} options.changed
 */
export function ratioChoice({ size, changed }) {
  /** @type {string[][]} */
  let own = setting('ownRatios', []);
  // The whole photo is not in the ratio that was chosen last; that one is the first to choose.
  let { ratio, isSwapped } = free;
  let isKnown = false;
  const last = setting('cropRatio', free).ratio;
  /** @type {HTMLSelectElement} */
  const choice = el('select', {
    class: 'field', 'aria-label': t('crop.ratio'),
    on: { change: () => { if (choice.value === 'own') ask(); else choose(choice.value); } },
  });
  show();

  /**
   * Knows the ratio of a crop again, unless one was chosen already. Of sides that are whole pixels,
   * the shorter one is less than a pixel away from that of the ratio.
   * @param {number} width of the crop in pixels
   * @param {number} height
   */
  function recognize(width, height) {
    if (isKnown) return;
    isKnown = true;
    const found = [...common, ...own].filter(([value]) => Number(value)).flatMap(([value]) =>
      [Number(value), 1 / Number(value)].map((shape, index) => ({
        ratio: value, isSwapped: index > 0,
        error: Math.min(Math.abs(width - height * shape), Math.abs(height - width / shape)),
      }))).find(({ error }) => error <= 1);
    if (found) ({ ratio, isSwapped } = found);
    show();
  }

  function show() {
    const [first, ...others] = common;
    const known = [...others, ...own];
    const near = known.filter(([value]) => value === last);
    const rest = known.filter(([value]) => value !== last);
    replace(choice, [first, ...near, ...rest, ['own', t('crop.own')]].map(([value, name]) =>
      el('option', { value, selected: value === ratio }, name)));
  }

  /** @param {string} value */
  function choose(value) {
    [ratio, isKnown] = [value, true];
    keep('cropRatio', { ratio, isSwapped });
    changed(target());
  }

  async function ask() {
    const properties = { 'aria-label': t('crop.ownRatio'), placeholder: '5 : 7' };
    const text = await askForText(t('crop.ratio'), properties, {
      refuse: (typed) => (parseRatio(typed) ? null : t('crop.badRatio')),
    });
    const parsed = parseRatio(text);
    if (parsed) {
      own = [
        [parsed.value, parsed.name],
        ...own.filter(([value]) => value !== parsed.value),
      ].filter(([value]) => !common.some(([known]) => known === value)).slice(0, most);
      keep('ownRatios', own);
      choose(parsed.value);
    }
    show();
    choice.focus();
  }

  /** The width divided by the height, in fractions of the photo; null when it is free. */
  function target() {
    if (ratio === 'free') return null;
    const [width, height] = size();
    const pixels = ratio === 'original' ? width / height : Number(ratio);
    return ((isSwapped ? 1 / pixels : pixels) * height) / width;
  }

  const swap = iconButton('swap', t('crop.swap'), () => {
    isSwapped = !isSwapped;
    choose(ratio);
  });
  return { element: el('span', { class: 'pair' }, choice, swap), target, recognize };
}
