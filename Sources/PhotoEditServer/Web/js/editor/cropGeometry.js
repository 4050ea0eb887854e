// SPDX-License-Identifier: Apache-2.0
// The geometry of the crop tool: the turns of the photo, what of it a crop may keep, and changes of
// its rectangle. Rectangles are in fractions; angles are in degrees, clockwise.

/**
 * A turn or a flip, as a matrix.
 * @typedef {[xx: number, xy: number, yx: number, yy: number]} Axes
 */
/** @typedef {[width: number, height: number]} Size */

/** @type {Axes} */
export const identity = [1, 0, 0, 1];
/** The smallest side of a crop. */
export const least = 0.02;

/** @type {Record<number, Axes>} the axes by the orientation of EXIF */
const orientations = {
  2: [-1, 0, 0, 1], 3: [-1, 0, 0, -1], 4: [1, 0, 0, -1], 5: [0, 1, 1, 0], 6: [0, -1, 1, 0],
  7: [0, -1, -1, 0], 8: [0, 1, -1, 0],
};

/**
 * The effect of a node that turns or flips the photo by right angles; null for another one.
 * @param {GraphNode} node
 * @returns {Axes | null}
 */
export function axesOf({ filter, params = {}, enabled }) {
  if (!['rotate90', 'flip', 'orient'].includes(filter)) return null;
  if (enabled === false) return identity;
  if (filter === 'flip') return params.axis === 'vertical' ? [1, 0, 0, -1] : [-1, 0, 0, 1];
  if (filter === 'orient') return orientations[Number(params.exif)] ?? identity;
  const turns = ((Number(params.turns ?? 0) % 4) + 4) % 4;
  return [identity, orientations[6], orientations[3], orientations[8]][turns];
}

/**
 * One turn after another.
 * @param {Axes} first
 * @param {Axes} then
 * @returns {Axes}
 */
export function followed([a, b, c, d], [e, f, g, h]) {
  return [e * a + f * c, e * b + f * d, g * a + h * c, g * b + h * d];
}

/**
 * The turn back.
 * @param {Axes} axes
 * @returns {Axes}
 */
export const inverse = ([a, b, c, d]) => [a, c, b, d];

/**
 * Indicates whether width and height trade places.
 * @param {Axes} axes
 */
export const isSideways = ([xx]) => xx === 0;

/**
 * 1, or −1 if the photo is mirrored, so that a rotation looks like one in the other direction.
 * @param {Axes} axes
 */
export const direction = ([a, b, c, d]) => a * d - b * c;

/**
 * @param {Size} size
 * @param {Axes} axes
 * @returns {Size}
 */
export const orientedSize = ([width, height], axes) =>
  (isSideways(axes) ? [height, width] : [width, height]);

/**
 * The place of a rectangle in the photo after a turn.
 * @param {Region} region
 * @param {Axes} axes
 * @returns {Region}
 */
export function oriented({ x, y, w, h }, axes) {
  const [cx, cy] = [x + w / 2 - 0.5, y + h / 2 - 0.5];
  const [width, height] = orientedSize([w, h], axes);
  return {
    x: axes[0] * cx + axes[1] * cy + 0.5 - width / 2,
    y: axes[2] * cx + axes[3] * cy + 0.5 - height / 2, w: width, h: height,
  };
}

/**
 * What a crop sees of a graph: the node that straightens the photo before it, and the turns between
 * the two and after the crop. Another change of the geometry between them separates them.
 * @param {GraphNode[]} nodes
 * @param {number} index the place of the crop
 * @param {(node: GraphNode) => boolean} isGeometry
 */
export function around(nodes, index, isGeometry) {
  /** @type {GraphNode | null} */
  let straighten = null;
  let [between, after] = [identity, identity];
  for (const node of nodes.slice(0, index).reverse()) {
    const axes = axesOf(node);
    if (axes) { between = followed(axes, between); continue; }
    if (!isGeometry(node) || node.enabled === false) continue;
    if (node.filter === 'straighten' && !node.mask && !node.in) straighten = node;
    break;
  }
  for (const node of nodes.slice(index)) after = followed(after, axesOf(node) ?? identity);
  return { straighten, between: straighten ? between : identity, after };
}

/**
 * The size of a photo that is straightened, as the filter computes it.
 * @param {Size} size
 * @param {number} angle
 * @param {string} fit
 * @returns {Size}
 */
export function straightened([w, h], angle, fit) {
  const [s, c] = [Math.abs(sine(angle)), cosine(angle)];
  if (fit === 'expand') return [w * c + h * s, w * s + h * c];
  if (fit === 'keepAspect') {
    const scale = 1 / (c + s * Math.max(w / h, h / w));
    return [w * scale, h * scale];
  }
  const [long, short] = [Math.max(w, h), Math.min(w, h)];
  if (short <= 2 * s * c * long) {
    return w > h ? [short / 2 / s, short / 2 / c] : [short / 2 / c, short / 2 / s];
  }
  const d = c * c - s * s;
  return [(w * c - h * s) / d, (h * c - w * s) / d];
}

/**
 * The size of the photo of which the whole is shown turned by an angle: the known one if it can be,
 * since whole pixels hide a part of it. Close to 45°, every photo looks like a square.
 * @param {Size} whole
 * @param {number} angle
 * @param {Size | null} known
 * @returns {Size | null}
 */
export function sizeBefore(whole, angle, known = null) {
  const shown = known && straightened(known, angle, 'expand');
  if (shown?.every((side, axis) => Math.abs(whole[axis] - side) < 1)) return known;
  const [s, c] = [Math.abs(sine(angle)), cosine(angle)];
  const d = c * c - s * s;
  if (d < 0.1) return known;
  const [width, height] = whole;
  return [(width * c - height * s) / d, (height * c - width * s) / d];
}

/**
 * The pixels that a crop keeps, as the filter rounds them.
 * @param {Region} region
 * @param {Size} size
 */
export function pixelsOf({ x, y, w, h }, size) {
  return [[x, w], [y, h]].map(([start, length], axis) =>
    Math.max(1, Math.round((start + length) * size[axis]) - Math.round(start * size[axis])));
}

/**
 * The corners of a photo in the picture of the whole of it turned by an angle.
 * @param {Size} size
 * @param {number} angle
 * @param {Axes} axes
 * @returns {Point[]}
 */
export function corners([w, h], angle, axes) {
  const whole = straightened([w, h], angle, 'expand');
  const [s, c] = [sine(angle), cosine(angle)];
  return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([sx, sy]) => {
    const [x, y] = [(sx * w) / 2, (sy * h) / 2];
    const [u, v] = [(x * c - y * s) / whole[0], (x * s + y * c) / whole[1]];
    return [axes[0] * u + axes[1] * v + 0.5, axes[2] * u + axes[3] * v + 0.5];
  });
}

/**
 * A point in fractions of a rectangle, rotated around its center.
 * @param {Point} point
 * @param {number} angle clockwise
 * @param {Size} size that of the rectangle
 * @returns {Point}
 */
export function rotated([u, v], angle, [w, h]) {
  const [x, y] = [(u - 0.5) * w, (v - 0.5) * h];
  const [s, c] = [sine(angle), cosine(angle)];
  return [(x * c - y * s) / w + 0.5, (x * s + y * c) / h + 0.5];
}

/** @param {number} angle */
const sine = (angle) => Math.sin((angle * Math.PI) / 180);
/** @param {number} angle */
const cosine = (angle) => Math.cos((angle * Math.PI) / 180);

/**
 * A rectangle within the whole, at least as large as the smallest crop.
 * @param {Region} region
 * @returns {Region}
 */
export function limited({ x, y, w, h }) {
  [w, h] = [w, h].map((side) => Math.min(1, Math.max(least, side)));
  return { x: Math.min(1 - w, Math.max(0, x)), y: Math.min(1 - h, Math.max(0, y)), w, h };
}

/**
 * The largest part of a rectangle with a ratio, around its center.
 * @param {Region} region
 * @param {number} ratio the width divided by the height, in fractions
 * @returns {Region}
 */
export function fitted({ x, y, w, h }, ratio) {
  const [width, height] = w / h > ratio ? [h * ratio, h] : [w, w / ratio];
  return { x: x + (w - width) / 2, y: y + (h - height) / 2, w: width, h: height };
}

/**
 * Moves a side or a corner of a rectangle; what is opposite stays.
 * @param {Region} old
 * @param {Point} side of the rectangle, −1, 0 or 1 for each axis
 * @param {Point} step
 * @param {number | null} ratio that is kept
 * @param {Size} size of the whole in pixels
 * @returns {Region}
 */
export function resized(old, [sideX, sideY], [dx, dy], ratio, size) {
  if (ratio && sideX && sideY) return movedCorner(old, [sideX, sideY], [dx, dy], ratio, size);
  let [left, top, right, bottom] = [old.x, old.y, old.x + old.w, old.y + old.h];
  if (sideX < 0) left = Math.min(right - least, Math.max(0, left + dx));
  if (sideX > 0) right = Math.max(left + least, Math.min(1, right + dx));
  if (sideY < 0) top = Math.min(bottom - least, Math.max(0, top + dy));
  if (sideY > 0) bottom = Math.max(top + least, Math.min(1, bottom + dy));
  if (!ratio) return { x: left, y: top, w: right - left, h: bottom - top };
  let [w, h] = [right - left, bottom - top];
  if (sideX) h = w / ratio;
  else w = h * ratio;
  const fit = Math.min(1, 1 / w, 1 / h);
  [w, h] = [w * fit, h * fit];
  /**
   * @param {number} side
   * @param {number} low
   * @param {number} high
   * @param {number} length
   */
  const start = (side, low, high, length) =>
    (side < 0 ? high - length : side > 0 ? low : (low + high - length) / 2);
  return limited({ x: start(sideX, left, right, w), y: start(sideY, top, bottom, h), w, h });
}

/**
 * Moves a corner along the diagonal of the ratio, as far as the pointer has moved along it.
 * @param {Region} old
 * @param {Point} side
 * @param {Point} step
 * @param {number} ratio
 * @param {Size} size
 * @returns {Region}
 */
function movedCorner(old, [sideX, sideY], [dx, dy], ratio, [width, height]) {
  // The diagonal in pixels, for a height of 1.
  const slope = (ratio * width) / height;
  const [x, y] = [(old.w + sideX * dx) * width, (old.h + sideY * dy) * height];
  const along = (x * slope + y) / (slope * slope + 1);
  const [spaceX, spaceY] =
    [sideX < 0 ? old.x + old.w : 1 - old.x, sideY < 0 ? old.y + old.h : 1 - old.y];
  const smallest = Math.max(least * height, (least * width) / slope);
  const most = Math.min(spaceY * height, (spaceX * width) / slope);
  const tall = Math.min(most, Math.max(smallest, along));
  const [w, h] = [(tall * slope) / width, tall / height];
  return {
    x: sideX < 0 ? old.x + old.w - w : old.x, y: sideY < 0 ? old.y + old.h - h : old.y, w, h,
  };
}

/**
 * A ratio as people write it: `5:7`, `5 x 7`, `1.85`; null if it is none.
 * @param {string} text
 */
export function parseRatio(text) {
  const [, width, height = '1'] =
    /^\s*(\d+(?:[.,]\d+)?)\s*(?:[:/x×]\s*(\d+(?:[.,]\d+)?))?\s*$/i.exec(text) ?? [];
  const [w, h] = [width, height].map((number) => Number(number?.replace(',', '.')));
  const ratio = w / h;
  return ratio >= 0.05 && ratio <= 20 ? { value: String(ratio), name: `${w} : ${h}` } : null;
}
