// SPDX-License-Identifier: Apache-2.0
// The browser stores the theme, the state of panels and the path of the login, and nothing else.

const prefix = 'photoedit.';

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
  try {
    localStorage.setItem(prefix + name, JSON.stringify(value));
  } catch { /* a browser without storage forgets it */ }
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
