// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom.js';
import { attachmentControl, choiceControl, colorControl, flagControl } from './choiceControls.js';
import { curveControl } from './curveControl.js';
import { numberControl } from './numberControl.js';
import { scaled } from './scale.js';
import { strokesControl } from './strokesControl.js';
import { textControl } from './textControl.js';
import { vectorControl } from './vectorControl.js';

/**
 * Creates a control; changes of its value go to the panel.
 * @typedef {(filter: Filter, parameter: Parameter, edit: Edit) => Control} Maker
 */

/**
 * A rare control, whose module is loaded when an edit has such a parameter.
 * @param {() => Promise<Maker>} load
 * @returns {Maker}
 */
const later = (load) => (filter, parameter, edit) => {
  /** @type {Value} */
  let last = null;
  const made = {
    element: el('div', {}),
    show: (/** @type {Value} */ value) => { last = value; },
  };
  load().then((make) => {
    const { element, show } = make(filter, parameter, edit);
    made.element.append(element);
    made.show = show;
    show(last);
  });
  return { element: made.element, show: (value) => made.show(value) };
};

/** @type {Record<Parameter['type'], Maker>} */
const makers = {
  number: numberControl, integer: numberControl, choice: choiceControl, flag: flagControl,
  vector: vectorControl, numbers: vectorControl, points: curveControl,
  stops: later(async () => (await import('./stopsControl.js')).stopsControl),
  color: colorControl, asset: attachmentControl, strokes: strokesControl,
  members: later(async () => (await import('./membersControl.js')).membersControl),
  text: textControl,
};

/**
 * Creates the control of a parameter from its type.
 * @param {Filter} filter
 * @param {Parameter} parameter
 * @param {Edit} edit
 */
export function control(filter, parameter, edit) {
  return scaled(makers[parameter.type] ?? vectorControl, filter, parameter, edit);
}
