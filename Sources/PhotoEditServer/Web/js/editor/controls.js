// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom.js';
import { attachmentControl, choiceControl, colorControl, flagControl } from './choiceControls.js';
import { curveControl } from './curveControl.js';
import { numberControl } from './numberControl.js';
import { scaled } from './scale.js';
import { stopsControl } from './stopsControl.js';
import { strokesControl } from './strokesControl.js';
import { textControl } from './textControl.js';
import { vectorControl } from './vectorControl.js';

/**
 * Creates a control; changes of its value go to the panel.
 * @typedef {(filter: Filter, parameter: Parameter, edit: Edit) => Control} Maker
 */

/**
 * A control whose module is loaded when an edit has such a parameter.
 * @type {Maker}
 */
function membersControl(filter, parameter, edit) {
  /** @type {Value} */
  let last = [];
  const later = {
    element: el('div', {}),
    show: (/** @type {Value} */ value) => { last = value; },
  };
  import('./membersControl.js').then(({ membersControl: make }) => {
    const { element, show } = make(filter, parameter, edit);
    later.element.append(element);
    later.show = show;
    show(last);
  });
  return { element: later.element, show: (value) => later.show(value) };
}

/** @type {Record<Parameter['type'], Maker>} */
const makers = {
  number: numberControl, integer: numberControl, choice: choiceControl, flag: flagControl,
  vector: vectorControl, numbers: vectorControl, points: curveControl, stops: stopsControl,
  color: colorControl, asset: attachmentControl, strokes: strokesControl,
  members: membersControl,
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
