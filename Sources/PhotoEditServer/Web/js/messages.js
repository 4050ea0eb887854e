// SPDX-License-Identifier: Apache-2.0
import { button, el, iconButton } from './dom.js';
import { t } from './language.js';

/** @type {string[]} */
const pending = [];
/** @type {number | undefined} */
let timer;

/**
 * Announces a text to assistive technology: at most one text every two seconds.
 * @param {string} text
 */
export function announce(text) {
  pending[0] = text;
  if (timer) return;
  const next = () => {
    const waiting = pending.shift();
    if (waiting === undefined) { timer = undefined; return; }
    document.getElementById('live').textContent = waiting;
    timer = setTimeout(next, 2000);
  };
  next();
}

/** @type {Element | null} the photo over which the messages are */
let stage = null;
const resizes = new ResizeObserver(() => follow());
const screens = new MutationObserver(() => follow());

/**
 * Keeps the messages over the lower edge of the photo, so that they cover none of the controls
 * below it, whatever tool is opened; without a photo, they are near that of the window.
 */
function follow() {
  const list = document.getElementById('messages');
  const stages = document.querySelectorAll('.stage');
  const found = stages.length === 1 ? stages[0] : null;
  if (found !== stage) {
    stage = found;
    resizes.disconnect();
    if (stage) resizes.observe(stage);
  }
  const box = stage?.getBoundingClientRect();
  const sides = box?.width
    ? { left: box.left, right: innerWidth - box.right, bottom: innerHeight - box.bottom + 12 }
    : { left: null, right: null, bottom: null };
  for (const [side, value] of Object.entries(sides)) {
    list.style.setProperty(`--${side}`, value === null ? null : `${value}px`);
  }
}

/**
 * Shows a message with at most one action; errors stay until they are closed.
 * @param {string} text
 * @param {{ action?: () => unknown, label?: string, error?: boolean }} options
 */
export function message(text, { action, label, error = false } = {}) {
  const list = document.getElementById('messages');
  const close = () => { item.remove(); };
  /** @type {HTMLElement} */
  const item = el('div', { class: error ? 'message error' : 'message' },
    el('span', {}, text),
    action ? button(label, () => { close(); action(); }) : null,
    iconButton('close', t('closeMessage'), close));
  for (const other of [...list.children]) if (other.firstChild.textContent === text) other.remove();
  // One undo is offered at a time, that of the last action.
  if (action) for (const other of list.querySelectorAll('.message:has(.button)')) other.remove();
  while (list.children.length > 2) list.firstChild.remove();
  list.append(item);
  screens.observe(document.getElementById('screen'), { childList: true });
  follow();
  announce(text);
  const wait = (/** @type {number} */ time) => {
    setTimeout(() => (item.matches(':hover, :focus-within') ? wait(2000) : close()), time);
  };
  if (!error) wait(action ? 9000 : 4000);
  return close;
}

/** The time in milliseconds after which work on several photos says how far it is. */
const quietTime = 800;

/**
 * Says how far work on several photos is, if it takes longer than a moment.
 * @param {number} total
 */
export function working(total) {
  const text = el('span');
  const item = el('div', { class: 'message' }, text);
  const show = (/** @type {number} */ done) => {
    text.textContent = t('job.working', { done, total });
  };
  show(0);
  const timer = total > 1 ? setTimeout(() => {
    document.getElementById('messages').append(item);
    follow();
    announce(text.textContent);
  }, quietTime) : undefined;
  return { show, end: () => { clearTimeout(timer); item.remove(); } };
}

/** Performs the action of the latest message, most often an undo; false if none has one. */
export function actOnMessage() {
  /** @type {NodeListOf<HTMLElement>} */
  const actions = document.querySelectorAll('#messages .button');
  actions[actions.length - 1]?.click();
  return actions.length > 0;
}

/** Takes the actions off the messages of a photo that is left: they are for no other one. */
export function endActions() {
  for (const item of document.querySelectorAll('#messages .button')) item.remove();
}

/** Removes the errors of a screen that is left. */
export function clearErrors() {
  for (const item of document.querySelectorAll('#messages > .error')) item.remove();
}

/**
 * Shows the sentence of a problem.
 * @param {Error} problem
 */
export function report(problem) {
  if (problem.name === 'AbortError') return;
  message(problem.message, { error: true });
}
