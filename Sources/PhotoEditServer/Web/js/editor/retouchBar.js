// SPDX-License-Identifier: Apache-2.0
import { button, el } from '../dom.js';
import { keysText, t } from '../language.js';
import { methods } from './retouchWords.js';

/**
 * A slider of the bar: `position` is what it shows of a value, from 0 to 100, and `value` the
 * reverse.
 * @typedef {object} BarSlider
 * @property {string} name
 * @property {string} title
 * @property {(value: number) => number} position
 * @property {(position: number) => number} value
 * @property {(value: number, at: number) => void} set
 * @property {(value: number) => string} text what assistive technology says
 */

/** The names of the tools that retouch, in the bar. */
const retouching = {
  mode: t('retouch.method'), modes: methods, remove: t('control.remove'),
  removeHelp: t('withKeys', { text: t('control.remove'), keys: keysText('Delete') }),
};

/**
 * The bar of the tools that retouch: the method and the size of the selected disc and of the next
 * one, and what all discs have in common. Of a brush, it has what the next stroke is painted with.
 * @param {{
 *   note: string, modes: string[], sliders: BarSlider[], setMode: (index: number) => void,
 *   begin?: () => void, end?: () => void, remove: () => void, done: () => void,
 *   words?: typeof retouching, more?: HTMLElement[],
 * }} options
 */
export function retouchBar({
  note: text, modes, sliders, setMode, begin = () => {}, end = () => {}, remove, done,
  words = retouching, more = [],
}) {
  const note = el('span', { class: 'caption retouch-note', role: 'status' }, text);
  const inputs = modes.map((mode, index) => el('input', {
    type: 'radio', name: 'retouch-mode', value: mode, on: { change: () => setMode(index) },
  }));
  const ranges = sliders.map(({ name, title, value, set }) => {
    /** @type {HTMLInputElement} */
    const input = el('input', {
      class: 'slider', type: 'range', min: 0, max: 100, step: 1, 'aria-label': name, title,
      on: {
        input: (event) => set(value(Number(input.value)), event.timeStamp),
        pointerdown: (event) => { if (event.button === 0) begin(); },
        change: end, pointerup: end, pointercancel: end,
      },
    });
    return input;
  });
  const removal = button(
    words.remove, remove, { kind: 'plain small', title: words.removeHelp });
  return {
    note,
    element: el('div', { class: 'retouch-bar' },
      el('div', {},
        note,
        modes.length > 0 && el(
          'div', { class: 'segments', role: 'radiogroup', 'aria-label': words.mode },
          inputs.map((input, index) =>
            el('label', {}, input, el('span', {}, words.modes[modes[index]])))),
        more, removal, button(t('tool.done'), done, { kind: 'primary small' })),
      el('div', { class: 'retouch-sliders' }, ranges.map((input, index) =>
        el('div', { class: 'retouch-slider' },
          el('span', { class: 'caption', 'aria-hidden': 'true' }, sliders[index].name), input)))),
    /**
     * @param {{ mode: number, hasSelection: boolean, values: (number | null)[] }} state the values
     *   of the sliders; null for one that has nothing to change
     */
    show({ mode, hasSelection, values }) {
      for (const [index, input] of inputs.entries()) input.checked = index === mode;
      removal.disabled = !hasSelection;
      for (const [index, input] of ranges.entries()) {
        const value = values[index];
        input.disabled = value === null;
        if (value === null) continue;
        const position = sliders[index].position(value);
        input.value = String(position);
        input.setAttribute('aria-valuetext', sliders[index].text(value));
        // The thumb is 12 pixels wide.
        input.style.setProperty('--end', `calc(6px + (100% - 12px) * ${position / 100})`);
      }
    },
  };
}

/**
 * The slider of the radius; its steps are proportions, so that small radii can be set as well.
 * @param {{ least: number, most: number }} limits
 * @param {(radius: number) => void} set
 * @param {string} [title]
 * @returns {BarSlider}
 */
export function sizeSlider(limits, set, title = t('retouch.sizeHelp')) {
  const ratio = Math.log(limits.most / limits.least);
  return {
    name: t('retouch.size'), title, set,
    position: (radius) => (100 * Math.log(radius / limits.least)) / ratio,
    value: (position) => limits.least * Math.exp((ratio * position) / 100),
    text: (radius) => t('retouch.sizeValue', { number: Number((100 * radius).toPrecision(2)) }),
  };
}

/**
 * The slider of a share, in whole percent.
 * @param {string} name
 * @param {string} title
 * @param {number} most
 * @param {(value: number, at: number) => void} set
 * @returns {BarSlider}
 */
export function shareSlider(name, title, most, set) {
  return {
    name, title, set,
    position: (value) => (100 * value) / most,
    value: (position) => Math.round(position * most) / 100,
    text: (value) => t('percent', { number: Math.round(100 * value) }),
  };
}
