// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { filters, node } from './support.js';
import { most, neededPoints, Painting } from '../js/editor/brush.js';
import { withCoverage } from '../js/editor/coverage.js';
import { Draft } from '../js/editor/draft.js';
import { shortValue } from '../js/editor/changeText.js';
import { Schema } from '../js/editor/schema.js';
import { paintedOf, unpainted } from '../js/editor/strokes.js';

const brush = { radius: 0.05, hardness: 0.5, flow: 1 };

test('a line needs its ends and corners, within the tolerance', () => {
  const line = Array.from({ length: 50 }, (_, index) => [index / 50, 0.3 + 4e-4 * (index % 2)]);
  assert.deepEqual(neededPoints(line), [0, 49]);
  assert.deepEqual(neededPoints([[0, 0], [0.1, 0], [0.2, 0], [0.2, 0.1], [0.2, 0.2]]), [0, 2, 4]);
  assert.deepEqual(neededPoints([[0, 0]]), [0]);
  // Back to the start: the line between the ends has no length.
  assert.deepEqual(neededPoints([[0, 0], [0.2, 0], [0, 0]]), [0, 1, 2]);
});

test('the tolerance is a fraction of the longer side, whatever the shape of the image', () => {
  const painting = new Painting(brush, [1000, 100], most.points);
  // 0.004 of the height is 0.0004 of the width.
  for (const y of [0.5, 0.504, 0.5]) painting.add([0.5 + (y - 0.5), y]);
  assert.deepEqual(painting.finished().points, [[0.5, 0.5]].concat([[0.504, 0.504], [0.5, 0.5]]));
  const flat = new Painting(brush, [1000, 100], most.points);
  for (const [x, y] of [[0.4, 0.5], [0.5, 0.504], [0.6, 0.5]]) flat.add([x, y]);
  assert.deepEqual(flat.finished().points, [[0.4, 0.5], [0.6, 0.5]]);
});

test('points are rounded and kept within their limits, and a pressure of 1 is omitted', () => {
  const painting = new Painting({ ...brush, erase: true }, [100, 100], most.points);
  painting.add([0.123456, 0.5]);
  painting.add([0.123457, 0.5]);
  painting.add([-3, 7], 0.2512);
  assert.deepEqual(painting.finished(),
    { ...brush, erase: true, points: [[0.1235, 0.5], [-1, 2, 0.25]] });
  assert.deepEqual(
    Object.keys(new Painting({ ...brush, erase: false }, [1, 1], 1).stroke),
    ['radius', 'hardness', 'flow', 'points']);
});

test('a pressure that changes the radius keeps its points', () => {
  const painting = new Painting(brush, [100, 100], most.points);
  for (const [x, pressure] of [[0.1, 0.2], [0.2, 0.8], [0.3, 0.2]]) {
    painting.add([x, 0.5], pressure);
  }
  assert.equal(painting.finished().points.length, 3);
});

test('a long stroke is simplified while it is painted, and ends with the space', () => {
  const straight = new Painting(brush, [100, 100], most.points);
  for (let index = 0; index <= 9000; index += 1) straight.add([index / 9000, 0.5]);
  assert.ok(straight.count < 600, `${straight.count} points before the end`);
  assert.ok(straight.finished().points.length < 30);
  const scribble = new Painting(brush, [100, 100], 1000);
  let added = 0;
  while (scribble.add([(added * 0.37) % 1, (added * 0.61) % 1])) added += 1;
  assert.ok(added >= 1000 && scribble.finished().points.length <= 1000);
});

test('a new mask is valid and has no strokes', () => {
  const schema = new Schema({ filters: [
    ...filters, { name: 'mask.brush', version: 1, family: 'mask', inputs: 'none', parameters: [
      { name: 'strokes', type: 'strokes', default: [{ ...brush, points: [[0.3, 0.5]] }] },
    ] },
  ] });
  const { strokes } = schema.values(schema.filter('mask.brush'), { effect: true });
  assert.deepEqual(strokes, unpainted());
  assert.deepEqual(paintedOf(strokes), []);
  assert.equal(shortValue([...strokes, { ...brush, points: [[0.5, 0.5]] }], { type: 'strokes' }),
    '1 stroke');
});

test('a gesture that is canceled leaves neither a change nor a step', () => {
  const draft = new Draft(new Schema({ filters }), { nodes: [node('a', 'exposure', { ev: 0 })] });
  draft.setValue('a', 'ev', 1);
  draft.beginGesture();
  draft.setValue('a', 'ev', 2);
  draft.setValue('a', 'ev', 3);
  draft.cancelGesture();
  assert.deepEqual([draft.node('a').params.ev, draft.undoSteps.length], [1, 1]);
  draft.setValue('a', 'ev', 4);
  draft.undo();
  assert.equal(draft.node('a').params.ev, 1);
});

test('the overlay is in place of what the mask limits, and geometry that is kept follows', () => {
  const graph = { nodes: [
    node('a'), node('m', 'mask.radial', {}, { in: [] }), node('b', 'sepia', {}, { mask: 'm' }),
    node('c'), node('d', 'crop'),
  ] };
  const ids = ({ nodes }) => nodes.map(({ id }) => id);
  assert.deepEqual(ids(withCoverage(graph, 'm')), ['a', 'm', 'coverage']);
  assert.deepEqual(ids(withCoverage(graph, 'm', ({ filter }) => filter === 'crop')),
    ['a', 'm', 'coverage', 'd']);
  assert.equal(withCoverage(graph, 'unused'), graph);
});
