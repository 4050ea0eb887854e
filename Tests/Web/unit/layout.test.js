// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import './support.js';
import { byteOf, gap, Layout, ratioOf } from '../js/grid/layout.js';

const size = { width: 1000, height: 200, header: 40 };
const shapes = (count) => Uint8Array.from({ length: count }, (_, index) => (index * 37) % 256);
const section = (start, count, title = 'May') => ({ key: title, title, start, count });

test('a byte is a ratio with an error of one percent, within the limits of tiles', () => {
  for (const [width, height] of [[3, 2], [2, 3], [1, 1], [16, 9], [3, 1]]) {
    const error = ratioOf(byteOf(width, height)) / (width / height) - 1;
    assert.ok(Math.abs(error) < 0.011, `${width}:${height} ${error}`);
  }
  assert.equal(ratioOf(byteOf(100, 1)), 5);
  assert.equal(ratioOf(byteOf(1, 100)), 0.4);
  assert.equal(ratioOf(byteOf(0, 0)), 4 / 3, 'an unknown size');
});

test('all rows but the last of a section are as wide as the list', () => {
  const sections = [section(0, 61), section(61, 40)];
  const layout = new Layout(shapes(101), sections, size);
  for (let row = 0; row < layout.rowCount; row += 1) {
    let right = 0;
    layout.eachInRow(row, (_, left, width) => { right = left + width; });
    const isLast = sections.some(({ start, count }) => layout.starts[row + 1] === start + count);
    assert.ok(right <= size.width + 0.01, `row ${row}: ${right}`);
    assert.ok(isLast || right > size.width - 0.01, `row ${row}: ${right}`);
    assert.ok(layout.heights[row] <= size.height * 1.6 + 0.01);
    assert.ok(layout.tops[row + 1] - layout.tops[row] - layout.heights[row] >= gap - 0.01);
  }
});

test('each asset is found by its box, its row, and its section', () => {
  const layout = new Layout(shapes(101), [section(0, 61), section(61, 40, '')], size);
  for (let asset = 0; asset < 101; asset += 1) {
    const box = layout.box(asset);
    assert.equal(layout.rowAt(box.top + box.height / 2), box.row);
    assert.equal(layout.inRow(box.row, box.left + box.width / 2), asset);
    assert.equal(layout.sectionOf(asset), asset < 61 ? 0 : 1);
    assert.equal(layout.sectionAt(box.top), asset < 61 ? 0 : 1);
  }
  assert.equal(layout.rowAt(-10), 0);
  assert.equal(layout.rowAt(layout.total + 10), layout.rowCount - 1);
  assert.equal(layout.inRow(0, -5), 0, 'left of all');
});

test('only a section with a title has a header, and an empty list has no rows', () => {
  const [titled, plain] = ['May', ''].map(
    (title) => new Layout(shapes(1), [section(0, 1, title)], size));
  assert.equal(titled.total - plain.total, size.header);
  assert.deepEqual([titled.tops[0], plain.tops[0]], [size.header, 0]);
  const empty = new Layout(shapes(0), [section(0, 0, '')], size);
  assert.equal(empty.rowCount, 0);
});

test('short sections share a row, and each photo is found in its own', () => {
  const counts = [1, 2, 1, 40, 1, 1, 3, 1, 1, 1, 1, 1];
  let start = 0;
  const sections = counts.map((count) => {
    start += count;
    return section(start - count, count);
  });
  const layout = new Layout(new Uint8Array(start).fill(byteOf(1, 1)), sections, size);
  const rows = layout.sectionTops.subarray(0, counts.length);
  assert.deepEqual(counts.map((_, index) => [...new Set(rows)].indexOf(rows[index])),
    [0, 0, 0, 1, 2, 2, 3, 3, 4, 4, 4, 4]);
  for (const [index, { start: first, count }] of sections.entries()) {
    const left = layout.sectionLefts[index];
    for (let asset = first; asset < first + count; asset += 1) {
      const box = layout.box(asset);
      assert.equal(layout.sectionOf(asset), index);
      assert.equal(layout.rowAt(box.top + 1), box.row);
      assert.equal(layout.inRow(box.row, box.left + box.width / 2), asset);
      assert.ok(box.left >= left);
      assert.ok(box.left + box.width <= left + layout.sectionWidths[index] + 0.1);
      assert.ok(box.left + box.width <= size.width + 0.01);
      const [from, to] = [layout.sectionAt(box.top), layout.lastSectionAt(box.top)];
      assert.ok(from <= index && index <= to, `${index} is not in ${from} to ${to}`);
    }
    const [previous, next] = [index - 1, index].map((at) => layout.sectionTops[at]);
    if (index && previous === next) {
      assert.ok(left >= layout.sectionLefts[index - 1] + layout.sectionWidths[index - 1]);
    }
  }
  const titled = new Layout(shapes(2), [section(0, 1, ''), section(1, 1)], size);
  assert.equal(titled.rowCount, 2, 'a section without a title is alone');
});
