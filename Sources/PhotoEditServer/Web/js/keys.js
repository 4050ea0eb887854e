// SPDX-License-Identifier: Apache-2.0
import { el } from './dom.js';
import { ask } from './dialogs.js';

/** @type {Binding[]} */
let bindings = [];

/**
 * Sets the keys of the screen: `[keys, description, action, options]`.
 * @param {Binding[]} list
 */
export function bind(list) {
  bindings = list;
}

/** @type {Record<string, string>} */
const names = {
  ' ': 'Space', ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc',
};

/**
 * The name of a pressed key with its modifiers, such as `Ctrl+Shift+z`.
 * @param {KeyboardEvent} event
 */
export function nameOf(event) {
  const key = names[event.key] ?? event.key;
  const control = event.ctrlKey || event.metaKey ? 'Ctrl+' : '';
  const shift = event.shiftKey && (event.key.length > 1 || control) ? 'Shift+' : '';
  return control + (event.altKey ? 'Alt+' : '') + shift + (control ? key.toLowerCase() : key);
}

const texts =
  'textarea, select, input:not([type="range"], [type="radio"], [type="checkbox"])';

/** @param {EventTarget | null} target */
const isTyping = (target) => target instanceof Element && target.matches(texts);

/** @param {KeyboardEvent} event */
function dispatch(event) {
  if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
  const name = nameOf(event);
  const isCommand = name.startsWith('Ctrl+');
  if (isTyping(event.target) && !isCommand && name !== 'Esc') return;
  for (const [keys, , action, options = {}] of bindings) {
    if (!keys.split(' ').includes(name === ' ' ? 'Space' : name)) continue;
    if (options.up && event.repeat) { event.preventDefault(); return; }
    if (isTyping(event.target)
      && isCommand
      && ['Ctrl+z', 'Ctrl+a', 'Ctrl+Shift+z', 'Ctrl+c', 'Ctrl+v'].includes(name)) {
      return;
    }
    if (action(event) !== false) event.preventDefault();
    return;
  }
}

/** @param {KeyboardEvent} event */
function release(event) {
  for (const [keys, , , options = {}] of bindings) {
    if (options.up && keys.split(' ').includes(names[event.key] ?? event.key)) options.up(event);
  }
}

/** Starts to listen for keys. */
export function listen() {
  document.addEventListener('keydown', dispatch);
  document.addEventListener('keyup', release);
}

/** Shows the keys of the screen. */
export function showHelp() {
  const rows = bindings.filter(([, text]) => text).map(([keys, text]) => el('tr', {},
    el('th', { scope: 'row' }, keys.split(' ').slice(0, 2).flatMap((key, index) => [
      index ? ' ' : null,
      ...(key === '+' ? [key] : key.split('+')).flatMap((part, order) =>
        [order ? ' + ' : null, el('kbd', {}, part)]),
    ])),
    el('td', {}, text)));
  return ask('Keys', el('div', { class: 'scroll' }, el('table', {}, rows)), [{
    label: 'Close', value: 'close', kind: 'primary',
  }]);
}
