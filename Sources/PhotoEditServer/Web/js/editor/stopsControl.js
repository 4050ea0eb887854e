// SPDX-License-Identifier: Apache-2.0
import { button, el, iconButton, replace, valueOf } from '../dom.js';
import { t } from '../language.js';
import { format, parse } from './schema.js';

/** @typedef {[position: number, color: string]} Stop */

/**
 * The stops of a gradient: a bar that shows them and a row for each.
 * @param {Filter} filter
 * @param {Parameter} parameter
 * @param {Edit} edit
 * @returns {Control}
 */
export function stopsControl(filter, parameter, edit) {
  /** @type {Stop[]} */
  let stops = structuredClone(parameter.default);
  const bar = el('div', { class: 'gradient', role: 'img', 'aria-label': t('control.gradient') });
  const rows = el('div', { class: 'points' });
  /**
   * @param {Stop[]} next
   * @param {number} time
   */
  const store = (next, time) =>
    edit.set(parameter.name, next.toSorted((a, b) => a[0] - b[0]), time);

  /**
   * @param {Stop} stop
   * @param {number} index
   */
  function row([position, color], index) {
    return el('div', { class: 'point' },
      el('input', {
        class: 'field', type: 'color', value: color,
        'aria-label': t('control.stopColor', { number: index + 1 }),
        data: { key: parameter.name, index },
        on: {
          input: (event) =>
            store(stops.with(index, [stops[index][0], valueOf(event)]), event.timeStamp),
        },
      }),
      el('input', {
        class: 'field number', type: 'text', inputmode: 'decimal', value: format(position, null),
        'aria-label': t('control.stopPosition', { number: index + 1 }),
        on: {
          change: (event) => {
            const number = parse(valueOf(event));
            if (!Number.isNaN(number)) {
              store(
                stops.with(index, [Math.min(1, Math.max(0, number)), stops[index][1]]),
                event.timeStamp);
            }
          },
        },
      }),
      iconButton('close',
        t('control.removeStop', { number: index + 1 }),
        (event) => store(stops.toSpliced(index, 1), event.timeStamp),
        { disabled: stops.length <= 2 }));
  }

  /** @param {Event} event */
  function add(event) {
    const gaps = stops.slice(1).map(([position], index) => position - stops[index][0]);
    const index = gaps.indexOf(Math.max(...gaps)) + 1;
    const middle = Math.round((stops[index - 1][0] + stops[index][0]) * 500) / 1000;
    store(stops.toSpliced(index, 0, [middle, stops[index][1]]), event.timeStamp);
  }

  /** @param {Stop[]} next */
  function show(next) {
    const isSame = next?.length === stops.length && rows.children.length;
    stops = next ?? structuredClone(parameter.default);
    const colors = stops.map(([at, color]) => `${color} ${at * 100}%`).join(', ');
    bar.style.setProperty('background', `linear-gradient(to right, ${colors})`);
    if (isSame) {
      for (const [index, line] of [...rows.querySelectorAll('.point')].entries()) {
        const [color, position] = line.querySelectorAll('input');
        if (color.value !== stops[index][1]) color.value = stops[index][1];
        if (parse(position.value) !== stops[index][0]) {
          position.value = format(stops[index][0], null);
        }
      }
    } else {
      replace(
        rows, stops.map(row),
        button(t('control.addStop'), add, { kind: 'plain small', symbol: 'plus' }));
    }
  }

  show(stops);
  return {
    element: el('div', { class: 'control stacked', data: { parameter: parameter.name } },
      bar, rows),
    show,
  };
}
