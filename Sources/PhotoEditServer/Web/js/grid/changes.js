// SPDX-License-Identifier: Apache-2.0
// What the grid and the viewer change of photos and videos, and how it is said.
import { call, finish, path, post } from '../api.js';
import { t } from '../language.js';
import { forEach } from '../results.js';

/** @param {number} rating */
export const ratingText = (rating) => (rating < 0
  ? t('rating.rejected')
  : rating === 0
  ? t('rating.none')
  : t('rating.stars', { stars: t('stars', { count: rating }) }));

/**
 * @param {number} count of photos
 * @param {number} rating
 */
export const ratedText = (count, rating) => (rating < 0
  ? t('done.rejected', { count })
  : rating === 0
  ? t('done.unrated', { count })
  : t('done.rated', { count, stars: t('stars', { count: rating }) }));

/**
 * Rates photos; returns what has become of each.
 * @param {string[]} ids
 * @param {(id: string) => number} ratingOf
 */
export const rate = (ids, ratingOf) =>
  forEach(ids.map((id) => ({ id })), ({ id }) => call('PATCH', path`/api/assets/${id}`,
    { json: { rating: ratingOf(id) }, headers: { 'If-Match': '*' } }));

/** What is done, with the texts for photos, for videos alone, and for both. */
const texts = /** @type {const} */ ({
  rotated: ['done.rotated', 'done.rotatedVideos', 'done.rotatedBoth'],
  trashed: ['done.trashed', 'done.trashedVideos', 'done.trashedBoth'],
  restored: ['done.restored', 'done.restoredVideos', 'done.restoredBoth'],
  purged: ['done.purged', 'done.purgedVideos', 'done.purgedBoth'],
  purge: ['actions.purge', 'actions.purgeVideos', 'actions.purgeBoth'],
});

/** @typedef {(id: string) => boolean} IsVideo */

/**
 * The text of something that is done with photos and videos.
 * @param {keyof typeof texts} name
 * @param {string[]} ids
 * @param {IsVideo} isVideo
 */
export function countText(name, ids, isVideo) {
  const count = ids.length;
  const videos = ids.filter(isVideo).length;
  return t(texts[name][videos === 0 ? 0 : videos === count ? 1 : 2], { count });
}

/**
 * Says what was rotated.
 * @param {IsVideo} isVideo
 * @returns {(count: number, changed: import('../results.js').Results) => string}
 */
export const rotated = (isVideo) => (_, changed) =>
  countText('rotated', changed.map(({ id }) => id), isVideo);

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
  /** @type {Job<BatchPlan>} */
  const begun = await post(path`/api/batches`, { ids, graph, mode: 'add' });
  const plan = await finish(begun);
  const [able, blocked] = [true, false].map((isAble) =>
    plan.rows.filter((row) => !row.obstacle === isAble));
  /** @type {BatchResult} */
  const { results } = able.length
    ? await finish(await post(
      path`/api/batches/${plan.plan}/run`, { ids: able.map((row) => row.id) }))
    : { results: [] };
  return [...results, ...blocked.map(({ id, obstacle }) =>
    ({ id, outcome: /** @type {const} */ ('failed'), problem: { title: obstacle } }))];
}
