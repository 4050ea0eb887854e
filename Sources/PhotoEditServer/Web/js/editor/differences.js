// SPDX-License-Identifier: Apache-2.0
import { el } from '../dom.js';
import { t } from '../language.js';
import { changeText } from './history.js';
import { canonical } from './schema.js';

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
      // The values with which it was added, unless they are those without effect.
      const values = (schema.filter(node.filter)?.parameters ?? []).filter((parameter) =>
        canonical(node.params?.[parameter.name]) !== canonical(parameter.neutral)
        && node.params?.[parameter.name] !== undefined);
      for (const { name: key } of values) {
        changes.push({ filter: node.filter, key, to: node.params[key] });
      }
      if (!values.length) changes.push({ filter: node.filter, kind: 'added' });
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
