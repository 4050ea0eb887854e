// SPDX-License-Identifier: Apache-2.0
import { get, path } from '../api.js';
import { el, replace } from '../dom.js';
import { label } from '../editor/schema.js';
import { lossList } from '../editor/histogram.js';

/** @param {number} bytes */
const size = (bytes) =>
  (bytes > 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.round(bytes / 1000)} kB`);

/** @typedef {[name: string, value: string | number | null | undefined]} Fact */

/**
 * Reads a part of what is known of a photo; a part that the server does not have is missing.
 * @template T
 * @param {string} path
 * @returns {Promise<Partial<T>>}
 */
const part = (path) => get(path).catch(() => ({}));

/**
 * Shows the metadata of a photo, its edit, and what an edit would lose.
 * @param {HTMLElement} element
 * @param {Item} item
 */
export async function infoPanel(element, item) {
  replace(element, el('p', { class: 'caption' }, 'Reading…'));
  /** @type {[Partial<Info>, Partial<Journal>, Partial<Asset>]} */
  const [info, history, properties] = await Promise.all([
    part(path`/api/assets/${item.id}/info`),
    part(path`/api/assets/${item.id}/history`),
    part(path`/api/assets/${item.id}`),
  ]);
  /** @type {Fact[]} */
  const facts = [
    ['Size', `${item.w} × ${item.h}`],
    ['File', info.bytes ? size(info.bytes) : null],
    ['Format', info.format],
    ['Taken', item.date ? new Date(item.date).toLocaleString() : null],
    ...described(properties),
    ...flatten(info),
  ];
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const state = history.states?.find((entry) => entry.n === history.current);
  const filters = state?.graph?.nodes ?? [];
  replace(element,
    el('section', {}, el('h2', {}, 'Information'), rows(known.slice(0, 24))),
    filters.length ? el('section', {},
      el('h2', {}, 'Edit'),
      el('ol', {}, filters.map((node) => el('li', {}, label(node.filter))))) : null,
    info.losses?.length ? el('section', {},
      el('h2', {}, 'An edit would lose'), lossList(info.losses)) : null);
}

/**
 * Returns the properties with which a library describes a photo.
 * @param {Partial<Asset>} asset
 * @returns {Fact[]}
 */
function described({
  caption, keywords = [], people = [], rating = 0, label: color, place, camera, lens,
}) {
  return [
    ['Caption', caption],
    ['Keywords', keywords.join(', ')],
    ['People', people.join(', ')],
    ['Rating', rating < 0 ? 'Rejected' : '★'.repeat(rating)],
    ['Label', color ? label(color) : null],
    ['Place', place],
    ['Camera', camera],
    ['Lens', lens],
  ];
}

/** @param {Fact[]} facts */
const rows = (facts) => el('dl', {},
  facts.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, String(value))]));

const skipped = new Set([
  'losses', 'input', 'path', 'schemaVersion', 'format', 'bytes', 'width', 'height', 'notices',
  'digest',
]);

/**
 * @param {object} object
 * @returns {Fact[]}
 */
function flatten(object) {
  return Object.entries(object)
    .filter(([key, value]) => !skipped.has(key) && ['string', 'number'].includes(typeof value))
    .map(([key, value]) => [label(key), value]);
}
