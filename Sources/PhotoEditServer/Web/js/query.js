// SPDX-License-Identifier: Apache-2.0

// A comparison is part of every condition, and of no words that name a photo.
const comparisons = [
  /[=<>]/,
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

/**
 * The members of a request for a list with which it is searched.
 * @param {string} text
 * @returns {{ predicate?: string, search?: string }}
 */
export const searching = (text) =>
  (!text.trim() ? {} : isCondition(text) ? { predicate: text } : { search: text });
