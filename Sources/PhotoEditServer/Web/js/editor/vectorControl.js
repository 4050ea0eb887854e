// SPDX-License-Identifier: Apache-2.0
import { button, el, replace, selecting } from '../dom.js';
import { t } from '../language.js';
import { componentNames, format, parameterLabel, parse, snap, stepOf } from './schema.js';

/**
 * Number fields for a vector or a matrix; a list without a fixed length can grow.
 * @param {Filter} filter
 * @param {Parameter} parameter
 * @param {Edit} edit
 * @returns {Control}
 */
export function vectorControl(filter, parameter, edit) {
  const id = `${edit.prefix}-${parameter.name}`;
  const name = parameterLabel(filter, parameter);
  const isList = parameter.type === 'numbers';
  const step = stepOf({ ...parameter, usefulRange: parameter.usefulRange ?? [-1, 1] });
  const [low, high] = parameter.range ?? [-Infinity, Infinity];
  const fields = el('div', {
    class: 'fields', role: 'group', 'aria-labelledby': `${id}-name`,
    'aria-describedby': `${id}-about`,
  });
  /** @type {number[]} */
  let value = [];

  /**
   * @param {number} index
   * @param {number} number
   * @param {number} at
   */
  function setComponent(index, number, at) {
    const next = [...value];
    next[index] = Math.min(high, Math.max(low, number));
    edit.set(parameter.name, next, at);
  }

  /**
   * @param {number} index
   * @param {string[]} names
   */
  function field(index, names) {
    /** @type {HTMLInputElement} */
    const input = el('input', {
      class: 'field number', type: 'text', inputmode: 'decimal',
      'aria-label': `${name} ${names[index]}`, data: { key: parameter.name, index },
      on: {
        ...selecting(),
        change: (event) => {
          const number = parse(input.value);
          input.setAttribute('aria-invalid', String(Number.isNaN(number)));
          if (!Number.isNaN(number)) setComponent(index, number, event.timeStamp);
        },
        keydown: (event) => {
          if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
          event.preventDefault();
          const size = (event.key === 'ArrowUp' ? 1 : -1) * (event.shiftKey ? step / 10 : step);
          setComponent(index, snap(value[index] + size, Math.abs(size)), event.timeStamp);
        },
      },
    });
    return el('label', { class: 'component' },
      names.length <= 4 ? el('span', { class: 'unit', 'aria-hidden': 'true' }, names[index]) : null,
      input);
  }

  /** @param {Value} next */
  function show(next) {
    const list = /** @type {number[]} */ (Array.isArray(next) ? next : []);
    if (list.length !== fields.querySelectorAll('input').length || !fields.children.length) {
      const hadFocus = fields.contains(document.activeElement);
      const names = componentNames(parameter, list.length);
      fields.dataset.columns = list.length === 9
        ? '3'
        : String(Math.min(Math.max(list.length, 1), list.length > 4 ? 5 : 4));
      replace(
        fields, list.map((_, index) => field(index, names)), isList ? lengthButtons(list) : null);
      if (hadFocus) fields.querySelector('button')?.focus();
    }
    value = list;
    for (const [index, input] of [...fields.querySelectorAll('input')].entries()) {
      if (document.activeElement !== input || parse(input.value) !== list[index]) {
        input.value = format(list[index], null);
      }
    }
  }

  /** @param {number[]} list */
  function lengthButtons(list) {
    if (parameter.name === 'kernel') {
      /** @param {number} side */
      const resize = (side) => edit.set(parameter.name,
        Array.from({ length: side * side }, (_, index) =>
          (index === (side * side - 1) / 2 ? 1 : 0)));
      return el('span', { class: 'pair' }, [3, 5, 7].map((side) =>
        button(`${side} × ${side}`, () => resize(side), { kind: 'plain small' })));
    }
    return button(
      t(list.length ? 'control.remove' : 'control.add'),
      () => (list.length ? shorten(list) : edit.set(parameter.name, [0])),
      { kind: 'plain small' });
  }

  /**
   * Removes what was added last: a list of spots has five numbers for each. A filter that has
   * nothing left to work on is removed.
   * @param {number[]} list
   */
  function shorten(list) {
    const shorter = (parameter.counts ?? [0]).filter((count) => count < list.length);
    if (shorter.length) edit.set(parameter.name, list.slice(0, Math.max(...shorter)));
    else edit.remove();
  }

  const element = el('div', { class: 'control stacked', data: { parameter: parameter.name } },
    el('span', { class: 'name', id: `${id}-name`, title: parameter.summary }, name),
    fields,
    el('span', { class: 'visually-hidden', id: `${id}-about` },
      t('control.allowed', { summary: parameter.summary, values: parameter.allowed ?? '' })));
  show(parameter.default);
  return { element, show };
}
