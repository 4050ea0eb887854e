// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom.js';

/**
 * A handle on the photo: it moves by the pointer and by the arrow keys, and says its place.
 * @param {import('./stage.js').Stage} stage
 * @param {object} options
 * @param {string} options.name
 * @param {string} [options.className]
 * @param {(dx: number, dy: number, event: Event) => void} options.move by fractions of the photo
 * @param {() => void} [options.begin]
 * @param {() => void} [options.end]
 */
export function handle(stage, { name, className = '', move, begin, end }) {
  const element = el('div', {
    class: `handle ${className}`, role: 'slider', tabindex: '0', 'aria-label': name,
    'aria-valuenow': 0,
    on: { pointerdown: press, keydown: keys },
  });

  /** @param {PointerEvent} event */
  function press(event) {
    if (event.button) return;
    event.preventDefault();
    event.stopPropagation();
    element.focus({ preventScroll: true });
    element.setPointerCapture(event.pointerId);
    begin?.();
    let last = [event.clientX, event.clientY];
    /** @param {PointerEvent} next */
    const moved = (next) => {
      const [x, y] = [next.clientX - last[0], next.clientY - last[1]];
      last = [next.clientX, next.clientY];
      move(x / stage.size[0], y / stage.size[1], next);
    };
    element.addEventListener('pointermove', moved);
    element.addEventListener('lostpointercapture',
      () => { element.removeEventListener('pointermove', moved); end?.(); }, { once: true });
  }

  /** @param {KeyboardEvent} event */
  function keys(event) {
    const step =
      { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const size = event.shiftKey ? 10 : 1;
    move((step[0] * size) / stage.full[0], (step[1] * size) / stage.full[1], event);
  }

  return {
    element,
    press,
    /**
     * @param {number} x
     * @param {number} y
     * @param {string} text what assistive technology says
     * @param {number} [value]
     */
    put(x, y, text, value) {
      element.style.setProperty('left', `${x * 100}%`);
      element.style.setProperty('top', `${y * 100}%`);
      element.setAttribute('aria-valuetext', text);
      element.setAttribute('aria-valuenow', String(Math.round(value ?? x * 100)));
    },
  };
}

/**
 * The graph without the effect of a node and of the geometry after it, so that handles match what
 * is shown.
 * @param {{ schema: import('./schema.js').Schema }} editor
 * @param {string | null} id
 * @param {Graph} graph
 * @param {{ hides?: boolean }} options
 */
export function before(editor, id, graph, { hides = true } = {}) {
  const found = graph.nodes.findIndex((node) => node.id === id);
  // A filter that is not used yet is added at the end.
  const index = found < 0 ? graph.nodes.length : found;
  return {
    ...graph,
    nodes: graph.nodes.map((node, order) => {
      const isGeometry = editor.schema.filter(node.filter)?.family === 'geometry';
      return (hides && order === index) || (order > index && isGeometry)
        ? { ...node, enabled: false }
        : node;
    }),
  };
}
