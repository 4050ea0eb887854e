// SPDX-License-Identifier: Apache-2.0
// The line of the filter `curve`, as the engine computes it: the piecewise cubic of Fritsch and
// Butland, 1984, which never overshoots its points.

/**
 * The slopes of the line at its points, which have increasing x.
 * @param {number[][]} points
 */
export function slopesOf(points) {
  const steps = points.slice(1).map(([x], index) => Math.max(1e-6, x - points[index][0]));
  const secants = points.slice(1).map(([, y], index) => (y - points[index][1]) / steps[index]);
  if (secants.length < 2) return [secants[0], secants[0]];
  return points.map((_, index) => {
    if (index === 0) return end(steps[0], steps[1], secants[0], secants[1]);
    if (index === secants.length) {
      return end(steps.at(-1), steps.at(-2), secants.at(-1), secants.at(-2));
    }
    const [left, right] = [secants[index - 1], secants[index]];
    if (left * right <= 0) return 0;
    const [one, other] = [2 * steps[index] + steps[index - 1], steps[index] + 2 * steps[index - 1]];
    return (one + other) / (one / left + other / right);
  });
}

/**
 * The slope at an end by the three-point formula, limited so that the line keeps its shape.
 * @param {number} near the width of the first piece, and of the next
 * @param {number} far
 * @param {number} first the slope from point to point in the first piece, and in the next
 * @param {number} next
 */
function end(near, far, first, next) {
  const slope = ((2 * near + far) * first - near * next) / (near + far);
  if (slope * first <= 0) return 0;
  return first * next <= 0 && Math.abs(slope) > Math.abs(3 * first) ? 3 * first : slope;
}

/**
 * The line through points as a function; level outside of them.
 * @param {number[][]} points
 * @returns {(x: number) => number}
 */
export function lineThrough(points) {
  const slopes = slopesOf(points);
  return (x) => {
    if (x <= points[0][0]) return points[0][1];
    const right = points.findIndex(([next]) => x <= next);
    if (right < 0) return points.at(-1)[1];
    const [[x0, y0], [x1, y1]] = [points[right - 1], points[right]];
    const width = x1 - x0;
    const t = (x - x0) / width;
    return (2 * t ** 3 - 3 * t ** 2 + 1) * y0
      + (t ** 3 - 2 * t ** 2 + t) * width * slopes[right - 1]
      + (3 * t ** 2 - 2 * t ** 3) * y1 + (t ** 3 - t ** 2) * width * slopes[right];
  };
}
