// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { filters, node } from './support.js';
import { shortValue } from '../js/editor/changeText.js';
import { Draft } from '../js/editor/draft.js';
import { Schema } from '../js/editor/schema.js';

const schema = new Schema({ filters });
const draft = (...nodes) => new Draft(schema, { nodes });
const ids = (made) => made.nodes.map(({ id }) => id);

test('changes of one value in quick succession are one undo step', () => {
  const made = draft(node('n1', 'exposure', { ev: 0 }));
  for (const ev of [0.1, 0.2, 0.3]) made.setValue('n1', 'ev', ev);
  made.setValue('n1', 'black', 0.5);
  assert.equal(made.undoSteps.length, 2);
  made.undo();
  assert.deepEqual(made.node('n1').params, { ev: 0.3 });
  made.undo();
  assert.equal(made.isChanged, false);
  made.redo();
  made.redo();
  assert.deepEqual(made.node('n1').params, { ev: 0.3, black: 0.5 });
});

test('the changes of a gesture are one undo step, and one without changes is none', () => {
  const made = draft(node('n1'), node('n2', 'sepia'));
  made.beginGesture();
  made.setValue('n1', 'ev', 1);
  made.setValue('n2', 'amount', 0.5);
  made.endGesture();
  made.beginGesture();
  made.setValue('n2', 'amount', 0.5);
  made.endGesture();
  assert.equal(made.undoSteps.length, 1);
  made.setValue('n1', 'ev', 2);
  assert.equal(made.undoSteps.length, 2, 'a change after the gesture');
});

test('a change after undo ends the redo steps', () => {
  const made = draft(node('n1'));
  made.setValue('n1', 'ev', 1);
  made.undo();
  made.setValue('n1', 'black', 1);
  made.redo();
  assert.deepEqual(made.node('n1').params, { black: 1 });
});

test('a mask is one change and one filter with the filter that reads it', () => {
  const made = new Draft(schema, { nodes: [] });
  made.reset({ nodes: [] }, { nodes: [
    node('n2', 'mask.radial'), node('n1', 'exposure', { ev: 0.5, black: 0 }, { mask: 'n2' }),
  ] });
  assert.equal(made.changeCount, 1);
  assert.equal(made.savedCount, 0);
  made.rebase(structuredClone(made.graph));
  assert.equal(made.changeCount, 0);
  assert.equal(made.savedCount, 1);
  made.setValues('n2', { angle: 30 });
  assert.equal(made.changeCount, 1, 'the shape of the mask');
  made.reset(made.saved, { nodes: [] });
  assert.equal(made.changeCount, 1, 'both are removed');
  // A mask that no filter reads is a filter of its own.
  made.reset({ nodes: [] }, { nodes: [node('n1', 'mask.radial')] });
  assert.equal(made.changeCount, 1);
});

test('changed values and nodes are counted, derived fields are not', () => {
  const made = new Draft(schema, { nodes: [node('n1', 'exposure', { ev: 0, black: 0 })] });
  const nodes = [node('n1')];
  made.reset({ nodes }, { nodes, requires: ['a'], source: { size: 1 } });
  assert.equal(made.changeCount, 0);
  made.setValues('n1', { ev: 1, black: 1 });
  made.setProperty('n1', 'opacity', 0.5);
  made.add(schema.filter('sepia'), { amount: 1 });
  assert.equal(made.changeCount, 4);
  made.setProperty('n1', 'opacity', undefined);
  assert.equal('opacity' in made.node('n1'), false);
});

test('a new node takes no name of the saved or the edited graph', () => {
  const made = draft(node('n1'), node('n2'));
  made.remove('n1');
  assert.equal(made.add(schema.filter('sepia'), {}), 'n3');
  assert.equal(made.add(schema.filter('crop'), {}, { before: 'n2' }), 'n4');
  assert.deepEqual(ids(made), ['n4', 'n2', 'n3']);
});

test('readers of a removed node read its input', () => {
  const made = draft(node('a'), node('b'), node('c', 'blend', {}, { in: ['source', 'b'] }));
  made.remove('b');
  assert.deepEqual(made.node('c').in, ['source', 'a']);
  made.remove('a');
  assert.deepEqual(made.node('c').in, ['source', 'source']);
});

test('a mask is placed before its node, replaced, and removed with its last reader', () => {
  const made = draft(node('a'), node('b', 'sepia'));
  made.setMask('b', 'mask.linear');
  assert.deepEqual(ids(made), ['a', 'n1', 'b']);
  assert.deepEqual([made.node('b').mask, made.node('n1').in], ['n1', []]);
  made.setMask('b', 'mask.radial');
  assert.deepEqual(made.nodes.map(({ filter }) => filter), ['exposure', 'mask.radial', 'sepia']);
  made.setMask('b', null);
  assert.deepEqual(ids(made), ['a', 'b']);
  assert.equal('mask' in made.node('b'), false);
  made.setMask('b', 'mask.linear');
  made.remove('b');
  assert.deepEqual(ids(made), ['a'], 'the mask has no reader');
});

test('a mask that another node reads stays', () => {
  const shared = draft(
    node('m', 'mask.linear', {}, { in: [] }), node('a', 'exposure', {}, { mask: 'm' }),
    node('b', 'sepia', {}, { mask: 'm' }));
  shared.remove('a');
  assert.deepEqual(ids(shared), ['m', 'b']);
  shared.remove('m');
  assert.equal('mask' in shared.node('b'), false);
});

const mask = (id, kind, ...inputs) => node(id, `mask.${kind}`, {}, { in: inputs });

test('a removed mask leaves its name in no other mask', () => {
  const combined = () => draft(
    mask('m', 'linear'), mask('n', 'radial'), mask('both', 'intersect', 'm', 'n'),
    mask('not', 'invert', 'both'), node('a', 'exposure', {}, { mask: 'both' }),
    node('b', 'sepia', {}, { mask: 'not' }));
  const made = combined();
  made.remove('m');
  assert.deepEqual(ids(made), ['n', 'not', 'a', 'b'], 'the other mask stays');
  assert.deepEqual([made.node('not').in, made.node('a').mask, made.node('b').mask],
    [['n'], 'n', 'not']);
  made.remove('n');
  assert.deepEqual(ids(made), ['a', 'b'], 'a mask without its input goes');
  assert.equal(made.nodes.some((item) => 'mask' in item), false);
  made.undo();
  made.undo();
  assert.deepEqual(made.nodes, combined().nodes);
});

test('whatever is removed from combined masks, no node reads one that is not there', () => {
  let seed = 1;
  const random = (count) => {
    seed = (seed * 48271) % 2147483647;
    return seed % count;
  };
  for (let round = 0; round < 200; round += 1) {
    const masks = [mask('m0', 'linear'), mask('m1', 'radial')];
    const any = () => masks[random(masks.length)].id;
    while (masks.length < 7) {
      const inputs = random(2) ? [any()] : [any(), any()];
      masks.push(mask(`m${masks.length}`, inputs.length > 1 ? 'intersect' : 'invert', ...inputs));
    }
    const images = ['a', 'b', 'c'].map((id) => node(id, 'exposure', {}, { mask: any() }));
    const made = draft(...masks, ...images);
    const removed = [];
    while (made.nodes.length) {
      const { id } = made.nodes[random(made.nodes.length)];
      removed.push(id);
      made.remove(id);
      const names = made.nodes.flatMap((item) => [...(item.in ?? []), item.mask ?? []].flat());
      const missing = names.filter((name) => !made.node(name));
      assert.deepEqual(missing, [], `round ${round}, without ${removed}`);
    }
  }
});

test('a filter gets the masks and images that it reads, in one step', () => {
  const made = draft(node('a'));
  const id = made.addWithInputs(schema.filter('mask.intersect'), {});
  assert.deepEqual(made.nodes.map(({ filter }) => filter),
    ['exposure', 'mask.linear', 'mask.linear', 'mask.intersect']);
  assert.deepEqual(made.node(id).in, ['n1', 'n2']);
  made.undo();
  assert.deepEqual(ids(made), ['a']);
  const blend = made.addWithInputs(schema.filter('blend'), {});
  assert.deepEqual(made.node(blend).in, ['source', 'a']);
  const cropped = draft(node('a'), node('c', 'crop'), node('b', 'sepia'));
  const sized = cropped.addWithInputs(schema.filter('blend'), {});
  assert.deepEqual(cropped.node(sized).in, ['c', 'b'], 'an image of the same size');
  assert.equal(made.node(made.addWithInputs(schema.filter('lut3d'), {})).enabled, false);
});

test('nodes trade places unless inputs name one of them', () => {
  const made = draft(
    node('a'), node('b', 'sepia'), node('c', 'blend', {}, { in: ['source', 'b'] }));
  assert.equal(made.canMove('a', -1), false, 'the first node');
  assert.equal(made.move('a', 1), false, 'a reader names b');
  made.remove('c');
  assert.equal(made.move('a', 1), true);
  assert.deepEqual(ids(made), ['b', 'a']);
});

test('a filter that is set back to values without effect is no change, and is not stored', () => {
  const made = new Draft(new Schema({ filters: filters.map((filter) => ({
    ...filter,
    parameters: filter.parameters.map((parameter) =>
      (parameter.name === 'ev' ? { ...parameter, neutral: 0 } : { ...parameter, neutral: null })),
  })) }), { nodes: [node('saved', 'exposure', { ev: 0 }), node('old', 'exposure', { ev: 1 })] });
  const id = made.add(made.schema.filter('exposure'), { ev: 0.5 });
  assert.equal(made.changeCount, 1);
  made.setValue(id, 'ev', 0);
  assert.deepEqual([made.changeCount, made.isChanged], [0, false]);
  assert.deepEqual(made.effective.nodes.map((item) => item.id), ['saved', 'old']);
  made.setValue('old', 'ev', 0);
  assert.deepEqual(made.effective.nodes.map((item) => item.id), ['saved'], 'the saved one stays');
  assert.equal(made.changeCount, 1);
  made.setProperty(id, 'opacity', 0.5);
  assert.equal(made.effective.nodes.length, 2, 'something else was set');
  made.setProperty(id, 'opacity', undefined);
  made.setMask(id, 'mask.linear');
  assert.equal(made.effective.nodes.length, 3, 'a mask and its filter');
});

test('an earlier graph is restored by undo, or by a step of its own', () => {
  const made = draft(node('n1'));
  const earlier = structuredClone(made.graph);
  made.setValue('n1', 'ev', 1);
  made.restore(earlier);
  assert.deepEqual([made.undoSteps.length, made.redoSteps.length], [0, 1]);
  made.redo();
  made.setValue('n1', 'black', 1);
  made.restore(earlier);
  assert.deepEqual(made.nodes, earlier.nodes);
  made.undo();
  assert.deepEqual(made.node('n1').params, { ev: 1, black: 1 });
});

test('what turns the photo is placed before its crop', () => {
  const made = draft(node('n1'), node('n2', 'crop'));
  assert.equal(made.placeOf({ name: 'straighten' }), 'n2');
  assert.equal(made.placeOf({ name: 'sepia' }), null);
  made.add(schema.filter('blend'), {}, { in: ['source', 'n2'] });
  assert.equal(made.placeOf({ name: 'straighten' }), null, 'the crop is read by name');
});

test('a group keeps the members of its other masks when one is removed', () => {
  const members = [{ op: 'add' }, { op: 'subtract', opacity: 0.5 }, { op: 'intersect' }];
  const made = draft(
    mask('k', 'linear'), mask('m', 'linear'), mask('n', 'radial'),
    node('g', 'mask.group', { members }, { in: ['k', 'm', 'n'] }),
    node('a', 'exposure', {}, { mask: 'g' }));
  made.remove('m');
  assert.deepEqual(made.node('g').in, ['k', 'n']);
  assert.deepEqual(made.node('g').params.members, [members[0], members[2]]);
  made.remove('k');
  assert.deepEqual(made.node('g').params.members, [members[2]]);
  made.remove('n');
  assert.deepEqual(made.nodes, [{ ...node('a', 'exposure') }], 'a group needs a mask');
  made.undo();
  assert.deepEqual(made.node('g').in, ['n']);
});

test('a new group adds the masks before it', () => {
  const made = draft(mask('m', 'linear'), mask('n', 'radial'), mask('o', 'radial'));
  const id = made.addWithInputs(made.schema.filter('mask.group'), { members: [] });
  assert.deepEqual(made.node(id).in, ['m', 'n', 'o']);
  assert.deepEqual(made.node(id).params.members, [{ op: 'add' }, { op: 'add' }, { op: 'add' }]);
});

test('members are a short text', () => {
  const value = [{ op: 'add', name: 'Sky' }, { op: 'subtract' }];
  assert.equal(shortValue(value, { type: 'members' }), 'Sky, Subtract');
  assert.equal(shortValue([], { type: 'members' }), '–');
});

test('a group that nothing reads goes with its masks, except those that others read', () => {
  const made = draft(
    node('m1', 'mask.linear', {}, { in: [] }), node('m2', 'mask.radial', {}, { in: [] }),
    node('g', 'mask.group', { members: [{ op: 'add' }, { op: 'add' }] }, { in: ['m1', 'm2'] }),
    node('n1', 'exposure', { ev: 1 }, { mask: 'g' }),
    node('n2', 'exposure', { ev: 1 }, { mask: 'm2' }));
  made.remove('n1');
  assert.deepEqual(ids(made), ['m2', 'n2']);
});
