// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom.js';
import { t } from '../language.js';
import { colorAt, placeOf } from './wheel.js';

/**
 * A wheel for the hue, by the angle, and the strength, by the distance from the middle. With the
 * keyboard, left and right turn the hue, and up and down change the strength.
 * @param {object} options
 * @param {string} options.name
 * @param {number} options.most the strength at the rim
 * @param {() => void} options.begin
 * @param {() => void} options.end
 * @param {(hue: number, strength: number, at: number) => void} options.set
 */
export function wheelControl({ name, most, begin, end, set }) {
  let [hue, strength] = [0, 0];
  const point = el('span', { class: 'wheel-point' });
  /** @type {HTMLElement} */
  const wheel = el('div', {
    class: 'wheel', role: 'slider', tabindex: '0', 'aria-label': t('adjust.colorOf', { name }),
    'aria-valuemin': 0, 'aria-valuemax': 360,
    title: t('adjust.wheelHelp'),
    on: { pointerdown: press, keydown: keys, dblclick: (event) => store(0, 0, event) },
  }, point);

  /**
   * Sets the color; the hue of one without strength is kept here, and not in the filter.
   * @param {number} nextHue
   * @param {number} nextStrength
   * @param {Event} event
   */
  function store(nextHue, nextStrength, event) {
    hue = nextHue;
    set(nextStrength ? nextHue : 0, nextStrength, event.timeStamp);
    put();
  }

  /** @param {PointerEvent} event */
  function press(event) {
    if (event.button) return;
    event.preventDefault();
    wheel.focus({ preventScroll: true });
    wheel.setPointerCapture(event.pointerId);
    begin();
    /** @param {PointerEvent} moved */
    const move = (moved) => {
      const box = wheel.getBoundingClientRect();
      const color = colorAt(
        ((moved.clientX - box.left) / box.width) * 2 - 1,
        ((moved.clientY - box.top) / box.height) * 2 - 1, most);
      store(color.hue, color.strength, moved);
    };
    move(event);
    wheel.addEventListener('pointermove', move);
    wheel.addEventListener('lostpointercapture',
      () => { wheel.removeEventListener('pointermove', move); end(); }, { once: true });
  }

  /** @param {KeyboardEvent} event */
  function keys(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const turn = { ArrowLeft: 5, ArrowRight: -5 }[event.key];
    const step = { ArrowUp: 0.05, ArrowDown: -0.05 }[event.key];
    const isReset = ['Home', 'Backspace', 'Delete'].includes(event.key);
    if (!turn && !step && !isReset) return;
    event.preventDefault();
    const size = event.shiftKey ? 0.2 : 1;
    if (turn) {
      store((hue + turn * size + 360) % 360, strength, event);
    } else {
      const next = isReset ? 0 : Math.min(1, Math.max(0, strength + step * size));
      store(hue, Math.round(next * 100) / 100, event);
    }
  }

  function put() {
    const [x, y] = placeOf(hue, strength, most);
    point.style.setProperty('left', `${(50 + 50 * x).toFixed(2)}%`);
    point.style.setProperty('top', `${(50 + 50 * y).toFixed(2)}%`);
    wheel.setAttribute('aria-valuenow', String(hue));
    wheel.setAttribute('aria-valuetext', t('adjust.wheelValue', { hue, strength }));
  }

  put();
  return {
    element: el('div', { class: 'wheel-row' }, wheel),
    /**
     * @param {number} nextHue
     * @param {number} nextStrength
     */
    show(nextHue, nextStrength) {
      if (nextHue || nextStrength) hue = nextHue;
      strength = nextStrength;
      wheel.dataset.changed = String(nextStrength > 0);
      put();
    },
  };
}
