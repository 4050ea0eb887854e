// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import './support.js';
import { sections } from '../js/editor/adjustTable.js';
import { changeText } from '../js/editor/changeText.js';
import { differences } from '../js/editor/differences.js';
import { scaleOf, valueText } from '../js/editor/scale.js';
import { format, identityOf, Schema } from '../js/editor/schema.js';

const catalog = JSON.parse(readFileSync(new URL('../filters.json', import.meta.url)));
const schema = new Schema({ filters: catalog });
const find = (at) => {
  const [filter, name] = [at.slice(0, at.lastIndexOf('.')), at.slice(at.lastIndexOf('.') + 1)];
  const found = schema.filter(filter);
  return [found, found.parameters.find((item) => item.name === name)];
};
const rows = sections.flatMap((section) => section.rows).flatMap((row) =>
  (row.fold ? [...(row.rows ?? []), ...Object.values(row.tabs ?? {}).flat()] : [row]))
  .map((row) => (typeof row === 'string' ? { at: row } : row));

// A length and a hue are known by their numbers; zero of them is no value at which they rest.
const absolute = ['sharpenLuma.sigma', 'blackWhite.tintHue'];

test('every slider of the Adjust panel rests at 0, and shares reach from -100 to 100', () => {
  for (const { at, rest } of rows) {
    const [filter, parameter] = find(at);
    if (parameter.type !== 'number' || absolute.includes(at)) continue;
    const scale = scaleOf(filter, parameter);
    const stored = rest ?? identityOf(parameter);
    if (!scale) {
      assert.equal(stored, 0, at);
      continue;
    }
    assert.equal(scale.shown(stored), 0, at);
    assert.equal(scale.stored(0), stored, at);
    const ends = scale.parameter.usefulRange;
    if (parameter.unit !== 'kelvin') {
      for (const end of ends) assert.ok([-100, 0, 100].includes(end), `${at} ${ends}`);
    }
    for (const [index, end] of ends.entries()) {
      assert.ok(Math.abs(scale.stored(end) - parameter.usefulRange[index]) < 1e-6, at);
    }
  }
});

test('what is typed comes back as it was', () => {
  for (const { at } of rows) {
    const [filter, parameter] = find(at);
    const scale = parameter.type === 'number' && scaleOf(filter, parameter);
    if (!scale) continue;
    const [low, high] = scale.parameter.usefulRange;
    for (let value = low; value <= high; value += 1) {
      assert.equal(scale.shown(scale.stored(value)), value, `${at} ${value}`);
    }
  }
});

test('the description of a slider speaks of the values that it shows', () => {
  assert.equal(scaleOf(...find('saturate.amount')).parameter.summary, '0 is the usual value.');
  assert.equal(scaleOf(...find('saturate.amount')).parameter.allowed, '−100 … +300');
  assert.match(scaleOf(...find('clarity.amount')).parameter.summary, /below 0 reduces/);
});

test('values have their sign and their unit', () => {
  const text = (at, value) => valueText(...find(at), value);
  assert.equal(text('exposure.ev', 0.7), '+0.70\u00a0EV');
  assert.equal(text('contrast.amount', 1), '0');
  assert.equal(text('contrast.amount', 1.5), '+50');
  assert.equal(text('contrast.amount', 0.75), '−50');
  assert.equal(text('saturate.amount', 0), '−100');
  assert.equal(text('whiteBalance.temperature', 7000), '+500\u00a0K');
  assert.equal(text('hueRotate.angle', -12), '−12°');
  assert.equal(text('grain.amount', 0.25), '25');
  assert.equal(text('contrast.pivot', 0.5), '0.500');
});

test('a state of the history shows the values with which a filter was added', () => {
  const node = (filter, params) => ({
    id: filter, filter, v: 1, params: { ...schema.values(schema.filter(filter)), ...params },
  });
  const lines = (before, after) =>
    differences({ nodes: before }, { nodes: after }, schema)
      .map((change) => changeText(change, schema).join(' '));
  assert.deepEqual(lines([], [
    node('exposure', { ev: 0.7 }), node('contrast', { amount: 1.2 }),
    node('saturate', { amount: 0.5 }), node('shadowsHighlights', { shadows: 0.3 }),
    node('crop', { w: 0.8, h: 0.6 }), node('mask.linear', {}), node('vignette', { amount: -0.4 }),
  ]), [
    'Exposure +0.70\u00a0EV', 'Contrast +20', 'Saturation −50', 'Shadows +30',
    'Crop 80\u00a0×\u00a060\u00a0%', 'Linear mask added', 'Vignette −40',
  ]);
  assert.deepEqual(lines([node('exposure', { ev: 0.2 })], [node('exposure', { ev: 0.5 })]),
    ['Exposure +0.20 → +0.50\u00a0EV']);
  assert.deepEqual(lines([node('sepia', {})], []), ['Sepia removed']);
  // Another filter can have the name of one that was removed.
  const named = (filter, params) => ({ ...node(filter, params), id: 'n1' });
  assert.deepEqual(lines([named('exposure', { ev: 0.2 })], [named('contrast', { amount: 1.5 })]),
    ['Exposure removed', 'Contrast +50']);
});

test('measured values are rounded to the step of their slider; finer steps are shown', () => {
  const [filter, parameter] = find('exposure.ev');
  const shown = (value) => valueText(filter, parameter, value);
  assert.equal(shown(0.2525), '+0.25\u00a0EV');
  assert.equal(shown(-1.23456), '−1.23\u00a0EV');
  assert.equal(shown(0.255), '+0.255\u00a0EV');
  assert.equal(shown(0.5), '+0.50\u00a0EV');
  // A small number is not the same as none.
  assert.equal(shown(0.00031), '+0.0003\u00a0EV');
  assert.equal(format(1 / 3, null), '0.333');
  assert.equal(format(0.412456, null), '0.412456');
  const change = { filter: 'exposure', key: 'ev', from: 0.2525, to: 0.2531 };
  assert.deepEqual(changeText(change, schema), ['Exposure', '+0.25\u00a0EV']);
});
