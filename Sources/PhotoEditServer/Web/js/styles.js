// SPDX-License-Identifier: Apache-2.0

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/**
 * Loads a style sheet that the page names, but does not need at first; resolves when it applies.
 * @param {string} name
 */
export function style(name) {
  const known = loading.get(name);
  if (known) return known;
  /** @type {Promise<void>} */
  const loads = new Promise((resolve, reject) => {
    /** @type {HTMLLinkElement} */
    const link = document.querySelector(`link[href="/web/css/${name}.css"]`);
    link.onload = () => resolve();
    link.onerror = () => {
      loading.delete(name);
      // It is requested again when it is switched on again.
      link.disabled = true;
      reject(new Error(name));
    };
    link.disabled = false;
  });
  loading.set(name, loads);
  return loads;
}

/**
 * A module, once its styles apply as well.
 * @template T
 * @param {string} name
 * @param {Promise<T>} module
 */
export const styled = (name, module) =>
  Promise.all([module, style(name)]).then(([loaded]) => loaded);
