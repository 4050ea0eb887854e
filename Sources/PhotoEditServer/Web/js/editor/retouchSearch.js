// SPDX-License-Identifier: Apache-2.0
import { nextTo, pupilAt, reach, sourceFor } from './healSource.js';
import { effectOfAll, reversed } from './projection.js';
import { sampled } from './sampling.js';

/**
 * @typedef {import('./adjustment.js').Adjustment} Adjustment
 * @typedef {import('./spots.js').Spot} Spot
 */

/**
 * Where the image that a filter gets is on the screen.
 * @typedef {object} Place
 * @property {import('./projection.js').Size} size of the image in pixels
 * @property {import('./projection.js').Projection} toView from the image to what is shown
 * @property {import('./projection.js').Projection} toImage
 */

/**
 * A point within the image.
 * @param {number[]} point
 * @returns {Point}
 */
export const inside = ([x, y]) => [Math.min(1, Math.max(0, x)), Math.min(1, Math.max(0, y))];

/**
 * The index of the node of an adjustment, or where it would be added.
 * @param {import('./draft.js').Draft} draft
 * @param {Adjustment} adjustment
 * @param {GraphNode[]} nodes
 */
export function indexOf(draft, adjustment, nodes) {
  const id = adjustment.nodeId ?? draft.placeOf(adjustment.filter);
  const found = nodes.findIndex((node) => node.id === id);
  return found < 0 ? nodes.length : found;
}

/**
 * @param {import('./editor.js').Editor} editor
 * @param {Adjustment} adjustment
 * @param {GraphNode[]} nodes those of the graph on the screen
 * @returns {Place}
 */
export function placeOf({ draft, schema, session }, adjustment, nodes) {
  /** @param {GraphNode} node */
  const isGeometry = (node) => schema.filter(node.filter)?.family === 'geometry';
  const index = indexOf(draft, adjustment, nodes);
  const { size } = effectOfAll(nodes.slice(0, index), session.size, isGeometry);
  const { projection } = effectOfAll(nodes.slice(index), size, isGeometry);
  return { size, toView: projection, toImage: reversed(projection) };
}

/**
 * The graph of the image with the discs of an adjustment, without what comes later.
 * @param {import('./draft.js').Draft} draft
 * @param {Adjustment} adjustment
 * @returns {Graph}
 */
function imageUpTo(draft, adjustment) {
  const { nodes } = draft.graph;
  const end = indexOf(draft, adjustment, nodes) + (adjustment.node ? 1 : 0);
  return {
    ...draft.graph,
    nodes: nodes.map((node, order) =>
      (order < end || draft.isMask(node) ? node : { ...node, enabled: false })),
  };
}

/**
 * The pixels around a disc, with the center of the disc in them and their scale.
 * @param {import('./editor.js').Editor} editor
 * @param {Adjustment} adjustment
 * @param {Spot} spot
 * @param {Place['size']} size of the image
 */
async function surroundings(editor, adjustment, { center, radius }, size) {
  const pixels = radius * Math.max(...size);
  const space = Math.max(8, pixels * reach);
  const at = center.map((value, axis) => value * size[axis]);
  const start = at.map((value) => Math.max(0, Math.floor(value - space)));
  const length = at.map((value, axis) =>
    Math.min(size[axis], Math.ceil(value + space)) - start[axis]);
  const part = {
    x: start[0] / size[0], y: start[1] / size[1], w: length[0] / size[0], h: length[1] / size[1],
  };
  // A disc of 12 pixels is enough to compare.
  const scale = Math.min(1, 12 / pixels);
  const image = await sampled(
    editor, imageUpTo(editor.draft, adjustment), part, length.map((side) => side * scale));
  const scales = [image.width / length[0], image.height / length[1]];
  return {
    image, radius: pixels * scales[0], scale: scales[0],
    at: /** @type {Point} */ (at.map((value, axis) => (value - start[axis]) * scales[axis])),
    /** @param {Point} point */
    inImage: (point) => inside(point.map((value, axis) =>
      (start[axis] + value / scales[axis]) / size[axis])),
  };
}

/**
 * A spot for a click, with a source that suits the pixels around it; without them, one that is
 * next to it.
 * @param {import('./editor.js').Editor} editor
 * @param {Adjustment} adjustment
 * @param {Spot} spot
 * @param {Place['size']} size of the image
 * @returns {Promise<Spot>}
 */
export async function withSource(editor, adjustment, spot, size) {
  try {
    const { image, at, radius, inImage } = await surroundings(editor, adjustment, spot, size);
    const isSeamless = (adjustment.fixed.mode ?? adjustment.value('mode')) === 'heal';
    return { ...spot, source: inImage(sourceFor(image, at, radius, isSeamless)) };
  } catch (problem) {
    if (problem.status === 401) throw problem;
    const [x, y] = spot.center;
    const other = nextTo([x * size[0], y * size[1]], spot.radius * Math.max(...size), size);
    return { ...spot, source: inside([other[0] / size[0], other[1] / size[1]]) };
  }
}

/**
 * The disc of the pupil that was clicked; the one of the click if none is found.
 * @param {import('./editor.js').Editor} editor
 * @param {Adjustment} adjustment
 * @param {Spot} spot
 * @param {Place['size']} size of the image
 * @returns {Promise<Spot>}
 */
export async function onPupil(editor, adjustment, spot, size) {
  try {
    const { image, at, radius, scale, inImage } =
      await surroundings(editor, adjustment, spot, size);
    const pupil = pupilAt(image, at, Math.max(3, radius));
    return pupil
      ? { center: inImage(pupil.center), radius: pupil.radius / scale / Math.max(...size) }
      : spot;
  } catch (problem) {
    if (problem.status === 401) throw problem;
    return spot;
  }
}
