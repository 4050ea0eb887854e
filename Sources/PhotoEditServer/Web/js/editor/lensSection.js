// SPDX-License-Identifier: Apache-2.0
import { button, el } from '../dom.js';
import { t } from '../language.js';

/**
 * The button that corrects the lens, and the name of the one that is corrected.
 * @param {import('./adjust.js').Adjust} adjust
 * @param {string} section
 */
export function lensSection(adjust, section) {
  const adjustment = adjust.adjustment('lens');
  if (!adjustment) return [];
  const caption = el('p', { class: 'caption' });
  adjust.watchUse(section, adjustment, () => {
    caption.textContent = String(adjustment.node?.params?.profile ?? '') || t('adjust.lensHelp');
  });
  return [
    el('div', { class: 'tool-row' }, button(
      t('adjust.correctLens'), () => adjust.host.adjustAutomatically({ lens: true }),
      { class: 'button tool', title: adjustment.filter.summary })),
    caption,
  ];
}
