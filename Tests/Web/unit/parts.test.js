// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { node } from './support.js';
import { partsIn, pick, pickParts } from '../js/parts.js';

const file = [{ name: 'file', type: 'asset', default: null }];
const groups = {
  exposure: 'Tone', curve: 'Tone', whiteBalance: 'Tone', vibrance: 'Color', 'look.noir': 'Looks',
  clarity: 'Detail', vignette: 'Creative', heal: 'Retouching', blend: 'Compositing',
  crop: 'Geometry', lut3d: 'Color',
  'mask.linear': 'Masks', 'mask.luma': 'Masks', 'mask.combine': 'Masks', later: 'Unknown',
};
const schema = {
  filter: (name) => groups[name] && {
    group: groups[name], parameters: name === 'lut3d' ? file : [],
  },
  isMask: (name) => name.startsWith('mask.'),
};
const graph = (...nodes) => ({ format: 'f', version: '1.0', nodes });

test('every filter is in one part, and a mask is in none', () => {
  const all = Object.keys(groups).map((name, index) => node(`n${index}`, name));
  const found = Object.fromEntries(
    partsIn(graph(...all, node('m', 'clarity', {}, { mask: 'n11' })), schema)
      .map(({ part, filters }) => [part, filters]));
  assert.deepEqual(found, {
    light: ['Exposure', 'Curve'], color: ['White balance', 'Vibrance', '3D LUT'], looks: ['Noir'],
    detail: ['Clarity'], effects: ['Vignette', 'Blend', 'Later'], retouch: ['Heal'],
    geometry: ['Crop'], local: ['Clarity'],
  });
});

test('a part takes the masks that it needs along, also those that masks read', () => {
  const edit = graph(
    node('a', 'exposure'), node('b', 'mask.linear', {}, { in: [] }),
    node('c', 'mask.luma', {}, { in: ['a'] }), node('d', 'mask.combine', {}, { in: ['b', 'c'] }),
    node('e', 'clarity', {}, { mask: 'd' }), node('f', 'crop'));
  const ids = (...chosen) => pickParts(edit, new Set(chosen), schema).nodes.map(({ id }) => id);
  assert.deepEqual(ids('local'), ['b', 'c', 'd', 'e']);
  assert.deepEqual(ids('light', 'geometry'), ['a', 'f']);
  assert.deepEqual(ids(), []);
  const local = pickParts(edit, new Set(['local']), schema);
  assert.deepEqual(local.nodes[1].in, ['source'], 'the mask reads what is before the exposure');
  assert.deepEqual(edit.nodes[2].in, ['a'], 'the edit itself is as it was');
});

test('what read a filter that is left out reads the image before it', () => {
  const edit = graph(
    node('a', 'exposure'), node('b', 'crop'), node('c', 'vibrance'),
    node('d', 'blend', {}, { in: ['a', 'c'] }));
  const kept = (...names) => pick(edit, ({ id }) => names.includes(id), schema).nodes;
  assert.deepEqual(kept('b', 'd').at(-1).in, ['source', 'b']);
  assert.deepEqual(kept('d').at(-1).in, ['source', 'source']);
  assert.deepEqual(kept('a', 'c', 'd').at(-1).in, ['a', 'c']);
});

test('a graph has only the files that its filters need', () => {
  const edit = {
    ...graph(node('a', 'lut3d', { file: 'cube' }), node('b', 'exposure')),
    assets: { cube: { digest: '1' }, unused: { digest: '2' } },
  };
  assert.deepEqual(pickParts(edit, new Set(['color']), schema).assets, { cube: { digest: '1' } });
  assert.deepEqual(pickParts(edit, new Set(['light']), schema).assets, {});
  assert.equal('assets' in pickParts(graph(node('b')), new Set(['light']), schema), false);
});
