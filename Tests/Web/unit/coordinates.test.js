// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { coordinates } from '../js/coordinates.js';

test('coordinates are read as maps copy them, and nothing else is taken for them', () => {
  for (const text of ['38.5, -9.25', ' 38.5 -9.25 ', '38.5°, -9.25°', '+38.5;-9.25']) {
    assert.deepEqual(coordinates(text), { latitude: 38.5, longitude: -9.25 }, text);
  }
  for (const text of ['', '38.5', 'north', '91, 0', '0, 181', '38.5, -9.25, 3']) {
    assert.equal(coordinates(text), null, text);
  }
});
