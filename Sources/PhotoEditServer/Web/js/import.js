// SPDX-License-Identifier: Apache-2.0
import { message } from './messages.js';

/** Opens the review of an import. */
export async function reviewImport(timeline) {
  if (timeline.service.mode !== 'library') { message('Photos are imported into a library: photoedit serve --library DIR.'); return; }
  const { openImport } = await import('./importDialog.js');
  await openImport(timeline);
}
