// SPDX-License-Identifier: Apache-2.0
import { button, el, iconButton } from '../dom.js';
import {
  around, axesOf, corners, direction, fitted, followed, inverse, limited, pixelsOf, resized,
  rotated, straightened, oriented, orientedSize, sizeBefore, identity,
} from './cropGeometry.js';
import { measure, t } from '../language.js';
import { ratioChoice } from './cropRatio.js';
import { handle } from './handles.js';
import { leveling } from './leveling.js';

/** @type {[name: string, side: Point][]} */
const sides = [
  [t('crop.topLeft'), [-1, -1]], [t('crop.top'), [0, -1]], [t('crop.topRight'), [1, -1]],
  [t('crop.right'), [1, 0]], [t('crop.bottomRight'), [1, 1]], [t('crop.bottom'), [0, 1]],
  [t('crop.bottomLeft'), [-1, 1]], [t('crop.left'), [-1, 0]],
];
const whole = { x: 0, y: 0, w: 1, h: 1 };

/** @param {Point[]} points in fractions */
const polygon = (points) =>
  `polygon(${points.map((point) => point.map((value) => `${(value * 100).toFixed(3)}%`).join(' '))
    .join()})`;

/**
 * Crop on the photo: the whole photo as it is oriented, a rectangle with eight handles, ratios, a
 * dial and a drawn line to straighten, turns and flips.
 * @param {import('./editor.js').Editor} editor
 * @param {import('./tools.js').Target} target
 * @returns {Tool}
 */
export function makeTool(editor, target) {
  const { stage, draft, schema } = editor;
  const crop = target.filter.name === 'crop' ? target : editor.panels.adjust.adjustment('crop');
  // What is cropped with the tool has the ratio that is chosen in it.
  const wasCropped = Boolean(crop.node) && !schema.hasNoEffect(crop.node);
  /** @type {[width: number, height: number] | null} the photo before it is straightened */
  let photo = null;
  /** The angle and the turns of the picture on the screen. */
  let painted = { angle: 0, axes: identity };

  /** @type {HTMLElement} */
  const area = el('div', {
    class: 'crop-area', role: 'group', tabindex: '0', 'aria-label': t('crop.area'),
    on: { keydown: areaKeys, pointerdown: dragArea },
  });
  const handles = sides.map(([name, side]) => {
    const made = handle(stage, {
      name,
      className: 'crop-handle '
        + (side[0] && side[1] ? 'corner' : side[0] ? 'vertical' : 'horizontal'),
      begin: () => draft.beginGesture(),
      end: () => draft.endGesture(),
      // Keys move by pixels of the picture, which is larger than the part that can be kept.
      move: (dx, dy) => {
        const { share: [x, y], size } = view();
        set(resized(rectangle(), side, [dx / x, dy / y], ratio.target(), size));
      },
    });
    area.append(made.element);
    return { made, side };
  });
  // The part outside is dimmed by a shadow, which ends at the photo; the handles do not.
  const hole = el('div', { class: 'crop-hole' });
  const dimmed = el('div', { class: 'crop-shade', 'aria-hidden': 'true' }, hole);
  stage.handles.append(dimmed, area);

  const ratio = ratioChoice({
    size: () => view().size,
    changed: (target) => { if (target) set(fitted(rectangle(), target)); },
  });
  const level = leveling(editor, { angle: shownAngle, set: setAngle });
  const numbers = el('span', { class: 'numbers caption crop-size', role: 'status' });
  const bar = el('div', { class: 'crop-bar' },
    level.element,
    el('div', {}, ratio.element, numbers,
      el('div', { class: 'pair' },
        iconButton('left', t('crop.turnLeft'), () => editor.rotate(-1)),
        iconButton('right', t('crop.turnRight'), () => editor.rotate(1)),
        iconButton('mirror', t('crop.flipSides'), () => editor.flip('horizontal')),
        iconButton('upend', t('crop.flipEnds'), () => editor.flip('vertical')))),
    el('div', {},
      button(t('crop.whole'), () => set(whole), { kind: 'plain small' }),
      button(t('cancel'), () => editor.tools.cancel(), { kind: 'plain small' }),
      button(t('tool.done'), () => editor.tools.use(null), { kind: 'primary small' })));

  /** What the crop sees of the draft. */
  function seen(graph = draft.graph) {
    const { nodes } = graph;
    const found = nodes.findIndex((node) => node.id === crop.nodeId);
    const next = draft.placeOf(crop.filter);
    const place = found >= 0 ? found : nodes.findIndex((node) => node.id === next);
    const index = place < 0 ? nodes.length : place;
    return {
      index,
      ...around(nodes, index, (node) => schema.filter(node.filter)?.family === 'geometry'),
    };
  }

  /** The straightened photo on the screen: its size in pixels and its share of the picture. */
  function view() {
    const { straighten, between, after } = seen();
    const axes = followed(between, after);
    const full = /** @type {[number, number]} */ (stage.full ?? [1, 1]);
    const before = photo ?? orientedSize(full, inverse(axes));
    const params = straighten?.params ?? {};
    const angle = Number(params.angle ?? 0);
    const kept = straightened(before, angle, String(params.fit ?? 'keepAspect'));
    // The filter keeps whole pixels.
    const pixels = /** @type {[number, number]} */ (
      kept.map((side) => (angle ? Math.floor(side + 1e-6) : side)));
    const shown = straightened(before, painted.angle, 'expand');
    const share = orientedSize([kept[0] / shown[0], kept[1] / shown[1]], axes);
    return { size: orientedSize(pixels, axes), share, axes, after, before };
  }

  /** The rectangle as it is seen, in fractions of what is not cut off by the rotation. */
  function rectangle() {
    const params = /** @type {Partial<Region> & { unit?: string }} */ (crop.node?.params ?? {});
    let { x = 0, y = 0, w = 1, h = 1 } = params;
    const { size, after } = view();
    if (params.unit === 'pixels') {
      const [width, height] = orientedSize(size, after);
      [x, y, w, h] = [x / width, y / height, w / width, h / height];
    }
    return oriented({ x, y, w, h }, after);
  }

  /**
   * @param {Region} part
   * @param {number} [at]
   */
  function set(part, at = performance.now()) {
    const { x, y, w, h } = oriented(limited(part), inverse(seen().after));
    /** @param {number} value */
    const round = (value) => Math.abs(Math.round(value * 1e4) / 1e4);
    crop.setAll({ unit: 'fraction', x: round(x), y: round(y), w: round(w), h: round(h) }, at);
  }

  /** The angle as it is seen: a mirrored photo rotates in the other direction. */
  function shownAngle() {
    const { straighten, between, after } = seen();
    return Number(straighten?.params?.angle ?? 0) * direction(followed(between, after)) + 0;
  }

  /**
   * @param {number} shown
   * @param {number} [at]
   */
  function setAngle(shown, at = performance.now()) {
    const { straighten, between, after } = seen();
    const angle = Math.round(Math.min(45, Math.max(-45, shown)) * 100) / 100
      * direction(followed(between, after)) + 0;
    editor.inputAt = at;
    if (straighten) {
      draft.setValue(straighten.id, 'angle', angle);
    } else if (angle) {
      const filter = schema.filter('straighten');
      draft.add(filter, { ...schema.values(filter), angle },
        { before: crop.nodeId ?? draft.placeOf(filter) });
    }
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
    const [width, height] = view().size;
    set({ ...old, x: old.x + (step[0] * size) / width, y: old.y + (step[1] * size) / height });
  }

  /** @param {PointerEvent} event */
  function dragArea(event) {
    if (event.target !== area || event.button) return;
    event.preventDefault();
    event.stopPropagation();
    area.setPointerCapture(event.pointerId);
    draft.beginGesture();
    const [from, old] = [[event.clientX, event.clientY], rectangle()];
    const [width, height] = view().share.map((share, axis) => share * stage.size[axis]);
    /** @param {PointerEvent} next */
    const move = (next) => set({
      ...old, x: old.x + (next.clientX - from[0]) / width,
      y: old.y + (next.clientY - from[1]) / height,
    });
    area.addEventListener('pointermove', move);
    area.addEventListener('lostpointercapture',
      () => { area.removeEventListener('pointermove', move); draft.endGesture(); }, { once: true });
  }

  /** The rectangle in fractions of the picture. */
  function box() {
    const { x, y, w, h } = rectangle();
    const { share } = view();
    return {
      left: 0.5 + (x - 0.5) * share[0], top: 0.5 + (y - 0.5) * share[1], width: w * share[0],
      height: h * share[1],
    };
  }

  /** Cuts the picture to the photo in it; until the engine's image arrives, the last one turns. */
  function outline() {
    if (!stage.full) return;
    const { axes, before } = view();
    const change = shownAngle() - painted.angle * direction(axes);
    const frame = /** @type {[number, number]} */ (stage.size);
    const shape = corners(before, painted.angle, painted.axes);
    stage.canvas.style.setProperty('clip-path', painted.angle ? polygon(shape) : 'none');
    // What is dark is the photo around the rectangle, also where it turns out of its frame.
    dimmed.style.setProperty(
      'clip-path', polygon(shape.map((point) => rotated(point, change, frame))));
    if (Math.abs(change) < 0.001) stage.canvas.style.removeProperty('transform');
    else stage.canvas.style.setProperty('transform', `rotate(${change}deg)`);
  }

  return {
    bar,
    focus: area,
    addsToPhoto: () => shownAngle() !== 0,
    filters: ['crop', 'straighten', 'rotate90', 'flip'],
    level: () => level.begin(),
    graph(graph) {
      const { index, straighten } = seen(graph);
      return {
        ...graph,
        nodes: graph.nodes.map((node, order) => {
          if (node.id === straighten?.id) {
            return { ...node, params: { ...node.params, fit: 'expand', color: '#000000' } };
          }
          const isAfter = order >= index && !axesOf(node)
            && schema.filter(node.filter)?.family === 'geometry';
          return node.id === crop.nodeId || isAfter ? { ...node, enabled: false } : node;
        }),
      };
    },
    layOut() {
      const { x, y, w, h } = rectangle();
      const { size, after } = view();
      for (const [name, value] of Object.entries(box())) {
        for (const part of [area, hole]) part.style.setProperty(name, `${value * 100}%`);
      }
      const pixels = /** @type {[number, number]} */ (
        pixelsOf(oriented({ x, y, w, h }, inverse(after)), orientedSize(size, after)));
      const text = measure(`${orientedSize(pixels, after).join(' × ')} px`);
      numbers.textContent = text;
      for (const { made, side: [sideX, sideY] } of handles) {
        made.put((sideX + 1) / 2, (sideY + 1) / 2, text,
          sideX ? (sideX < 0 ? x : x + w) * 100 : (sideY < 0 ? y : y + h) * 100);
      }
      level.show();
      outline();
    },
    painted(graph) {
      const { straighten, between, after } = seen(graph);
      const axes = followed(between, after);
      const angle = Number(straighten?.params?.angle ?? 0);
      painted = { angle, axes };
      photo = sizeBefore(
        orientedSize(/** @type {[number, number]} */ (stage.full), inverse(axes)), angle, photo);
      // The crop has a shape when the whole photo is known; an earlier image may be on its way.
      if (wasCropped && graph.nodes.find(({ id }) => id === crop.nodeId)?.enabled === false) {
        const [{ w, h }, [width, height]] = [rectangle(), view().size];
        ratio.recognize(w * width, h * height);
      }
      this.layOut();
    },
    stop() {
      if (!stage.full) return;
      const { axes } = view();
      const change = shownAngle() - painted.angle * direction(axes);
      const frame = /** @type {[number, number]} */ (stage.size);
      const { left, top, width, height } = box();
      /** @type {Point[]} */
      const kept = [[left, top], [left + width, top], [left + width, top + height],
        [left, top + height]];
      stage.canvas.style.setProperty(
        'clip-path', polygon(kept.map((point) => rotated(point, -change, frame))));
    },
  };
}
