// SPDX-License-Identifier: Apache-2.0
import { button, el, iconButton, replace, svg, valueOf } from '../dom.js';
import { t } from '../language.js';
import { channelOf, heightOf, levelsBefore, topOf } from './levels.js';
import { format, parse } from './schema.js';
import { slopesOf } from './spline.js';

const side = 256;

/**
 * A curve with points on it, and a table of the points as its keyboard equivalent.
 * @param {Filter} filter
 * @param {Parameter} parameter
 * @param {Edit} edit
 * @returns {Control}
 */
export function curveControl(filter, parameter, edit) {
  const id = `${edit.prefix}-${parameter.name}`;
  /** @type {number[][]} */
  let points = structuredClone(parameter.default);
  const line = svg('path', { class: 'curve-line' });
  const histogram = svg('path', { class: 'curve-levels' });
  const dots = svg('g');
  const grid = svg('path', {
    class: 'curve-grid',
    d: 'M64 0v256M128 0v256M192 0v256M0 64h256M0 128h256M0 192h256M0 256 256 0',
  });
  /** @type {SVGSVGElement} */
  const board = svg('svg', {
    class: 'curve', viewBox: `-6 -6 ${side + 12} ${side + 12}`, role: 'group',
    'aria-label': t('adjust.curve'),
    on: { pointerdown: press, dblclick: removeAt },
  }, histogram, grid, line, dots);
  const table = el('div', { class: 'points' });

  /** @param {MouseEvent} event */
  function at(event) {
    const box = board.getBoundingClientRect();
    const scale = (side + 12) / box.width;
    /** @param {number} value */
    const clamp = (value) => Math.min(1, Math.max(0, Math.round(value * 1000) / 1000));
    return [
      clamp(((event.clientX - box.left) * scale - 6) / side),
      clamp(1 - ((event.clientY - box.top) * scale - 6) / side),
    ];
  }

  /** @param {number[]} point */
  const nearest = (point) => points.findIndex(([x, y]) =>
    Math.hypot(x - point[0], y - point[1]) < 0.06);

  /**
   * @param {number[][]} next
   * @param {number} time
   */
  function store(next, time) {
    edit.set(parameter.name, next.toSorted((a, b) => a[0] - b[0]), time);
  }

  /** @param {PointerEvent} event */
  function press(event) {
    if (event.button) return;
    const point = at(event);
    let index = nearest(point);
    edit.begin();
    if (index < 0) {
      index = points.filter(([x]) => x < point[0]).length;
      store(points.toSpliced(index, 0, point), event.timeStamp);
    }
    board.setPointerCapture(event.pointerId);
    /** @param {PointerEvent} moved */
    const move = (moved) => {
      const next = at(moved);
      // A point stays between its neighbors.
      const [left, right] = [points[index - 1]?.[0] ?? -1, points[index + 1]?.[0] ?? 2];
      next[0] = Math.min(right - 0.004, Math.max(left + 0.004, next[0]));
      store(
        points.with(index, next.map((value) => Math.min(1, Math.max(0, value)))), moved.timeStamp);
    };
    board.addEventListener('pointermove', move);
    board.addEventListener('lostpointercapture',
      () => { board.removeEventListener('pointermove', move); edit.end(); }, { once: true });
  }

  /** @param {MouseEvent} event */
  function removeAt(event) {
    const index = nearest(at(event));
    if (index > 0 && index < points.length - 1) store(points.toSpliced(index, 1), event.timeStamp);
  }

  /**
   * @param {number[]} point
   * @param {number} index
   */
  function row([x, y], index) {
    /**
     * @param {number} axis
     * @param {'control.input' | 'control.output'} key
     * @param {number} value
     */
    const field = (axis, key, value) => el('input', {
      class: 'field number', type: 'text', inputmode: 'decimal',
      'aria-label': t(key, { number: index + 1 }), value: format(value, null),
      data: { key: parameter.name, index, axis },
      on: {
        change: (event) => {
          const number = parse(valueOf(event));
          if (!Number.isNaN(number)) {
            store(
              points.with(index, points[index].with(axis, Math.min(1, Math.max(0, number)))),
              event.timeStamp);
          }
        },
        keydown: (event) => {
          const step = { ArrowUp: 0.01, ArrowDown: -0.01 }[event.key];
          if (!step) return;
          event.preventDefault();
          const number = Math.min(
            1, Math.max(0, Math.round((points[index][axis] + step) * 1000) / 1000));
          store(points.with(index, points[index].with(axis, number)), event.timeStamp);
        },
      },
    });
    const isEnd = index === 0 || index === points.length - 1;
    return el('div', { class: 'point' },
      field(0, 'control.input', x),
      el('span', { class: 'unit', 'aria-hidden': 'true' }, '→'),
      field(1, 'control.output', y),
      iconButton('close',
        t('control.removePoint', { number: index + 1 }),
        (event) => store(points.toSpliced(index, 1), event.timeStamp),
        { disabled: isEnd }));
  }

  /** @param {Event} event */
  function add(event) {
    const gaps = points.slice(1).map(([x], index) => x - points[index][0]);
    const index = gaps.indexOf(Math.max(...gaps)) + 1;
    const [a, b] = [points[index - 1], points[index]];
    store(
      points.toSpliced(
        index, 0, [0, 1].map((axis) => Math.round((a[axis] + b[axis]) * 500) / 1000)),
      event.timeStamp);
  }

  /** @param {number[][]} next */
  function show(next) {
    points = next ?? structuredClone(parameter.default);
    line.setAttribute('d', path(points));
    replace(dots, points.map(([x, y]) => svg('circle', {
      class: 'curve-point', cx: x * side, cy: (1 - y) * side, r: 4.5,
    })));
    const inputs = table.querySelectorAll('input');
    if (inputs.length === points.length * 2) {
      for (const [index, input] of [...inputs].entries()) {
        const value = points[Math.floor(index / 2)][index % 2];
        if (parse(input.value) !== value) input.value = format(value, null);
      }
    } else {
      replace(
        table, points.map(row),
        button(t('control.addPoint'), add, { kind: 'plain small', symbol: 'plus' }));
    }
  }

  /**
   * Shows the levels of the image behind the curve as they are without it, so that a level is
   * above what the curve makes of it, and stays there while the curve is changed. They are computed
   * from those of the result; the curve alone is taken back.
   * @param {Statistics['levels']} levels
   * @param {Value} channel
   * @param {number[][]} [made] the points of the curve in the result
   */
  function showLevels(levels, channel, made = [[0, 0], [1, 1]]) {
    const list = levelsBefore(channelOf(levels, channel), made);
    const top = topOf([list]);
    board.dataset.channel = String(channel);
    histogram.setAttribute('d', `M0 ${side}${list.map((count, level) =>
      `L${((level / 255) * side).toFixed(1)} ${((1 - heightOf(count, top)) * side).toFixed(1)}`)
      .join('')}L${side} ${side}Z`);
  }

  const element = el('div', { class: 'control stacked', data: { parameter: parameter.name } },
    board,
    el('details', { class: 'more' }, el('summary', {}, t('control.points')), table),
    el('span', { class: 'visually-hidden', id: `${id}-about` }, parameter.summary));
  show(points);
  return { element, show, showLevels };
}

/**
 * A drawing of the curve.
 * @param {number[][]} points
 */
function path(points) {
  const sorted = points.toSorted((a, b) => a[0] - b[0]);
  /** @param {number[]} point */
  const coordinates = ([x, y]) => `${(x * side).toFixed(1)} ${((1 - y) * side).toFixed(1)}`;
  const tangents = slopesOf(sorted);
  let text = `M0 ${((1 - sorted[0][1]) * side).toFixed(1)}L${coordinates(sorted[0])}`;
  for (let index = 1; index < sorted.length; index += 1) {
    const [[x0, y0], [x1, y1]] = [sorted[index - 1], sorted[index]];
    const third = (x1 - x0) / 3;
    const points = [
      [x0 + third, y0 + tangents[index - 1] * third],
      [x1 - third, y1 - tangents[index] * third],
      [x1, y1],
    ];
    text += `C${points.map(coordinates).join(' ')}`;
  }
  return `${text}L${side} ${((1 - sorted.at(-1)[1]) * side).toFixed(1)}`;
}
