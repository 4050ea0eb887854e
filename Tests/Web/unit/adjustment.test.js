// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { filters, node } from './support.js';
import { Adjustment } from '../js/editor/adjustment.js';
import { order, placeIn, sections } from '../js/editor/adjustTable.js';
import { Draft } from '../js/editor/draft.js';
import { Schema } from '../js/editor/schema.js';

const schema = new Schema({ filters });
const made = (name, nodes, fixed) => {
  const draft = new Draft(schema, { nodes });
  const adjustment = new Adjustment(schema.filter(name), { draft, schema }, fixed);
  return { draft, adjustment };
};
const values = (draft) => draft.nodes.map(({ id, params }) => [id, params.ev]);

test('the last node without a mask is edited, and others stay as they are', () => {
  const { draft, adjustment } = made('exposure', [
    node('a', 'exposure', { ev: 1 }), node('b', 'exposure', { ev: 2 }),
    node('m', 'mask.linear', {}, { in: [] }), node('c', 'exposure', { ev: 3 }, { mask: 'm' }),
    node('d', 'exposure', { ev: 4 }, { in: ['a'] }), node('e', 'sepia'),
  ]);
  assert.deepEqual([adjustment.nodeId, adjustment.value('ev')], ['b', 2]);
  adjustment.set('ev', -1);
  assert.deepEqual(values(draft).filter(([, ev]) => ev !== undefined),
    [['a', 1], ['b', -1], ['c', 3], ['d', 4]]);
  assert.equal(draft.undoSteps.length, 1);
});

test('only a value that differs from those of the photo adds the filter', () => {
  const { draft, adjustment } = made('exposure', []);
  adjustment.set('ev', 0);
  assert.deepEqual([draft.nodes.length, draft.undoSteps.length], [0, 0]);
  adjustment.set('ev', 0.5);
  assert.deepEqual(values(draft), [['n1', 0.5]]);
  assert.equal(draft.nodes[0].params.black, 0, 'the other values are stored as well');
});

test('a filter that is switched off is switched on by the value that is set', () => {
  const { draft, adjustment } = made('exposure', [node('a', 'exposure', {}, { enabled: false })]);
  adjustment.set('ev', 1);
  assert.deepEqual(draft.nodes, [node('a', 'exposure', { ev: 1 })]);
  assert.equal(draft.undoSteps.length, 1);
});

test('a row with fixed values edits and adds filters that have them', () => {
  const { draft, adjustment } = made('exposure', [node('a', 'exposure', { black: 0.5 })],
    { black: 1 });
  assert.equal(adjustment.node, null);
  adjustment.set('ev', 2);
  assert.deepEqual(draft.nodes.map(({ params }) => params), [{ black: 0.5 }, { ev: 2, black: 1 }]);
});

test('a filter rests at the value at which it is not used', () => {
  const { draft, adjustment } = made('sepia', []);
  adjustment.resting = { amount: 0 };
  assert.deepEqual([adjustment.value('amount'), adjustment.rests], [0, false]);
  adjustment.set('amount', 0);
  assert.equal(draft.nodes.length, 0);
  adjustment.set('amount', 0.5);
  assert.equal(adjustment.rests, false);
  adjustment.set('amount', 0);
  assert.equal(adjustment.rests, true);
  adjustment.remove();
  assert.equal(draft.nodes.length, 0);
});

test('filters are added in one order, whatever is touched first', () => {
  let seed = 7;
  const random = (count) => {
    seed = (seed * 48271) % 2147483647;
    return seed % count;
  };
  for (let round = 0; round < 100; round += 1) {
    const waiting = order.map((name) => (name === 'look' ? 'look.noir' : name));
    const nodes = [];
    while (waiting.length) {
      const [name] = waiting.splice(random(waiting.length), 1);
      const before = placeIn(nodes, name);
      const index = before === null ? nodes.length : nodes.findIndex(({ id }) => id === before);
      nodes.splice(index, 0, node(name, name));
    }
    assert.deepEqual(nodes.map((item) => item.filter.replace(/^look\..*/, 'look')), order);
  }
});

test('a new filter moves none that has no place in the order or is read by its name', () => {
  assert.equal(placeIn([node('a', 'lut3d'), node('b', 'sepia')], 'exposure'), null);
  assert.equal(placeIn([node('a', 'lut3d'), node('b', 'crop')], 'exposure'), 'b');
  assert.equal(placeIn([node('a', 'crop'), node('b', 'blend', {}, { in: ['source', 'a'] })],
    'exposure'), null);
  assert.equal(placeIn([node('a', 'crop')], 'sepia'), null);
});

test('no two rows edit the same parameter of the same filters', () => {
  const rows = sections.flatMap((section) => section.rows).flatMap((row) =>
    (row.fold ? [...(row.rows ?? []), ...Object.values(row.tabs ?? {}).flat()] : [row]));
  const keys = rows.map((row) =>
    (typeof row !== 'string' ? `${row.at} ${JSON.stringify(row.fixed ?? {})}` : `${row} {}`));
  assert.equal(new Set(keys).size, keys.length);
  assert.ok(keys.length > 70, `${keys.length} rows`);
});
