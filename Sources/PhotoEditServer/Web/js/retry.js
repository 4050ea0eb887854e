// SPDX-License-Identifier: Apache-2.0
import { get, path } from './api.js';

/** The time in milliseconds between two attempts. */
const pause = 3000;

/**
 * Does something again as soon as the server responds; returns what ends the waiting.
 * @param {() => unknown} again
 */
export function whenBack(again) {
  let isEnded = false;
  /** @type {number | undefined} */
  let timer;
  const stop = () => {
    isEnded = true;
    clearTimeout(timer);
    removeEventListener('online', attempt);
  };
  const attempt = async () => {
    clearTimeout(timer);
    const isBack = await get(path`/api/service`).then(() => true, ({ status }) => status > 0);
    if (isEnded) return;
    if (!isBack) { timer = setTimeout(attempt, pause); return; }
    stop();
    again();
  };
  addEventListener('online', attempt);
  timer = setTimeout(attempt, pause);
  return stop;
}
