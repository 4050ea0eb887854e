// SPDX-License-Identifier: Apache-2.0

/**
 * Imports files that are dropped on the page.
 * @param {import('./timeline.js').Timeline} timeline
 */
export function takeFiles({ actions, element }) {
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
  element.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    over(false);
    actions.importPhotos([...event.dataTransfer.files]);
  });
}
