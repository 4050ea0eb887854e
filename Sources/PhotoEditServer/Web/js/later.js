// SPDX-License-Identifier: Apache-2.0
import { Problem } from './api.js';
import { t } from './language.js';
import { report } from './messages.js';

/**
 * A module that is loaded when it is needed. What the browser says of one that does not come is for
 * developers, and in English.
 * @template T
 * @param {Promise<T>} module
 * @returns {Promise<T>}
 */
export async function loaded(module) {
  try {
    return await module;
  } catch (problem) {
    console.warn(problem);
    throw new Problem({ title: t('server.away') });
  }
}

/** Opens the choice of the language. */
export const chooseLanguage = () => once('language', async () => {
  const choice = await loaded(import('./languageChoice.js'));
  return choice.chooseLanguage();
});

/** @type {Set<string>} the names of what is being opened */
const opening = new Set();

/**
 * Opens what has to be loaded first: once, however often it is asked for meanwhile, and with a
 * message if it cannot be opened.
 * @param {string} name
 * @param {() => unknown} open
 */
export async function once(name, open) {
  if (opening.has(name)) return;
  opening.add(name);
  try {
    await open();
  } catch (problem) {
    report(problem);
  } finally {
    opening.delete(name);
  }
}
