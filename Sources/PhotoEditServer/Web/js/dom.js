// SPDX-License-Identifier: Apache-2.0
// Elements are created here and nowhere from text, so that no name or title is read as markup.
import { keysText, t } from './language.js';

const svgNamespace = 'http://www.w3.org/2000/svg';

/**
 * Creates an element; `on` holds listeners, `data` data attributes, everything else attributes.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Properties} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function el(name, properties = {}, ...children) {
  return fill(document.createElement(name), properties, children);
}

/**
 * Creates an SVG element.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Properties} [properties]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[Name]}
 */
export function svg(name, properties = {}, ...children) {
  return fill(document.createElementNS(svgNamespace, name), properties, children);
}

/**
 * @template {HTMLElement | SVGElement} E
 * @param {E} element
 * @param {Properties} properties
 * @param {(Child | Child[])[]} children
 */
function fill(element, { on = {}, data = {}, ...attributes }, children) {
  for (const [type, listener] of Object.entries(on)) element.addEventListener(type, listener);
  Object.assign(element.dataset, data);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === 'value' || key === 'checked') Object.assign(element, { [key]: value });
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...nodes(children));
  return element;
}

/**
 * The children that are there: a condition leaves null or false in place of one.
 * @param {(Child | Child[])[]} children
 */
function nodes(children) {
  return children.flat().flatMap((child) =>
    (child === null || child === undefined || child === false ? [] : [child]));
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function replace(element, ...children) { element.replaceChildren(...nodes(children)); }

/**
 * The element at or around the target of an event that matches a selector.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function closest({ target }, selector) {
  return target instanceof Element ? target.closest(selector) : null;
}

/**
 * The value of the field that an event comes from.
 * @param {Event} event
 */
export const valueOf = ({ target }) => /** @type {HTMLInputElement} */ (target).value;

/**
 * A name with its direction marks as text, so that no file name is shown in another order than it
 * has.
 * @param {string | undefined} text
 */
export const visible = (text) =>
  text?.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (mark) =>
    `\\u{${mark.codePointAt(0).toString(16)}}`);

/** @type {Record<string, string>} */
const shapes = {
  back: 'M10 3 5 8l5 5',
  forward: 'm6 3 5 5-5 5',
  down: 'm4 6 4 4 4-4',
  up: 'm4 10 4-4 4 4',
  close: 'm4 4 8 8m0-8-8 8',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  undo: 'M5.5 3 2.5 6l3 3M2.5 6H10a3.5 3.5 0 0 1 0 7H6',
  redo: 'm10.5 3 3 3-3 3M13.5 6H6a3.5 3.5 0 0 0 0 7h4',
  left: 'M4.2 5.2A5 5 0 1 1 3 8.5M4 2v3.5h3.5',
  right: 'M11.8 5.2A5 5 0 1 0 13 8.5M12 2v3.5H8.5',
  reset: 'M3.5 5.5A5.2 5.2 0 1 1 2.8 8.5M3 2.5v3.2h3.2',
  power: 'M8 2v5.5M4.7 4.3a5 5 0 1 0 6.6 0',
  trash: 'M2.5 4.5h11M6 4.5V2.5h4v2M4 4.5l.7 9h6.6l.7-9M6.7 7v4M9.3 7v4',
  heart:
    'M8 13.3C3.8 10.3 2 8.2 2 5.9A3.1 3.1 0 0 1 8 4.6a3.1 3.1 0 0 1 6 1.3c0 2.3-1.8 4.4-6 7.4z',
  info: 'M8 7.3v4M8 4.8v.1M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z',
  split: 'M2.5 3.5h11v9h-11zM8 2v12',
  clip: 'M2 13 8 3l6 10z',
  original: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 2v12M10 3v10M12 4.5v7',
  calendar: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v2.5M10.5 2v2.5',
  swap: 'M4 6.5 2 4.5l2-2M2 4.5h9.5M12 13.5l2-2-2-2M14 11.5H4.5',
  wand: 'm3 13 7-7M11.5 2v3M10 3.5h3M13.5 7v2M12.5 8h2M6.5 2v2M5.5 3h2',
  tag: 'M2.5 2.5h5l6 6-5 5-6-6zM5.2 5.2h.1',
  star: 'm8 2 1.8 3.8 4.2.5-3.1 2.9.8 4.2L8 11.3l-3.7 2.1.8-4.2L2 6.3l4.2-.5z',
  flag: 'M4 14V2.5h8l-2 3 2 3H4',
  edit: 'm3 13 .6-2.8L11 2.8l2.2 2.2-7.4 7.4zM9.5 4.3l2.2 2.2',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3l3.2 3.2',
  help: 'M6 6a2 2 0 1 1 2.6 1.9c-.4.2-.6.5-.6 1v.4M8 11.4v.1M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12z',
  theme:
    'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1'
    + 'M3.4 3.4l.7.7M11.9 11.9l.7.7M12.6 3.4l-.7.7M4.1 11.9l-.7.7',
  history: 'M3.2 5.2A5.4 5.4 0 1 1 2.6 8M3 2.5v3h3M8 5v3.2l2.2 1.3',
  download: 'M8 2.5v7.5M4.8 7 8 10.2 11.2 7M2.5 13.5h11',
  pipette:
    'M9.4 4.8 3.4 10.8l-.8 2.6 2.6-.8 6-6M7.6 3.2l5.2 5.2M9.4 4.8l1.7-1.7a1.3 1.3 0 0 1 1.8 1.8'
    + 'l-1.7 1.7',
  heal: 'm3.2 9.2 6-6a2.5 2.5 0 0 1 3.6 3.6l-6 6a2.5 2.5 0 0 1-3.6-3.6zM5.6 6.8l3.6 3.6M8 8h.1',
  eye: 'M1.8 8C3.4 5.2 5.6 3.8 8 3.8S12.6 5.2 14.2 8c-1.6 2.8-3.8 4.2-6.2 4.2S3.4 10.8 1.8 8z'
    + 'M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  check: 'm3 8.5 3.3 3.3L13 4.8',
  play: 'M5 3v10l8-5z',
  album: 'M2.5 4.5h11v9h-11zM4 2.5h8',
  perspective: 'M5 3.5h6l3 9H2zM3.6 8h8.8M8 3.5v9',
  mirror: 'M8 2v12M6 4.5 2 12h4zM10 4.5 14 12h-4z',
  upend: 'M2 8h12M4.5 6 12 2v4zM4.5 10 12 14v-4z',
  trim: 'M3 5.5a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0-3.6 0zM3 10.5a1.8 1.8 0 1 0 3.6 0 1.8 1.8 0 1 0'
    + '-3.6 0zM6.3 6.4 13.5 11M6.3 9.6 13.5 5',
  filmstrip: 'M1.5 4h13v8h-13zM5.5 4v8M10.5 4v8',
  paste: 'M5.5 3.5h-2v10h9v-10h-2M5.5 2.3h5V5h-5zM6 8h4M6 10.5h4',
  globe:
    'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2 8h12M8 2c2.3 2.4 2.3 9.6 0 12M8 2c-2.3 2.4-2.3 9.6 0 12',
  crop: 'M4.5 1.5v10h10M1.5 4.5h10v10',
  fit: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  more: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  inbox: 'M2.5 9.5H6l.8 1.8h2.4l.8-1.8h3.5M2.5 9.5 4.3 3h7.4l1.8 6.5v4h-11z',
  import: 'M8 10V2.5M4.8 5.7 8 2.5l3.2 3.2M2.5 9.5v4h11v-4',
  export: 'M2.5 5V2.5h11v11h-11V11M1.5 8h8M7 5.5 9.5 8 7 10.5',
  live: 'M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 13.2A5.2 5.2 0 1 0 8 2.8a5.2 5.2 0 0 0 0 10.4z',
  mask: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM3.5 8h9M4.2 10.5h7.6M4.2 5.5h7.6',
  layers: 'm8 2 6 3-6 3-6-3zM2 8.5l6 3 6-3M2 11.5',
  sliders:
    'M2 4.5h6M11 4.5h3M2 11.5h3M8 11.5h6'
    + 'M9.5 6a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM6.5 13a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z',
};

/**
 * Creates a decorative icon of 16 by 16 units.
 * @param {string} name
 * @param {string} [extra] a class
 */
export function icon(name, extra = '') {
  return svg('svg', { class: `icon ${extra}`, viewBox: '0 0 16 16', 'aria-hidden': 'true',
    data: { symbol: name },
  },
    svg('path', { d: shapes[name] ?? shapes.more }));
}

/** Indicates whether the page is used with fingers, so that texts name no keys. */
export const isTouched = () => matchMedia('(pointer: coarse)').matches;

/**
 * Listeners that select the text of a field when it gets the focus; the click that gave it does not
 * undo that.
 * @returns {Listeners}
 */
export function selecting() {
  let isNew = false;
  return {
    focus: ({ target }) => {
      isNew = true;
      if (target instanceof HTMLInputElement) target.select();
    },
    mouseup: (event) => { if (isNew) event.preventDefault(); isNew = false; },
  };
}

/**
 * Creates a button with an icon; the label is its name and its tooltip.
 * @param {string} name
 * @param {string} label
 * @param {(event: MouseEvent) => unknown} action
 * @param {Properties & { keys?: string }} [properties]
 */
export function iconButton(name, label, action, properties = {}) {
  const { keys, on, ...rest } = properties;
  return el('button', {
    type: 'button', class: 'icon-button', 'aria-label': label,
    title: keys ? t('withKeys', { text: label, keys: keysText(keys) }) : label,
    ...(keys && keys.length === 1 ? { 'aria-keyshortcuts': keys } : {}),
    ...rest, on: { click: action, ...(on ?? {}) },
  }, icon(name));
}

/**
 * Creates a button with a text.
 * @param {string} label
 * @param {(event: MouseEvent) => unknown} action
 * @param {Properties & { kind?: string, symbol?: string }} [properties]
 */
export function button(label, action, properties = {}) {
  const { kind, symbol, on, ...rest } = properties;
  return el('button', {
    type: 'button', class: `button ${kind ?? ''}`, ...rest, on: { click: action, ...(on ?? {}) },
  }, symbol ? icon(symbol) : null, label);
}
