// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { node } from './support.js';
import {
  around, axesOf, corners, direction, fitted, followed, inverse, limited, parseRatio, pixelsOf,
  resized, straightened, oriented, orientedSize, sizeBefore, identity,
} from '../js/editor/cropGeometry.js';
import { takenBack } from '../js/editor/differences.js';

let seed = 11;
const random = (low = 0, high = 1) => {
  seed = (seed * 48271) % 2147483647;
  return low + (high - low) * (seed / 2147483647);
};
const pick = (list) => list[Math.floor(random() * list.length)];
const near = (found, expected, what, error = 1e-9) => {
  for (const [key, value] of Object.entries(expected)) {
    assert.ok(Math.abs(found[key] - value) < error,
      `${what}: ${JSON.stringify([found, expected])}`);
  }
};
const region = () => {
  const [w, h] = [random(0.1, 0.9), random(0.1, 0.9)];
  return { x: random(0, 1 - w), y: random(0, 1 - h), w, h };
};
const turn = () => pick([
  node('t', 'rotate90', { turns: pick([1, 2, 3, -1, 5]) }),
  node('f', 'flip', { axis: pick(['horizontal', 'vertical']) }),
  node('o', 'orient', { exif: Math.ceil(random(0, 8)) }),
]);

test('a rectangle turns with the photo', () => {
  const corner = { x: 0, y: 0, w: 0.25, h: 0.5 };
  const expected = [
    [node('a', 'rotate90', { turns: 1 }), { x: 0.5, y: 0, w: 0.5, h: 0.25 }],
    [node('a', 'rotate90', { turns: 2 }), { x: 0.75, y: 0.5, w: 0.25, h: 0.5 }],
    [node('a', 'rotate90', { turns: 3 }), { x: 0, y: 0.75, w: 0.5, h: 0.25 }],
    [node('a', 'flip', {}), { x: 0.75, y: 0, w: 0.25, h: 0.5 }],
    [node('a', 'flip', { axis: 'vertical' }), { x: 0, y: 0.5, w: 0.25, h: 0.5 }],
    [node('a', 'orient', { exif: 5 }), { x: 0, y: 0, w: 0.5, h: 0.25 }],
    [node('a', 'rotate90', { turns: 1 }, { enabled: false }), corner],
  ];
  for (const [item, place] of expected) near(oriented(corner, axesOf(item)), place, item.filter);
  assert.equal(axesOf(node('a', 'crop')), null);
});

test('turns follow each other, and go back', () => {
  for (let round = 0; round < 200; round += 1) {
    const turns = Array.from({ length: 4 }, () => axesOf(turn()));
    const all = turns.reduce(followed, identity);
    const start = region();
    const end = turns.reduce(oriented, start);
    near(oriented(start, all), end, 'one after another');
    near(oriented(end, inverse(all)), start, 'back');
    assert.deepEqual(turns.reduce((size, axes) => orientedSize(size, axes), [3, 2]),
      orientedSize([3, 2], all));
    assert.equal(direction(all), turns.reduce((sign, axes) => sign * direction(axes), 1));
  }
});

test('what is kept of a straightened photo lies within it', () => {
  for (let round = 0; round < 500; round += 1) {
    const size = [random(100, 6000), random(100, 6000)];
    const angle = random(-45, 45);
    const whole = straightened(size, angle, 'expand');
    const outline = corners(size, angle, identity)
      .map(([x, y]) => [(x - 0.5) * whole[0], (y - 0.5) * whole[1]]);
    for (const fit of ['keepAspect', 'maxArea']) {
      const [w, h] = straightened(size, angle, fit);
      if (fit === 'keepAspect') near([w / h], [size[0] / size[1]], 'ratio');
      for (const [x, y] of [[-w, -h], [w, -h], [w, h], [-w, h]].map((p) => p.map((v) => v / 2))) {
        for (const [at, [x1, y1]] of outline.entries()) {
          const [x2, y2] = outline[(at + 1) % 4];
          const area = (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1);
          const inside = area / Math.hypot(x2 - x1, y2 - y1);
          assert.ok(inside > -1e-6, `${fit} ${size} ${angle}: ${inside}`);
        }
      }
    }
    const back = sizeBefore(whole, angle);
    if (back) near(back, size, 'the photo again', 1e-6);
    else assert.ok(Math.abs(angle) > 40);
    const pixels = whole.map(Math.ceil);
    assert.equal(sizeBefore(pixels, angle, size), size, 'a known size that fits');
    assert.notEqual(sizeBefore(pixels, angle, [size[0] * 2, size[1]]), size);
  }
});

test('the outline of a turned photo turns with it', () => {
  for (let round = 0; round < 50; round += 1) {
    const [size, angle, axes] = [[random(1, 9), random(1, 9)], random(-40, 40), axesOf(turn())];
    const points = corners(size, angle, axes);
    for (const axis of [0, 1]) {
      near([Math.min(...points.map((p) => p[axis]))], [0], 'the first edge');
      near([Math.max(...points.map((p) => p[axis]))], [1], 'the last edge');
    }
  }
});

const isGeometry = ({ filter }) =>
  ['crop', 'straighten', 'perspective', 'rotate90', 'flip', 'orient'].includes(filter);

test('the crop finds what straightens the photo before it, and the turns around it', () => {
  const nodes = [
    node('p', 'perspective'), node('s', 'straighten', { angle: 3 }), node('e'),
    node('r', 'rotate90', { turns: 1 }), node('c', 'crop'), node('v', 'vignette'),
    node('f', 'flip', { axis: 'horizontal' }), node('x', 'straighten', { angle: 1 }),
  ];
  const found = around(nodes, 4, isGeometry);
  assert.equal(found.straighten.id, 's');
  assert.deepEqual(found.between, axesOf(nodes[3]));
  assert.deepEqual(found.after, axesOf(nodes[6]));
  const [first, ...rest] = nodes;
  assert.equal(around([rest[0], first, ...rest.slice(1)], 4, isGeometry).straighten, null,
    'perspective between them');
  assert.deepEqual(around(rest.slice(2), 1, isGeometry).between, identity);
  const masked = [node('s', 'straighten', { angle: 3 }, { enabled: false }), node('c', 'crop')];
  assert.equal(around(masked, 1, isGeometry).straighten, null, 'switched off');
});

test('pixels are counted as the filter rounds its edges', () => {
  assert.deepEqual(pixelsOf({ x: 0.5, y: 0, w: 0.5, h: 1 }, [5, 3]), [2, 3]);
  assert.deepEqual(pixelsOf({ x: 0.1, y: 0.1, w: 0.5, h: 0.001 }, [15, 10]), [7, 1]);
});

test('a corner with a ratio grows and shrinks along its diagonal, and the other one stays', () => {
  const size = [400, 300];
  for (let round = 0; round < 300; round += 1) {
    const ratio = random(0.4, 2.5);
    const side = pick([[-1, -1], [1, -1], [1, 1], [-1, 1]]);
    const old = fitted(region(), ratio);
    const step = [random(-0.5, 0.5), random(-0.5, 0.5)];
    const made = resized(old, side, step, ratio, size);
    near([made.w / made.h], [ratio], 'ratio', 1e-6);
    near([side[0] > 0 ? made.x : made.x + made.w], [side[0] > 0 ? old.x : old.x + old.w], 'across');
    near([side[1] > 0 ? made.y : made.y + made.h], [side[1] > 0 ? old.y : old.y + old.h], 'down');
    near(limited(made), made, 'within the photo', 1e-6);
  }
  const square = { x: 0.2, y: 0.2, w: 0.6, h: 0.6 };
  for (const step of [[0.1, 0], [0, 0.1]]) {
    assert.ok(resized(square, [-1, -1], step, 1, size).w < 0.59, `${step} shrinks`);
    assert.ok(resized(square, [1, 1], step, 1, size).w > 0.61, `${step} grows`);
  }
});

test('a side moves alone without a ratio, and takes the others along with one', () => {
  const old = { x: 0.2, y: 0.2, w: 0.4, h: 0.4 };
  near(resized(old, [1, 0], [0.1, 0.3], null, [1, 1]), { x: 0.2, y: 0.2, w: 0.5, h: 0.4 }, 'free');
  near(resized(old, [1, 0], [-0.9, 0], null, [1, 1]), { x: 0.2, w: 0.02 }, 'smallest');
  near(resized(old, [1, 0], [0.2, 0], 1, [1, 1]), { x: 0.2, y: 0.1, w: 0.6, h: 0.6 }, 'ratio');
  near(resized(old, [0, -1], [0, -0.2], 1, [1, 1]), { x: 0.1, y: 0, w: 0.6, h: 0.6 }, 'upward');
});

test('ratios are read as people write them', () => {
  for (const [text, value] of [
    ['5:7', 5 / 7], [' 16 x 9 ', 16 / 9], ['2,35', 2.35], ['8.5/11', 8.5 / 11], ['3×2', 1.5],
  ]) assert.equal(Number(parseRatio(text).value), value, text);
  for (const text of ['', 'wide', '0:1', '1:0', '1:999', '-1:2', '1:2:3', '1e9']) {
    assert.equal(parseRatio(text), null, text);
  }
});

test('Cancel takes back the filters of the tool and keeps what else was changed', () => {
  const before = [
    node('a', 'exposure', { ev: 1 }), node('c', 'crop', { w: 0.5 }), node('b', 'sepia'),
  ];
  const now = [
    node('a', 'exposure', { ev: 2 }), node('n', 'vibrance'), node('s', 'straighten'),
    node('c', 'crop', { w: 0.1 }), node('m', 'grain'),
  ];
  assert.deepEqual(takenBack(before, now, ['crop', 'straighten']),
    [now[0], now[1], before[1], now[4]]);
  assert.deepEqual(takenBack(before, before, ['crop']), before);
  assert.deepEqual(takenBack([], [node('c', 'crop')], ['crop']), []);
});
