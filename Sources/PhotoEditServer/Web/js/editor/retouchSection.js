// SPDX-License-Identifier: Apache-2.0
import { button, el } from '../dom.js';
import { list, t } from '../language.js';
import { retouchWords } from './retouchWords.js';
import { Spots } from './spots.js';

/** @type {Record<string, { text: string, symbol: string }>} the buttons of the section */
const tools = {
  heal: { text: t('retouch.healSpots'), symbol: 'heal' },
  redEye: { text: t('retouch.redEye'), symbol: 'eye' },
};

/**
 * The contents of the section that retouches: a button for each tool, and what it has changed.
 * @param {import('./adjust.js').Adjust} adjust
 * @param {string} section
 * @param {string[]} filters
 */
export function retouchSection(adjust, section, filters) {
  const { draft, tools: inUse } = adjust.host;
  const known = filters.filter((name) => adjust.adjustment(name));
  const lists = known.map((name) => ({
    name,
    spots: new Spots(draft, name === 'heal'
      ? ['heal', 'clone'].map((mode) => adjust.adjustment(name, { mode }))
      : [adjust.adjustment(name)]),
  }));
  const caption = el('p', { class: 'caption' });
  const show = () => {
    const counts = lists.flatMap(({ name, spots }) => {
      const count = spots.all.filter(({ radius }) => radius > 0).length;
      return count ? [retouchWords[name].count(count)] : [];
    });
    caption.textContent = counts.length ? list(counts) : t('retouch.help');
  };
  for (const adjustment of lists.flatMap(({ spots }) => spots.adjustments)) {
    adjust.watchUse(section, adjustment, show);
  }
  return [
    el('div', { class: 'tool-row' }, known.map((name) => {
      const target = adjust.adjustment(name);
      const { text, symbol } = tools[name];
      target.tool = button(text, (event) => inUse.toggle(target, event.detail === 0), {
        symbol, class: 'button tool', title: target.filter.summary, 'aria-pressed': 'false',
        data: { filter: name }, ...(name === 'heal' && { 'aria-keyshortcuts': 'r' }),
      });
      return target.tool;
    })),
    caption,
  ];
}
