// SPDX-License-Identifier: Apache-2.0
import { finish, get, path, post } from './api.js';
import { schema as loadSchema } from './editor/schema.js';
import { t } from './language.js';
import { loaded } from './later.js';
import { reportResults } from './results.js';

/**
 * Applies a copied edit or a preset to photos: first the plan with its losses, then the run.
 * @param {import('./grid/timeline.js').Timeline} timeline
 * @param {string[]} ids
 * @param {import('./copied.js').CopiedEdit | null} copied
 */
export async function applyToSelection(timeline, ids, copied) {
  const { openBatch } = await loaded(import('./batchDialog.js'));
  const known = timeline.list.items.filter(Boolean);
  const items = new Map(known.map((item) => /** @type {const} */ ([item.id, item])));
  /** @type {{ presets: Preset[] }} */
  const { presets } = await get(path`/api/presets`).catch(() => ({ presets: [] }));
  const schema = await loadSchema();
  return openBatch({ ids, items, copied, presets, schema, plan, run, done });

  /**
   * @param {BatchEdit} edit
   * @param {string} mode
   * @param {(job: Job<BatchPlan>) => void} progress
   * @returns {Promise<BatchPlan>}
   */
  async function plan(edit, mode, progress) {
    return finish(await post(path`/api/batches`, { ids, ...edit, mode }), progress);
  }

  /**
   * @param {string} name
   * @param {string[]} chosen
   * @param {(job: Job<BatchResult>) => void} progress
   * @returns {Promise<BatchResult>}
   */
  async function run(name, chosen, progress) {
    return finish(await post(path`/api/batches/${name}/run`, { ids: chosen }), progress);
  }

  /**
   * @param {BatchResult} result
   * @param {boolean} isStopped
   */
  function done({ results }, isStopped) {
    reportResults(results, {
      isStopped,
      done: (changed) => t('done.changed', changed),
      itemOf: (id) => items.get(id),
    });
  }
}
