// SPDX-License-Identifier: Apache-2.0
// The browser stores the theme, the state of panels and the path of the login, and nothing else.
// The server has another address at every start, at which a browser knows nothing of what it
// stored; so the server keeps the settings too, and the page reads them once in each tab.

const prefix = 'photoedit.';
/** The settings of one browser, or of one library, which the server does not keep. */
const own = new Set(['path', 'lastAlbum', 'searches']);
/** The time in milliseconds within which several settings are sent together. */
const delay = 300;

/** @typedef {(settings: Record<string, unknown>) => Promise<unknown>} Send */

/** @type {Send | null} */
let send = null;
/** @type {Record<string, unknown>} */
let unsent = {};
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * Returns a stored setting, or the fallback.
 * @template T
 * @param {string} name
 * @param {T} fallback
 * @returns {T}
 */
export function setting(name, fallback) {
  try {
    return JSON.parse(localStorage.getItem(prefix + name)) ?? fallback;
  } catch {
    return fallback;
  }
}

/**
 * Stores a setting.
 * @param {string} name
 * @param {unknown} value
 */
export function keep(name, value) {
  store(name, value);
  if (own.has(name)) return;
  unsent[name] = value;
  clearTimeout(timer);
  timer = setTimeout(sendSettings, delay);
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function store(name, value) {
  try {
    localStorage.setItem(prefix + name, JSON.stringify(value));
  } catch { /* a browser without storage forgets it */ }
}

/**
 * Sends what was set since; without a server, the browser alone keeps it.
 * @returns {Promise<void>}
 */
export async function sendSettings() {
  clearTimeout(timer);
  if (!send || !Object.keys(unsent).length) return;
  const settings = unsent;
  unsent = {};
  await send(settings).catch(() => {});
}

/**
 * Takes over the settings that the server keeps.
 * @param {() => Promise<Record<string, unknown>>} read
 */
export async function readSettings(read) {
  const known = 'photoedit.knowsSettings';
  try {
    // A tab that is loaded again has them, and perhaps newer ones that are on their way.
    if (sessionStorage.getItem(known)) return;
    const settings = Object.entries(await read()).filter(([name]) => !own.has(name));
    for (const [name, value] of settings) if (!(name in unsent)) store(name, value);
    sessionStorage.setItem(known, 'true');
  } catch { /* those of the browser are used */ }
}

/**
 * Sends what is set from now on.
 * @param {Send} sends
 */
export function sendSettingsBy(sends) {
  send = sends;
  addEventListener('pagehide', sendSettings);
}

/** Applies the stored theme. */
export function applyTheme() {
  const theme = setting('theme', 'auto');
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Changes between dark and light. */
export function switchTheme() {
  const shown = document.documentElement.dataset.theme
    ?? (matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark');
  keep('theme', shown === 'dark' ? 'light' : 'dark');
  applyTheme();
}
