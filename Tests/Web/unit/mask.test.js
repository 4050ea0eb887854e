// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { filters, node } from './support.js';
import { Draft } from '../js/editor/draft.js';
import { makeTool } from '../js/editor/mask.js';
import { Schema } from '../js/editor/schema.js';

/** The tool for a mask of a graph, on a photo of 400 × 200 points, and the handles that it adds. */
function open(kind, params) {
  const schema = new Schema({ filters });
  const draft = new Draft(schema, { nodes: [
    node('a'), node('m', kind, params, { in: [] }), node('b', 'sepia', {}, { mask: 'm' }),
    node('c', 'crop'),
  ] });
  const elements = [];
  const stage = {
    size: [400, 200], full: [400, 200], handles: { append: (element) => elements.push(element) },
  };
  const editor = { stage, draft, schema, rendering: { scheduler: { still() {} } }, tools: {} };
  const panel = {
    nodeId: 'm', filter: schema.filter(kind), get node() { return draft.node('m'); },
  };
  const tool = makeTool(editor, panel);
  tool.layOut();
  const [board, ...handles] = elements;
  return { tool, draft, board, handles };
}

function press(element, key, shiftKey = false) {
  element.dispatchEvent(Object.assign(new Event('keydown'), { key, shiftKey }));
}

const place = ({ styles }) => [styles.left, styles.top]
  .map((text) => `${Number(parseFloat(text).toFixed(6))}%`);

test('the ends of a gradient move by the arrow keys, in points of the photo', () => {
  const { draft, handles, tool } = open('mask.linear', { from: [0.5, 0], to: [0.5, 1] });
  assert.deepEqual(handles.map(place), [['50%', '0%'], ['50%', '100%']]);
  press(handles[0], 'ArrowRight');
  press(handles[1], 'ArrowUp', true);
  assert.deepEqual(draft.node('m').params, { from: [0.5025, 0], to: [0.5, 0.95] });
  tool.layOut();
  assert.deepEqual(handles.map(place), [['50.25%', '0%'], ['50%', '95%']]);
});

test('the radii of a rotated ellipse follow their own axes', () => {
  const { draft, handles } = open(
    'mask.radial', { center: [0.5, 0.5], radius: [0.25, 0.25], angle: 90 });
  const [center, horizontal] = handles;
  assert.deepEqual(place(center), ['50%', '50%']);
  // A quarter of the width is half of the height.
  assert.deepEqual(place(horizontal), ['50%', '100%']);
  press(horizontal, 'ArrowRight', true);
  assert.deepEqual(draft.node('m').params.radius, [0.25, 0.25], 'across the axis');
  press(horizontal, 'ArrowDown', true);
  assert.deepEqual(draft.node('m').params.radius, [0.275, 0.25], 'along the axis');
  for (let count = 0; count < 20; count += 1) press(horizontal, 'ArrowUp', true);
  assert.equal(draft.node('m').params.radius[0], 0.005, 'the smallest ellipse');
});

test('the mask is shown in place of its filter, without later geometry', () => {
  const { draft, tool } = open('mask.linear', { from: [0, 0], to: [1, 1] });
  const enabled = (graph) => graph.nodes.map(({ id, enabled: is = true }) => `${id} ${is}`);
  assert.deepEqual(enabled(tool.graph(draft.graph)), ['a true', 'm true', 'b true', 'c false']);
  tool.toggleMask();
  const shown = tool.graph(draft.graph);
  assert.deepEqual(enabled(shown), ['a true', 'm true', 'coverage true']);
  assert.equal(shown.nodes.at(-1).mask, 'm');
  tool.toggleMask();
  assert.equal(tool.graph(draft.graph).nodes.length, 4);
});
