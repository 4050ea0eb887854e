// SPDX-License-Identifier: Apache-2.0
import { el, svg } from '../dom.js';
import { keysText, t } from '../language.js';
import { handle } from './handles.js';
import { circle } from './retouchMarks.js';
import { projected } from './projection.js';

/** @typedef {import('./retouchSearch.js').Place} Place */

/** The least radius of a circle that shows where the pointer is, in points of the screen. */
const visible = 4;

/**
 * What a brush has over the photo: the area that it paints on, the circle of the brush, a trace of
 * what is painted until the photo shows it, and a handle for keys.
 * @param {import('./stage.js').Stage} stage
 * @param {(dx: number, dy: number) => void} move by keys, by fractions of the photo
 */
export function brushMarks(stage, move) {
  const trace = svg('path', { class: 'brush-trace' });
  const aim = svg('path', { class: 'spot-aim brush-aim' });
  const core = svg('path', { class: 'spot-aim' });
  const board = el('div', {
    class: 'spot-board brush-board', 'aria-hidden': 'true', data: { paints: 'true' },
  });
  const help = el('span', { class: 'visually-hidden', id: 'brush-help' }, t('brush.keys', {
    space: keysText('Space'), enter: keysText('Enter'), erase: 'X',
  }));
  const cursor = handle(stage, { name: t('brush.brush'), className: 'spot-next', move });
  cursor.element.setAttribute('aria-describedby', help.id);
  const element = el('div', { class: 'retouch' },
    svg('svg', { class: 'perspective-board', 'aria-hidden': 'true' }, trace, aim, core),
    board, cursor.element, help);
  /** @param {Point} view */
  const onScreen = (view) => view.map((value, axis) => value * stage.size[axis]);
  /** @param {Point[]} points in fractions of what is shown */
  const path = (points) => `M${points.map((point) =>
    onScreen(point).map((value) => value.toFixed(1)).join(' ')).join('L')}`;

  return {
    element, board, cursor,
    /**
     * Shows the brush at a point of what is shown, or nowhere.
     * @param {Point | null} view
     * @param {Place} place
     * @param {{ radius: number, hardness: number }} brush
     * @param {boolean} isErasing
     */
    showAim(view, place, { radius, hardness }, isErasing) {
      board.dataset.small = 'false';
      if (!view) {
        for (const line of [aim, core]) line.setAttribute('d', '');
        return;
      }
      const center = projected(place.toImage, view);
      const rim = circle(place, center, radius);
      const [x, y] = onScreen(view);
      // A minus or a plus in the center says whether it erases or paints.
      const sign = `M${x - 3} ${y}h6${isErasing ? '' : `M${x} ${y - 3}v6`}`;
      const [across, down] = onScreen(rim[0]);
      const isSmall = Math.hypot(across - x, down - y) < visible;
      board.dataset.small = String(isSmall);
      aim.setAttribute('d', `${path(rim)}Z${isSmall ? '' : sign}`);
      core.setAttribute('d', hardness > 0.02 && hardness < 0.98 && !isSmall
        ? `${path(circle(place, center, radius * hardness))}Z`
        : '');
    },
    /**
     * @param {Point[]} points of what is shown
     * @param {Place} place
     * @param {Omit<Stroke, 'points'>} brush
     */
    showTrace(points, place, { radius, flow, erase = false }) {
      const last = points.at(-1);
      if (!last) { trace.setAttribute('d', ''); return; }
      const [x, y] = onScreen(last);
      const [across, down] = onScreen(
        circle(place, projected(place.toImage, last), radius)[0]);
      trace.setAttribute('d', `${path(points)}h0.01`);
      trace.style.setProperty('stroke-width', String(2 * Math.hypot(across - x, down - y)));
      trace.style.setProperty('opacity', String(0.35 * flow));
      trace.dataset.erases = String(erase);
    },
  };
}
