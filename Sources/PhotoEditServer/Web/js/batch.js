// SPDX-License-Identifier: Apache-2.0
import { finish, get, path, post } from './api.js';
import { message } from './messages.js';

/**
 * Applies a copied edit or a preset to photos: first the plan with its losses, then the run.
 * @param {import('./grid/timeline.js').Timeline} timeline
 * @param {string[]} ids
 * @param {BatchEdit | null} copied
 */
export async function applyToSelection(timeline, ids, copied) {
  const { openBatch } = await import('./batchDialog.js');
  const known = timeline.list.items.filter(Boolean);
  const items = new Map(known.map((item) => /** @type {const} */ ([item.id, item])));
  /** @type {{ presets: Preset[] }} */
  const { presets } = await get(path`/api/presets`).catch(() => ({ presets: [] }));
  return openBatch({ ids, items, copied, presets, plan, run, done });

  /**
   * @param {BatchEdit} edit
   * @param {string} mode
   * @returns {Promise<BatchPlan>}
   */
  async function plan(edit, mode) {
    return finish(await post(path`/api/batches`, { ids, ...edit, mode }));
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

  /** @param {string} text */
  function done(text) { timeline.selection.clear(); message(text); }
}
