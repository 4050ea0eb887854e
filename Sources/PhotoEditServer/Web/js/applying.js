// SPDX-License-Identifier: Apache-2.0
// The same steps as FetchResultChangeDetails.applying(to:making:): remove, insert, move in two
// phases, refresh.

/**
 * The indexes of runs such as `[[4, 2]]`: 4 and 5.
 * @param {Run[]} runs
 */
export function indexes(runs) {
  return runs.flatMap((run) =>
    (Array.isArray(run) ? Array.from({ length: run[1] }, (_, offset) => run[0] + offset) : [run]));
}

/**
 * For every index after a change, the index before it, or -1 for an inserted element.
 * @param {number} count
 * @param {Differences<unknown>} change
 */
export function origins(count, { removed = [], inserted = [], moves = [] }) {
  const without = Int32Array.from({ length: count }, (_, index) => index);
  const between = insert(
    remove(without, indexes(removed)), inserted.map(([index]) => index), inserted.map(() => -1));
  if (!moves.length) return between;
  const ordered = [...moves].sort((a, b) => a[1] - b[1]);
  return insert(
    remove(between, moves.map(([from]) => from)), ordered.map(([, to]) => to),
    ordered.map(([from]) => between[from]));
}

/**
 * Applies a change to an array; elements for inserted and changed members come from the change.
 * @template T
 * @param {T[]} elements
 * @param {Differences<T>} change
 */
export function applying(elements, change) {
  const from = origins(elements.length, change);
  const result = Array.from(from, (index) => (index < 0 ? undefined : elements[index]));
  for (const [index, element] of change.inserted ?? []) {
    result[insertedIndex(index, change)] = element;
  }
  for (const [index, element] of change.changed ?? []) result[index] = element;
  return result;
}

/**
 * The index after all moves of an element that was inserted at an index of the list between.
 * @param {number} index
 * @param {Differences<unknown>} change
 */
export function insertedIndex(index, { moves = [] }) {
  if (!moves.length) return index;
  let position = index - moves.filter(([from]) => from < index).length;
  for (const [, to] of [...moves].sort((a, b) => a[1] - b[1])) if (to <= position) position += 1;
  return position;
}

/**
 * @param {Int32Array} list
 * @param {number[]} positions
 */
function remove(list, positions) {
  if (!positions.length) return list;
  const removed = new Set(positions);
  return list.filter((_, index) => !removed.has(index));
}

/**
 * Inserts values so that they have the given indexes in the result.
 * @param {Int32Array} list
 * @param {number[]} positions
 * @param {number[]} values
 */
function insert(list, positions, values) {
  if (!positions.length) return list;
  const order = positions.map((position, index) => [position, values[index]]).sort((a, b) =>
    a[0] - b[0]);
  const result = new Int32Array(list.length + order.length);
  let read = 0;
  let next = 0;
  for (let index = 0; index < result.length; index += 1) {
    if (next < order.length && order[next][0] === index) {
      result[index] = order[next][1];
      next += 1;
    } else {
      result[index] = list[read];
      read += 1;
    }
  }
  return result;
}
