// SPDX-License-Identifier: Apache-2.0

// A comparison is part of every condition, and of no words that name a photo. That of a term, as
// `rating:>=3`, follows its colon.
const comparisons = [
  /(?:^|[^:<>=])[<>=]/,
  /\bIN\s*(?:\{|BOX)/i,
  /\b(?:BETWEEN|CONTAINS|BEGINSWITH|ENDSWITH|LIKE|MATCHES-WORDS)(?:\[\w+\])?\s*["'{]/i,
];

/**
 * Indicates whether a search is a condition in the language of `--where`; all others are words and
 * terms, as in `asset list`.
 * @param {string} text
 */
export const isCondition = (text) =>
  comparisons.some((comparison) => comparison.test(text));

/**
 * The condition of some photos.
 * @param {string[]} ids
 */
export const isOneOf = (ids) =>
  `localIdentifier IN {${ids.map((id) => `"${id}"`).join(', ')}}`;

// Scripts without spaces between words, which are searched by part of a word in any case.
const joined = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;
const word = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}_'’.-]+$/u;

/**
 * A search whose words also find longer ones that begin with them, as people expect while they
 * type. Words in quotes, excluded ones, terms, dates and single letters stay as they are.
 * @param {string} text
 */
export const withBeginnings = (text) => text.replace(/"[^"]*"?|[^\s"]+/gu, (part) => (
  word.test(part) && /\p{L}/u.test(part) && !joined.test(part) ? `${part}*` : part));

/**
 * The members of a request for a list with which it is searched.
 * @param {string} text
 * @returns {{ predicate?: string, search?: string }}
 */
export const searching = (text) => {
  if (!text.trim()) return {};
  return isCondition(text) ? { predicate: text } : { search: withBeginnings(text) };
};
