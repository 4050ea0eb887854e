// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom.js';

/** @param {number} size */
const pixels = (size) => Math.max(1, Math.min(4096, Math.round(size)));

/**
 * The pixels of a part of the image that a graph renders.
 * @param {import('./editor.js').Editor} editor
 * @param {Graph} graph
 * @param {Region} part
 * @param {number[]} size of the part in pixels; a larger one than it has is ignored
 */
export async function sampled({ session, stage, schema, draft }, graph, part, size) {
  const { bitmap } = await session.preview(
    cropped(schema, draft, graph, part), { width: pixels(size[0]), height: pixels(size[1]) },
    { sequence: 0, purpose: 'compare' });
  const { colorSpace } = stage;
  const { width, height } = bitmap;
  const context = el('canvas', { width, height }).getContext('2d', { colorSpace });
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return context.getImageData(0, 0, width, height, { colorSpace });
}

/**
 * @param {import('./schema.js').Schema} schema
 * @param {import('./draft.js').Draft} draft
 * @param {Graph} graph
 * @param {Region} part
 */
function cropped(schema, draft, graph, part) {
  const crop = schema.filter('crop');
  const params = { ...schema.values(crop), ...part, unit: 'fraction' };
  return {
    ...graph,
    nodes: [...graph.nodes, { id: draft.freeName(), filter: 'crop', v: crop.version, params }],
  };
}
