// SPDX-License-Identifier: Apache-2.0
import { el, replace } from '../dom.js';
import { t } from '../language.js';
import { memberOf } from './maskMembers.js';
import { format, label, parameterLabel, parse } from './schema.js';

/** The most bytes that the name of a member can have. */
const most = 100;

/**
 * A name as a graph can have it: without control characters, and not too long.
 * @param {string} text
 */
export function nameFor(text) {
  const letters = [...text.replace(/\p{Cc}+/gu, ' ').trim()];
  const size = () => new TextEncoder().encode(letters.join('')).length;
  while (size() > most) letters.pop();
  return letters.join('').trim();
}

/**
 * The members of a group of masks: a row for each, with its name, operation, opacity and inversion.
 * The masks themselves are those that the node reads.
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
    const { opacity, invert, name, ...rest } = { ...members[index], ...change };
    edit.set(parameter.name, members.with(index, {
      ...rest, ...(name && { name }), ...((opacity ?? 1) !== 1 && { opacity }),
      ...(invert && { invert }),
    }), time);
  }

  /**
   * A row and what shows its member in it.
   * @param {number} index
   */
  function row(index) {
    const known = edit.section ? memberOf(edit.section, index) : null;
    const kind = known?.name ?? `${index + 1}`;
    /** @type {HTMLInputElement} */
    const name = el('input', {
      class: 'field', type: 'text', placeholder: kind, title: kind,
      on: {
        change: (event) => store(index, { name: nameFor(name.value) }, event.timeStamp),
      },
    });
    /** @type {HTMLSelectElement} */
    const op = el('select', {
      class: 'field', title: label('mode'),
      on: { change: (event) => store(index, { op: op.value }, event.timeStamp) },
    }, parameter.choices.map((choice) => el('option', { value: choice }, label(choice))));
    /** @type {HTMLInputElement} */
    const opacity = el('input', {
      class: 'field number', type: 'text', inputmode: 'decimal', title: label('opacity'),
      on: {
        change: (event) => {
          const number = parse(opacity.value);
          if (!Number.isNaN(number)) {
            store(index, { opacity: Math.min(1, Math.max(0, number)) }, event.timeStamp);
          }
        },
      },
    });
    /** @type {HTMLInputElement} */
    const invert = el('input', {
      class: 'switch', type: 'checkbox', role: 'switch', title: label('invert'),
      on: { change: (event) => store(index, { invert: invert.checked }, event.timeStamp) },
    });
    return {
      element: el('div', { class: 'point member' },
        name, el('span', { class: 'member-buttons' }, known?.buttons ?? []), op, opacity, invert),
      /** @param {Member} member */
      show(member) {
        name.value = member.name ?? '';
        op.value = member.op ?? 'add';
        opacity.value = format(member.opacity ?? 1, null);
        invert.checked = member.invert === true;
        const called = member.name || kind;
        name.setAttribute('aria-label', `${called}, ${t('name')}`);
        for (const item of [op, opacity, invert]) {
          item.setAttribute('aria-label', `${called}, ${item.title}`);
        }
      },
    };
  }

  /** @type {ReturnType<typeof row>[]} */
  let made = [];
  let shown = '';

  return {
    element: el('div', { class: 'control stacked', data: { parameter: parameter.name } },
      el('span', { class: 'name', title: parameter.summary }, parameterLabel(filter, parameter)),
      rows),
    show: (value) => {
      members = /** @type {Member[]} */ (value ?? []);
      // Rows stay while their masks do, so that the focus goes on to the next field.
      const masks = JSON.stringify([members.length, edit.section?.placed]);
      if (masks !== shown) {
        made = members.map((_, index) => row(index));
        replace(rows, made.map(({ element }) => element));
      }
      shown = masks;
      for (const [index, member] of members.entries()) made[index].show(member);
    },
  };
}
