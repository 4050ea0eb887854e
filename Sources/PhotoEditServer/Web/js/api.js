// SPDX-License-Identifier: Apache-2.0
import { keep, setting } from './settings.js';

// The first part of every address of the API. Only this page knows it, so that the browser sends
// the cookie to no other server of this host. Other tabs of the page need it too.
let base = setting('path', '');

/** Exchanges a launch code for a cookie and the path to which the browser sends it. */
export async function logIn(code) {
  const response = await send('POST', '/api/session', { json: { code } });
  base = response.headers.get('X-Photoedit-Path') ?? '';
  keep('path', base);
}

/** A problem that the server reports (RFC 9457), or the loss of the connection. */
export class Problem extends Error {
  constructor(body) {
    super(body.detail || body.title || 'The server is not responding.');
    this.word = (body.type ?? '').replace('urn:photoedit:', '') || 'unreachable';
    this.status = body.status ?? 0;
    this.body = body;
  }
}

/** Sends a request; throws a Problem for every answer that is not a success. */
export async function send(method, path, { json, body, type, headers = {}, ifMatch, signal } = {}) {
  const options = { method, headers: { ...headers }, signal, credentials: 'same-origin' };
  if (method !== 'GET') options.headers['X-Photoedit'] = '1';
  if (json !== undefined) {
    options.headers['Content-Type'] = 'application/json';
    options.body = JSON.stringify(json);
  } else if (body !== undefined) {
    options.headers['Content-Type'] = type ?? 'application/octet-stream';
    options.body = body;
  }
  if (ifMatch !== undefined) options.headers['If-Match'] = `"${ifMatch}"`;
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Problem({
      title: 'The server is not responding',
      detail: 'photoedit serve is not running; start it again.',
    });
  }
  if (response.ok) return response;
  let problem = { title: response.statusText, status: response.status };
  try {
    problem = { ...problem, ...(await response.json()) };
  } catch { /* the status is all there is */ }
  problem.retryAfter ??= Number(response.headers.get('Retry-After') ?? 0);
  if (response.status === 401) document.dispatchEvent(new CustomEvent('photoedit:unauthorized'));
  throw new Problem(problem);
}

/** Sends a request and reads the answer as JSON; null for an empty answer. */
export async function call(method, path, options) {
  const response = await send(method, path, options);
  return response.status === 204 ? null : response.json();
}

export const get = (path, options) => call('GET', path, options);
export const post = (path, json, options = {}) =>
  call('POST', path, { json: json ?? {}, ...options });

/** The address of a path of the API, with its parts encoded. */
export function path(strings, ...values) {
  return base + strings.reduce((text, part, index) =>
    text + part + (index < values.length ? encodeURIComponent(values[index]) : ''), '');
}

/** Waits until a job has ended; returns its result or throws its problem. */
export async function finish(answer, progress) {
  let job = answer;
  for (;;) {
    if (job.state === 'done') return job.result;
    if (job.state === 'failed' || job.state === 'cancelled') {
      throw new Problem(job.problem ?? { title: 'Canceled' });
    }
    progress?.(job);
    await new Promise((resume) => { setTimeout(resume, 60); });
    job = await get(path`/api/jobs/${job.job}`);
  }
}
