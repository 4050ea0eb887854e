// SPDX-License-Identifier: Apache-2.0
// One stream for each browser: a tab that holds the lock reads it, the others listen to that tab.
import { get, path } from './api.js';

const types = ['view', 'commit', 'reset', 'job', 'session-expired'];
/**
 * Lists whose events are listened to.
 * @typedef {{ views: () => string[], token: () => string | null }} Source
 */

/** @type {Set<(type: string, data: any) => void>} each type of event has data of its own */
const listeners = new Set();
/** @type {Set<Source>} */
const sources = new Set();
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('photoedit') : null;
const tab = Math.random().toString(36).slice(2);
/** @type {Map<string, string[]>} */
const others = new Map();
/** @type {EventSource | null} */
let stream = null;
let isLeader = false;
/** @type {string | null} */
let last = null;
/** @type {number | undefined} */
let timer;

/**
 * @param {string} type
 * @param {object | null} data
 */
function deliver(type, data) {
  for (const listener of listeners) listener(type, data);
}

const ownViews = () => [...sources].flatMap((source) => source.views());

function announceViews() { channel?.postMessage({ tab, views: ownViews() }); }

channel?.addEventListener('message', ({ data }) => {
  if (data.views) {
    const before = JSON.stringify(others.get(data.tab) ?? []);
    if (data.views.length) others.set(data.tab, data.views);
    else others.delete(data.tab);
    if (isLeader && JSON.stringify(data.views) !== before) open();
  } else if (data.ask) {
    announceViews();
  } else if (data.type) {
    if (data.id) last = data.id;
    deliver(data.type, data.data);
  }
});

/**
 * Opens the stream for the views of all tabs; it continues after the last commit that was
 * delivered.
 */
function open() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    stream?.close();
    const views = [...new Set([...ownViews(), ...[...others.values()].flat()])];
    const after = last ?? [...sources][0]?.token() ?? null;
    const query = new URLSearchParams({ views: views.join(','), tab });
    if (after) query.set('after', after);
    stream = new EventSource(`${path`/api/events`}?${query}`);
    for (const type of types) {
      stream.addEventListener(type, (event) => {
        let data = null;
        try { data = JSON.parse(event.data); } catch { return; }
        if (type === 'commit') last = event.lastEventId || data.token;
        channel?.postMessage({ type, data, id: type === 'commit' ? last : null });
        deliver(type, data);
      });
    }
    stream.addEventListener('error', () => {
      if (stream.readyState !== EventSource.CLOSED) return;
      // The browser does not say why; another request does, if the session has ended.
      get(path`/api/service`).catch(() => {});
      setTimeout(open, 2000);
    });
  }, 30);
}

function lead() {
  if (!navigator.locks) { isLeader = true; open(); return; }
  navigator.locks.request('photoedit-events', () => new Promise(() => {
    isLeader = true;
    channel?.postMessage({ ask: true });
    open();
  }));
}

let started = false;

/**
 * The state of the library that the events of a new source follow.
 * @returns {Promise<string | null>}
 */
export async function currentToken() {
  /** @type {Service} */
  const { token } = await get(path`/api/service`);
  return token;
}

/**
 * Listens to the library for a source of views; returns what ends it.
 * @param {Source} source
 * @param {(type: string, data: any) => void} listener
 */
export function subscribe(source, listener) {
  sources.add(source);
  listeners.add(listener);
  announceViews();
  if (!started) { started = true; lead(); } else if (isLeader) open();
  return () => {
    sources.delete(source);
    listeners.delete(listener);
    announceViews();
  };
}

/** Says that the views of a source have changed. */
export function viewsChanged() {
  announceViews();
  if (isLeader) open();
}

addEventListener('pagehide', () => { channel?.postMessage({ tab, views: [] }); stream?.close(); });
