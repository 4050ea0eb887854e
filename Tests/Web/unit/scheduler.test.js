// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import './support.js';
import { Scheduler } from '../js/editor/scheduler.js';

/** A scheduler with a clock of its own, and the requests that it makes. */
function start(context) {
  let now = 0;
  context.mock.method(performance, 'now', () => now);
  const timers = [];
  context.mock.method(globalThis, 'setTimeout', (work, delay) => {
    const timer = { work, at: now + delay };
    timers.push(timer);
    return timer;
  });
  context.mock.method(globalThis, 'clearTimeout', (timer) => {
    if (timers.includes(timer)) timers.splice(timers.indexOf(timer), 1);
  });
  const [requests, painted] = [[], []];
  const scheduler = new Scheduler({
    render: (item) => new Promise((resolve, reject) => {
      requests.push({ item, resolve, reject });
    }),
    paint: (_, item) => painted.push(item.sequence),
    failed: (problem) => { throw problem; },
  });
  return {
    scheduler, requests, painted,
    /** Lets time go by, with the timers that are due. */
    async pass(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        const next = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        timers.splice(timers.indexOf(next), 1);
        now = next.at;
        next.work();
        await new Promise(setImmediate);
      }
      now = end;
    },
    async answer(index) {
      requests[index].resolve({});
      await new Promise(setImmediate);
    },
    async abort(index) {
      assert.ok(requests[index].item.controller.signal.aborted);
      requests[index].reject({ name: 'AbortError' });
      await new Promise(setImmediate);
    },
    async supersede(index) {
      requests[index].reject({ word: 'superseded' });
      await new Promise(setImmediate);
    },
  };
}

test('one request is in flight, the newest input waits, a still follows', async (context) => {
  const run = start(context);
  for (let input = 0; input < 5; input += 1) run.scheduler.input();
  assert.equal(run.requests.length, 1);
  await run.answer(0);
  assert.deepEqual(run.requests.map(({ item }) => item.sequence), [1, 5]);
  await run.answer(1);
  await run.pass(149);
  assert.equal(run.requests.length, 2);
  await run.pass(1);
  assert.deepEqual([run.requests[2].item.purpose, run.painted], ['still', [1, 5]]);
});

test('an overdue request holds back no input, and is not painted after it', async (context) => {
  const run = start(context);
  run.scheduler.input();
  await run.pass(100);
  run.scheduler.input();
  await run.pass(149);
  assert.equal(run.requests.length, 1);
  await run.pass(1);
  assert.equal(run.requests.length, 2);
  await run.answer(1);
  await run.answer(0);
  assert.deepEqual(run.painted, [2]);
});

test('an overtaken request is aborted, so that its image delays no newer one', async (context) => {
  const run = start(context);
  run.scheduler.input();
  await run.pass(100);
  run.scheduler.input();
  const aborted = () => run.requests.map(({ item }) => item.controller.signal.aborted);
  assert.deepEqual(aborted(), [false]);
  await run.pass(150);
  assert.deepEqual(aborted(), [true, false]);
});

test('previews that take longer than 250 ms are shown during a drag', async (context) => {
  const run = start(context);
  /** Drags until a number of requests was made whose answers take 400 ms. */
  const drag = async (count) => {
    while (run.requests.length < count) {
      run.scheduler.input();
      await run.pass(10);
    }
  };
  await drag(2);
  await run.supersede(0);
  // The second one is given twice the time.
  for (let time = 0; time < 390; time += 10) {
    run.scheduler.input();
    await run.pass(10);
  }
  assert.equal(run.requests.length, 2);
  await run.answer(1);
  assert.equal(run.painted.length, 1);
  await drag(3);
  for (let time = 0; time < 700; time += 10) {
    run.scheduler.input();
    await run.pass(10);
  }
  assert.equal(run.requests.length, 3);
});

test('an input replaces a still at once; another still waits for 250 ms', async (context) => {
  const run = start(context);
  run.scheduler.still();
  await run.pass(100);
  run.scheduler.input();
  const purposes = () => run.requests.map(({ item }) => item.purpose);
  assert.deepEqual(purposes(), ['still', 'drag']);
  await run.abort(0);
  await run.answer(1);
  run.scheduler.still();
  run.scheduler.still();
  await run.pass(249);
  assert.deepEqual(purposes(), ['still', 'drag', 'still']);
  await run.pass(1);
  assert.deepEqual(purposes(), ['still', 'drag', 'still', 'still']);
});

test('only the newest preview is requested again if it was superseded', async (context) => {
  const run = start(context);
  run.scheduler.still();
  await run.supersede(0);
  assert.equal(run.requests.length, 2);
  run.scheduler.input();
  await run.supersede(1);
  assert.deepEqual(run.requests.map(({ item }) => item.purpose), ['still', 'still', 'drag']);
});
