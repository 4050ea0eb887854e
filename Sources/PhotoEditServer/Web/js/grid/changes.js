// SPDX-License-Identifier: Apache-2.0
// What the grid and the viewer change of photos and videos, and how it is said.
import { call, finish, path, post } from '../api.js';
import { label } from '../editor/schema.js';
import { t } from '../language.js';
import { working } from '../messages.js';
import { asBefore, forEach, reportResults } from '../results.js';

/**
 * Changes properties of a photo; returns all of them as they are then.
 * @param {string} id
 * @param {object} json
 * @returns {Promise<Asset>}
 */
export const changeProperties = (id, json) =>
  call('PATCH', path`/api/assets/${id}`, { json, headers: { 'If-Match': '*' } });

/**
 * The words that are typed with commas between them.
 * @param {string} text
 */
export const typedWords = (text) => text.split(',').map((word) => word.trim()).filter(Boolean);

/** The colors of labels, in the order of their keys. */
export const labelColors = ['red', 'yellow', 'green', 'blue', 'purple'];

/**
 * A property by which photos are sorted out: its value, the members of a change, and what is said
 * of photos that have a value now.
 * @template T
 * @typedef {object} Mark
 * @property {(item: Pick<Item, 'flags' | 'rating' | 'label'>) => T} of
 * @property {(value: T) => Record<string, unknown>} members
 * @property {(counted: import('../results.js').Counted, value: T) => string} done
 */

/** @type {Mark<boolean>} */
export const favorite = {
  of: ({ flags }) => flags?.includes('favorite') ?? false,
  members: (value) => ({ favorite: value }),
  done: (counted, value) => t(value ? 'done.favorite' : 'done.noFavorite', counted),
};

/** @type {Mark<number>} 0 to 5 stars; -1 is rejected */
export const rating = {
  of: (item) => item.rating,
  members: (value) => ({ rating: value }),
  done: (counted, value) => (value < 0
    ? t('done.rejected', counted)
    : value === 0
    ? t('done.unrated', counted)
    : t('done.rated', { ...counted, stars: t('stars', { count: value }) })),
};

/** @type {Mark<string | null>} the name of a color */
export const colorLabel = {
  of: (item) => item.label,
  members: (value) => ({ label: value }),
  done: (counted, value) => (value
    ? t('done.labeled', { ...counted, label: label(value) })
    : t('done.unlabeled', counted)),
};

/**
 * Gives photos a value, says so, and offers to undo that.
 * @template T
 * @param {Mark<T>} mark
 * @param {string[]} ids of items that are loaded
 * @param {T} value
 * @param {object} options
 * @param {import('../counted.js').ItemOf} options.itemOf
 * @param {T} [options.other] the value instead, if all of them have the first one
 * @param {(properties: Asset) => void} [options.changed] called for each, as it is now
 */
export async function setMark(mark, ids, value, { itemOf, other, changed }) {
  const before = new Map(ids.map((id) => [id, mark.of(itemOf(id))]));
  const differ = (/** @type {T} */ than) => ids.filter((id) => before.get(id) !== than);
  const given = other === undefined || differ(value).length ? value : other;
  /**
   * @param {string[]} those
   * @param {(id: string) => T} valueOf
   */
  const set = (those, valueOf) => forEach(those.map((id) => ({ id })), async ({ id }) => {
    const properties = await changeProperties(id, mark.members(valueOf(id)));
    changed?.(properties);
    return null;
  });
  // Those that have the value are not changed, unless all of them have it.
  const those = differ(given);
  reportResults(await set(those.length ? those : ids, () => given), {
    itemOf,
    done: (counted) => mark.done(counted, given),
    undo: async (applied) => reportResults(
      await set(applied.map(({ id }) => id), (id) => before.get(id)),
      { itemOf, done: asBefore, undo: null }),
  });
}

/**
 * Gives the photo that is shown large a value, says so, and offers to undo that.
 * @template T
 * @param {Mark<T>} mark
 * @param {Item} item
 * @param {T} value
 * @param {object} options
 * @param {T} [options.other] the value instead, if it has the first one
 * @param {() => void} options.changed called when the item has another value
 */
export const setMarkOf = (mark, item, value, { other, changed }) =>
  setMark(mark, [item.id], value, {
    itemOf: () => item, other,
    changed: ({ flags, rating: stars, label: color }) => {
      Object.assign(item, { flags, rating: stars, label: color });
      changed();
    },
  });

/**
 * Rotates photos and videos by quarter turns to the right; returns what has become of each.
 * @param {string[]} ids
 * @param {number} turns
 * @returns {Promise<import('../results.js').Results>}
 */
export async function rotate(ids, turns) {
  const graph = {
    format: 'org.photoedit.filter-graph', version: '1.0',
    nodes: [{ id: 'n1', filter: 'rotate90', v: 1, params: { turns: (turns + 4) % 4 } }],
  };
  const progress = working(ids.length);
  try {
    /** @param {Job<BatchResult>} job */
    const follow = (job) => progress.show(Math.round(job.done * ids.length));
    /** @type {Job<BatchPlan>} */
    const begun = await post(path`/api/batches`, { ids, graph, mode: 'add' });
    const plan = await finish(begun);
    const [able, blocked] = [true, false].map((isAble) =>
      plan.rows.filter((row) => !row.obstacle === isAble));
    /** @type {BatchResult} */
    const { results } = able.length
      ? await finish(await post(
        path`/api/batches/${plan.plan}/run`, { ids: able.map((row) => row.id) }), follow)
      : { results: [] };
    return [...results, ...blocked.map(({ id, obstacle }) =>
      ({ id, outcome: /** @type {const} */ ('failed'), problem: { title: obstacle } }))];
  } finally {
    progress.end();
  }
}
