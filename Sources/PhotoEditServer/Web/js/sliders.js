// SPDX-License-Identifier: Apache-2.0

/** The way in pixels after which it is known where a finger goes. */
const slop = 8;

/**
 * A finger on a slider; its input waits until the finger moves along the slider or is lifted.
 * @typedef {{
 *   slider: HTMLInputElement, id: number, from: Point, value: string, next: string,
 *   state: 'waits' | 'slides' | 'scrolls'
 * }} Touch
 */

/** @type {Touch | null} */
let touch = null;

/** @param {PointerEvent} event */
function down({ target, pointerType, pointerId, isPrimary, clientX, clientY }) {
  if (!isPrimary) return;
  touch = null;
  if (pointerType !== 'touch' || !(target instanceof HTMLInputElement)) return;
  if (target.type !== 'range') return;
  touch = {
    slider: target, id: pointerId, from: [clientX, clientY], value: target.value,
    next: target.value, state: 'waits',
  };
}

/** @param {PointerEvent} event */
function move({ pointerId, clientX, clientY }) {
  if (touch?.state !== 'waits' || pointerId !== touch.id) return;
  const [x, y] = [Math.abs(clientX - touch.from[0]), Math.abs(clientY - touch.from[1])];
  if (Math.max(x, y) > slop) touch.state = x > y ? 'slides' : 'scrolls';
}

/** @param {PointerEvent} event */
function up({ pointerId }) {
  if (touch?.state !== 'waits' || pointerId !== touch.id) return;
  // A tap: the slider goes there.
  const { slider, next } = touch;
  touch.state = 'slides';
  if (next === slider.value) return;
  slider.value = next;
  slider.dispatchEvent(new Event('input', { bubbles: true }));
}

/** @param {PointerEvent} event */
function cancel({ pointerId }) {
  if (touch && pointerId === touch.id && touch.state !== 'slides') touch.state = 'scrolls';
}

/** @param {Event} event */
function input(event) {
  if (event.target !== touch?.slider || touch.state === 'slides') return;
  event.stopImmediatePropagation();
  touch.next = touch.slider.value;
  touch.slider.value = touch.value;
}

/**
 * Lets a finger that scrolls begin on a slider: browsers set a slider as soon as it is touched.
 * Only a tap, or a finger that moves along it, changes it.
 */
export function guardSliders() {
  const all = /** @type {const} */ ({ capture: true });
  document.addEventListener('pointerdown', down, all);
  document.addEventListener('pointermove', move, all);
  document.addEventListener('pointerup', up, all);
  document.addEventListener('pointercancel', cancel, all);
  document.addEventListener('input', input, all);
  for (const end of ['touchend', 'touchcancel']) {
    document.addEventListener(end, () => { touch = null; }, all);
  }
}
