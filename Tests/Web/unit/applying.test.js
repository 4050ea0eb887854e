// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import './support.js';
import { applying, indexes, insertedIndex, origins } from '../js/applying.js';

test('runs are lists of indexes', () => {
  assert.deepEqual(indexes([[4, 2], 9, [0, 1]]), [4, 5, 9, 0]);
});

test('elements are removed, inserted, moved and refreshed, in this order', () => {
  const change = {
    removed: [[1, 2]], inserted: [[0, 'X'], [4, 'Y']], moves: [[1, 3], [3, 0]],
    changed: [[2, 'A2']],
  };
  // Without b and c: a d e f; between: X a d e Y f; then a and e move.
  assert.deepEqual(applying([...'abcdef'], change), ['e', 'X', 'A2', 'a', 'Y', 'f']);
  assert.deepEqual([...origins(6, change)], [4, -1, 3, 0, -1, 5]);
});

test('an inserted element is followed through the moves', () => {
  const change = { inserted: [[1, 'X']], moves: [[0, 2]] };
  assert.equal(insertedIndex(1, change), 0);
  assert.deepEqual(applying(['a', 'b'], change), ['X', 'b', 'a']);
  assert.equal(insertedIndex(5, {}), 5);
});

test('random changes give the list from which they were made', () => {
  // A linear congruential generator, so that a failure can be repeated.
  let state = 20260101;
  const random = (limit) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * limit);
  };
  for (let round = 0; round < 500; round += 1) {
    const before = Array.from({ length: random(12) }, (_, index) => index);
    const removed = before.filter(() => random(4) === 0);
    const between = before.filter((value) => !removed.includes(value));
    const inserted = [];
    for (let count = random(4); count > 0; count -= 1) {
      between.splice(random(between.length + 1), 0, 100 + round * 10 + count);
    }
    between.forEach((value, index) => { if (value >= 100) inserted.push([index, value]); });
    const moves = [];
    const after = [...between];
    const kept = between.flatMap((value, index) => (value < 100 ? [index] : []));
    if (kept.length) {
      const from = kept[random(kept.length)];
      const [value] = after.splice(from, 1);
      const to = random(after.length + 1);
      after.splice(to, 0, value);
      moves.push([from, to]);
    }
    const change = { removed: removed.map((index) => [index, 1]), inserted, moves };
    assert.deepEqual(applying(before, change), after, JSON.stringify({ before, change }));
  }
});
