// SPDX-License-Identifier: Apache-2.0
import { button, el } from '../dom.js';
import { t } from '../language.js';
import { message, report } from '../messages.js';
import { around, averageLight, balanceOf, inputOf, radius } from './grayPoint.js';
import { handle } from './handles.js';
import { sampled } from './sampling.js';
import { scaleOf } from './scale.js';
import { format } from './schema.js';

/**
 * The pipette of the white balance: a click, or Enter at the ring that the arrow keys move, makes
 * what is below gray.
 * @param {import('./editor.js').Editor} editor
 * @param {import('./tools.js').Target} target
 * @returns {Tool}
 */
export function makeTool(editor, target) {
  const { stage, schema, draft } = editor;
  let place = [0.5, 0.5];
  let isMeasuring = false;
  let isEnded = false;
  const ring = handle(stage, {
    name: t('pipette.ring'), className: 'gray-ring',
    move(dx, dy) {
      // A key moves by half of the disc; a pointer is followed by the board.
      const step = Math.max(1, (radius / 2) * Math.max(...stage.full));
      put(place[0] + dx * step, place[1] + dy * step);
    },
  });
  ring.element.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    event.stopPropagation();
    pick();
  });
  /** @type {HTMLElement} */
  const board = el('div', {
    class: 'gray-board', 'aria-hidden': 'true',
    on: { pointerdown: press, pointermove: follow, pointerup: release },
  });
  const note = el('span', { class: 'caption', role: 'status' }, t('pipette.help'));
  stage.handles.append(board, ring.element);

  /**
   * @param {number} x
   * @param {number} y
   */
  function put(x, y) {
    place = [x, y].map((value) => Math.min(1, Math.max(0, value)));
    const [width, height] = stage.full ?? [0, 0];
    ring.put(
      place[0], place[1], `${Math.round(place[0] * width)}, ${Math.round(place[1] * height)} px`);
  }

  /** @param {PointerEvent} event */
  function follow(event) {
    const box = board.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    put(x, y);
    return [x, y].every((value) => value >= 0 && value <= 1);
  }

  /** @param {PointerEvent} event */
  function press(event) {
    if (event.button) return;
    event.preventDefault();
    event.stopPropagation();
    board.setPointerCapture(event.pointerId);
    follow(event);
  }

  /** @param {PointerEvent} event */
  function release(event) {
    if (board.hasPointerCapture(event.pointerId) && follow(event)) pick();
  }

  /** The average light below the ring in the image that the white balance gets. */
  async function measured() {
    const { full } = stage;
    const part = around(place[0], place[1], full);
    const input = inputOf(schema, draft.graph, target.nodeId ?? draft.placeOf(target.filter));
    const image = await sampled(editor, input, part, [part.w * full[0], part.h * full[1]]);
    const { width, height } = image;
    return averageLight(
      image, ((place[0] - part.x) / part.w) * width, ((place[1] - part.y) / part.h) * height,
      radius * Math.max(...full) * (width / (part.w * full[0])));
  }

  /**
   * A value as its slider shows it.
   * @param {string} name
   * @param {number} value
   */
  function text(name, value) {
    const parameter = target.filter.parameters.find((item) => item.name === name);
    const scale = scaleOf(target.filter, parameter);
    return format(scale?.shown(value) ?? value, scale?.parameter ?? parameter);
  }

  async function pick() {
    if (isMeasuring) return;
    isMeasuring = true;
    try {
      const values = balanceOf(await measured(), stage.colorSpace);
      if (isEnded) return;
      if (!values) {
        note.textContent = t('pipette.clipped');
      } else {
        target.setAll({ ...values, targetTemperature: 6500, targetTint: 0 });
        message(t('pipette.done', {
          temperature: text('temperature', values.temperature), tint: text('tint', values.tint),
        }));
        editor.tools.use(null);
      }
    } catch (problem) {
      if (!isEnded) report(problem);
    }
    isMeasuring = false;
  }

  return {
    bar: el('div', {}, note,
      button(t('cancel'), () => editor.tools.use(null), { kind: 'plain small' })),
    focus: ring.element,
    layOut() { put(place[0], place[1]); },
    stop() { isEnded = true; },
  };
}
