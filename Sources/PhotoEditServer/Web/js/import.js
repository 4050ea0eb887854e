// SPDX-License-Identifier: Apache-2.0

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
export async function reviewImport(timeline, files = []) {
  const { openImport } = await import('./importDialog.js');
  openImport(timeline, files);
}

/**
 * Opens the dialog of an export.
 * @param {import('./grid/timeline.js').Timeline} timeline
 * @param {string[]} ids
 */
export async function exportSelection(timeline, ids) {
  const { openExport } = await import('./exportDialog.js');
  openExport(timeline, ids);
}
