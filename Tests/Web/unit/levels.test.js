// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { node } from './support.js';
import { channelOf, heightOf, levelsBefore, pointsIn, topOf } from '../js/editor/levels.js';
import { lineThrough } from '../js/editor/spline.js';

let seed = 5;
const random = () => {
  seed = (seed * 48271) % 2147483647;
  return seed / 2147483647;
};
const sum = (list) => list.reduce((total, count) => total + count, 0);
const counts = () => Array.from({ length: 256 }, () => Math.floor(random() * 1000));
const straight = [[0, 0], [1, 1]];
/** Points of a rising curve with no level part, from corner to corner. */
const rising = () => {
  const [xs, ys] = [0, 1].map(() => Array.from({ length: 3 }, () => 0.1 + random()));
  const positions = (steps) => steps.map((_, index) => sum(steps.slice(0, index + 1)) / sum(steps));
  return [[0, 0], ...positions(xs).map((x, index) => [x, positions(ys)[index]])];
};

test('the line is that of the engine', () => {
  // The levels that the command line makes of those of a ramp, which is stored as a JPEG.
  for (const [points, levels] of [
    [[[0, 0.1], [0.25, 0.2], [0.5, 0.7], [1, 0.9]], [[0, 26], [13, 27], [26, 31], [40, 37],
      [64, 51], [80, 75], [102, 131], [128, 179], [160, 200], [204, 220], [230, 227], [255, 230]]],
    [[[0.2, 0.1], [0.8, 1]], [[0, 26], [40, 26], [64, 45], [80, 69], [102, 102], [128, 141],
      [160, 189], [204, 255], [255, 255]]],
  ]) {
    const line = lineThrough(points);
    for (const [from, to] of levels) {
      assert.ok(Math.abs(line(from / 255) * 255 - to) < 1.5, `${from}: ${line(from / 255) * 255}`);
    }
  }
  const [from, to] = [[0.2, 0.1], [0.8, 0.9]];
  assert.deepEqual([0, 0.2, 0.8, 1].map(lineThrough([from, to])), [0.1, 0.1, 0.9, 0.9]);
});

test('a curve that changes nothing leaves the levels as they are', () => {
  const levels = counts();
  assert.deepEqual(levelsBefore(levels, straight), levels);
});

test('the levels before a curve are those that it was applied to', () => {
  for (let round = 0; round < 50; round += 1) {
    const [before, points] = [counts(), rising()];
    const line = lineThrough(points);
    // Each level is spread over those that the curve makes of it.
    const after = new Array(256).fill(0);
    for (const [level, count] of before.entries()) {
      for (let part = 0; part < 20; part += 1) {
        const value = line((level + (part + 0.5) / 20) / 256);
        after[Math.min(255, Math.floor(value * 256))] += count / 20;
      }
    }
    const found = levelsBefore(after, points);
    for (let level = 1; level <= 256; level += 1) {
      const [one, other] = [found, before].map((list) => sum(list.slice(0, level)));
      // What the curve has put into one level cannot be separated.
      const together = after[Math.min(255, Math.floor(line(level / 256) * 256))];
      assert.ok(Math.abs(one - other) < together + 1,
        `${one} below ${level}, not ${other}, with ${JSON.stringify(points)}`);
    }
  }
});

test('a falling curve mirrors the levels', () => {
  const levels = counts();
  const found = levelsBefore(levels, [[0, 1], [1, 0]]);
  for (const [level, count] of levels.toReversed().entries()) {
    assert.ok(Math.abs(found[level] - count) < 1e-6);
  }
});

test('a curve of all channels works on the levels of each', () => {
  const levels = { r: counts(), g: counts(), b: counts(), luma: counts() };
  assert.equal(channelOf(levels, 'g'), levels.g);
  const all = channelOf(levels, 'master');
  assert.deepEqual([all[0], all[255]],
    [0, 255].map((level) => levels.r[level] + levels.g[level] + levels.b[level]));
});

test('clipped pixels do not flatten the others', () => {
  const list = new Array(256).fill(10).fill(1e6, 255);
  assert.ok(heightOf(10, topOf([list])) > 0.9);
  assert.equal(heightOf(1e6, topOf([list])), 1);
  assert.equal(heightOf(0, topOf([new Array(256).fill(0)])), 0);
});

test('only a curve of the whole image is taken back', () => {
  const params = { points: [[0, 0], [1, 0.5]] };
  const graph = (more) => ({ nodes: [node('a', 'sepia'), node('c', 'curve', params, more)] });
  assert.deepEqual(pointsIn(graph({}), 'c'), params.points);
  for (const more of [{ enabled: false }, { mask: 'm' }, { opacity: 0.5 }, { blend: 'screen' }]) {
    assert.equal(pointsIn(graph(more), 'c'), undefined, JSON.stringify(more));
  }
  assert.equal(pointsIn(graph({}), 'x'), undefined);
});
