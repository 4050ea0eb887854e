// SPDX-License-Identifier: Apache-2.0

/** @type {string | null} */
let last = null;

/**
 * Keeps which photo is shown alone, so that the list shows where it is.
 * @param {string} id
 */
export function keepShown(id) { last = id; }

/** The photo that was shown alone last; null once it was asked for. */
export function takeShown() {
  const id = last;
  last = null;
  return id;
}
