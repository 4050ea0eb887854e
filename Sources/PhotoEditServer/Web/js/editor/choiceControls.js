// SPDX-License-Identifier: Apache-2.0
import { button, el } from '../dom.js';
import { t } from '../language.js';
import { label, parameterLabel } from './schema.js';

/**
 * @param {string} id
 * @param {Parameter} parameter
 */
const about = (id, parameter) => el('span', { class: 'visually-hidden', id: `${id}-about` },
  parameter.summary);

/**
 * A radio group for up to four choices, else a menu.
 * @param {Filter} filter
 * @param {Parameter} parameter
 * @param {Edit} edit
 * @returns {Control}
 */
export function choiceControl(filter, parameter, edit) {
  const id = `${edit.prefix}-${parameter.name}`;
  const name = parameterLabel(filter, parameter);
  const short = parameter.choices.map((choice) => label(choice));
  if (parameter.choices.length === 1) {
    // There is nothing to choose.
    return { element: el('div', { data: { parameter: parameter.name }, hidden: true }), show() {} };
  }
  if (parameter.choices.length <= 4 && short.join('').length <= 30) {
    const inputs = parameter.choices.map((choice) => el('input', {
      type: 'radio', name: id, value: choice, data: { key: parameter.name },
      on: { change: (event) => edit.set(parameter.name, choice, event.timeStamp) },
    }));
    const element = el('div', { class: 'control wide', data: { parameter: parameter.name } },
      el('span', { class: 'name', id: `${id}-name`, title: parameter.summary }, name),
      el('div', {
        class: 'segments', role: 'radiogroup', 'aria-labelledby': `${id}-name`,
        'aria-describedby': `${id}-about`,
      }, inputs.map((input, index) => el('label', {},
        input, el('span', { title: short[index] }, short[index])))),
      about(id, parameter));
    return {
      element,
      show: (value) => { for (const input of inputs) input.checked = input.value === value; },
    };
  }
  /** @type {HTMLSelectElement} */
  const select = el('select', {
    class: 'field', id, 'aria-describedby': `${id}-about`, data: { key: parameter.name },
    on: { change: (event) => edit.set(parameter.name, select.value, event.timeStamp) },
  }, parameter.choices.map((choice, index) => el('option', { value: choice }, short[index])));
  const element = el('div', { class: 'control wide', data: { parameter: parameter.name } },
    el('label', { class: 'name', for: id, title: parameter.summary }, name),
    select,
    about(id, parameter));
  return { element, show: (value) => { select.value = String(value); } };
}

/**
 * A switch.
 * @param {Filter} filter
 * @param {Parameter} parameter
 * @param {Edit} edit
 * @returns {Control}
 */
export function flagControl(filter, parameter, edit) {
  const id = `${edit.prefix}-${parameter.name}`;
  /** @type {HTMLInputElement} */
  const input = el('input', {
    class: 'switch', id, type: 'checkbox', role: 'switch', 'aria-describedby': `${id}-about`,
    data: { key: parameter.name },
    on: { change: (event) => edit.set(parameter.name, input.checked, event.timeStamp) },
  });
  const element = el('div', { class: 'control wide', data: { parameter: parameter.name } },
    el('label', { class: 'name', for: id, title: parameter.summary },
      parameterLabel(filter, parameter)),
    input,
    about(id, parameter));
  return { element, show: (value) => { input.checked = value === true; } };
}

/**
 * A color with its notation.
 * @param {Filter} filter
 * @param {Parameter} parameter
 * @param {Edit} edit
 * @returns {Control}
 */
export function colorControl(filter, parameter, edit) {
  const id = `${edit.prefix}-${parameter.name}`;
  /** @type {HTMLInputElement} */
  const well = el('input', {
    class: 'field', id, type: 'color', 'aria-describedby': `${id}-about`,
    data: { key: parameter.name },
    on: { input: (event) => edit.set(parameter.name, well.value, event.timeStamp) },
  });
  /** @type {HTMLInputElement} */
  const text = el('input', {
    class: 'field number hex', type: 'text',
    'aria-label': t('control.hexadecimal', { name: parameterLabel(filter, parameter) }),
    maxlength: 7, spellcheck: 'false',
    on: {
      change: (event) => {
        const isColor = /^#[0-9a-f]{6}$/i.test(text.value);
        text.setAttribute('aria-invalid', String(!isColor));
        if (isColor) edit.set(parameter.name, text.value.toLowerCase(), event.timeStamp);
      },
    },
  });
  const element = el('div', { class: 'control wide', data: { parameter: parameter.name } },
    el('label', { class: 'name', for: id, title: parameter.summary },
      parameterLabel(filter, parameter)),
    el('span', { class: 'pair' }, well, text),
    about(id, parameter));
  return {
    element,
    show: (value) => { [well.value, text.value] = [String(value), String(value)]; },
  };
}

/** @type {Record<string, string>} */
const fileTypes = {
  lookupTable: '.cube', lookupCube: '.cube', haldPicture: 'image/*', picture: 'image/*',
};

/**
 * A file that the filter needs, such as a LUT.
 * @param {Filter} filter
 * @param {Parameter} parameter
 * @param {Edit} edit
 * @returns {Control}
 */
export function attachmentControl(filter, parameter, edit) {
  const id = `${edit.prefix}-${parameter.name}`;
  const state = el('span', { class: 'caption' }, t('control.noFile'));
  /** @type {HTMLInputElement} */
  const input = el('input', {
    class: 'visually-hidden', id, type: 'file', accept: fileTypes[parameter.kind],
    'aria-describedby': `${id}-about`, data: { key: parameter.name },
    on: {
      change: () => {
        if (input.files[0]) edit.attach(parameter.name, input.files[0]);
        input.value = '';
      },
    },
  });
  /** @type {HTMLButtonElement} */
  const presets = button(t('control.presets'), () => edit.choosePresetFile(parameter, presets), {
    'aria-haspopup': 'menu', title: t('control.presetsHelp'),
  });
  const element = el('div', { class: 'control wide', data: { parameter: parameter.name } },
    el('span', { class: 'name', title: parameter.summary },
      parameterLabel(filter, parameter)),
    el('span', { class: 'pair file' },
      ...(edit.canAttach
        ? [input, el('label', { class: 'button', for: id }, t('control.choose')), presets]
        : []),
      state),
    about(id, parameter));
  return {
    element,
    show: (value) => {
      state.textContent = value
        ? edit.attachmentName(String(value))
        : edit.canAttach
        ? t('control.noFile')
        : t('control.attach');
    },
  };
}
