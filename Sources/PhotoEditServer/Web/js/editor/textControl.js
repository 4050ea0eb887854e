// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom.js';
import { parameterLabel } from './schema.js';

/**
 * A text; one that may be long has lines.
 * @param {Filter} filter
 * @param {Parameter} parameter
 * @param {Edit} edit
 * @returns {Control}
 */
export function textControl(filter, parameter, edit) {
  const id = `${edit.prefix}-${parameter.name}`;
  const hasLines = parameter.maximumBytes > 1000;
  let isChanging = false;
  /** @type {HTMLTextAreaElement | HTMLInputElement} */
  const field = el(hasLines ? 'textarea' : 'input', {
    class: 'field', id, 'aria-describedby': `${id}-about`, data: { key: parameter.name },
    dir: 'auto', spellcheck: 'false', maxlength: Math.floor(parameter.maximumBytes / 4),
    ...(hasLines ? { rows: 2 } : { type: 'text' }),
    on: {
      // All that is typed before the field is left is one change; a font is sought once.
      input: (event) => {
        if (!hasLines) return;
        if (!isChanging) edit.begin();
        isChanging = true;
        edit.set(parameter.name, field.value, event.timeStamp);
      },
      change: (event) => {
        edit.set(parameter.name, field.value, event.timeStamp);
        if (isChanging) edit.end();
        isChanging = false;
      },
    },
  });
  const element = el('div', {
    class: hasLines ? 'control stacked' : 'control wide', data: { parameter: parameter.name },
  },
  el('label', { class: 'name', for: id, title: parameter.summary },
    parameterLabel(filter, parameter)),
  field,
  el('span', { class: 'visually-hidden', id: `${id}-about` }, parameter.summary));
  return {
    element,
    show: (value) => { if (field.value !== String(value)) field.value = String(value); },
  };
}
