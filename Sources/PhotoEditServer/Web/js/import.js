// SPDX-License-Identifier: Apache-2.0
import { loaded, once } from './later.js';

/**
 * Indicates whether photos can be imported: into a library that can be changed.
 * @param {Service} service
 */
export const canImport = (service) => service.mode === 'library' && !service.readOnly;

/**
 * Opens the review of an import.
 * @param {import('./grid/timeline.js').Timeline} timeline
 * @param {File[]} [files] that are chosen already
 */
export const reviewImport = (timeline, files = []) => once('import', async () => {
  const { openImport } = await loaded(import('./importDialog.js'));
  openImport(timeline, files);
});

/**
 * Opens the dialog of an export.
 * @param {import('./grid/timeline.js').Timeline} timeline
 * @param {string[]} ids
 */
export const exportSelection = (timeline, ids) => once('export', async () => {
  const { openExport } = await loaded(import('./exportDialog.js'));
  openExport(timeline, ids);
});
