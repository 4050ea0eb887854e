// SPDX-License-Identifier: Apache-2.0
import { button, el, svg } from '../dom.js';
import { t } from '../language.js';
import { format } from './schema.js';

/**
 * Straightening in the crop tool: a dial, and a line that is drawn along what should be level or
 * vertical.
 * @param {import('./editor.js').Editor} editor
 * @param {object} options
 * @param {() => number} options.angle as it is seen
 * @param {(angle: number, at?: number) => void} options.set
 */
export function leveling({ stage, draft }, { angle, set }) {
  const line = svg('line', { class: 'straighten-line', visibility: 'hidden' });
  const grid = el('div', { class: 'straighten-grid', 'aria-hidden': 'true' });
  const board = svg('svg', {
    class: 'straighten-board', 'aria-hidden': 'true', on: { pointerdown: draw },
  }, line);
  /** @type {HTMLInputElement} */
  const dial = el('input', {
    class: 'slider dial', type: 'range', min: -45, max: 45, step: 0.1,
    'aria-label': t('crop.angle'),
    on: {
      pointerdown: () => { draft.beginGesture(); grid.hidden = false; },
      change: end,
      pointerup: end,
      pointercancel: end,
      input: (event) => { toggle(false); set(Number(dial.value), event.timeStamp); },
      dblclick: () => set(0),
    },
  });
  const number = el('output', { class: 'caption' });
  const drawing = button(t('crop.horizon'), () => toggle(board.parentNode === null), {
    kind: 'plain small', 'aria-pressed': 'false',
    title: t('crop.horizonHelp'),
  });
  grid.hidden = true;
  stage.handles.prepend(grid);

  function end() {
    grid.hidden = true;
    draft.endGesture();
  }

  /** @param {boolean} isOn */
  function toggle(isOn) {
    if (isOn) stage.handles.append(board);
    else board.remove();
    drawing.setAttribute('aria-pressed', String(isOn));
  }

  /** @param {PointerEvent} event */
  function draw(event) {
    if (event.button) return;
    event.preventDefault();
    event.stopPropagation();
    board.setPointerCapture(event.pointerId);
    const box = board.getBoundingClientRect();
    /** @param {PointerEvent} point */
    const at = (point) => [point.clientX - box.left, point.clientY - box.top];
    const from = at(event);
    let to = from;
    /** @param {PointerEvent} next */
    const move = (next) => {
      to = at(next);
      const ends = { x1: from[0], y1: from[1], x2: to[0], y2: to[1] };
      for (const [name, value] of Object.entries(ends)) line.setAttribute(name, String(value));
      line.setAttribute('visibility', 'visible');
    };
    board.addEventListener('pointermove', move);
    board.addEventListener('lostpointercapture', () => {
      board.removeEventListener('pointermove', move);
      line.setAttribute('visibility', 'hidden');
      const [x, y] = [to[0] - from[0], to[1] - from[1]];
      if (Math.hypot(x, y) < 24) return;
      toggle(false);
      // The deviation from the nearer of level and vertical, rotated back.
      let deviation = (Math.atan2(y, x) * 180) / Math.PI;
      deviation -= Math.round(deviation / 90) * 90;
      set(angle() - deviation);
    }, { once: true });
  }

  return {
    element: el('div', {}, drawing, dial, number),
    begin() {
      toggle(true);
      dial.focus();
    },
    show() {
      if (Number(dial.value) !== angle()) dial.value = String(angle());
      const share = (angle() + 45) / 90;
      dial.style.setProperty('--start', `calc(6px + (100% - 12px) * ${Math.min(0.5, share)})`);
      dial.style.setProperty('--end', `calc(6px + (100% - 12px) * ${Math.max(0.5, share)})`);
      const text = `${format(angle(), { neutral: 0, usefulRange: [-45, 45], type: 'number' })}°`;
      dial.setAttribute('aria-valuetext', text);
      number.textContent = text;
    },
  };
}
