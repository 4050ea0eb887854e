// SPDX-License-Identifier: Apache-2.0
import { button, el, svg } from '../dom.js';
import { format } from './schema.js';

/**
 * Straighten on the photo: a dial, and a line drawn along what should be level or vertical.
 * @param {import('./editor.js').Editor} editor
 * @param {import('./panel.js').Panel} panel
 * @returns {Tool}
 */
export function makeTool(editor, panel) {
  const { stage, draft } = editor;
  let painted = angle();
  const grid = el('div', { class: 'straighten-grid', 'aria-hidden': 'true' });
  const line = svg('line', { class: 'straighten-line', visibility: 'hidden' });
  const board =
    svg('svg', { class: 'straighten-board', 'aria-hidden': 'true', on: { pointerdown: draw } },
      line);
  stage.handles.append(grid, board);
  /** @type {HTMLInputElement} */
  const dial = el('input', {
    class: 'slider dial', type: 'range', min: -45, max: 45, step: 0.1, 'aria-label': 'Angle',
    on: {
      pointerdown: () => draft.beginGesture(),
      change: () => draft.endGesture(),
      pointerup: () => draft.endGesture(),
      input: (event) => set(Number(dial.value), event.timeStamp),
      dblclick: () => set(0),
    },
  });
  const number = el('output', { class: 'numbers caption' });
  const bar = el('div', {},
    el('span', { class: 'caption' }, 'Draw a line along the horizon, or'),
    dial,
    number,
    button('0°', () => set(0), { kind: 'plain small' }),
    button('Done', () => editor.tools.use(null), { kind: 'primary small' }));

  function angle() { return Number(panel.node?.params?.angle ?? 0); }

  /**
   * @param {number} value
   * @param {number} [at]
   */
  function set(value, at = performance.now()) {
    panel.set('angle', Math.round(Math.min(45, Math.max(-45, value)) * 100) / 100, at);
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
      // The deviation from the nearer of level and vertical, rotated back.
      let deviation = (Math.atan2(y, x) * 180) / Math.PI;
      deviation -= Math.round(deviation / 90) * 90;
      set(angle() - deviation);
    }, { once: true });
  }

  function hint() {
    // Until the engine's image arrives, the last one is rotated.
    const change = angle() - painted;
    if (Math.abs(change) < 0.001) stage.canvas.style.removeProperty('transform');
    else stage.canvas.style.setProperty('transform', `rotate(${change}deg)`);
  }

  return {
    bar,
    focus: dial,
    layOut() {
      if (Number(dial.value) !== angle()) dial.value = String(angle());
      const share = (angle() + 45) / 90;
      dial.style.setProperty('--start', `calc(6px + (100% - 12px) * ${Math.min(0.5, share)})`);
      dial.style.setProperty('--end', `calc(6px + (100% - 12px) * ${Math.max(0.5, share)})`);
      const text = `${format(angle(), { neutral: 0, usefulRange: [-45, 45], type: 'number' })}°`;
      dial.setAttribute('aria-valuetext', text);
      number.textContent = text;
      hint();
    },
    painted(graph) {
      const node = graph.nodes.find((item) => item.id === panel.nodeId);
      painted = Number(node?.params?.angle ?? 0);
      hint();
    },
  };
}
