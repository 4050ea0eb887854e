// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { cellsNear, cellWidth, centered, maximumCells, reachable } from '../js/editor/strip.js';

test('every photo of a list of any length is reached from its neighbors', () => {
  for (const count of [0, 1, 7, maximumCells, maximumCells + 1, 1_000_000]) {
    for (const share of [0, 0.2, 0.5, 0.999]) {
      const index = Math.floor(share * count);
      const { first, end } = reachable(count, index);
      assert.ok(first >= 0 && end <= count && end - first <= maximumCells, `${count} ${index}`);
      if (!count) continue;
      assert.ok(first <= index && index < end, `${index} of ${count}`);
      const nearest = Math.min(count, maximumCells / 2);
      assert.ok(first === 0 || index - first >= nearest, `before ${index} of ${count}`);
      assert.ok(end === count || end - index >= nearest, `after ${index} of ${count}`);
    }
  }
});

test('the cells of the window are there, and few others, wherever it was scrolled', () => {
  const part = reachable(1_000_000, 600_000);
  const width = 1000;
  for (const index of [part.first, 600_000, part.end - 1]) {
    const left = centered(part, index, width);
    const { from, to } = cellsNear(part, left, width);
    assert.ok(from <= index && index < to, `${index} is not in ${from}…${to}`);
    assert.ok(to - from <= width / cellWidth + 12, `${to - from} cells`);
    assert.ok(from >= part.first && to <= part.end);
    const seen = [left, left + width].map((x) => part.first + Math.floor(x / cellWidth));
    assert.ok(from <= seen[0] && to >= Math.min(part.end, seen[1]), 'the whole window');
  }
});

test('a photo is in the middle, except near the ends', () => {
  const part = reachable(100, 50);
  assert.equal(centered(part, 50, 1000), 50.5 * cellWidth - 500);
  assert.equal(centered(part, 0, 1000), 0);
  assert.equal(centered(part, 99, 1000), 100 * cellWidth - 1000);
  assert.equal(centered(reachable(3, 1), 1, 1000), 0, 'fewer cells than the window has place for');
  assert.deepEqual(cellsNear(reachable(0, 0), 0, 1000), { from: 0, to: 0 });
});
