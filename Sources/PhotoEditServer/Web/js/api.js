// SPDX-License-Identifier: Apache-2.0
import { nameOf, t } from './language.js';
import { keep, setting } from './settings.js';

// The first part of every address of the API. Only this page knows it, so that the browser sends
// the cookie to no other server of this host. Other tabs of the page need it too.
let base = setting('path', '');

/**
 * Exchanges a launch code for a cookie and the path to which the browser sends it.
 * @param {string} code
 */
export async function logIn(code) {
  const response = await send('POST', '/api/session', { json: { code } });
  base = response.headers.get('X-Photoedit-Path') ?? '';
  keep('path', base);
}

/** Uses the login of another tab; returns whether there is one. */
export function takeLogin() {
  const before = base;
  base = setting('path', '');
  return base !== before;
}

// Indicates whether the last request reached no server.
let isAway = false;

// The requests of this tab that change the library, and when the last one has ended.
let changing = 0;
let changedAt = -Infinity;

/** The time in milliseconds within which the library reports a change. */
const reportTime = 3000;

/** Indicates whether a change that the library reports is, in all likelihood, one of this tab. */
export const isOwnChange = () => changing > 0 || performance.now() - changedAt < reportTime;

/**
 * Does what changes the library, so that its report is not taken for that of another program.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function changingLibrary(work) {
  changing += 1;
  try {
    return await work();
  } finally {
    changing -= 1;
    changedAt = performance.now();
  }
}

/** A problem that the server reports (RFC 9457), or the loss of the connection. */
export class Problem extends Error {
  /** @param {ProblemBody} body */
  constructor(body) {
    const word = (body.type ?? '').replace('urn:photoedit:', '') || 'unreachable';
    const said = body.detail || body.title || t('server.silent');
    // The server writes English.
    super(nameOf(`problem.${word}`)?.replace('{detail}', () => nameOf(said) ?? said)
      ?? said);
    this.word = word;
    this.status = body.status ?? 0;
    this.body = body;
  }
}

/**
 * The body and header fields of a request.
 * @typedef {object} Options
 * @property {unknown} [json]
 * @property {BodyInit} [body] in place of JSON
 * @property {Record<string, string>} [headers]
 * @property {string} [ifMatch] the revision that is changed
 * @property {AbortSignal} [signal]
 * @property {boolean} [outlives] whether it is sent although the page is left
 */

/**
 * Sends a request; throws a Problem for every answer that is not a success.
 * @param {string} method
 * @param {string} path
 * @param {Options} [options]
 */
export function send(method, path, options = {}) {
  const isReading = method === 'GET' || /\/api\/(?:views|session|settings)\b/.test(path);
  return isReading
    ? request(method, path, options)
    : changingLibrary(() => request(method, path, options));
}

/**
 * @param {string} method
 * @param {string} path
 * @param {Options} options
 */
async function request(method, path, options) {
  const { json, body, ifMatch, signal } = options;
  const headers = { ...options.headers };
  if (method !== 'GET') headers['X-Photoedit'] = '1';
  if (json !== undefined) headers['Content-Type'] = 'application/json';
  else if (body !== undefined) headers['Content-Type'] = 'application/octet-stream';
  if (ifMatch !== undefined) headers['If-Match'] = `"${ifMatch}"`;
  /** @type {Response} */
  let response;
  try {
    response = await fetch(path, {
      method, headers, signal, credentials: 'same-origin', keepalive: options.outlives,
      body: json === undefined ? body : JSON.stringify(json),
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    isAway = true;
    throw new Problem({ title: t('server.away') });
  }
  if (isAway) document.dispatchEvent(new CustomEvent('photoedit:back'));
  isAway = false;
  if (response.ok) return response;
  /** @type {ProblemBody} */
  let problem = { title: response.statusText, status: response.status };
  try {
    problem = { ...problem, ...(await response.json()) };
  } catch { /* the status is all there is */ }
  problem.retryAfter ??= Number(response.headers.get('Retry-After') ?? 0);
  // The answer to a request from before the last login says nothing of that.
  if (response.status === 401 && path.startsWith(base)) {
    document.dispatchEvent(new CustomEvent('photoedit:unauthorized'));
  }
  throw new Problem(problem);
}

/**
 * Sends a request and reads the answer as JSON, of the shape that the caller expects; null for an
 * empty answer.
 * @template T
 * @param {string} method
 * @param {string} path
 * @param {Options} [options]
 * @returns {Promise<T>}
 */
export async function call(method, path, options) {
  const response = await send(method, path, options);
  return response.status === 204 ? null : response.json();
}

/**
 * @template T
 * @param {string} path
 * @param {Options} [options]
 * @returns {Promise<T>}
 */
export const get = (path, options) => call('GET', path, options);

/**
 * @template T
 * @param {string} path
 * @param {object} [json]
 * @param {Options} [options]
 * @returns {Promise<T>}
 */
export const post = (path, json = {}, options = {}) => call('POST', path, { json, ...options });

/**
 * The address of a path of the API, with its parts encoded.
 * @param {TemplateStringsArray} strings
 * @param {...(string | number)} values
 */
export function path(strings, ...values) {
  return base + String.raw({ raw: strings }, ...values.map(encodeURIComponent));
}

/**
 * Waits until a job has ended; returns its result or throws its problem.
 * @template T
 * @param {Job<T>} answer
 * @param {(job: Job<T>) => void} [progress]
 */
export const finish = (answer, progress) => changingLibrary(() => ended(answer, progress));

/**
 * @template T
 * @param {Job<T>} answer
 * @param {(job: Job<T>) => void} [progress]
 */
async function ended(answer, progress) {
  let job = answer;
  for (;;) {
    if (job.state === 'done') return job.result;
    if (job.state === 'failed') {
      throw new Problem(job.problem ?? { title: t('server.canceled') });
    }
    progress?.(job);
    await new Promise((resume) => { setTimeout(resume, 60); });
    job = await get(path`/api/jobs/${job.job}`);
  }
}
