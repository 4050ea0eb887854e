// SPDX-License-Identifier: Apache-2.0
import { button, el } from './dom.js';
import { t } from './language.js';

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
      el('div', { class: 'actions' }, actions.map(({ label, value, kind, refuses }) =>
        button(label, () => { if (!refuses?.()) close(value); },
          { kind, data: { action: value ?? 'cancel' } })))));
    document.body.append(dialog);
    dialog.showModal();
    const isFinal = actions.some((action) => action.isFinal);
    /** @type {HTMLElement | null} */
    const first = dialog.querySelector(isFinal ? '.actions .button' : '.actions .primary');
    first?.focus();
  });
}

/**
 * Asks for a text; resolves to the text, or to an empty one.
 * @param {string} title
 * @param {Properties} properties
 * @param {object} options
 * @param {string} [options.action]
 * @param {(text: string) => string | null} [options.refuse] the reason for which a text cannot be
 *   used; the dialog stays open with it
 */
export async function askForText(title, properties, { action = t('ok'), refuse } = {}) {
  const note = el('p', { class: 'caption', id: 'text-note', role: 'alert' });
  const isRefused = () => {
    const reason = refuse?.(input.value.trim()) ?? null;
    note.textContent = reason ?? '';
    input.setAttribute('aria-invalid', String(reason !== null));
    return reason !== null;
  };
  /** @type {HTMLInputElement} */
  const input = el('input', {
    class: 'field', type: 'text', 'aria-describedby': 'text-note', ...properties,
    on: {
      input: () => { if (input.getAttribute('aria-invalid') === 'true') isRefused(); },
      keydown: (event) => {
        if (event.key !== 'Enter') return;
        // The rest of the key press would go to the button that opened the dialog, and open it
        // again.
        event.preventDefault();
        /** @type {HTMLElement} */
        const primary = input.closest('dialog').querySelector('.primary');
        primary.click();
      },
    },
  });
  setTimeout(() => { input.focus(); input.select(); }, 0);
  const answer = await ask(title, el('div', {}, input, note), [
    { label: t('cancel') }, { label: action, value: 'ok', kind: 'primary', refuses: isRefused },
  ]);
  return answer ? input.value.trim() : '';
}

/**
 * Opens a menu below a button; the focus then returns to where it was.
 * @param {HTMLElement} anchor
 * @param {(MenuItem | false | null | undefined)[]} items
 * @param {{ dismissed?: () => void }} options called if it is closed without a choice
 */
export function menu(anchor, items, { dismissed } = {}) {
  const before = document.activeElement;
  const origin = before instanceof HTMLElement && before !== document.body ? before : anchor;
  let isChosen = false;
  const list = el('div', { class: 'popover menu', popover: 'auto', role: 'menu' });
  for (const item of items) {
    if (!item) continue;
    const entry = button(item.label, () => choose(item), {
      role: 'menuitem', symbol: item.symbol, disabled: item.disabled,
    });
    if (item.image) entry.prepend(item.image);
    list.append(entry);
  }
  list.addEventListener('toggle', (event) => {
    if (event.newState !== 'closed') return;
    list.remove();
    // What was chosen may have opened a dialog or another menu.
    if (!document.querySelector('dialog[open], .menu:popover-open')) {
      origin.focus({ preventScroll: true });
    }
    if (!isChosen) dismissed?.();
  });

  /** @param {MenuItem} item */
  function choose(item) {
    isChosen = true;
    list.hidePopover();
    item.action();
  }

  list.addEventListener('keydown', (event) => {
    const buttons = [...list.querySelectorAll('button')].filter((item) => !item.disabled);
    const current = buttons.findIndex((item) => item === document.activeElement);
    const others = [...buttons.slice(current + 1), ...buttons.slice(0, current + 1)];
    const letter = /^\S$/.test(event.key) && !event.ctrlKey && !event.metaKey ? event.key : null;
    const next = letter
      ? others.find(({ textContent }) =>
        textContent.toLocaleLowerCase().startsWith(letter.toLocaleLowerCase()))
      : { ArrowDown: others[0], ArrowUp: others.at(-2), Home: buttons[0], End: buttons.at(-1) }[
        event.key];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
  });
  document.body.append(list);
  list.showPopover();
  place(list, anchor);
  list.querySelector('button')?.focus();
  return list;
}

/**
 * Positions a popover at an anchor, inside of the window, also when the size of that changes.
 * @param {HTMLElement} popover
 * @param {HTMLElement} anchor
 */
export function place(popover, anchor) {
  const closed = new AbortController();
  addEventListener('resize', () => moveTo(popover, anchor), { signal: closed.signal });
  popover.addEventListener('toggle', ({ newState }) => {
    if (newState === 'closed') closed.abort();
  });
  moveTo(popover, anchor);
}

/**
 * @param {HTMLElement} popover
 * @param {HTMLElement} anchor
 */
function moveTo(popover, anchor) {
  const at = anchor.getBoundingClientRect();
  const box = popover.getBoundingClientRect();
  const below = at.bottom + 4 + box.height <= innerHeight - 8;
  const above = Math.min(at.top - 4, innerHeight - 8) - box.height;
  const top = below ? at.bottom + 4 : Math.max(8, above);
  const left = Math.max(8, Math.min(at.right - box.width, innerWidth - box.width - 8));
  popover.style.setProperty('top', `${top}px`);
  popover.style.setProperty('left', `${left}px`);
}
