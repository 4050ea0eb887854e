// SPDX-License-Identifier: Apache-2.0
import { loaded, once } from './later.js';

/** @type {Binding[]} */
let bindings = [];
/** @type {KeyboardEvent[]} the keys that were pressed while a screen was being opened */
let early = [];
/** The time in milliseconds for which such a key waits for its screen. */
const longestWait = 3000;

/**
 * Sets the keys of the screen: `[keys, description, action, options]`. Between two screens there
 * are none; what is pressed then is for the screen that is being opened.
 * @param {Binding[]} list
 */
export function bind(list) {
  bindings = list;
  const pressed = early;
  early = [];
  if (!list.length) return;
  setTimeout(() => {
    for (const event of pressed) {
      if (bindings !== list || performance.now() - event.timeStamp > longestWait) continue;
      const field = document.activeElement;
      // After the key of a search, a word follows that is no list of commands.
      if (field instanceof HTMLInputElement && isTyping(field)) type(field, event);
      else if (!isCovered()) perform(event);
    }
  });
}

/**
 * Types a key that was pressed before its field was there.
 * @param {HTMLInputElement} field
 * @param {KeyboardEvent} event
 */
function type(field, { key, altKey }) {
  if (key.length === 1 && !altKey) {
    field.setRangeText(key, field.selectionStart, field.selectionEnd, 'end');
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    return;
  }
  const isLeft = field.dispatchEvent(
    new KeyboardEvent('keydown', { key, altKey, bubbles: true, cancelable: true }));
  if (isLeft && key === 'Enter') field.form?.requestSubmit();
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

/** Indicates whether a dialog or an open menu has the keys, and nothing below it. */
const isCovered = () => document.querySelector('dialog[open], :popover-open') !== null;

/** @param {KeyboardEvent} event */
function dispatch(event) {
  if (event.defaultPrevented || isCovered()) return;
  const name = nameOf(event);
  const isCommand = name.startsWith('Ctrl+');
  if (isTyping(event.target) && !isCommand && name !== 'Esc') return;
  if (!bindings.length && !isCommand) early.push(event);
  else perform(event);
}

/** @param {KeyboardEvent} event */
function perform(event) {
  const name = nameOf(event);
  const isCommand = name.startsWith('Ctrl+');
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
export const showHelp = () => once('help', async () => {
  const help = await loaded(import('./keyHelp.js'));
  return help.showKeys(bindings);
});
