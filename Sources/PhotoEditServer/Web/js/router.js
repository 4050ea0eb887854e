// SPDX-License-Identifier: Apache-2.0
import { t } from './language.js';
import { clearErrors, message } from './messages.js';

/**
 * Shows a screen; the result ends it, and stays on it when it resolves to false.
 * @typedef {(values: Record<string, string>, query: URLSearchParams) =>
 *   null | Promise<(() => unknown) | null>} Show
 */

/** @type {{ expression: RegExp, names: string[], show: Show }[]} */
const routes = [];

/**
 * Adds a screen: a pattern such as `/a/:id/edit` and the function that shows it.
 * @param {string} pattern
 * @param {Show} show
 */
export function route(pattern, show) {
  /** @type {string[]} */
  const names = [];
  const source = pattern.replace(/:(\w+)/g, (_, name) => { names.push(name); return '([^/]+)'; });
  routes.push({ expression: new RegExp(`^${source}$`), names, show });
}

/**
 * The address of a screen inside of the page.
 * @param {...string} parts
 */
export const address = (...parts) => `#/${parts.map(encodeURIComponent).join('/')}`;

/**
 * The address of a photo, with the list whose neighbors the arrow keys show.
 * @param {{ id: string }} item
 * @param {{ source: string, predicate: string }} list
 * @param {...string} more such as `edit`
 */
export function photoAddress({ id }, { source, predicate }, ...more) {
  const where = predicate ? `&where=${encodeURIComponent(predicate)}` : '';
  return `${address('a', id, ...more)}?from=${encodeURIComponent(source)}${where}`;
}

/**
 * Shows another screen; resolves when one that replaces this one is there, or was not left.
 * @param {string} target
 * @param {{ replaces?: boolean }} options
 */
export async function go(target, { replaces = false } = {}) {
  if (replaces) {
    history.replaceState(null, '', target);
    await open();
  } else {
    location.hash = target;
  }
}

/** The time in milliseconds within which another key goes back no further. */
const backTime = 500;
let isGoingBack = false;

/**
 * Goes back to the screen before; once, however often that is asked for until the screen is left,
 * which is only when the address has changed.
 */
export function goBack() {
  if (isGoingBack) return;
  isGoingBack = true;
  setTimeout(() => { isGoingBack = false; }, backTime);
  history.back();
}

/** @type {(() => unknown) | null} */
let leave = null;
let shown = '';
let navigation = 0;
/** Whether the reader is asked if the screen may be left. */
let isAsking = false;

/** Shows the screen of the address; the screen before may refuse to be left. */
export async function open() {
  const mine = ++navigation;
  isAsking = true;
  const isLeft = !leave || (await leave()) !== false;
  // A later change of the address has closed the question, and asks another one.
  if (mine !== navigation) return;
  isAsking = false;
  if (!isLeft) {
    history.replaceState(null, '', `#${shown}`);
    return;
  }
  leave = null;
  // The screen that was left may have corrected the address.
  const target = location.hash.startsWith('#/') ? location.hash.slice(1) : '/';
  clearErrors();
  const [path, query] = target.split('?');
  for (const { expression, names, show } of routes) {
    const match = expression.exec(path);
    if (!match) continue;
    shown = target;
    const values = Object.fromEntries(names.map((name, index) =>
      [name, decodeURIComponent(match[index + 1])]));
    /** @type {(() => unknown) | null} */
    let ended = null;
    try {
      ended = await show(values, new URLSearchParams(query));
    } catch (problem) {
      console.error(problem);
      message(t('start.noScreen'), { error: true });
    }
    if (mine === navigation) leave = ended ?? null;
    else ended?.();
    return;
  }
  location.replace('#/');
}

/**
 * A dialog belongs to its screen: going back or forward closes it, as Escape does. The login stays
 * over all of them.
 */
function addressChanged() {
  const isBack = isAsking && location.hash === `#${shown}`;
  if (!document.querySelector('.login')) {
    for (const dialog of document.querySelectorAll('dialog')) {
      // The dialog of running work refuses, since only it can stop the work.
      if (dialog.dispatchEvent(new Event('cancel', { cancelable: true }))) dialog.close();
    }
  }
  if (!isBack) open();
}

export function start() {
  addEventListener('hashchange', addressChanged);
  return open();
}
