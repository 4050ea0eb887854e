// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { filters, node } from './support.js';
import { Adjustment } from '../js/editor/adjustment.js';
import { Draft } from '../js/editor/draft.js';
import { nextTo, pupilAt, sourceFor } from '../js/editor/healSource.js';
import { chained, effectOf, effectOfAll, projected, reversed } from '../js/editor/projection.js';
import { Schema } from '../js/editor/schema.js';
import { Spots } from '../js/editor/spots.js';

const near = (found, expected, message) => {
  for (const [index, value] of expected.entries()) {
    assert.ok(Math.abs(found[index] - value) < 1e-6, `${message ?? ''} ${found}, not ${expected}`);
  }
};
const moved = (filter, params, point, size = [400, 200]) => {
  const effect = effectOf(node('a', filter, params), size);
  return [...projected(effect.projection, point), ...effect.size];
};

test('each filter of the geometry moves the points of a photo', () => {
  near(moved('rotate90', { turns: 1 }, [0.25, 0.1]), [0.9, 0.25, 200, 400]);
  near(moved('rotate90', { turns: -1 }, [0.25, 0.1]), [0.1, 0.75, 200, 400]);
  near(moved('flip', { axis: 'horizontal' }, [0.25, 0.1]), [0.75, 0.1, 400, 200]);
  near(moved('orient', { exif: 5 }, [0.25, 0.1]), [0.1, 0.25, 200, 400]);
  near(moved('crop', { x: 0.25, y: 0.5, w: 0.5, h: 0.5 }, [0.5, 0.75]), [0.5, 0.5, 200, 100]);
  near(moved('crop', { x: 100, y: 50, w: 100, h: 50, unit: 'pixels' }, [0.25, 0.25]),
    [0, 0, 100, 50]);
  // A crop keeps whole pixels: from 33 to 67 of 100.
  near(moved('crop', { x: 1 / 3, y: 0, w: 1 / 3, h: 1 }, [0.33, 1], [100, 100]), [0, 1, 34, 100]);
  near(moved('pad', { left: 100, top: 200 }, [0, 0]), [0.2, 0.5, 500, 400]);
  near(moved('resize', { width: 100 }, [0.3, 0.7]), [0.3, 0.7, 100, 50]);
  near(moved('resize', { scale: 0.5 }, [0.3, 0.7]), [0.3, 0.7, 200, 100]);
  // 45° of a square: its corner is above its center, in the middle of what is shown.
  near(moved('straighten', { angle: 45, fit: 'expand' }, [0, 0], [100, 100]),
    [0.5, 0.5 - Math.SQRT1_2 * (100 / 142), 142, 142]);
  // What is inside keeps whole pixels: 300.27 by 150.14 become 300 by 150.
  near(moved('straighten', { angle: 10 }, [0.5, 0.5]), [0.5, 0.5, 300, 150]);
  near(moved('perspective', { tl: [0.1, 0.2], tr: [0.8, 0.1], br: [0.9, 0.9], bl: [0, 1] },
    [0.8, 0.1]).slice(0, 2), [1, 0]);
  near(moved('perspective', { tl: [0.25, 0], tr: [0.75, 0], br: [0.75, 1], bl: [0.25, 1] },
    [0.5, 0.5]), [0.5, 0.5, 200, 200]);
});

test('filters that are switched off have no effect, and that of unknown ones is not known', () => {
  const off = node('a', 'crop', { x: 0.5, w: 0.5 }, { enabled: false });
  assert.deepEqual(effectOf(off, [400, 200]).size, [400, 200]);
  assert.equal(effectOf(node('a', 'lens'), [400, 200]), null);
});

test('projections follow one another, and lead back', () => {
  const nodes = [
    node('a', 'rotate90', { turns: 1 }), node('b', 'exposure', { x: 9 }),
    node('c', 'straighten', { angle: 7 }), node('d', 'perspective', { tr: [0.8, 0.1] }),
    node('e', 'crop', { x: 0.2, y: 0.3, w: 0.6, h: 0.5 }),
  ];
  const all = effectOfAll(nodes, [400, 200], ({ filter }) => filter !== 'exposure');
  near(projected(reversed(all.projection), projected(all.projection, [0.3, 0.6])), [0.3, 0.6]);
  const first = effectOfAll(nodes.slice(0, 3), [400, 200], ({ filter }) => filter !== 'exposure');
  const rest = effectOfAll(nodes.slice(3), first.size, () => true);
  near(projected(chained(first.projection, rest.projection), [0.3, 0.6]),
    projected(all.projection, [0.3, 0.6]));
  assert.deepEqual(rest.size, all.size);
});

/** Spots of two methods in a graph. */
function open(nodes) {
  const schema = new Schema({ filters });
  const draft = new Draft(schema, { nodes });
  const [heal, clone] = ['heal', 'clone'].map((mode) =>
    new Adjustment(schema.filter('heal'), { draft, schema }, { mode }));
  return { draft, heal, clone, spots: new Spots(draft, [heal, clone]) };
}
const spot = (x, y = 0.5) => ({ center: [x, y], radius: 0.01, source: [x, 0.1] });
const stored = (draft) => draft.nodes.map(({ filter, params }) =>
  (filter === 'heal' ? [params.mode, params.spots.filter((_, index) => index % 5 === 0)] : filter));

test('spots are added before what adjusts the photo, each in a step of its own', () => {
  const { draft, heal, clone, spots } = open([node('a', 'exposure'), node('b', 'crop')]);
  assert.deepEqual(spots.add(heal, spot(0.1)), { adjustment: heal, index: 0 });
  assert.deepEqual(spots.add(heal, spot(0.2)), { adjustment: heal, index: 1 });
  spots.add(clone, spot(0.3));
  assert.deepEqual(stored(draft), [['heal', [0.1, 0.2]], ['clone', [0.3]], 'exposure', 'crop']);
  assert.equal(draft.undoSteps.length, 3);
  assert.deepEqual(spots.all.map(({ center }) => center[0]), [0.1, 0.2, 0.3]);
  draft.undo();
  draft.undo();
  assert.deepEqual(stored(draft), [['heal', [0.1]], 'exposure', 'crop']);
});

test('a spot changes its method with its values, and the last one takes its filter along', () => {
  const { draft, heal, clone, spots } = open([node('a', 'crop')]);
  spots.add(heal, spot(0.1));
  heal.set('feather', 0.7);
  draft.setProperty(heal.nodeId, 'opacity', 0.4);
  const steps = draft.undoSteps.length;
  const place = spots.move({ adjustment: heal, index: 0 }, clone);
  assert.deepEqual([stored(draft), place.adjustment], [[['clone', [0.1]], 'crop'], clone]);
  assert.deepEqual([clone.value('feather'), clone.node.opacity], [0.7, 0.4]);
  assert.equal(draft.undoSteps.length, steps + 1);
  spots.remove(place);
  assert.deepEqual(stored(draft), ['crop']);
});

test('a spot that is moved keeps the distance of its source, within the photo', () => {
  const { heal, spots } = open([]);
  spots.add(heal, spot(0.1));
  spots.moveTo(spots.all[0], 'center', [0.3, 0.45]);
  near(spots.all[0].source, [0.3, 0.05]);
  spots.moveTo(spots.all[0], 'center', [0.3, 0.3]);
  near(spots.all[0].source, [0.3, 0]);
  spots.moveTo(spots.all[0], 'source', [0.5, 0.5]);
  near([...spots.all[0].center, ...spots.all[0].source], [0.3, 0.3, 0.5, 0.5]);
});

test('a spot without size, with which the filter begins, is replaced by the first one', () => {
  const { draft, heal, spots } = open([
    node('a', 'heal', { mode: 'heal', spots: [0.5, 0.5, 0, 0.5, 0.5] })]);
  spots.add(heal, spot(0.1));
  assert.deepEqual(stored(draft), [['heal', [0.1]]]);
  for (let count = 1; count < 200; count += 1) {
    assert.ok(spots.hasSpace(heal));
    spots.add(heal, spot(count / 1000));
  }
  assert.equal(spots.hasSpace(heal), false);
});

/** An image from a function of column and row. */
function image(width, height, color) {
  const data = [];
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) data.push(...color(column, row), 255);
  }
  return { data, width, height };
}
const within = (x, y, [cx, cy], radius) => Math.hypot(x + 0.5 - cx, y + 0.5 - cy) <= radius;

test('the source of a spot continues what is around the spot', () => {
  // A dark blemish on an edge between two colors, along which the source has to be.
  const edge = image(100, 100, (x, y) => (within(x, y, [50, 50], 7)
    ? [20, 20, 20]
    : y < 50 ? [200, 180, 160] : [60, 90, 120]));
  const [x, y] = sourceFor(edge, [50, 50], 8, true);
  assert.ok(Math.abs(y - 50) < 1 && Math.abs(x - 50) > 16, `${x}, ${y}`);
});

test('the source of a spot has the pattern of what is around it, not only its colors', () => {
  // Below, left and right are exchanged.
  const stripes = image(100, 100, (x, y) => ((x < 50) === (y < 58)
    ? [60, 60, 60]
    : [200, 200, 200]));
  const [x, y] = sourceFor(stripes, [50, 50], 5, true);
  assert.ok(Math.abs(x - 50) < 1 && y < 50, `${x}, ${y}`);
});

test('the source of a spot is free of other blemishes', () => {
  // In the middle of the first candidate, where its rim does not touch it.
  const blemishes = [[100, 100], [148, 100]];
  const skin = image(200, 200, (x, y) => (blemishes.some((center) => within(x, y, center, 10))
    ? [90, 40, 40]
    : [200, 160, 140]));
  const [x, y] = sourceFor(skin, [100, 100], 20, true);
  assert.ok(Math.hypot(x - 148, y - 100) > 30, `${x}, ${y}`);
});

test('a clone has the brightness of what is around the spot', () => {
  // Towards the right, everything is the same but brighter.
  const ramp = image(160, 160, (x) => [80 + x, 80 + x, 80 + x]);
  const [x] = sourceFor(ramp, [80, 80], 10, false);
  assert.ok(Math.abs(x - 80) < 3, `${x}`);
});

test('without space for a source, it is on the side where there is the most', () => {
  const small = image(20, 16, () => [100, 100, 100]);
  near(sourceFor(small, [4, 8], 6, true), [18.4, 8]);
  near(nextTo([90, 50], 10, [100, 100]), [66, 50]);
  near(nextTo([50, 99], 50, [100, 100]), [50, 0]);
});

test('a pupil is found by its red, at its center', () => {
  const eye = image(60, 60, (x, y) => (within(x, y, [33, 28], 6)
    ? (within(x, y, [31, 26], 1.5) ? [250, 240, 240] : [190, 40, 40])
    : [150, 120, 100]));
  const { center, radius } = pupilAt(eye, [29, 31], 8);
  assert.ok(Math.hypot(center[0] - 33, center[1] - 28) < 1, `${center}`);
  assert.ok(radius > 6 && radius < 10, `${radius}`);
  assert.equal(pupilAt(eye, [10, 10], 8), null, 'nothing red');
  assert.equal(pupilAt(image(40, 40, () => [200, 30, 30]), [20, 20], 8), null, 'all is red');
});
