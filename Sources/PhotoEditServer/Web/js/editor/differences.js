// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom.js';
import { t } from '../language.js';
import { changeText } from './changeText.js';
import { canonical, identityOf } from './schema.js';

/**
 * The values with which a filter was added: those of its sliders that have an effect, or else its
 * options.
 * @param {GraphNode} node
 * @param {import('./schema.js').Schema} schema
 * @returns {NodeChange[]}
 */
function added({ filter, params = {} }, schema) {
  const { unit, w = 1, h = 1 } = /** @type {Record<string, any>} */ (params);
  if (filter === 'crop' && unit !== 'pixels') return [{ filter, key: 'part', to: [w, h] }];
  const described = schema.filter(filter);
  const values = (described?.parameters ?? []).filter((parameter) =>
    params[parameter.name] !== undefined
    && canonical(params[parameter.name]) !== canonical(identityOf(parameter)));
  const main = values.filter(({ neutral }) => neutral !== null && neutral !== undefined);
  const shown = main.length ? main : values;
  const isPlaced = ['mask', 'geometry'].includes(described?.family) && !main.length;
  return isPlaced || !shown.length
    ? [{ filter, kind: 'added' }]
    : shown.map(({ name: key }) => ({ filter, key, to: params[key] }));
}

/** @type {('opacity' | 'enabled' | 'mask' | 'blend')[]} */
const properties = ['opacity', 'enabled', 'mask', 'blend'];

/**
 * The differences between two graphs as changes of values.
 * @param {Graph | null} before
 * @param {Graph | null} after
 * @param {import('./schema.js').Schema} schema
 */
export function differences(before, after, schema) {
  /** @type {NodeChange[]} */
  const changes = [];
  const old = new Map((before?.nodes ?? []).map((node) => [node.id, node]));
  for (const node of after?.nodes ?? []) {
    const earlier = old.get(node.id);
    old.delete(node.id);
    if (!earlier || earlier.filter !== node.filter) {
      // Its name can be that of another filter, which is not there any more.
      if (earlier) changes.push({ filter: earlier.filter, kind: 'removed' });
      changes.push(...added(node, schema));
      continue;
    }
    if (node.filter === 'crop' && node.params?.unit !== 'pixels'
      && canonical(earlier.params) !== canonical(node.params)) {
      changes.push(...added(node, schema));
      continue;
    }
    for (const key of Object.keys({ ...earlier.params, ...node.params })) {
      const [from, to] = [earlier.params?.[key], node.params?.[key]];
      if (canonical(from) !== canonical(to)) changes.push({ filter: node.filter, key, from, to });
    }
    for (const key of properties) {
      if (canonical(earlier[key]) !== canonical(node[key])) {
        changes.push({ filter: node.filter, key, from: earlier[key], to: node[key] });
      }
    }
  }
  for (const node of old.values()) changes.push({ filter: node.filter, kind: 'removed' });
  return changes;
}

/**
 * A table of differences.
 * @param {NodeChange[]} changes
 * @param {import('./schema.js').Schema} schema
 */
export function differenceTable(changes, schema) {
  if (!changes.length) return el('p', {}, t('saving.same'));
  return el('table', { class: 'numbers' }, changes.map((change) => {
    const [name, text] = changeText(change, schema);
    return el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, text));
  }));
}

/**
 * The nodes of a graph with those of some filters as they were before, and all others as they are.
 * @param {GraphNode[]} before
 * @param {GraphNode[]} now
 * @param {string[]} filters
 */
export function takenBack(before, now, filters) {
  /** @param {GraphNode} node */
  const isOwn = ({ filter }) => filters.includes(filter);
  const nodes = before.flatMap((node) =>
    (isOwn(node) ? [node] : now.filter(({ id }) => id === node.id)));
  for (const [index, node] of now.entries()) {
    if (isOwn(node) || nodes.includes(node)) continue;
    // A node that was added stays after the one that it follows.
    const ids = now.slice(0, index).map(({ id }) => id);
    nodes.splice(nodes.indexOf(nodes.findLast(({ id }) => ids.includes(id))) + 1, 0, node);
  }
  return nodes;
}
