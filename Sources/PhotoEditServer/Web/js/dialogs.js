// SPDX-License-Identifier: Apache-2.0
import { button, el } from './dom.js';

/**
 * Asks a question; resolves to the value of the chosen action, or null.
 * @param {string} title
 * @param {HTMLElement} content
 * @param {Answer[]} actions
 * @returns {Promise<string | null>}
 */
export function ask(title, content, actions) {
  return new Promise((resolve) => {
    const heading = el('h2', { id: 'dialog-title' }, title);
    const close = (/** @type {string | null} */ value) => { chosen = value; dialog.close(); };
    /** @type {string | null} */
    let chosen = null;
    const dialog = el('dialog', {
      class: 'dialog', 'aria-labelledby': 'dialog-title',
      on: { close: () => { dialog.remove(); resolve(chosen); } },
    }, el('div', { class: 'content' }, heading, content,
      el('div', { class: 'actions' }, actions.map(({ label, value, kind }) =>
        button(label, () => close(value), { kind, data: { action: value ?? 'cancel' } })))));
    document.body.append(dialog);
    dialog.showModal();
    /** @type {HTMLElement | null} */
    const primary = dialog.querySelector('.actions .primary');
    primary?.focus();
  });
}

/**
 * Asks for a text; resolves to the text, or to an empty one.
 * @param {string} title
 * @param {Properties} properties
 * @param {{ action?: string, note?: string }} options
 */
export async function askForText(title, properties, { action = 'OK', note } = {}) {
  const input =
    el('input', { class: 'field', type: 'text', ...properties, on: { keydown: (event) => {
      if (event.key !== 'Enter') return;
      // The rest of the key press would go to the button that opened the dialog, and open it again.
      event.preventDefault();
      /** @type {HTMLElement} */
      const primary = input.closest('dialog').querySelector('.primary');
      primary.click();
    } } });
  setTimeout(() => { input.focus(); input.select(); }, 0);
  const content = note ? el('div', {}, input, el('p', { class: 'caption' }, note)) : input;
  const answer = await ask(
    title, content, [{ label: 'Cancel' }, { label: action, value: 'ok', kind: 'primary' }]);
  return answer ? input.value.trim() : '';
}

/**
 * Opens a menu below a button.
 * @param {HTMLElement} anchor
 * @param {(MenuItem | false | null | undefined)[]} items
 */
export function menu(anchor, items) {
  const list = el('div', { class: 'popover menu', popover: 'auto', role: 'menu' });
  for (const item of items) {
    if (!item) continue;
    list.append(button(item.label, () => { list.hidePopover(); item.action(); }, {
      role: 'menuitem', symbol: item.symbol, disabled: item.disabled,
    }));
  }
  list.addEventListener('toggle', (event) => {
    if (event.newState === 'closed') { list.remove(); anchor.focus(); }
  });
  list.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const buttons = [...list.querySelectorAll('button')].filter((item) => !item.disabled);
    const current = buttons.findIndex((item) => item === document.activeElement);
    buttons.at((current + step) % buttons.length)?.focus();
  });
  document.body.append(list);
  list.showPopover();
  place(list, anchor);
  list.querySelector('button')?.focus();
  return list;
}

/**
 * Positions a popover at an anchor, inside of the window.
 * @param {HTMLElement} popover
 * @param {HTMLElement} anchor
 */
export function place(popover, anchor) {
  const at = anchor.getBoundingClientRect();
  const box = popover.getBoundingClientRect();
  const below = at.bottom + 4 + box.height <= innerHeight - 8;
  const top = below ? at.bottom + 4 : Math.max(8, at.top - 4 - box.height);
  const left = Math.max(8, Math.min(at.right - box.width, innerWidth - box.width - 8));
  popover.style.setProperty('top', `${top}px`);
  popover.style.setProperty('left', `${left}px`);
}
