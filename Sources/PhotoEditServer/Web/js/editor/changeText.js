// SPDX-License-Identifier: Apache-2.0
import { decimalMark, nameOf, number, t } from '../language.js';
import { strokesText } from './strokes.js';
import { rowName, valueText } from './scale.js';
import { format, label, parameterLabel, parameterName } from './schema.js';

/**
 * A value as a short text.
 * @param {Value | undefined} value
 * @param {Parameter} [parameter]
 * @param {Filter} [filter]
 * @param {boolean} [hasUnit]
 * @returns {string}
 */
export function shortValue(value, parameter, filter, hasUnit = true) {
  if (parameter?.type === 'strokes') return strokesText(value);
  if (parameter?.type === 'members') {
    const members = /** @type {Member[]} */ (value ?? []);
    return members.map(({ op, name }) => name || label(op)).join(', ') || '–';
  }
  if (typeof value === 'number') {
    return parameter ? valueText(filter, parameter, value, hasUnit) : format(value);
  }
  if (typeof value === 'boolean') return t(value ? 'history.on' : 'history.off');
  if (Array.isArray(value)) {
    const items = /** @type {Value[]} */ (value);
    return items.length > 4
      ? t('history.values', { count: items.length })
      : `(${items.map((item) => shortValue(item)).join(decimalMark === ',' ? '; ' : ', ')})`;
  }
  if (value === null || value === undefined) return '–';
  return parameter?.type === 'choice' ? label(String(value)) : String(value);
}

/**
 * The part of a photo that a crop keeps, as people think of it.
 * @param {Value} value
 */
function partText(value) {
  const sides = /** @type {number[]} */ (value).map((side) => number(Math.round(side * 100)));
  return `${sides.join('\u00a0×\u00a0')}\u00a0%`;
}

/**
 * One change of a state in words: the filter and what became different.
 * @param {NodeChange} change
 * @param {import('./schema.js').Schema} schema
 */
export function changeText(change, schema) {
  const filter = schema.filter(change.filter);
  const name = label(change.filter);
  if (change.key === undefined || change.key === null) {
    const kind = change.kind ?? t('history.changed');
    return [name, nameOf(`change.${kind}`) ?? kind];
  }
  if (change.key === 'part') return [name, partText(change.to)];
  const parameter = filter?.parameters.find((item) => item.name === change.key);
  const key = parameter ? parameterLabel(filter, parameter) : parameterName(filter, change.key);
  /** @param {Value | undefined} value */
  const has = (value) => value !== undefined && value !== null;
  const to = has(change.to) ? shortValue(change.to, parameter, filter) : '–';
  // The unit is at the end, once.
  const before = has(change.from)
    ? shortValue(change.from, parameter, filter, !has(change.to))
    : '';
  // Values that differ by less than what is shown are one.
  const isSame = has(change.to) && before === shortValue(change.to, parameter, filter, false);
  const from = before && !isSame ? `${before} → ` : '';
  return [
    rowName(change.filter, change.key)
      ?? (key === name || change.key === 'amount' ? name : `${name} · ${key}`),
    from + to,
  ];
}
