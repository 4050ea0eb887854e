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

// What people write for a rating of -1.
const rejected = /(^|\s)is:rejected(?=\s|$)/gi;

/**
 * What is wrong with a term, if the server says that it does not know its key or its word.
 * @param {string} text of the problem
 */
export function unknownTerm(text) {
  const [, term, kind, list] =
    /invalid search "(.*)": unknown (key|property); allowed: ([^;\n]*)/.exec(text) ?? [];
  if (!term) return null;
  const [before, after] = kind === 'key' ? ['', ':'] : [`${term.split(':')[0]}:`, ''];
  return { term, allowed: list.trim().split(', ').map((word) => before + word + after) };
}

/**
 * The members of a request for a list with which it is searched.
 * @param {string} text
 * @returns {{ predicate?: string, search?: string }}
 */
export const searching = (text) =>
  (!text.trim()
    ? {}
    : isCondition(text)
    ? { predicate: text }
    : { search: text.replace(rejected, '$1rating:-1') });
