// SPDX-License-Identifier: Apache-2.0
import { place } from '../dialogs.js';
import { el, icon, replace } from '../dom.js';
import { nameOf, t } from '../language.js';
import { label } from './schema.js';

/**
 * Opens the list of all filters; what is typed narrows it.
 * @param {HTMLElement} anchor
 * @param {import('./schema.js').Schema} schema
 * @param {(filter: Filter) => void} choose
 */
export function openPalette(anchor, schema, choose) {
  const input = el('input', {
    class: 'palette-input',
    type: 'text',
    role: 'combobox',
    'aria-expanded': 'true',
    'aria-controls': 'palette-list',
    'aria-autocomplete': 'list',
    'aria-label': t('palette.search'),
    placeholder: t('palette.search'),
    autocomplete: 'off',
    spellcheck: 'false',
    on: { input: show, keydown: keys },
  });
  const list = el('div', {
    class: 'palette-list scroll', id: 'palette-list', role: 'listbox',
    'aria-label': t('editor.filters'),
  });
  /** @type {HTMLElement} */
  const popover = el('div', { class: 'popover palette', popover: 'auto' },
    el('div', { class: 'palette-head' }, icon('search'), input), list);
  /** @type {HTMLElement[]} */
  let options = [];
  let current = 0;

  function show() {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    /** @param {Filter} filter */
    const matches = (filter) => {
      const { name, aliases = [], summary, group } = filter;
      const shown = [label(name), nameOf(group) ?? ''];
      const text = [name, ...shown, ...aliases, summary, group].join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    };
    /** @param {Filter} filter */
    const rank = (filter) =>
      (words[0] && label(filter.name).toLowerCase().startsWith(words[0]) ? 0 : 1);
    options = [];
    /** @type {[rank: number, group: HTMLElement][]} */
    const groups = [];
    for (const [group, filters] of schema.groups()) {
      const name = nameOf(group) ?? group;
      const found = filters.filter(matches).sort((a, b) => rank(a) - rank(b));
      if (!found.length) continue;
      groups.push([
        found.some((filter) => rank(filter) === 0) && words.length ? 0 : 1,
        el('div', { role: 'group', 'aria-label': name },
          el('div', { class: 'palette-group', 'aria-hidden': 'true' }, name),
          found.map((filter) => {
            /** @type {HTMLElement} */
            const option = el('div', {
              class: 'palette-option', role: 'option', id: `option-${filter.name}`,
              data: { filter: filter.name },
              on: { click: () => pick(filter), pointermove: () => select(options.indexOf(option)) },
            },
              el('span', {}, label(filter.name)), el('span', { class: 'caption' }, filter.summary));
            return option;
          })),
      ]);
    }
    replace(list, groups.sort((a, b) => a[0] - b[0]).map(([, group]) => group));
    if (!groups.length) replace(list, el('p', { class: 'caption empty' }, t('palette.noMatch')));
    /** @type {NodeListOf<HTMLElement>} */
    const found = list.querySelectorAll('[role="option"]');
    options = [...found];
    select(0, true);
  }

  /**
   * @param {number} index
   * @param {boolean} [scrolls]
   */
  function select(index, scrolls = false) {
    current = Math.max(0, Math.min(options.length - 1, index));
    for (const [position, option] of options.entries()) {
      option.setAttribute('aria-selected', String(position === current));
    }
    const chosen = options[current];
    input.setAttribute('aria-activedescendant', chosen?.id ?? '');
    if (scrolls) chosen?.scrollIntoView({ block: 'nearest' });
  }

  /** @param {KeyboardEvent} event */
  function keys(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step) { event.preventDefault(); select(current + step, true); }
    if (event.key === 'Enter' && options[current]) {
      event.preventDefault();
      pick(schema.filter(options[current].dataset.filter));
    }
  }

  /** @param {Filter} filter */
  function pick(filter) {
    popover.hidePopover();
    choose(filter);
  }

  popover.addEventListener(
    'toggle', (event) => { if (event.newState === 'closed') popover.remove(); });
  document.body.append(popover);
  popover.showPopover();
  show();
  place(popover, anchor);
  input.focus();
}
