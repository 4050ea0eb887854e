// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom.js';
import { parameterLabel } from './schema.js';
import { strokesText } from './strokes.js';

/**
 * How many strokes a mask has; they are painted on the photo.
 * @param {Filter} filter
 * @param {Parameter} parameter
 * @returns {Control}
 */
export function strokesControl(filter, parameter) {
  const text = el('span', { class: 'caption' });
  return {
    element: el('div', { class: 'control wide', data: { parameter: parameter.name } },
      el('span', { class: 'name', title: parameter.summary }, parameterLabel(filter, parameter)),
      text),
    show: (value) => { text.textContent = strokesText(value); },
  };
}
