// SPDX-License-Identifier: Apache-2.0
import { get, path } from '../api.js';
import { decimalMark, language, nameOf, t } from '../language.js';
import { unpainted } from './strokes.js';

/** The filters of the engine, and what the page derives from their descriptions. */
export class Schema {
  /** @param {{ filters: Filter[] }} document */
  constructor(document) {
    this.filters = document.filters;
    /** @type {Map<string, Filter>} */
    this.byName = new Map();
    for (const filter of document.filters) {
      this.byName.set(filter.name, filter);
      for (const alias of filter.aliases ?? []) {
        if (!this.byName.has(alias)) this.byName.set(alias, filter);
      }
    }
  }

  /** @param {string} name */
  filter(name) { return this.byName.get(name); }
  /**
   * Indicates whether a node changes nothing: each of its values that could is the one without
   * effect.
   * @param {GraphNode} node
   */
  hasNoEffect({ filter, params, in: inputs, mask, opacity, blend, enabled }) {
    const values = (this.filter(filter)?.parameters ?? []).filter(({ neutral }) =>
      neutral !== null && neutral !== undefined);
    return values.length > 0 && enabled !== false
      && [inputs, mask, opacity, blend].every((value) => value === undefined)
      && values.every(({ name, neutral, default: value }) =>
        isEqual(params?.[name] ?? value, neutral));
  }

  /** @param {string} name */
  isMask(name) { return this.filter(name)?.family === 'mask'; }

  /**
   * The families whose previews are made at half size while a control moves.
   * @param {string} name
   */
  isCostly(name) {
    return ['geometry', 'neighbourhood', 'statistics'].includes(this.filter(name)?.family);
  }

  /** The groups of filters for photos. */
  groups() {
    /** @type {Map<string, Filter[]>} */
    const groups = new Map();
    for (const filter of this.filters) {
      if (filter.family === 'movie') continue;
      if (!groups.has(filter.group)) groups.set(filter.group, []);
      groups.get(filter.group).push(filter);
    }
    return groups;
  }

  /**
   * The stored values of a new node: `effect` asks for the values that show the filter at work.
   * @param {Filter} filter
   * @param {{ effect?: boolean }} options
   */
  values(filter, { effect = false } = {}) {
    /** @type {Record<string, Value>} */
    const values = {};
    for (const { name, default: value, argument, choices, type } of filter.parameters) {
      if (type === 'asset') continue;
      // Strokes are painted on the photo.
      if (type === 'strokes') { values[name] = unpainted(); continue; }
      // The default mode of two images shows only the second one.
      const shown = filter.inputs === 'twoPictures' && type === 'choice' ? choices[1] : argument;
      values[name] = structuredClone(
        effect && shown !== null && shown !== undefined ? shown : value);
    }
    return values;
  }
}

/** @type {Promise<Schema> | undefined} */
let loading;

/** Loads the schema, with the descriptions of the language. */
async function load() {
  /** @type {Promise<{ filters: Filter[] }>} */
  const reading = get(path`/api/filters`);
  // The server has those in English.
  if (language.code === 'en') return new Schema(await reading);
  const [{ filters }, { described, help }] = await Promise.all([reading, import('./help.js')]);
  return new Schema({ filters: described(filters, await help()) });
}

/** Loads the schema once. */
export function schema() {
  loading ??= load();
  loading.catch(() => { loading = undefined; });
  return loading;
}

/**
 * A name of the schema as a label: that of the language, or one that is made of it: `whiteBalance`
 * is “White balance”.
 * @param {string} name
 */
export function label(name) {
  const known = nameOf(name);
  if (known) return known;
  const words = name
    .replace(/^look\./, '')
    .replace(/^mask\.(\w+)$/, '$1Mask')
    .replace(/([a-z])([A-Z0-9])/g, '$1 $2')
    .split(' ');
  return words.map((word, index) => (/^[A-Z0-9]{2,}$/.test(word) ? word
    : index === 0 ? word[0].toUpperCase() + word.slice(1) : word.toLowerCase())).join(' ');
}

/** A property of a color or tone, such as `redHue`. */
const ofColor =
  /^(red|orange|yellow|green|aqua|blue|purple|magenta|shadow|midtone|highlight|global)([A-Z]\w+)$/;

/**
 * The label of a parameter by its name.
 * @param {{ name: string } | undefined} filter
 * @param {string} name
 */
export function parameterName(filter, name) {
  const known = nameOf(`${filter?.name}.${name}`) ?? nameOf(name);
  if (known) return known;
  const [, color, property] = ofColor.exec(name) ?? [];
  const names = color && [nameOf(color), nameOf(property[0].toLowerCase() + property.slice(1))];
  return names?.every(Boolean) ? t('pair', { name: names[0], value: names[1] }) : label(name);
}

/**
 * The label of a parameter.
 * @param {Filter} filter
 * @param {Parameter} parameter
 */
export const parameterLabel = (filter, parameter) =>
  parameter.label ?? parameterName(filter, parameter.name);

/** @type {Record<string, string>} */
const units = {
  stops: 'EV', kelvin: 'K', degrees: '°', percent: '%', pixels: 'px', seconds: 's', minutes: 'min',
  quarterTurns: '× 90°',
};

/** @param {Parameter} parameter */
export const unitOf = (parameter) => units[parameter.unit] ?? '';

/**
 * The names of the numbers of a vector.
 * @param {Parameter} parameter
 * @param {number} count
 */
export function componentNames(parameter, count) {
  if (parameter.name === 'date') {
    return [t('control.year'), t('control.month'), t('control.day')];
  }
  if (parameter.name === 'time') {
    return [t('control.hour'), t('control.minute'), t('control.second')];
  }
  if (parameter.type === 'vector' && count === 2) return ['X', 'Y'];
  if (parameter.type === 'vector' && count === 3) return ['R', 'G', 'B'];
  return Array.from({ length: count }, (_, index) => `${index + 1}`);
}

/**
 * The step of a parameter: 1/200 of its slider range, rounded to 1, 2 or 5 times a power of ten.
 * @param {Scale} parameter
 */
export function stepOf(parameter) {
  if (parameter.step) return parameter.step;
  if (parameter.type === 'integer') return 1;
  const [low, high] = parameter.usefulRange ?? parameter.range ?? [0, 1];
  const exact = (high - low) / 200;
  const power = 10 ** Math.floor(Math.log10(exact));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= exact * 0.999) ?? 10;
  return factor * power;
}

/**
 * Rounds to the precision of a step, so that sums of steps stay short numbers.
 * @param {number} value
 * @param {number} step
 */
export function snap(value, step) {
  const digits = Math.max(0, Math.ceil(-Math.log10(step)) + 1);
  return Number(value.toFixed(Math.min(digits, 12)));
}

/**
 * The text of a number: with the decimals of the steps of its slider, or with one more if that is
 * all of it, as after a finer step; what was measured is rounded.
 * @param {Value | undefined} value
 * @param {Scale} [parameter]
 * @returns {string}
 */
export function format(value, parameter) {
  if (typeof value !== 'number') return String(value ?? '');
  if (parameter?.precision) {
    return format(
      snap(Math.round(value / parameter.precision) * parameter.precision, parameter.precision) + 0,
      { ...parameter, precision: undefined });
  }
  if (parameter?.type === 'integer') return String(value);
  const digits = parameter
    ? Math.max(0, Math.min(6, Math.ceil(-Math.log10(stepOf(parameter)) - 1e-9)))
    : 3;
  const rounded = value.toFixed(digits);
  const exact = [digits, digits + 1, ...(parameter ? [] : [5, 6])]
    .map((count) => value.toFixed(count)).find((fixed) => Number(fixed) === value);
  // A small number that has an effect is not 0.
  const text = exact ?? (Number(rounded) ? rounded : String(Number(value.toPrecision(1))));
  const isSigned = parameter?.neutral === 0 && (parameter.usefulRange ?? parameter.range)?.[0] < 0;
  return (isSigned && value > 0 ? `+${text}` : text.replace('-', '−')).replace('.', decimalMark);
}

/**
 * Reads a number as people write it; NaN when it is not one.
 * @param {string} text
 */
export function parse(text) {
  const plain = text.trim().replace('−', '-').replace(/[,٫]/, '.').replace(/^\+/, '');
  return /^-?(\d+\.?\d*|\.\d+)(e-?\d+)?$/i.test(plain) ? Number(plain) : NaN;
}

/**
 * The identity value, or the default of a parameter without one.
 * @param {Parameter} parameter
 */
export function identityOf(parameter) {
  return structuredClone(parameter.neutral ?? parameter.default);
}

/**
 * Whether the server sets a parameter: the font that it attaches, and the fields that it fills in.
 * @param {Parameter} parameter
 */
export const isInternal = ({ kind, name }) => kind === 'font' || name === 'filled';

/**
 * Whether a reader has to choose a file for a parameter.
 * @param {Parameter} parameter
 */
export const needsFile = (parameter) => parameter.type === 'asset' && !isInternal(parameter);

/**
 * @param {unknown} a
 * @param {unknown} b
 */
export const isEqual = (a, b) => canonical(a) === canonical(b);

/**
 * JSON with sorted keys, for comparison.
 * @param {any} value any JSON; undefined members are left out
 * @returns {string}
 */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value && typeof value === 'object') {
    return `{${Object.keys(value).filter((key) => value[key] !== undefined).sort()
      .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
  }
  return JSON.stringify(value);
}
