// SPDX-License-Identifier: Apache-2.0
// The texts of the page in the language of the reader. English is always there; the words of
// another language are loaded before any other module runs, so that tables of modules can have
// texts. What the server says has a name in each language where it can be known by its kind.
import { setting } from './settings.js';
import { words as editor } from './words/en/editor.js';
import { names as english } from './words/en/names.js';
import { words as page } from './words/en/page.js';
import { languages } from './words/languages.js';

/** The words of dialogs that are opened later are added then. */
const texts = { ...page, ...editor };

/** @typedef {typeof texts & typeof import('./words/en/dialogs.js').words} English */
/** @typedef {keyof English} Key */

/**
 * A text that depends on a count, by the categories of `Intl.PluralRules`.
 * @typedef {{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>} Forms
 */

/**
 * The words of an area in another language: the same keys, and forms where English has some, or
 * where a word agrees with what is counted.
 * @template {Record<string, string | { readonly other: string }>} Words
 * @typedef {{ [K in keyof Words]: Words[K] extends string ? string | Forms : Forms }} Translation
 */

/**
 * The names in braces that a text has.
 * @template {string | { readonly other: string }} Text
 * @typedef {Text extends { readonly other: infer Other extends string } ? Placeholders<Other>
 *   : Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholders<Rest> : never
 * } Placeholders
 */

/**
 * The values for a text: none if it has no names in braces.
 * @template {Key} K
 * @typedef {[Placeholders<English[K]>] extends [never] ? []
 *   : [values: Record<Placeholders<English[K]>, string | number>]} Values
 */

/** @type {readonly string[]} the tags that the browser asks for, the best one first */
const preferred = globalThis.navigator?.languages ?? [];
/** @param {string} tag */
const base = (tag) => tag.split('-')[0];
/** @param {string} tag */
const known = (tag) => languages.find(({ code }) => code === tag)
  ?? languages.find(({ code }) => base(code) === base(tag));

/** The language that was chosen, or the first that the browser asks for. */
export const languageOf = () =>
  [setting('language', ''), ...preferred].map(known).find(Boolean) ?? languages[0];

/** The language of the page. */
export const language = languageOf();

// Numbers and dates are those of the reader's region: of British English, say.
const locale = preferred.find((tag) => base(tag) === base(language.code)) ?? language.code;

const { words, names } = await load(language.code);

/** Adds the words of the dialogs, in English where the language of the page has none. */
export async function addDialogWords() {
  const english = await import('./words/en/dialogs.js');
  const other = language.code === 'en'
    ? null
    : await import(`./words/${language.code}/dialogs.js`).catch(console.error);
  Object.assign(words, english.words, other?.words);
}

/**
 * Loads the words of a language.
 * @param {string} code
 * @returns {Promise<{ words: Record<string, string | Forms>, names: Record<string, string> }>}
 */
async function load(code) {
  if (code === 'en') return { words: { ...texts }, names: english };
  const areas = ['page', 'editor', 'names'];
  try {
    const loaded = await Promise.all(areas.map((area) => import(`./words/${code}/${area}.js`)));
    return {
      words: Object.assign({ ...texts }, ...loaded.map((module) => module.words)),
      names: loaded.at(-1).names,
    };
  } catch (problem) {
    // A page in English is better than none.
    console.error(problem);
    return { words: { ...texts }, names: english };
  }
}

const numbers = new Intl.NumberFormat(locale);
const plurals = new Intl.PluralRules(locale);
const lists = new Intl.ListFormat(locale, { type: 'unit', style: 'short' });
/** The mark before the decimals of a number. */
export const decimalMark =
  numbers.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';

/**
 * A text of the catalog, with values in place of the names in braces; `count` chooses its form.
 * @template {Key} K
 * @param {K} key
 * @param {Values<K>} values
 * @returns {string}
 */
export function t(key, ...values) {
  /** @type {Record<string, string | number>} */
  const given = values[0] ?? {};
  const entry = words[key];
  const text = typeof entry === 'string'
    ? entry
    : entry[plurals.select(Number(given.count))] ?? entry.other;
  return text.replace(/\{(\w+)\}/g, (_, name) =>
    (typeof given[name] === 'number' ? number(Number(given[name])) : String(given[name])));
}

/**
 * The name of something of the server, such as a filter or a parameter; none if the catalog does
 * not have it.
 * @param {string} name
 * @returns {string | undefined}
 */
export const nameOf = (name) => (Object.hasOwn(names, name) ? names[name] : undefined);

/**
 * A number with the marks of the language.
 * @param {number} value
 * @param {number} [digits] after the decimal mark; by default as many as it has, up to three
 */
export function number(value, digits) {
  return digits === undefined ? numbers.format(value) : value.toLocaleString(locale, {
    minimumFractionDigits: digits, maximumFractionDigits: digits,
  });
}

/**
 * The size of a file.
 * @param {number} bytes
 * @param {number} [digits] after the decimal mark of megabytes
 */
export const bytesText = (bytes, digits = 0) => (bytes < 1e6 ? bytes / 1e3 : bytes / 1e6)
  .toLocaleString(locale, {
    style: 'unit', unit: bytes < 1e6 ? 'kilobyte' : 'megabyte',
    minimumFractionDigits: bytes < 1e6 ? 0 : digits,
    maximumFractionDigits: bytes < 1e6 ? 0 : digits,
  });

/**
 * A date or time.
 * @param {string | number | Date} value
 * @param {Intl.DateTimeFormatOptions} [options]
 */
export const date = (value, options) => new Date(value).toLocaleString(locale, options);

/**
 * The title of a section of a list, in which the server writes dates in English: “June 2024”, or
 * “14 June 2024, 09:10–11:42”.
 * @param {string} title
 */
export const localTitle = (title) => (language.code === 'en' ? title : title
  .replace(/^No date$/, () => t('noDate'))
  .replace(/(?:(\d+) )?\b([A-Z][a-z]+) (\d{4})\b/g, (text, day, month, year) => {
    const time = Date.parse(`${day ?? 1} ${month} ${year} UTC`);
    return Number.isNaN(time) ? text : date(time, {
      ...(day && { day: 'numeric' }), month: 'long', year: 'numeric', timeZone: 'UTC',
    });
  }));

/** @param {string[]} items */
export const list = (items) => lists.format(items);

/**
 * A sentence of several parts; those that are not there are left out.
 * @param {(string | false | null | 0)[]} parts
 */
export const sentence = (parts) => t('sentence', { text: list(parts.filter(Boolean).map(String)) });

/**
 * A size or another measure, whose parts keep their order in a script from right to left.
 * @param {string} text
 */
export const measure = (text) => (language.direction ? `\u2066${text}\u2069` : text);

/** The keys of a shortcut with the names that keyboards have in the language: `Ctrl+Z`. */
export const keysText = (/** @type {string} */ keys) =>
  (keys === '+' ? keys : keys.split('+').map((part) => nameOf(`key.${part}`) ?? part).join('+'));

/** Tells the browser the language and the direction of the page. */
export function markLanguage() {
  document.documentElement.lang = language.code;
  document.documentElement.dir = language.direction ?? 'ltr';
}
