// SPDX-License-Identifier: Apache-2.0
import { attachmentControl, choiceControl, colorControl, flagControl } from './choiceControls.js';
import { curveControl } from './curveControl.js';
import { numberControl } from './numberControl.js';
import { stopsControl } from './stopsControl.js';
import { vectorControl } from './vectorControl.js';

const makers = {
  number: numberControl, integer: numberControl, choice: choiceControl, flag: flagControl,
  vector: vectorControl, numbers: vectorControl, points: curveControl, stops: stopsControl,
  color: colorControl, asset: attachmentControl,
};

/** Creates the control of a parameter from its type. */
export function control(filter, parameter, edit) {
  return (makers[parameter.type] ?? vectorControl)(filter, parameter, edit);
}
