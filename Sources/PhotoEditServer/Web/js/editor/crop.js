// SPDX-License-Identifier: Apache-2.0
import { button, el, iconButton } from '../dom.js';
import { before, handle } from './handles.js';

const ratios = [
  ['free', 'Free'],
  ['original', 'Original'],
  ['1', '1 : 1'],
  [String(3 / 2), '3 : 2'],
  [String(4 / 3), '4 : 3'],
  [String(16 / 9), '16 : 9'],
];
/** @type {Record<string, Point>} */
const sides = {
  'top left': [-1, -1], top: [0, -1], 'top right': [1, -1], right: [1, 0], 'bottom right': [1, 1],
  bottom: [0, 1], 'bottom left': [-1, 1], left: [-1, 0],
};
const least = 0.02;

/**
 * Crop on the photo: eight handles, ratios, and numbers in pixels.
 * @param {import('./editor.js').Editor} editor
 * @param {import('./panel.js').Panel} panel
 * @returns {Tool}
 */
export function makeTool(editor, panel) {
  const { stage, draft } = editor;
  let ratio = 'free';
  let isSwapped = false;
  /** @type {[handle: ReturnType<typeof handle>, sideX: number, sideY: number][]} */
  let handles = [];

  /** @type {HTMLElement} */
  const area = el('div', {
    class: 'crop-area', role: 'group', tabindex: '0', 'aria-label': 'Crop area',
    on: { keydown: areaKeys, pointerdown: dragArea },
  });
  for (const [name, [x, y]] of Object.entries(sides)) {
    const made = handle(stage, {
      name: `Crop ${name}`,
      className: `crop-handle ${x && y ? 'corner' : x ? 'vertical' : 'horizontal'}`,
      begin: () => draft.beginGesture(),
      end: () => draft.endGesture(),
      move: (dx, dy) => resize(x, y, dx, dy),
    });
    handles.push([made, x, y]);
    area.append(made.element);
  }
  stage.handles.append(area);

  /** @type {HTMLSelectElement} */
  const choice = el('select', {
    class: 'field', 'aria-label': 'Ratio',
    on: { change: () => { ratio = choice.value; fitRatio(); } },
  }, ratios.map(([value, name]) => el('option', { value }, name)));
  const numbers = el('span', { class: 'numbers caption', role: 'status' });
  const bar = el('div', {},
    choice,
    iconButton('redo', 'Swap width and height', () => { isSwapped = !isSwapped; fitRatio(); }),
    numbers,
    button('Whole photo', () => set({ x: 0, y: 0, w: 1, h: 1 }), { kind: 'plain small' }),
    button('Done', () => editor.tools.use(null), { kind: 'primary small' }));

  /** The rectangle in fractions. */
  function rectangle() {
    const params = /** @type {Partial<Region> & { unit?: string }} */ (panel.node?.params ?? {});
    const { x = 0, y = 0, w = 1, h = 1, unit } = params;
    if (unit !== 'pixels' || !stage.full) return { x, y, w, h };
    const [width, height] = stage.full;
    return { x: x / width, y: y / height, w: w / width, h: h / height };
  }

  /**
   * @param {Region} part
   * @param {number} [at]
   */
  function set({ x, y, w, h }, at = performance.now()) {
    /** @param {number} value */
    const round = (value) => Math.round(value * 1e4) / 1e4;
    w = Math.min(1, Math.max(least, w));
    h = Math.min(1, Math.max(least, h));
    x = Math.min(1 - w, Math.max(0, x));
    y = Math.min(1 - h, Math.max(0, y));
    panel.setAll({ unit: 'fraction', x: round(x), y: round(y), w: round(w), h: round(h) }, at);
  }

  /** The width divided by the height in fractions that the ratio asks for; null when it is free. */
  function targetRatio() {
    if (ratio === 'free' || !stage.full) return null;
    const pixels = ratio === 'original' ? stage.full[0] / stage.full[1] : Number(ratio);
    return ((isSwapped ? 1 / pixels : pixels) * stage.full[1]) / stage.full[0];
  }

  function fitRatio() {
    const target = targetRatio();
    if (!target) return;
    const { x, y, w, h } = rectangle();
    const [width, height] = w / h > target ? [h * target, h] : [w, w / target];
    set({ x: x + (w - width) / 2, y: y + (h - height) / 2, w: width, h: height });
  }

  /**
   * @param {number} sideX
   * @param {number} sideY
   * @param {number} dx
   * @param {number} dy
   */
  function resize(sideX, sideY, dx, dy) {
    const old = rectangle();
    let [left, top, right, bottom] = [old.x, old.y, old.x + old.w, old.y + old.h];
    if (sideX < 0) left = Math.min(right - least, Math.max(0, left + dx));
    if (sideX > 0) right = Math.max(left + least, Math.min(1, right + dx));
    if (sideY < 0) top = Math.min(bottom - least, Math.max(0, top + dy));
    if (sideY > 0) bottom = Math.max(top + least, Math.min(1, bottom + dy));
    const target = targetRatio();
    if (target) {
      let [w, h] = [right - left, bottom - top];
      if (sideX && (!sideY || w / h > target)) h = w / target;
      else w = h * target;
      const fit = Math.min(1, 1 / w, 1 / h);
      [w, h] = [w * fit, h * fit];
      const center = [(left + right) / 2, (top + bottom) / 2];
      if (sideX < 0) {
        left = right - w;
      } else if (sideX > 0) {
        right = left + w;
      } else {
        [left, right] = [center[0] - w / 2, center[0] + w / 2];
      }
      if (sideY < 0) {
        top = bottom - h;
      } else if (sideY > 0) {
        bottom = top + h;
      } else {
        [top, bottom] = [center[1] - h / 2, center[1] + h / 2];
      }
      if (left < -1e-9 || top < -1e-9 || right > 1 + 1e-9 || bottom > 1 + 1e-9) {
        if (sideX && sideY) return;
      }
    }
    set({ x: left, y: top, w: right - left, h: bottom - top });
  }

  /** @param {KeyboardEvent} event */
  function areaKeys(event) {
    const step =
      { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!step || event.target !== area) return;
    event.preventDefault();
    event.stopPropagation();
    const size = event.shiftKey ? 10 : 1;
    const old = rectangle();
    set({
      ...old, x: old.x + (step[0] * size) / stage.full[0],
      y: old.y + (step[1] * size) / stage.full[1],
    });
  }

  /** @param {PointerEvent} event */
  function dragArea(event) {
    if (event.target !== area || event.button) return;
    event.preventDefault();
    event.stopPropagation();
    area.setPointerCapture(event.pointerId);
    draft.beginGesture();
    const [from, old] = [[event.clientX, event.clientY], rectangle()];
    /** @param {PointerEvent} next */
    const move = (next) => set({
      ...old, x: old.x + (next.clientX - from[0]) / stage.size[0],
      y: old.y + (next.clientY - from[1]) / stage.size[1],
    });
    area.addEventListener('pointermove', move);
    area.addEventListener('lostpointercapture',
      () => { area.removeEventListener('pointermove', move); draft.endGesture(); }, { once: true });
  }

  return {
    bar,
    graph: (graph) => before(editor, panel.nodeId, graph),
    layOut() {
      const { x, y, w, h } = rectangle();
      for (const [name, value] of Object.entries({ left: x, top: y, width: w, height: h })) {
        area.style.setProperty(name, `${value * 100}%`);
      }
      const [width, height] = stage.full ?? [0, 0];
      const size = `${Math.round(w * width)} × ${Math.round(h * height)} px`;
      numbers.textContent = size;
      for (const [made, sideX, sideY] of handles) {
        made.put((sideX + 1) / 2,
          (sideY + 1) / 2, size,
          sideX ? (sideX < 0 ? x : x + w) * 100 : (sideY < 0 ? y : y + h) * 100);
      }
    },
    stop() { handles = []; },
  };
}
