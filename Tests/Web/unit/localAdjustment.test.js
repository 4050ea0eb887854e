// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { filters, node } from './support.js';
import { LocalAdjustment, maskGroups, NodeAdjustment } from '../js/editor/localAdjustment.js';
import { Draft } from '../js/editor/draft.js';
import { Schema } from '../js/editor/schema.js';

const number = (name, value) => ({ name, type: 'number', default: value, neutral: value });
const schema = new Schema({ filters: [
  ...filters.filter(({ name }) => name !== 'exposure'),
  { name: 'exposure', version: 1, family: 'point', parameters: [number('ev', 0)] },
  { name: 'contrast', version: 1, family: 'point', parameters: [number('amount', 1)] },
  { name: 'clarity', version: 1, family: 'point', parameters: [number('amount', 0)] },
] });

/** Adjustments within the masks of a graph. */
function open(nodes, selected = 'm') {
  const draft = new Draft(schema, { nodes });
  const selection = { selected };
  const local = (name) =>
    new LocalAdjustment(schema.filter(name), { draft, schema }, {}, selection);
  return { draft, selection, local };
}
const mask = (id) => node(id, 'mask.linear', { from: [0.5, 0], to: [0.5, 1] }, { in: [] });
const list = (draft) =>
  draft.nodes.map(({ filter, mask: id }) => (id ? `${filter} ${id}` : filter));
const start = () => [
  mask('m'), node('a', 'exposure', { ev: 0.5 }, { mask: 'm' }), mask('k'),
  node('b', 'exposure', { ev: 1 }, { mask: 'k' }), node('c', 'crop'),
];

test('filters that share a mask are a group', () => {
  const { draft } = open([...start(), node('d', 'clarity', {}, { mask: 'm' })]);
  assert.deepEqual(maskGroups(draft).map(({ mask: { id }, nodes }) => [id, nodes.map((n) => n.id)]),
    [['m', ['a', 'd']], ['k', ['b']]]);
});

test('sliders of a mask add filters next to one another, in their order', () => {
  const { draft, selection, local } = open(start());
  local('clarity').set('amount', 0.4);
  local('contrast').set('amount', 1.2);
  selection.selected = 'k';
  local('contrast').set('amount', 0.8);
  assert.deepEqual(list(draft), ['mask.linear', 'exposure m', 'contrast m', 'clarity m',
    'mask.linear', 'exposure k', 'contrast k', 'crop']);
  assert.deepEqual([local('exposure').value('ev'), local('contrast').value('amount')], [1, 0.8]);
  selection.selected = 'm';
  assert.deepEqual([local('exposure').value('ev'), local('contrast').value('amount')], [0.5, 1.2]);
  assert.equal(local('sepia').node, null);
});

test('a slider that is put back takes its filter along, but not the last one of its mask', () => {
  const { draft, local } = open(start());
  local('contrast').set('amount', 1.2);
  const steps = draft.undoSteps.length;
  local('exposure').set('ev', 0);
  assert.equal(draft.undoSteps.length, steps + 1);
  assert.deepEqual(list(draft).slice(0, 2), ['mask.linear', 'contrast m']);
  local('contrast').set('amount', 1);
  assert.deepEqual(list(draft).slice(0, 2), ['mask.linear', 'contrast m']);
  draft.beginGesture();
  local('exposure').set('ev', 0.2);
  local('exposure').set('ev', 0);
  assert.equal(local('exposure').rests, true, 'it is removed when the slider is released');
  draft.endGesture();
});

test('the shape of the selected mask is edited', () => {
  const { draft, selection } = open(start());
  const shape = new NodeAdjustment(schema.filter('mask.linear'), { draft, schema }, selection);
  shape.set('to', [0.2, 0.3]);
  assert.deepEqual(draft.node('m').params.to, [0.2, 0.3]);
  assert.deepEqual(draft.node('k').params.to, [0.5, 1]);
});
