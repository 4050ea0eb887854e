// SPDX-License-Identifier: Apache-2.0
import { button, el, svg } from '../dom.js';
import { t } from '../language.js';
import { withCoverage } from './coverage.js';
import { before, handle } from './handles.js';

/** @param {number} value */
const round = (value) => Math.round(value * 1e4) / 1e4;

/**
 * The values of a mask on the photo.
 * @typedef {object} MaskValues
 * @property {Point} [from]
 * @property {Point} [to]
 * @property {Point} [center]
 * @property {Point} [radius]
 * @property {number} [angle] in degrees
 * @property {number} [feather]
 */

/**
 * A mask on the photo: the ends of a gradient, or the center and radii of an ellipse.
 * @param {import('./editor.js').Editor} editor
 * @param {import('./tools.js').Target} target
 * @returns {Tool}
 */
export function makeTool(editor, target) {
  const { stage, draft } = editor;
  let isShown = false;
  const outline = svg('path', { class: 'mask-outline' });
  const board = svg('svg', { class: 'perspective-board', 'aria-hidden': 'true' }, outline);
  stage.handles.append(board);
  const params = () => /** @type {MaskValues} */ (target.node?.params ?? {});
  /**
   * @param {string} name
   * @param {Value} value
   */
  const set = (name, value) => {
    editor.inputAt = performance.now();
    draft.setValue(target.nodeId, name, value);
  };
  /** @type {Record<string, () => { layOut: () => void }>} */
  const shapes = { 'mask.linear': linear, 'mask.radial': radial };
  const shape = shapes[target.filter.name]?.() ?? { layOut() {} };
  const show = button(t('mask.show'), () => tool.toggleMask(), {
    kind: 'plain small', 'aria-pressed': 'false', 'aria-keyshortcuts': 'm',
  });
  const bar = el('div', {},
    show, button(t('tool.done'), () => editor.tools.use(null), { kind: 'primary small' }));

  /**
   * @param {string} name
   * @param {(dx: number, dy: number) => void} move
   */
  function add(name, move) {
    const item = handle(
      stage, { name, begin: () => draft.beginGesture(), end: () => draft.endGesture(), move });
    stage.handles.append(item.element);
    return item;
  }

  function linear() {
    const end = (/** @type {'from' | 'to'} */ key, /** @type {string} */ name) => ({
      key,
      item: add(name, (dx, dy) => {
        const [x, y] = params()[key];
        set(key, [round(x + dx), round(y + dy)]);
      }),
    });
    const ends = [end('from', t('mask.begins')), end('to', t('mask.complete'))];
    return {
      layOut() {
        const [[x0, y0], [x1, y1]] = [params().from ?? [0.5, 0], params().to ?? [0.5, 1]].map(
          ([x, y]) => [x * stage.size[0], y * stage.size[1]]);
        const length = Math.hypot(x1 - x0, y1 - y0) || 1;
        const [nx, ny] = [(-(y1 - y0) / length) * 4000, ((x1 - x0) / length) * 4000];
        outline.setAttribute('d', `M${x0 - nx} ${y0 - ny}L${x0 + nx} ${y0 + ny}`
          + `M${x1 - nx} ${y1 - ny}L${x1 + nx} ${y1 + ny}M${x0} ${y0}L${x1} ${y1}`);
        for (const { key, item } of ends) {
          const [x, y] = params()[key] ?? [0.5, 0.5];
          item.put(x, y, (params()[key] ?? []).map(round).join(', '));
        }
      },
    };
  }

  function radial() {
    const rotation = () => ((params().angle ?? 0) * Math.PI) / 180;
    /**
     * A point on an axis of the ellipse, in fractions.
     * @param {number} index
     * @returns {Point}
     */
    const axis = (index) => {
      const [cx, cy] = params().center ?? [0.5, 0.5];
      const [rx, ry] = params().radius ?? [0.4, 0.4];
      const [w, h] = stage.size;
      const [x, y] = index ? [0, ry * h] : [rx * w, 0];
      return [
        cx + (x * Math.cos(rotation()) - y * Math.sin(rotation())) / w,
        cy + (x * Math.sin(rotation()) + y * Math.cos(rotation())) / h,
      ];
    };
    const center = add(t('mask.center'), (dx, dy) => {
      const [x, y] = params().center;
      set('center', [round(x + dx), round(y + dy)]);
    });
    const radii = [t('mask.horizontal'), t('mask.vertical')].map((name, index) => add(name,
      (dx, dy) => {
        const [w, h] = stage.size;
        const [x, y] = [dx * w, dy * h];
        const along = index
          ? -x * Math.sin(rotation()) + y * Math.cos(rotation())
          : x * Math.cos(rotation()) + y * Math.sin(rotation());
        const radius = [...params().radius];
        radius[index] = round(Math.max(0.005, radius[index] + along / (index ? h : w)));
        set('radius', radius);
      }));
    return {
      layOut() {
        const [cx, cy] = params().center ?? [0.5, 0.5];
        const [rx, ry] = params().radius ?? [0.4, 0.4];
        const [w, h] = stage.size;
        const feather = 1 - (params().feather ?? 0.5);
        /** @param {number} scale */
        const ring = (scale) => {
          const [a, b] = [rx * w * scale, ry * h * scale];
          const [x, y] = [a * Math.cos(rotation()), a * Math.sin(rotation())];
          const [start, end] = [`${cx * w - x} ${cy * h - y}`, `${cx * w + x} ${cy * h + y}`];
          const arc = `A${a} ${b} ${params().angle ?? 0} 1 1`;
          return `M${start}${arc} ${end}${arc} ${start}`;
        };
        outline.setAttribute('d', ring(1) + (feather > 0.02 ? ring(feather) : ''));
        center.put(cx, cy, `${round(cx)}, ${round(cy)}`);
        for (const [index, item] of radii.entries()) {
          item.put(...axis(index), String(round([rx, ry][index])), [rx, ry][index] * 100);
        }
      },
    };
  }

  /** @type {Tool} */
  const tool = {
    bar,
    graph(graph) {
      const plain = before(editor, target.nodeId, graph, { hides: false });
      return isShown ? withCoverage(plain, target.nodeId) : plain;
    },
    layOut() { shape.layOut(); },
    addsToPhoto: () => isShown,
    toggleMask() {
      isShown = !isShown;
      show.setAttribute('aria-pressed', String(isShown));
      editor.rendering.scheduler.still();
    },
  };
  return tool;
}
