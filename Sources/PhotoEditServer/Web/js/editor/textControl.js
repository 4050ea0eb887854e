// SPDX-License-Identifier: Apache-2.0
import { menu } from '../dialogs.js';
import { button, el } from '../dom.js';
import { nameOf, t } from '../language.js';
import { label, parameterLabel } from './schema.js';

/** The fields of a text, which the server fills in with what it knows of the photo. */
export const fields = [
  'date', 'time', 'year', 'title', 'caption', 'creator', 'copyright', 'camera', 'lens', 'iso',
  'fNumber', 'exposureTime', 'focalLength', 'city', 'country',
];

/** Fonts that are found on every computer: names for which it has one of its own. */
const fonts = ['sans-serif', 'serif', 'monospace'].flatMap((name) => [
  name, `${name}:bold`, `${name}:italic`,
]);

/** The time in milliseconds after which a field that was begun is taken for what is meant. */
const pause = 1500;

/**
 * Indicates whether a text ends in the middle of a field: the error of a brace that is still to be
 * closed would only be in the way.
 * @param {string} text
 */
export function isHalf(text) {
  const rest = text.replace(/\{\{|\}\}|\{[^{}]*\}/g, '');
  return /[{}]/.test(rest);
}

/**
 * A text; one that may be long has lines and fields.
 * @param {Filter} filter
 * @param {Parameter} parameter
 * @param {Edit} edit
 * @returns {Control}
 */
export function textControl(filter, parameter, edit) {
  const id = `${edit.prefix}-${parameter.name}`;
  const hasLines = parameter.maximumBytes > 1000;
  let isChanging = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const stopWaiting = () => { clearTimeout(timer); timer = undefined; };
  /** @param {number} at */
  const set = (at) => {
    stopWaiting();
    if (!isChanging) edit.begin();
    isChanging = true;
    edit.set(parameter.name, field.value, at);
  };
  /** @param {Event} event */
  const typed = ({ timeStamp }) => {
    stopWaiting();
    if (!isHalf(field.value)) set(timeStamp);
    else timer = setTimeout(() => set(performance.now()), pause);
  };
  /** @type {HTMLTextAreaElement | HTMLInputElement} */
  const field = el(hasLines ? 'textarea' : 'input', {
    class: 'field', id, 'aria-describedby': `${id}-about`, data: { key: parameter.name },
    dir: 'auto', spellcheck: 'false', maxlength: Math.floor(parameter.maximumBytes / 4),
    ...(hasLines ? { rows: 2 } : { type: 'text', list: `${id}-list` }),
    on: {
      // All that is typed before the field is left is one change; a font is sought once, unless it
      // is one of the list.
      input: (event) => {
        if (hasLines) typed(event);
        else if (fonts.includes(field.value)) set(event.timeStamp);
      },
      change: (event) => {
        set(event.timeStamp);
        edit.end();
        isChanging = false;
      },
    },
  });
  /** @type {HTMLButtonElement} */
  const inserts = button(t('control.insertField'), () => {
    // The menu gives the focus back to the text.
    field.focus();
    menu(inserts, fields.map((name) => ({
      label: `${nameOf(`field.${name}`) ?? label(name)} {${name}}`, action: () => insert(name),
    })));
  }, { kind: 'small', 'aria-haspopup': 'menu' });

  /**
   * Inserts a field at the caret, in place of one that was begun there.
   * @param {string} name
   */
  function insert(name) {
    const { selectionStart: start, selectionEnd: end, value } = field;
    const begun = /\{\w*$/.exec(value.slice(0, start))?.[0].length ?? 0;
    field.setRangeText(`{${name}}`, start - begun, end, 'end');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }

  const element = el('div', {
    class: hasLines ? 'control stacked' : 'control wide', data: { parameter: parameter.name },
  },
  el('label', { class: 'name', for: id, title: parameter.summary },
    parameterLabel(filter, parameter)),
  field,
  hasLines
    ? inserts
    : el('datalist', { id: `${id}-list` }, fonts.map((value) => el('option', { value }))),
  el('span', { class: 'visually-hidden', id: `${id}-about` }, parameter.summary));
  return {
    element,
    show: (value) => {
      // What is being typed is newer.
      if (timer === undefined && field.value !== String(value)) field.value = String(value);
    },
  };
}
