// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { colorAt, placeOf } from '../js/editor/wheel.js';

test('red is at the right of the wheel, and the hue grows counterclockwise', () => {
  for (const [place, hue] of [[[1, 0], 0], [[0, -1], 90], [[-1, 0], 180], [[0, 1], 270]]) {
    assert.deepEqual(colorAt(...place, 0.6), { hue, strength: 0.6 });
    const [x, y] = placeOf(hue, 0.6, 0.6);
    assert.ok(Math.hypot(x - place[0], y - place[1]) < 1e-9, `${hue}`);
  }
});

test('each color has a place, and the place has the color', () => {
  for (const most of [0.6, 1]) {
    for (let hue = 0; hue < 360; hue += 1) {
      for (let strength = 5; strength <= most * 100; strength += 5) {
        assert.deepEqual(colorAt(...placeOf(hue, strength / 100, most), most),
          { hue, strength: strength / 100 });
      }
    }
  }
});

test('the middle has no color, and what is outside is at the rim', () => {
  assert.deepEqual(colorAt(0, 0, 0.6), { hue: 0, strength: 0 });
  assert.deepEqual(colorAt(0.02, -0.02, 0.6), { hue: 0, strength: 0 });
  assert.deepEqual(colorAt(3, -3, 0.6), { hue: 45, strength: 0.6 });
  assert.ok(Math.abs(Math.hypot(...placeOf(200, 1, 0.6)) - 1) < 1e-9);
});
