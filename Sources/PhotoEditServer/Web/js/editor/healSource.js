// SPDX-License-Identifier: Apache-2.0
// What the retouching tools look for in the pixels around a click: the part of a photo that can
// replace a spot, and the red of a pupil. Positions and distances are in pixels of the image, which
// has four samples per pixel.

/** @typedef {{ data: ArrayLike<number>, width: number, height: number }} Pixels */

const angles = Array.from({ length: 16 }, (_, index) => (index * Math.PI) / 8);
/** The distances of a source from its spot, in radii: the two do not touch. */
const distances = [2.4, 3.2, 4];
/** The farthest that a source is from its spot with its rim, in radii. */
export const reach = 5.4;

/**
 * The color of the pixel at a position.
 * @param {Pixels} image
 * @param {number} x
 * @param {number} y
 */
function colorAt({ data, width, height }, x, y) {
  const column = Math.min(width - 1, Math.max(0, Math.floor(x)));
  const row = Math.min(height - 1, Math.max(0, Math.floor(y)));
  const index = 4 * (row * width + column);
  return [data[index], data[index + 1], data[index + 2]];
}

/**
 * The colors on circles around a center.
 * @param {Pixels} image
 * @param {Point} center
 * @param {number[]} radii
 */
const circles = (image, [x, y], radii) => radii.flatMap((radius) => angles.map((angle) =>
  colorAt(image, x + radius * Math.cos(angle), y + radius * Math.sin(angle))));

/** @param {number[][]} colors */
const mean = (colors) => [0, 1, 2].map((channel) =>
  colors.reduce((sum, color) => sum + color[channel], 0) / colors.length);

/**
 * The mean squared distance of colors from a color.
 * @param {number[][]} colors
 * @param {number[]} from
 */
const spread = (colors, from) => colors.reduce((sum, color) =>
  sum + color.reduce((square, value, channel) => square + (value - from[channel]) ** 2, 0), 0)
  / colors.length;

/**
 * The center of what can replace a spot: its rim is like that of the spot, and nothing stands out
 * in it. Without space around the spot, it is on the side where there is the most.
 * @param {Pixels} image
 * @param {Point} center of the spot
 * @param {number} radius
 * @param {boolean} isSeamless whether brightness and color are adapted, so that they count less
 * @returns {Point}
 */
export function sourceFor(image, center, radius, isSeamless) {
  const rim = circles(image, center, [1.15 * radius, 1.3 * radius]);
  const own = spread(rim, mean(rim));
  const margin = Math.min(1.3 * radius, radius + 2);
  /** @type {{ place: Point, cost: number } | null} */
  let best = null;
  for (const distance of distances) {
    for (const angle of angles) {
      const [x, y] = [
        center[0] + distance * radius * Math.cos(angle),
        center[1] + distance * radius * Math.sin(angle),
      ];
      if (x < margin || y < margin || x > image.width - margin || y > image.height - margin) {
        continue;
      }
      const other = circles(image, [x, y], [1.15 * radius, 1.3 * radius]);
      const change = other.map((color, index) =>
        color.map((value, channel) => value - rim[index][channel]));
      const shift = mean(change);
      const offset = shift.reduce((sum, value) => sum + value ** 2, 0);
      const inside = circles(image, [x, y], [0.3 * radius, 0.6 * radius, 0.9 * radius]);
      const cost = spread(change, shift) + (isSeamless ? 0.1 : 1) * offset
        + Math.max(0, spread(inside, mean(other)) - own) + 4 * distance;
      if (!best || cost < best.cost) best = { place: [x, y], cost };
    }
  }
  return best?.place ?? nextTo(center, radius, [image.width, image.height]);
}

/**
 * The source of a spot on the side on which there is the most space.
 * @param {Point} center
 * @param {number} radius
 * @param {number[]} size of the image
 * @returns {Point}
 */
export function nextTo([x, y], radius, [width, height]) {
  const step = 2.4 * radius;
  /** @type {[space: number, place: Point][]} */
  const sides = [
    [width - x, [Math.min(width, x + step), y]], [x, [Math.max(0, x - step), y]],
    [height - y, [x, Math.min(height, y + step)]], [y, [x, Math.max(0, y - step)]],
  ];
  return sides.sort(([a], [b]) => b - a)[0][1];
}

/**
 * How much a color is the red of a flash in an eye.
 * @param {Pixels} image
 * @param {number} column
 * @param {number} row
 */
function redness(image, column, row) {
  const [red, green, blue] = colorAt(image, column, row);
  return red - 1.2 * Math.max(green, blue);
}

/**
 * The disc of a pupil at or near a click; null if nothing there is red, or all of it is.
 * @param {Pixels} image
 * @param {Point} click
 * @param {number} near how far from the click the pupil may be
 * @returns {{ center: Point, radius: number } | null}
 */
export function pupilAt(image, [x, y], near) {
  const { width, height } = image;
  let [first, most] = [-1, 40];
  for (let row = Math.max(0, Math.floor(y - near)); row < Math.min(height, y + near); row += 1) {
    for (let column = Math.max(0, Math.floor(x - near)); column < Math.min(width, x + near);
      column += 1) {
      const red = redness(image, column, row);
      if (red > most && Math.hypot(column + 0.5 - x, row + 0.5 - y) <= near) {
        [first, most] = [row * width + column, red];
      }
    }
  }
  if (first < 0) return null;
  const found = new Set([first]);
  let [left, top] = [0, 0];
  // What is added to a set while it is walked through is walked through as well.
  for (const index of found) {
    const [column, row] = [index % width, Math.floor(index / width)];
    // Red that reaches the border is not that of a pupil.
    if (!column || !row || column === width - 1 || row === height - 1) return null;
    left += column + 0.5;
    top += row + 0.5;
    for (const next of [index - 1, index + 1, index - width, index + width]) {
      if (redness(image, next % width, Math.floor(next / width)) > 0.4 * most) found.add(next);
    }
  }
  // A pupil is larger than what is red in it: its edge is soft, and it has a highlight.
  return {
    center: [left / found.size, top / found.size],
    radius: 1.3 * Math.sqrt(found.size / Math.PI) + 1,
  };
}
