// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { filters, node } from './support.js';
import { around, averageLight, balanceOf, inputOf } from '../js/editor/grayPoint.js';
import { Schema } from '../js/editor/schema.js';

const decoded = (level) =>
  (level / 255 <= 0.04045 ? level / 255 / 12.92 : ((level / 255 + 0.055) / 1.055) ** 2.4);
const image = (width, height, color) => ({
  width, height,
  data: Array.from({ length: width * height }, (_, at) =>
    [...color(at % width, Math.floor(at / width)), 255]).flat(),
});

test('a color gives the values that `whiteBalance:pick` gives for it on the command line', () => {
  for (const [color, temperature, tint] of [
    [[200, 150, 100], 3219, -9.427], [[100, 120, 160], 25000, 0.1814],
    [[130, 128, 126], 6224, -1.096], [[90, 160, 110], 6699, 149], [[128, 128, 128], 6500, 0],
    [[240, 200, 120], 3580, 22.41], [[60, 80, 200], 25000, -71.04],
    [[180, 120, 170], 6020, -146.9], [[30, 40, 20], 5200, 113.2], [[250, 30, 30], 2000, -150],
  ]) {
    const found = balanceOf(color.map(decoded));
    assert.equal(found.temperature, temperature, `${color}`);
    assert.ok(Math.abs(found.tint - tint) < 0.0006 + Math.abs(tint) * 1e-4,
      `${color}: ${found.tint}, not ${tint}`);
  }
});

test('a gray needs no white balance at any level, in any color space', () => {
  for (let level = 2; level <= 253; level += 1) {
    for (const space of ['srgb', 'display-p3']) {
      assert.deepEqual(balanceOf([level, level, level].map(decoded), space),
        { temperature: 6500, tint: 0 }, `${level} in ${space}`);
    }
  }
});

test('the same color has the same values in both color spaces', () => {
  // sRGB (200, 150, 100) in Display P3, linear.
  const [r, g, b] = [200, 150, 100].map(decoded);
  const wide = [
    0.8224621 * r + 0.177538 * g, 0.0331941 * r + 0.9668058 * g,
    0.0170827 * r + 0.0723974 * g + 0.9105199 * b,
  ];
  const [one, other] = [balanceOf([r, g, b]), balanceOf(wide, 'display-p3')];
  assert.ok(Math.abs(one.temperature - other.temperature) <= 1);
  assert.ok(Math.abs(one.tint - other.tint) < 0.02);
});

test('what is black or clipped in a channel gives no values', () => {
  assert.equal(balanceOf([254, 200, 200].map(decoded)), null);
  assert.equal(balanceOf([1, 90, 90].map(decoded)), null);
  assert.notEqual(balanceOf([253, 200, 2].map(decoded)), null);
});

test('the average is that of the light in the disc, of the pixel at its center at least', () => {
  const halves = image(40, 40, (x) => (x < 20 ? [0, 0, 0] : [255, 255, 255]));
  for (const value of averageLight(halves, 20, 20, 10)) assert.ok(Math.abs(value - 0.5) < 1e-9);
  assert.deepEqual(averageLight(halves, 10, 20, 9), [0, 0, 0]);
  const dots = image(9, 9, (x, y) => (x === 4 && y === 4 ? [255, 0, 0] : [0, 0, 255]));
  assert.deepEqual(averageLight(dots, 4.5, 4.5, 0), [1, 0, 0]);
});

test('the part around a point has the whole disc in whole pixels, and ends at the borders', () => {
  const whole = { x: 0, y: 0, w: 1, h: 1 };
  assert.deepEqual(around(0.5, 0.5, [3, 2]), whole);
  for (let at = 0; at <= 20; at += 1) {
    const [x, y, size] = [at / 20, 1 - at / 20, [4001, 3003]];
    const part = around(x, y, size);
    const [left, top] = [part.x * size[0], part.y * size[1]];
    const [right, bottom] = [left + part.w * size[0], top + part.h * size[1]];
    for (const value of [left, top, right, bottom]) {
      assert.ok(Math.abs(value - Math.round(value)) < 1e-6, `${value} at ${x}`);
    }
    assert.ok(left <= Math.max(0, x * size[0] - 40.01) && left >= 0);
    assert.ok(bottom >= Math.min(size[1], y * size[1] + 40.01) && bottom <= size[1] + 1e-6);
    assert.ok(right > left && bottom > top);
  }
});

test('of what comes after a filter, only the geometry and the masks are left', () => {
  const schema = new Schema({ filters });
  const nodes = [
    node('a', 'sepia'), node('b'), node('c', 'crop'), node('m', 'mask.linear', {}, { in: [] }),
    node('d', 'sepia', {}, { mask: 'm' }),
  ];
  const off = (id) => inputOf(schema, { nodes }, id).nodes.filter(({ enabled }) =>
    enabled === false).map((item) => item.id);
  assert.deepEqual(off('b'), ['b', 'd']);
  assert.deepEqual(off('a'), ['a', 'b', 'd']);
  assert.deepEqual(off(null), []);
});
