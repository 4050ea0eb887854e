// SPDX-License-Identifier: Apache-2.0
import { path, post, Problem } from './api.js';
import { countedIds } from './counted.js';
import { sentence, t } from './language.js';
import { message, working } from './messages.js';
import { problems } from './progress.js';

/** @typedef {BatchResult['results']} Results what has become of each photo */

/** @typedef {ReturnType<typeof countedIds>} Counted */

/** @param {Counted} counted whose change was undone */
export const asBefore = (counted) => t('results.before', counted);

/**
 * Says what has become of each photo, counted from the results, with the reasons of what was not
 * changed.
 * @param {Results} results
 * @param {object} options
 * @param {(changed: Counted) => string} options.done such as “3 photos rotated”
 * @param {import('./counted.js').ItemOf} options.itemOf
 * @param {((changed: Results) => unknown) | null} [options.undo] null for none; by default, the
 *   last change of each photo that has a new revision is undone
 * @param {boolean} [options.isStopped] whether it was stopped before the end
 */
export function reportResults(results, { done, itemOf, undo, isStopped }) {
  const those = (/** @type {string} */ outcome) =>
    results.filter((result) => result.outcome === outcome);
  const [applied, skipped, failed] = [those('applied'), those('skipped'), those('failed')];
  const text = sentence([
    applied.length || !failed.length
      ? done(countedIds(applied.map(({ id }) => id), itemOf))
      : null,
    isStopped && t('results.stopped'),
    skipped.length && t('results.skipped', { count: skipped.length }),
    failed.length && t('results.failed', { count: failed.length }),
  ]);
  const undoLast = (/** @type {Results} */ changed) => undoEdits(changed, itemOf);
  // A photo that had the edit already has no change that could be undone, but an earlier one.
  const changed = undo ? applied : applied.filter(({ revision }) => revision !== undefined);
  const action = undo === null || !changed.length ? undefined : () => (undo ?? undoLast)(changed);
  message(text, { label: t('undo'), action });
  problems(t('results.problems'),
    failed.map(({ id, problem }) =>
      [itemOf(id)?.title ?? id.slice(0, 8), problem && new Problem(problem).message]));
}

/**
 * Undoes the last change of photos, which somebody may have changed since.
 * @param {Results} changed
 * @param {import('./counted.js').ItemOf} itemOf
 */
export async function undoEdits(changed, itemOf) {
  const undone = await forEach(changed, ({ id, revision }) =>
    post(path`/api/assets/${id}/undo`, {}, { ifMatch: revision }));
  reportResults(undone, { done: asBefore, itemOf, undo: null });
}

/**
 * Does work for each of many photos, a few at a time; returns what has become of each.
 * @template {{ id: string }} T
 * @param {T[]} items
 * @param {(item: T) => Promise<{ revision?: string } | null>} work
 * @returns {Promise<Results>}
 */
export async function forEach(items, work) {
  /** @type {Results} */
  const results = [];
  const rest = items.entries();
  const progress = working(items.length);
  let done = 0;
  const worker = async () => {
    for (const [index, item] of rest) {
      try {
        const revision = (await work(item))?.revision;
        results[index] = { id: item.id, outcome: 'applied', revision };
      } catch (problem) {
        const outcome = problem.word === 'stale-edit' ? 'skipped' : 'failed';
        results[index] = { id: item.id, outcome, problem: { title: problem.message } };
      }
      done += 1;
      progress.show(done);
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  progress.end();
  return results;
}
