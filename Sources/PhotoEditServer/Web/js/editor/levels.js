// SPDX-License-Identifier: Apache-2.0
import { lineThrough } from './spline.js';

/**
 * The count that is drawn at full height. The ends have no part in it, so that clipped pixels do
 * not flatten everything else.
 * @param {number[][]} lists counts of 256 levels
 */
export function topOf(lists) {
  const inner = lists.flatMap((list) => list.slice(2, 254)).sort((a, b) => a - b);
  return Math.max(1, inner[Math.floor(inner.length * 0.995)] * 1.08);
}

/**
 * The height of a count, 0 to 1.
 * @param {number} count
 * @param {number} top
 */
export const heightOf = (count, top) => Math.min(1, Math.sqrt(count / top));

/**
 * The levels that a curve of a channel works on: one of all channels changes each of them.
 * @param {Statistics['levels']} levels
 * @param {Value} channel
 */
export function channelOf(levels, channel) {
  return levels[/** @type {'r'} */ (channel)]
    ?? levels.r.map((count, level) => count + levels.g[level] + levels.b[level]);
}

/**
 * The levels before a curve, from those after it: a level has the pixels of those that the curve
 * makes of it.
 * @param {number[]} levels counts of 256 levels after the curve
 * @param {number[][]} points of the curve
 */
export function levelsBefore(levels, points) {
  const sums = [0];
  for (const count of levels) sums.push(sums.at(-1) + count);
  /** @param {number} value 0 to 1 */
  const below = (value) => {
    const at = Math.min(256, Math.max(0, value * 256));
    const level = Math.min(255, Math.floor(at));
    return sums[level] + (at - level) * levels[level];
  };
  const line = lineThrough(points);
  const ends = Array.from({ length: 257 }, (_, level) => below(line(level / 256)));
  return levels.map((_, level) => Math.abs(ends[level + 1] - ends[level]));
}

/**
 * The points of a curve that changes the whole image of a graph.
 * @param {Graph} graph
 * @param {string | null} id
 */
export function pointsIn(graph, id) {
  const node = graph.nodes.find((item) => item.id === id);
  const isWhole = node && node.enabled !== false
    && [node.mask, node.opacity, node.blend].every((value) => value === undefined);
  return isWhole ? /** @type {number[][] | undefined} */ (node.params?.points) : undefined;
}
