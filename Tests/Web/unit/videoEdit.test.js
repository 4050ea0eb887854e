// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { node } from './support.js';
import { moved, timeText, videoEdit, withVideoEdit } from '../js/viewer/videoEdit.js';

const graph = (...nodes) => ({ format: 'org.photoedit.filter-graph', version: '1.0', nodes });
const whole = { start: 0, end: 0, isMuted: false };

test('an edit of a video is read as it was written, and other filters stay', () => {
  const rest = [node('n1', 'rotate90', { turns: 1 }), node('n3', 'exposure', { ev: 1 })];
  for (const edit of [
    whole, { start: 1.25, end: 0, isMuted: false }, { start: 0, end: 2.5, isMuted: true },
    { start: 0.001, end: 0.2, isMuted: false }, { ...whole, isMuted: true },
  ]) {
    for (const before of [
      null, graph(), graph(...rest),
      graph(node('n2', 'trim', { start: 3, end: 9 }), ...rest, node('n4', 'mute')),
    ]) {
      const after = withVideoEdit(before, edit);
      assert.deepEqual(videoEdit(after), edit);
      const ids = after.nodes.map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length, `names: ${ids}`);
      const others = after.nodes.filter(({ filter }) => !['trim', 'mute'].includes(filter));
      assert.deepEqual(others, before?.nodes.length ? rest : []);
      assert.ok(after.nodes.findIndex(({ filter }) => filter === 'trim') <= 0, 'it is first');
    }
  }
  assert.deepEqual(withVideoEdit(null, whole).nodes, []);
  const off = graph(node('n1', 'mute', {}, { enabled: false }));
  assert.equal(videoEdit(off).isMuted, false, 'a filter that is switched off');
});

test('times are moved within the video, and the end of the video is no end', () => {
  for (let round = 0; round < 400; round += 1) {
    const duration = 0.05 + (round * 7.3) % 90;
    let edit = whole;
    for (let turn = 0; turn < 4; turn += 1) {
      const time = ((round * 31 + turn * 17) % 120) - 15;
      edit = moved(edit, turn % 2 ? 'end' : 'start', time, duration);
      const end = edit.end || duration;
      assert.ok(edit.start >= 0 && end <= duration, `${edit.start}…${end} of ${duration}`);
      assert.ok(end - edit.start >= Math.min(0.1, duration) - 1e-9, 'not too short');
    }
  }
  assert.equal(moved({ ...whole, end: 4 }, 'end', 10, 10).end, 0);
  assert.equal(moved(whole, 'end', 4, 10).end, 4);
  assert.deepEqual([0, 9.96, 61.04, 600].map(timeText), ['0:00.0', '0:10.0', '1:01.0', '10:00.0']);
});
