// SPDX-License-Identifier: Apache-2.0

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
  element.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    over(false);
    take([...event.dataTransfer.files]);
  });
}
