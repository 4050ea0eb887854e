// SPDX-License-Identifier: Apache-2.0
// Numbers of filters and of changes as people count them: a mask is a part of its filter.
import { isEqual } from './schema.js';

/** @type {(keyof GraphNode)[]} those that are no parameters and may change */
const properties = ['enabled', 'opacity', 'mask', 'blend', 'in'];

/**
 * The names of the masks that other nodes read.
 * @param {GraphNode[]} nodes
 */
function masksIn(nodes) {
  const read = new Set(nodes.flatMap((node) => [node.mask, ...(node.in ?? [])]));
  return nodes.map(({ id, filter }) => (filter.startsWith('mask.') && read.has(id) ? id : null));
}

/**
 * The number of filters, each with its masks.
 * @param {GraphNode[]} nodes
 */
export function filterCount(nodes) { return masksIn(nodes).filter((id) => id === null).length; }

/**
 * The number of parameters and filters that differ. A mask that was added or removed with the
 * filter that it limits is one change with it.
 * @param {GraphNode[]} after
 * @param {GraphNode[]} before
 */
export function changeCount(after, before) {
  const masks = new Set([...masksIn(after), ...masksIn(before)]);
  const [now, old] = [after, before].map((nodes) => new Map(nodes.map((node) => [node.id, node])));
  let count = 0;
  for (const id of new Set([...now.keys(), ...old.keys()])) {
    const [node, earlier] = [now.get(id), old.get(id)];
    if (!node || !earlier) {
      if (!masks.has(id)) count += 1;
    } else if (node.filter !== earlier.filter) {
      count += 1;
    } else {
      const names = Object.keys({ ...node.params, ...earlier.params });
      count += names.filter((name) => !isEqual(node.params?.[name], earlier.params?.[name])).length;
      count += properties.filter((name) => !isEqual(node[name], earlier[name])).length;
    }
  }
  return count;
}
