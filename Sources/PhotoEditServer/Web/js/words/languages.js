// SPDX-License-Identifier: Apache-2.0

/**
 * A language of the page: its tag, which is also the folder of its words, and its own name.
 * @typedef {object} Language
 * @property {string} code
 * @property {string} name
 * @property {boolean} [isDraft] whether a person who speaks it has still to read the words
 * @property {'rtl'} [direction] of a script that is written from right to left
 */

/** @type {Language[]} */
export const languages = [
  { code: 'en', name: 'English' },
  { code: 'de', name: 'Deutsch', isDraft: true },
  { code: 'es', name: 'Español', isDraft: true },
  { code: 'fr', name: 'Français', isDraft: true },
  { code: 'ja', name: '日本語', isDraft: true },
  { code: 'zh-Hans', name: '简体中文', isDraft: true },
];
