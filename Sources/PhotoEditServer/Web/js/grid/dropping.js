// SPDX-License-Identifier: Apache-2.0
import { visible } from '../dom.js';
import { t } from '../language.js';
import { message, report } from '../messages.js';

/**
 * The entries of a folder, by name.
 * @param {FileSystemDirectoryEntry} folder
 */
async function entriesOf(folder) {
  const reader = folder.createReader();
  /** @type {FileSystemEntry[]} */
  const entries = [];
  // A reader gives some at a time, and none at the end.
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((take, fail) => { reader.readEntries(take, fail); });
    if (!some.length) break;
    entries.push(...some);
  }
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/**
 * The files of what is dropped, with those in folders. What is hidden is left out: nobody sees it
 * in the folder that is dropped.
 * @param {FileSystemEntry[]} entries
 */
async function filesIn(entries) {
  /** @type {File[]} */
  const files = [];
  for (const entry of entries.filter(({ name }) => !name.startsWith('.'))) {
    try {
      if (entry.isDirectory) {
        const folder = /** @type {FileSystemDirectoryEntry} */ (entry);
        files.push(...await filesIn(await entriesOf(folder)));
      } else {
        const file = /** @type {FileSystemFileEntry} */ (entry);
        files.push(await new Promise((take, fail) => { file.file(take, fail); }));
      }
    } catch {
      report(new Error(t('import.unreadable', { file: visible(entry.name) })));
    }
  }
  return files;
}

/**
 * Takes the files that are dropped on an element.
 * @param {HTMLElement} element
 * @param {(files: File[]) => unknown} take
 */
export function takeFiles(element, take) {
  /** @param {DragEvent} event */
  const hasFiles = (event) => event.dataTransfer?.types.includes('Files') ?? false;
  /** @param {boolean} isOver */
  const over = (isOver) => { element.dataset.dropping = String(isOver); };
  element.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    over(true);
  });
  element.addEventListener('dragleave', (event) => {
    if (!(event.relatedTarget instanceof Node && element.contains(event.relatedTarget))) {
      over(false);
    }
  });
  element.addEventListener('drop', async (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    over(false);
    // They are there only until the event ends.
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry());
    const files = await filesIn(entries.filter(Boolean));
    if (files.length) take(files);
    else message(t('import.nothing'));
  });
}
