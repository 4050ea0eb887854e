// SPDX-License-Identifier: Apache-2.0
import { el, svg } from '../dom.js';
import { handle } from './handles.js';
import { projected } from './projection.js';

/** @typedef {import('./retouchSearch.js').Place} Place */

/** The least distance of the handle of a radius from the center, so that both can be pressed. */
const apart = matchMedia('(pointer: coarse)').matches ? 46 : 26;

/**
 * The points of a circle of the image in what is shown, in fractions.
 * @param {Place} place
 * @param {Point} center
 * @param {number} radius a fraction of the longer side
 * @returns {Point[]}
 */
export function circle({ size, toView }, [x, y], radius) {
  const reach = radius * Math.max(...size);
  return Array.from({ length: 48 }, (_, index) => {
    const angle = (index * Math.PI) / 24;
    return projected(toView, [
      x + (reach * Math.cos(angle)) / size[0], y + (reach * Math.sin(angle)) / size[1],
    ]);
  });
}

/**
 * The handle of a radius: its direction from the center and its place, in points of the screen. It
 * is opposite of the source, and never so near that it covers the center.
 * @param {number[]} center
 * @param {number[] | null} source
 * @param {number} radius
 */
export function radiusHandle(center, source, radius) {
  const away = source ? [center[0] - source[0], center[1] - source[1]] : [1, 0];
  const length = Math.hypot(...away);
  const direction = length ? away.map((value) => value / length) : [1, 0];
  const distance = Math.max(radius, apart);
  return {
    direction, point: center.map((value, axis) => value + direction[axis] * distance),
  };
}

/**
 * What is drawn over the photo: circles, and the handles of the spots with their names.
 * @param {import('./stage.js').Stage} stage
 * @param {Pick<Parameters<typeof handle>[1], 'begin' | 'end'> & {
 *   words: import('./retouchWords.js').RetouchWords, select: (index: number) => void,
 *   move: (part: 'center' | 'source' | 'radius' | 'next', dx: number, dy: number) => void,
 * }} actions
 */
export function retouchMarks(stage, { words, select, move, begin, end }) {
  const quiet = svg('path', { class: 'spot-outline' });
  const strong = svg('path', { class: 'spot-outline', 'data-selected': 'true' });
  const aim = svg('path', { class: 'spot-aim' });
  const lines = svg(
    'svg', { class: 'perspective-board', 'aria-hidden': 'true' }, quiet, strong, aim);
  const board = el('div', { class: 'spot-board', 'aria-hidden': 'true' });
  /**
   * @param {string} name
   * @param {string} className
   * @param {'center' | 'source' | 'radius' | 'next'} part
   */
  const made = (name, className, part) => handle(stage, {
    name, className, begin, end, move: (dx, dy) => move(part, dx, dy),
  });
  const next = made(words.next, 'spot-next', 'next');
  const source = made('', 'spot-source', 'source');
  const radius = made('', 'spot-radius', 'radius');
  source.element.hidden = radius.element.hidden = true;
  const element = el('div', { class: 'retouch' }, lines, board, next.element);
  /** @type {ReturnType<typeof made>[]} */
  const centers = [];

  /** @param {number} count */
  function setCount(count) {
    while (centers.length > count) {
      const last = centers.pop();
      last.element.remove();
    }
    while (centers.length < count) {
      const index = centers.length;
      const added = made(words.disc(index + 1), 'spot-center', 'center');
      added.element.addEventListener('focus', () => select(index));
      centers.push(added);
      element.append(added.element);
    }
  }

  return {
    element, board, next, source, radius, centers,
    /**
     * @param {{ view: Point, circle: Point[], text: string, source?: Point,
     *   sourceCircle?: Point[] }[]} spots in fractions of what is shown
     * @param {number} selected
     */
    show(spots, selected) {
      setCount(spots.length);
      const own = spots[selected];
      quiet.setAttribute('d', spots.filter((spot) => spot !== own)
        .map((spot) => path(spot.circle, stage.size)).join(''));
      strong.setAttribute('d', own ? selectedPath(own, stage.size) : '');
      for (const [index, spot] of spots.entries()) {
        const { element: center } = centers[index];
        centers[index].put(...spot.view, spot.text);
        center.dataset.selected = String(index === selected);
        // One that the crop leaves out cannot be seen.
        center.hidden = spot.view.some((value) => value < 0 || value > 1) && index !== selected;
      }
      source.element.hidden = !own || !words.source;
      radius.element.hidden = !own;
      if (!own) return;
      source.element.setAttribute('aria-label', words.source?.(selected + 1) ?? '');
      radius.element.setAttribute('aria-label', words.size(selected + 1));
      const { element: center } = centers[selected];
      if (center.nextElementSibling !== source.element) {
        center.after(source.element, radius.element);
      }
    },
    /** @param {Point[] | null} points of the circle around the pointer */
    showAim(points) { aim.setAttribute('d', points ? path(points, stage.size) : ''); },
  };
}

/**
 * @param {Point[]} points
 * @param {number[]} size
 */
const path = (points, [width, height]) => `M${points.map(([x, y]) =>
  `${(x * width).toFixed(1)} ${(y * height).toFixed(1)}`).join('L')}Z`;

/**
 * A spot with its source and the way between the two, from rim to rim.
 * @param {{ view: Point, circle: Point[], source?: Point, sourceCircle?: Point[] }} spot
 * @param {number[]} size
 */
function selectedPath(spot, size) {
  if (!spot.source) return path(spot.circle, size);
  const [a, b] = [spot.view, spot.source].map((point) =>
    point.map((value, axis) => value * size[axis]));
  const rim = spot.circle[0].map((value, axis) => value * size[axis]);
  const [radius, length] = [
    Math.hypot(rim[0] - a[0], rim[1] - a[1]), Math.hypot(b[0] - a[0], b[1] - a[1])];
  const share = length > 2 * radius ? radius / length : 0.5;
  const between = [share, 1 - share].map((part) =>
    a.map((value, axis) => (value + part * (b[axis] - value)).toFixed(1)).join(' '));
  return `${path(spot.circle, size)}${path(spot.sourceCircle, size)}M${between.join('L')}`;
}
