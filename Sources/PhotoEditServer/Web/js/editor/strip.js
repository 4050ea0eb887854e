// SPDX-License-Identifier: Apache-2.0
// The positions of a filmstrip: cells of one width, of which only those near the window exist.

/** The distance from one cell to the next, in pixels of the page. */
export const cellWidth = 84;
/** The cells that one strip can be scrolled through: browsers limit the width of an element. */
export const maximumCells = 80_000;

/**
 * The part of a list that the strip can be scrolled through: the whole list, or what is around a
 * photo.
 * @param {number} count
 * @param {number} index
 */
export function reachable(count, index) {
  const size = Math.min(count, maximumCells);
  const first = Math.max(0, Math.min(count - size, index - Math.floor(size / 2)));
  return { first, end: first + size };
}

/**
 * The indexes of the cells that are seen or near, from the first to the end.
 * @param {{ first: number, end: number }} part
 * @param {number} left the scrolled distance
 * @param {number} width of the window
 * @param {number} [margin] in cells
 */
export function cellsNear({ first, end }, left, width, margin = 4) {
  const from = first + Math.floor(left / cellWidth) - margin;
  const to = first + Math.ceil((left + width) / cellWidth) + margin;
  return { from: Math.max(first, Math.min(end, from)), to: Math.max(first, Math.min(end, to)) };
}

/**
 * The scrolled distance with a cell in the middle of the window.
 * @param {{ first: number, end: number }} part
 * @param {number} index
 * @param {number} width of the window
 */
export function centered({ first, end }, index, width) {
  const left = (index - first + 0.5) * cellWidth - width / 2;
  return Math.max(0, Math.min((end - first) * cellWidth - width, left));
}
