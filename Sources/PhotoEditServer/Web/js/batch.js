// SPDX-License-Identifier: Apache-2.0
import { finish, get, path, post } from './api.js';
import { message } from './messages.js';

/** Applies a copied edit or a preset to photos: first the plan with its losses, then the run. */
export async function applyToSelection(timeline, ids, copied) {
  const { openBatch } = await import('./batchDialog.js');
  const items = new Map(timeline.list.items.filter(Boolean).map((item) => [item.id, item]));
  return openBatch({
    ids, items, copied,
    presets: await get(path`/api/presets`).then((answer) => answer.presets ?? answer, () => []),
    plan, run, done,
  });

  async function plan(edit, mode) {
    return finish(await post(path`/api/batches`, { ids, ...edit, mode }));
  }
  async function run(name, chosen, progress) {
    return finish(await post(path`/api/batches/${name}/run`, { ids: chosen }), progress);
  }
  function done(text) { timeline.selection.clear(); message(text); }
}
