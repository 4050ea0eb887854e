// SPDX-License-Identifier: Apache-2.0
import { el, replace, valueOf } from '../dom.js';
import { format, label, parameterLabel, parse } from './schema.js';

/**
 * The members of a group of masks: a row for each, with its operation, opacity and inversion. The
 * masks themselves are those that the node reads.
 * @param {Filter} filter
 * @param {Parameter} parameter
 * @param {Edit} edit
 * @returns {Control}
 */
export function membersControl(filter, parameter, edit) {
  /** @type {Member[]} */
  let members = [];
  const rows = el('div', { class: 'points' });

  /**
   * @param {number} index
   * @param {Member} change
   * @param {number} time
   */
  function store(index, change, time) {
    const { opacity, invert, ...rest } = { ...members[index], ...change };
    edit.set(parameter.name, members.with(index, {
      ...rest, ...((opacity ?? 1) !== 1 && { opacity }), ...(invert && { invert }),
    }), time);
  }

  /**
   * @param {Member} member
   * @param {number} index
   */
  function row(member, index) {
    const name = member.name || `${index + 1}`;
    /** @param {string} what */
    const about = (what) => ({ 'aria-label': `${name}, ${label(what)}`, title: label(what) });
    return el('div', { class: 'point', title: name },
      el('select', {
        class: 'field', ...about('mode'),
        on: {
          change: (event) =>
            store(index, { op: valueOf(event) }, event.timeStamp),
        },
      }, parameter.choices.map((choice) => el('option', {
        value: choice, selected: choice === member.op,
      }, label(choice)))),
      el('span', { class: 'caption' }, name),
      el('input', {
        class: 'field number', type: 'text', inputmode: 'decimal', ...about('opacity'),
        value: format(member.opacity ?? 1, null),
        on: {
          change: (event) => {
            const number = parse(valueOf(event));
            if (!Number.isNaN(number)) {
              store(index, { opacity: Math.min(1, Math.max(0, number)) }, event.timeStamp);
            }
          },
        },
      }),
      el('input', {
        class: 'switch', type: 'checkbox', role: 'switch', checked: member.invert === true,
        ...about('invert'),
        on: {
          change: (event) => store(index, { invert: !members[index].invert }, event.timeStamp),
        },
      }));
  }

  return {
    element: el('div', { class: 'control stacked', data: { parameter: parameter.name } },
      el('span', { class: 'name', title: parameter.summary }, parameterLabel(filter, parameter)),
      rows),
    show: (value) => {
      members = /** @type {Member[]} */ (value ?? []);
      replace(rows, members.map(row));
    },
  };
}
