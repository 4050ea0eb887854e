// SPDX-License-Identifier: Apache-2.0

/**
 * Follows a finger that goes from side to side over a stage that shows its photo as a whole.
 * @param {import('./photoStage.js').PhotoStage} stage
 * @param {(step: number) => void} go
 */
export function onSwipe(stage, go) {
  /** @type {Point | null} */
  let start = null;
  stage.element.addEventListener('pointerdown', (event) => {
    start = event.pointerType === 'touch' && !stage.zoom && stage.fingers.size < 2
      ? [event.clientX, event.clientY]
      : null;
  });
  stage.element.addEventListener('pointerup', (event) => {
    if (!start) return;
    const [x, y] = [event.clientX - start[0], event.clientY - start[1]];
    start = null;
    if (Math.abs(x) > 48 && Math.abs(x) > 1.5 * Math.abs(y)) go(x < 0 ? 1 : -1);
  });
}
