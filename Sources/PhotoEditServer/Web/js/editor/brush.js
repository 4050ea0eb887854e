// SPDX-License-Identifier: Apache-2.0
// The strokes of a brush mask. Points are in fractions of the image that the mask is for, a radius
// is a fraction of its longer side.

/** What a mask can have, in all of its strokes. */
export const most = { strokes: 512, points: 20000 };

/** The radii of brushes, as fractions of the longer side. */
export const radii = { least: 0.001, most: 0.5 };

/** How far a stored stroke can be from the one that was painted, as a fraction of that side. */
const tolerance = 5e-4;

/** How many points are simplified at once: what is sent while a stroke goes on stays short. */
const part = 512;

/** @param {Stroke[]} strokes */
export const pointCount = (strokes) =>
  strokes.reduce((sum, { points }) => sum + points.length, 0);

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 * @param {number} scale
 */
const rounded = (value, low, high, scale) =>
  Math.round(Math.min(high, Math.max(low, value)) * scale) / scale;

/**
 * The distance of a point from a line between two others.
 * @param {number[]} point
 * @param {number[]} start
 * @param {number[]} end
 */
function distance(point, start, end) {
  const along = end.map((value, axis) => value - start[axis]);
  const away = point.map((value, axis) => value - start[axis]);
  /**
   * @param {number[]} a
   * @param {number[]} b
   */
  const dot = (a, b) => a.reduce((sum, value, axis) => sum + value * b[axis], 0);
  const length = dot(along, along);
  const share = length ? Math.min(1, Math.max(0, dot(away, along) / length)) : 0;
  return Math.hypot(...away.map((value, axis) => value - share * along[axis]));
}

/**
 * The indexes of the points that a line needs, by Douglas and Peucker.
 * @param {number[][]} points
 */
export function neededPoints(points) {
  const kept = new Set([0, points.length - 1]);
  const spans = [[0, points.length - 1]];
  while (spans.length) {
    const [start, end] = spans.pop();
    let [farthest, most] = [0, tolerance];
    for (let index = start + 1; index < end; index += 1) {
      const away = distance(points[index], points[start], points[end]);
      if (away > most) [farthest, most] = [index, away];
    }
    if (!farthest) continue;
    kept.add(farthest);
    spans.push([start, farthest], [farthest, end]);
  }
  return [...kept].sort((a, b) => a - b);
}

/** A stroke while it is painted. */
export class Painting {
  /**
   * @param {Omit<Stroke, 'points'>} brush
   * @param {number[]} size of the image
   * @param {number} space how many points it can have
   */
  constructor({ radius, hardness, flow, erase }, size, space) {
    /** @type {Omit<Stroke, 'points'>} */
    this.brush = {
      radius: Number(radius.toPrecision(4)), hardness, flow, ...(erase && { erase }),
    };
    this.scales = size.map((side) => side / Math.max(...size));
    this.space = space;
    /** @type {number[][]} the points that stay */
    this.done = [];
    /** @type {number[][]} those after them, which are not simplified yet */
    this.fresh = [];
  }

  /** @returns {Stroke} */
  get stroke() { return { ...this.brush, points: [...this.done, ...this.fresh] }; }
  get count() { return this.done.length + this.fresh.length; }

  /**
   * Adds a point; false if there is no space for more.
   * @param {Point} point
   * @param {number} [pressure]
   */
  add([x, y], pressure = 1) {
    const force = rounded(pressure, 0, 1, 100);
    const added = [
      rounded(x, -1, 2, 1e4), rounded(y, -1, 2, 1e4), ...(force === 1 ? [] : [force])];
    if (String(added) === String(this.fresh.at(-1))) return true;
    if (this.fresh.length >= part || this.count >= this.space) this.simplify();
    if (this.count >= this.space) return false;
    this.fresh.push(added);
    return true;
  }

  simplify() {
    // The pressure counts by what it changes of the radius.
    const positions = this.fresh.map(([x, y, pressure = 1]) =>
      [x * this.scales[0], y * this.scales[1], pressure * this.brush.radius]);
    const needed = neededPoints(positions).map((index) => this.fresh[index]);
    this.fresh = needed.splice(-1);
    this.done.push(...needed);
  }

  /** The stroke as it is stored. */
  finished() {
    this.simplify();
    return this.stroke;
  }
}
