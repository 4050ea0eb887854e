// SPDX-License-Identifier: Apache-2.0
// The parts of an edit, of which some are taken from one photo to another.
import { label } from './editor/schema.js';
import { t } from './language.js';

/**
 * @typedef {'light' | 'color' | 'looks' | 'detail' | 'effects' | 'retouch' | 'geometry' | 'local'
 * } Part
 */

/** @type {[part: Part, title: string][]} */
const titles = [
  ['light', t('parts.light')], ['color', t('parts.color')], ['looks', t('parts.looks')],
  ['detail', t('parts.detail')], ['effects', t('parts.effects')],
  ['retouch', t('parts.retouch')], ['geometry', t('parts.geometry')], ['local', t('parts.local')],
];
/** @type {Record<string, Part>} the parts by the groups of filters; others are effects */
const parts = {
  Tone: 'light', Color: 'color', Looks: 'looks', Detail: 'detail', Retouching: 'retouch',
  Geometry: 'geometry',
};

/**
 * What is asked of the descriptions of filters.
 * @typedef {object} Descriptions
 * @property {(name: string) => Pick<Filter, 'group' | 'parameters'> | undefined} filter
 * @property {(name: string) => boolean} isMask
 */

/**
 * The part to which a filter of an edit belongs; null for a mask, which goes with the filters that
 * it limits.
 * @param {GraphNode} node
 * @param {Descriptions} schema
 * @returns {Part | null}
 */
export function partOf({ filter, mask }, schema) {
  if (schema.isMask(filter)) return null;
  if (mask) return 'local';
  // It is in the group of the tones, because it is measured and set with them.
  if (filter === 'whiteBalance') return 'color';
  return parts[schema.filter(filter)?.group] ?? 'effects';
}

/**
 * The parts that an edit has, with the names of their filters.
 * @param {Graph} graph
 * @param {Descriptions} schema
 */
export function partsIn({ nodes }, schema) {
  return titles.map(([part, title]) => {
    const own = nodes.filter((node) => partOf(node, schema) === part);
    return { part, title, filters: [...new Set(own.map(({ filter }) => label(filter)))] };
  }).filter(({ filters }) => filters.length);
}

/**
 * A graph of some nodes of another one, with the masks that they need; what read a node that is
 * left out reads the image before that one.
 * @param {Graph} graph
 * @param {(node: GraphNode) => boolean} keeps
 * @param {Descriptions} schema
 * @returns {Graph}
 */
export function pick(graph, keeps, schema) {
  const { nodes } = graph;
  const kept = new Set(
    nodes.filter((node) => !schema.isMask(node.filter) && keeps(node)).map(({ id }) => id));
  // A set is read to its end while the masks of its members are added.
  for (const id of kept) {
    const reader = nodes.find((node) => node.id === id);
    for (const node of nodes) {
      const isRead = node.id === reader.mask
        || (schema.isMask(node.filter) && reader.in?.includes(node.id));
      if (isRead) kept.add(node.id);
    }
  }
  /**
   * @param {string} id
   * @returns {string}
   */
  const read = (id) => {
    const index = nodes.findIndex((node) => node.id === id);
    if (index < 0 || kept.has(id)) return id;
    const before = nodes.slice(0, index).findLast((node) => !schema.isMask(node.filter));
    return read(nodes[index].in?.[0] ?? before?.id ?? 'source');
  };
  /** @type {Graph} */
  const picked = structuredClone({ ...graph, nodes: nodes.filter(({ id }) => kept.has(id)) });
  for (const node of picked.nodes) if (node.in) node.in = node.in.map(read);
  const files = new Set(picked.nodes.flatMap((node) => filesOf(node, schema)));
  if (graph.assets) {
    picked.assets = Object.fromEntries(
      Object.entries(picked.assets).filter(([name]) => files.has(name)));
  }
  return picked;
}

/**
 * A graph of some parts of an edit.
 * @param {Graph} graph
 * @param {Set<Part>} chosen
 * @param {Descriptions} schema
 */
export const pickParts = (graph, chosen, schema) =>
  pick(graph, (node) => chosen.has(partOf(node, schema)), schema);

/**
 * The names of the files that a node needs.
 * @param {GraphNode} node
 * @param {Descriptions} schema
 */
export const filesOf = ({ filter, params }, schema) =>
  (schema.filter(filter)?.parameters ?? [])
    .filter(({ type }) => type === 'asset').map(({ name }) => String(params?.[name]));
