// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import './support.js';
import { byteOf } from '../js/grid/layout.js';
import { AssetList } from '../js/grid/list.js';

/** Answers the requests of a list of 500 assets; `requests` are those for items. */
function serve() {
  const requests = [];
  globalThis.fetch = (address, { signal }) => {
    const url = new URL(address, 'http://host');
    const json = (value) => Promise.resolve(new Response(JSON.stringify(value)));
    if (url.pathname === '/api/views') return json({ view: 'v1', token: 't1', count: 500 });
    if (url.pathname.endsWith('/shapes')) return Promise.resolve(new Response(new Uint8Array(500)));
    if (url.pathname.endsWith('/index')) return json({ index: 321 });
    const from = Number(url.searchParams.get('from'));
    const count = Number(url.searchParams.get('count'));
    return new Promise((resolve, reject) => {
      const items = Array.from(
        { length: count }, (_, index) => ({ id: `a${from + index}`, title: 'x\u202e' }));
      const answer = () => resolve(new Response(JSON.stringify({ items })));
      requests.push({ from, count, answer, signal });
      signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });
  };
  return requests;
}

const pause = () => new Promise((resume) => { setImmediate(resume); });

test('chunks are requested once, and those out of sight are aborted', async () => {
  const requests = serve();
  const list = await AssetList.open({ source: 'all' });
  assert.deepEqual(requests.map(({ from, count }) => [from, count]), [[0, 200]]);
  list.need(0, 30);
  assert.equal(requests.length, 1, 'the first chunk is on its way');
  list.need(420, 450);
  assert.deepEqual(requests.slice(1).map(({ from, count }) => [from, count]), [[400, 100]]);
  assert.deepEqual(requests.map(({ signal }) => signal.aborted), [true, false]);
  let arrived = 0;
  list.need(420, 450, () => { arrived += 1; });
  requests[1].answer();
  while (!list.items[499]) await pause();
  assert.deepEqual([list.items[400], arrived], [{ id: 'a400', title: 'x\\u{202e}' }, 1]);
  list.need(420, 450);
  assert.equal(requests.length, 2, 'the items are there');
});

test('an item that is waited for arrives although its chunk went out of sight', async () => {
  const requests = serve();
  const list = await AssetList.open({ source: 'all' });
  const item = list.item(7);
  list.need(420, 450);
  requests[0].answer();
  assert.equal((await item).id, 'a7');
  assert.equal(await list.indexOf('a7'), 7);
  assert.equal(await list.indexOf('other'), 321);
});

test('the differences of a commit move items and shapes, and stop older requests', async () => {
  const requests = serve();
  const list = await AssetList.open({ source: 'all' });
  requests[0].answer();
  while (!list.items[0]) await pause();
  list.need(210, 220);
  list.shapes[3] = 77;
  const from = list.apply({
    removed: [[0, 1]], inserted: [[1, { id: 'new', title: 'n', w: 2, h: 1 }]], to: 't2', count: 500,
  });
  assert.deepEqual([...from.slice(0, 4)], [1, -1, 2, 3]);
  assert.deepEqual(list.items.slice(0, 4).map(({ id }) => id), ['a1', 'new', 'a2', 'a3']);
  assert.deepEqual([...list.shapes.slice(0, 4)], [0, byteOf(2, 1), 0, 77]);
  assert.deepEqual([list.token, list.count, list.sections.length], ['t2', 500, 1]);
  assert.equal(requests[1].signal.aborted, true);
  list.need(210, 220);
  assert.equal(requests.length, 3, 'the chunk is requested again');
});
