// SPDX-License-Identifier: Apache-2.0
// Where the filters that change the geometry move the points of a photo. Points are in fractions of
// the image, and a projection maps those of the image before filters to those after them.

import { axesOf, orientedSize, pixelsOf, straightened } from './cropGeometry.js';

/** @typedef {number[]} Projection nine numbers, row by row */
/** @typedef {import('./cropGeometry.js').Size} Size */
/** @typedef {{ projection: Projection, size: Size }} Effect what a node does to points and size */

/** @type {Projection} */
export const unchanged = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/**
 * @param {Projection} projection
 * @param {Point} point
 * @returns {Point}
 */
export function projected([a, b, c, d, e, f, g, h, i], [x, y]) {
  const w = g * x + h * y + i;
  return [(a * x + b * y + c) / w, (d * x + e * y + f) / w];
}

/**
 * One projection after another.
 * @param {Projection} first
 * @param {Projection} then
 * @returns {Projection}
 */
export function chained(first, then) {
  return [0, 3, 6].flatMap((row) => [0, 1, 2].map((column) =>
    [0, 1, 2].reduce((sum, k) => sum + then[row + k] * first[3 * k + column], 0)));
}

/**
 * The projection back.
 * @param {Projection} projection
 * @returns {Projection}
 */
export function reversed([a, b, c, d, e, f, g, h, i]) {
  // The adjugate: a common factor changes no point.
  return [
    e * i - f * h, c * h - b * i, b * f - c * e,
    f * g - d * i, a * i - c * g, c * d - a * f,
    d * h - e * g, b * g - a * h, a * e - b * d,
  ];
}

/**
 * The projection of the unit square to four corners, clockwise from the top left one.
 * @param {Point[]} corners
 * @returns {Projection}
 */
function toCorners([[x0, y0], [x1, y1], [x2, y2], [x3, y3]]) {
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const [ax, ay, bx, by] = [x1 - x2, y1 - y2, x3 - x2, y3 - y2];
  const area = ax * by - bx * ay;
  const [g, h] = [(sx * by - bx * sy) / area, (ax * sy - sx * ay) / area];
  return [
    x1 - x0 + g * x1, x3 - x0 + h * x3, x0,
    y1 - y0 + g * y1, y3 - y0 + h * y3, y0,
    g, h, 1,
  ];
}

/**
 * A scale and a shift along each axis.
 * @param {Point} scale
 * @param {Point} shift
 * @returns {Projection}
 */
const scaled = ([x, y], [dx, dy]) => [x, 0, dx, 0, y, dy, 0, 0, 1];

/** @param {number} value */
const whole = (value) => Math.max(1, Math.round(value));

/** @type {Record<string, (params: Record<string, Value>, size: Size) => Effect>} */
const effects = {
  crop(params, size) {
    const { x = 0, y = 0, w = 1, h = 1 } = /** @type {Partial<Region>} */ (params);
    const region = params.unit !== 'pixels' ? { x, y, w, h } : {
      x: x / size[0], y: y / size[1], w: w / size[0], h: h / size[1],
    };
    const kept = /** @type {Size} */ (pixelsOf(region, size));
    const start = [region.x * size[0], region.y * size[1]].map(Math.round);
    return {
      projection: scaled(
        [size[0] / kept[0], size[1] / kept[1]], [-start[0] / kept[0], -start[1] / kept[1]]),
      size: kept,
    };
  },

  straighten(params, [width, height]) {
    const angle = Number(params.angle ?? 0);
    if (!angle) return { projection: unchanged, size: [width, height] };
    const fit = String(params.fit ?? 'keepAspect');
    const sides = straightened([width, height], angle, fit);
    const [w, h] = sides.map((side) =>
      Math.max(1, fit === 'expand' ? Math.ceil(side - 1e-9) : Math.floor(side + 1e-9)));
    const radians = (angle * Math.PI) / 180;
    const [s, c] = [Math.sin(radians), Math.cos(radians)];
    const [a, b, d, e] = [(c * width) / w, (-s * height) / w, (s * width) / h, (c * height) / h];
    return {
      projection: [a, b, 0.5 - (a + b) / 2, d, e, 0.5 - (d + e) / 2, 0, 0, 1], size: [w, h],
    };
  },

  perspective(params, size) {
    const corners = Object.entries({ tl: [0, 0], tr: [1, 0], br: [1, 1], bl: [0, 1] })
      .map(([name, standard]) => /** @type {Point} */ (params[name] ?? standard));
    /**
     * @param {number} from
     * @param {number} to
     */
    const length = (from, to) => Math.hypot(
      (corners[from][0] - corners[to][0]) * size[0], (corners[from][1] - corners[to][1]) * size[1]);
    return {
      projection: reversed(toCorners(corners)),
      size: params.crop === false ? size : [
        whole(Math.max(length(0, 1), length(3, 2))), whole(Math.max(length(0, 3), length(1, 2))),
      ],
    };
  },

  resize(params, [w, h]) {
    const [width, height] = [Number(params.width ?? 0), Number(params.height ?? 0)];
    const scale = Number(params.scale ?? 1);
    return {
      projection: unchanged,
      size: width || height
        ? [width || whole((w * height) / h), height || whole((h * width) / w)]
        : [whole(w * scale), whole(h * scale)],
    };
  },

  pad(params, [w, h]) {
    const [left, top, right, bottom] = ['left', 'top', 'right', 'bottom']
      .map((side) => Number(params[side] ?? 0));
    const [width, height] = [w + left + right, h + top + bottom];
    return {
      projection: scaled([w / width, h / height], [left / width, top / height]),
      size: [width, height],
    };
  },
};

/**
 * What a node does to the points of an image; null if that is not known.
 * @param {GraphNode} node
 * @param {Size} size of the image
 * @returns {Effect | null}
 */
export function effectOf(node, size) {
  if (node.enabled === false) return { projection: unchanged, size };
  const axes = axesOf(node);
  if (axes) {
    const [a, b, c, d] = axes;
    return {
      projection: [a, b, 0.5 - (a + b) / 2, c, d, 0.5 - (c + d) / 2, 0, 0, 1],
      size: orientedSize(size, axes),
    };
  }
  return effects[node.filter]?.(node.params ?? {}, size) ?? null;
}

/**
 * The effect of all nodes of a list that change the geometry; others have none.
 * @param {GraphNode[]} nodes
 * @param {Size} size
 * @param {(node: GraphNode) => boolean} isGeometry
 * @returns {Effect}
 */
export function effectOfAll(nodes, size, isGeometry) {
  return nodes.filter(isGeometry).reduce((sum, node) => {
    const own = effectOf(node, sum.size);
    return own ? { projection: chained(sum.projection, own.projection), size: own.size } : sum;
  }, /** @type {Effect} */ ({ projection: unchanged, size }));
}
