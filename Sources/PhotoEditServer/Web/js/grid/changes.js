// SPDX-License-Identifier: Apache-2.0
// What the grid and the viewer change of photos and videos, and how it is said.
import { call, finish, path, post } from '../api.js';
import { t } from '../language.js';
import { working } from '../messages.js';
import { forEach } from '../results.js';

/** @param {number} rating */
export const ratingText = (rating) => (rating < 0
  ? t('rating.rejected')
  : rating === 0
  ? t('rating.none')
  : t('rating.stars', { stars: t('stars', { count: rating }) }));

/**
 * @param {import('../results.js').Counted} counted
 * @param {number} rating
 */
export const ratedText = (counted, rating) => (rating < 0
  ? t('done.rejected', counted)
  : rating === 0
  ? t('done.unrated', counted)
  : t('done.rated', { ...counted, stars: t('stars', { count: rating }) }));

/**
 * Changes properties of photos; returns what has become of each.
 * @param {string[]} ids
 * @param {(id: string) => Record<string, unknown>} propertiesOf
 */
const change = (ids, propertiesOf) =>
  forEach(ids.map((id) => ({ id })), ({ id }) => call('PATCH', path`/api/assets/${id}`,
    { json: propertiesOf(id), headers: { 'If-Match': '*' } }));

/**
 * Rates photos; returns what has become of each.
 * @param {string[]} ids
 * @param {(id: string) => number} ratingOf
 */
export const rate = (ids, ratingOf) => change(ids, (id) => ({ rating: ratingOf(id) }));

/** The colors of labels, in the order of their keys. */
export const labelColors = ['red', 'yellow', 'green', 'blue', 'purple'];

/**
 * Gives photos the color of a label, or none; returns what has become of each.
 * @param {string[]} ids
 * @param {(id: string) => string | null} labelOf
 */
export const setLabels = (ids, labelOf) => change(ids, (id) => ({ label: labelOf(id) }));

/**
 * Marks photos as favorites or no longer; returns what has become of each.
 * @param {string[]} ids
 * @param {boolean} favorite
 */
export const favor = (ids, favorite) => change(ids, () => ({ favorite }));

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
