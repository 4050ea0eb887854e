// SPDX-License-Identifier: Apache-2.0
import { button, el, svg } from '../dom.js';
import { before, handle } from './handles.js';

/** @type {[key: string, name: string, standard: Point][]} */
const corners = [
  ['tl', 'Top left corner', [0, 0]],
  ['tr', 'Top right corner', [1, 0]],
  ['br', 'Bottom right corner', [1, 1]],
  ['bl', 'Bottom left corner', [0, 1]],
];

/**
 * Perspective on the photo: the corners of what becomes a rectangle.
 * @param {import('./editor.js').Editor} editor
 * @param {import('./panel.js').Panel} panel
 * @returns {Tool}
 */
export function makeTool(editor, panel) {
  const { stage, draft } = editor;
  const shape = svg('polygon', { class: 'perspective-shape' });
  const board = svg('svg', {
    class: 'perspective-board', viewBox: '0 0 1000 1000', preserveAspectRatio: 'none',
    'aria-hidden': 'true',
  }, shape);
  stage.handles.append(board);
  /**
   * @param {string} key
   * @param {Point} standard
   */
  const value = (key, standard) =>
    /** @type {Point} */ (panel.node?.params?.[key] ?? standard);
  const made = corners.map(([key, name, standard]) => {
    const item = handle(stage, {
      name,
      begin: () => draft.beginGesture(),
      end: () => draft.endGesture(),
      move: (dx, dy) => {
        const [x, y] = value(key, standard);
        editor.inputAt = performance.now();
        draft.setValue(panel.nodeId,
          key,
          [x + dx, y + dy].map((number) =>
            Math.round(Math.min(1, Math.max(0, number)) * 1e4) / 1e4));
      },
    });
    stage.handles.append(item.element);
    return item;
  });
  const bar = el('div', {},
    el('span', { class: 'caption' },
      'Place the corners on the shape that should become a rectangle'),
    button('Reset', () => draft.change((graph) => {
      const node = graph.nodes.find((item) => item.id === panel.nodeId);
      for (const [key, , standard] of corners) node.params = { ...node.params, [key]: standard };
    }), { kind: 'plain small' }),
    button('Done', () => editor.tools.use(null), { kind: 'primary small' }));
  return {
    bar,
    graph: (graph) => before(editor, panel.nodeId, graph),
    layOut() {
      shape.setAttribute('points',
        corners
          .map(([key, , standard]) => value(key, standard).map((number) => number * 1000).join(','))
          .join(' '));
      for (const [index, [key, , standard]] of corners.entries()) {
        const [x, y] = value(key, standard);
        const [width, height] = stage.full ?? [0, 0];
        made[index].put(x, y, `${Math.round(x * width)}, ${Math.round(y * height)} px`);
      }
    },
  };
}
