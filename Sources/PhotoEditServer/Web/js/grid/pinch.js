// SPDX-License-Identifier: Apache-2.0

/** The change of the distance between two fingers that is one step. */
const stepRatio = 1.25;

/**
 * Calls back with steps while two fingers go apart or together, and with the height of the point
 * between them in the element. The events are those of touches: pointers end when the browser
 * begins to scroll by the first finger.
 * @param {HTMLElement} element
 * @param {(step: number, y: number) => void} resize
 */
export function onPinch(element, resize) {
  let distance = 0;
  /** @param {TouchEvent} event */
  const spread = ({ touches: [a, b] }) =>
    Math.max(1, Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY));
  /** @param {TouchEvent} event */
  function move(event) {
    if (event.touches.length !== 2 || !distance) return;
    if (event.cancelable) event.preventDefault();
    const ratio = spread(event) / distance;
    if (ratio < stepRatio && ratio > 1 / stepRatio) return;
    distance = spread(event);
    const middle = (event.touches[0].clientY + event.touches[1].clientY) / 2;
    resize(ratio > 1 ? 1 : -1, middle - element.getBoundingClientRect().top);
  }
  function end() { distance = 0; }
  element.addEventListener('touchstart', (event) => {
    if (event.touches.length !== 2) return;
    distance = spread(event);
    if (event.cancelable) event.preventDefault();
    // What a finger has touched gets its events to the end; the element gets none of them once a
    // step has removed that.
    for (const touch of event.touches) {
      const target = /** @type {HTMLElement} */ (touch.target);
      target.addEventListener('touchmove', move, { passive: false });
      for (const type of ['touchend', 'touchcancel']) target.addEventListener(type, end);
    }
  }, { passive: false });
}
