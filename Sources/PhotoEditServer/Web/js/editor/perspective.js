// SPDX-License-Identifier: Apache-2.0
import { button, el, svg } from '../dom.js';
import { t } from '../language.js';
import { before, handle } from './handles.js';

/** @type {[key: string, name: string, standard: Point][]} */
const corners = [
  ['tl', t('perspective.topLeft'), [0, 0]],
  ['tr', t('perspective.topRight'), [1, 0]],
  ['br', t('perspective.bottomRight'), [1, 1]],
  ['bl', t('perspective.bottomLeft'), [0, 1]],
];

/**
 * Perspective on the photo: the corners of what becomes a rectangle.
 * @param {import('./editor.js').Editor} editor
 * @param {import('./tools.js').Target} target
 * @returns {Tool}
 */
export function makeTool(editor, target) {
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
    /** @type {Point} */ (target.node?.params?.[key] ?? standard);
  const made = corners.map(([key, name, standard]) => {
    const item = handle(stage, {
      name,
      begin: () => draft.beginGesture(),
      end: () => draft.endGesture(),
      move: (dx, dy) => {
        const [x, y] = value(key, standard);
        target.set(key, [x + dx, y + dy].map((number) =>
          Math.round(Math.min(1, Math.max(0, number)) * 1e4) / 1e4));
      },
    });
    stage.handles.append(item.element);
    return item;
  });
  const bar = el('div', {},
    el('span', { class: 'caption' }, t('perspective.help')),
    button(t('panel.reset'),
      () => target.setAll(Object.fromEntries(corners.map(([key, , standard]) => [key, standard]))),
      { kind: 'plain small' }),
    button(t('cancel'), () => editor.tools.cancel(), { kind: 'plain small' }),
    button(t('tool.done'), () => editor.tools.use(null), { kind: 'primary small' }));
  return {
    bar,
    graph: (graph) => before(editor, target.nodeId, graph),
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
