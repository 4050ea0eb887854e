// SPDX-License-Identifier: Apache-2.0
// The numbers that people see in place of those that are stored. Photographers expect a slider to
// rest at 0 and to reach from −100 to +100, whatever its filter computes with: a factor of 1 and
// an exponent of 1 both mean “as it was”. The stored values are those of the catalog.
import { t } from '../language.js';
import { sections } from './adjustTable.js';
import { format, identityOf, label, parameterName, snap, unitOf } from './schema.js';

/** @type {Map<string, number | undefined>} the parameters of sliders, and where they rest */
const rests = new Map();
/** @type {Map<string, string | undefined>} the names of sliders that say enough by themselves */
const names = new Map();
for (const { name, rows } of sections) {
  for (const row of rows) {
    const isFold = typeof row !== 'string' && 'fold' in row;
    const items = isFold
      ? [...(row.rows ?? []), ...Object.values(row.tabs ?? {}).flat()]
      : [row];
    for (const item of items) {
      /** @type {import('./adjustTable.js').Row} */
      const { at, rest, label: own } = typeof item === 'string' ? { at: item } : item;
      rests.set(at, rest);
      if (!isFold && (['Light', 'Color'].includes(name) || at.endsWith('.amount'))) {
        names.set(at, own);
      }
    }
  }
}
// Two sliders with different names have this one, as one of corners or of a lens.
names.delete('vignette.amount');

/**
 * The name of a slider of the Adjust panel, if it says enough without the name of its filter.
 * @param {string} filter
 * @param {string} parameter
 */
export function rowName(filter, parameter) {
  const key = `${filter}.${parameter}`;
  if (!names.has(key)) return null;
  return names.get(key)
    ?? (parameter === 'amount' ? label(filter) : parameterName({ name: filter }, parameter));
}

/** @typedef {(value: number) => number} Conversion */

/**
 * The scale of a parameter that is shown with other numbers than those that are stored: from −100
 * to +100 on both sides of rest for a number without a unit, the difference from rest for a
 * temperature. Others, such as stops and degrees, are shown as they are.
 * @param {Filter | undefined} filter
 * @param {Parameter} parameter
 * @returns {{ parameter: Parameter, shown: Conversion, stored: Conversion } | null}
 */
export function scaleOf(filter, parameter) {
  const key = `${filter?.name}.${parameter.name}`;
  if (parameter.type !== 'number' || !parameter.usefulRange || !rests.has(key)) return null;
  const rest = Number(rests.get(key) ?? identityOf(parameter));
  const [low, high] = parameter.usefulRange;
  // A range of hundreds is one that people know by its numbers.
  const isShare = ['none', 'fraction'].includes(parameter.unit) && high - low < 10;
  if (!isShare && parameter.unit !== 'kelvin') return null;
  const [below, above] = isShare
    ? [100 / (rest - low), 100 / (high - rest)].map((factor) => (factor < Infinity ? factor : 0))
    : [1, 1];
  /** @type {Conversion} */
  const shown = (value) =>
    snap((value - rest) * (value < rest ? below || above : above || below), 1e-6) + 0;
  /** @type {Conversion} */
  const stored = (value) =>
    snap(rest + value / (value < 0 ? below || above : above || below), 1e-6);
  const range = /** @type {[number, number]} */ ((parameter.range ?? [low, high]).map(shown));
  /** @type {Parameter} */
  const made = {
    ...parameter, neutral: 0, default: 0, range, usefulRange: [shown(low), shown(high)],
    ...(isShare ? { step: 1, precision: 0.1 } : { precision: 1 }),
  };
  made.allowed = allowedText(made);
  // The description of the catalog tells what stored values mean, such as 1 for no change.
  if (rest !== 0) made.summary = t('control.rests');
  return { parameter: made, shown, stored };
}

/**
 * A number with its unit.
 * @param {number} value
 * @param {Parameter} parameter
 * @param {boolean} [hasUnit]
 */
function valueOf(value, parameter, hasUnit = true) {
  const unit = hasUnit ? unitOf(parameter) : '';
  const text = format(value, parameter);
  // The units of angles and shares follow their number without a space in the page.
  return unit ? `${text}${/^[°%]/.test(unit) ? '' : '\u00a0'}${unit}` : text;
}

/**
 * The range of a number with its unit, in the language of the page.
 * @param {Parameter} parameter
 */
const allowedText = (parameter) =>
  parameter.range.map((end) => valueOf(end, parameter)).join(' … ');

/**
 * The text of a stored number as people see it, with its unit.
 * @param {Filter | undefined} filter
 * @param {Parameter} parameter
 * @param {number} value
 * @param {boolean} [hasUnit]
 */
export function valueText(filter, parameter, value, hasUnit = true) {
  const scale = scaleOf(filter, parameter);
  return scale
    ? valueOf(scale.shown(value), scale.parameter, hasUnit)
    : valueOf(value, parameter, hasUnit);
}

/**
 * A control that shows numbers of a scale.
 * @param {(filter: Filter, parameter: Parameter, edit: Edit) => Control} make
 * @param {Filter} filter
 * @param {Parameter} parameter
 * @param {Edit} edit
 */
export function scaled(make, filter, parameter, edit) {
  const scale = scaleOf(filter, parameter);
  if (!scale) {
    return make(filter, parameter.type === 'number' && parameter.range
      ? { ...parameter, allowed: allowedText(parameter) }
      : parameter, edit);
  }
  const made = make(filter, scale.parameter, {
    ...edit,
    /** @type {Edit['set']} */
    set: (name, value, at) => edit.set(name, scale.stored(Number(value)), at),
  });
  return { ...made, show: (/** @type {Value} */ value) => made.show(scale.shown(Number(value))) };
}
