// SPDX-License-Identifier: Apache-2.0
import { ask } from './dialogs.js';
import { el, replace } from './dom.js';
import { number, t } from './language.js';

/**
 * The bar of a job, with its rate and its remaining time in a status text.
 * @param {HTMLElement} status
 */
export function follower(status) {
  const bar = el('div');
  const element = el('div', { class: 'progress', hidden: true }, bar);
  /** @type {number | null} */
  let began = null;
  const show = (/** @type {number | null} */ share) => {
    element.hidden = false;
    bar.style.setProperty('transform', `scaleX(${share ?? 0})`);
  };
  return {
    element, show,
    hide() { [element.hidden, began] = [true, null]; },
    /**
     * @param {Job<unknown>} job
     * @param {number} count
     * @param {string} items such as “5 photos”
     */
    follow(job, count, items) {
      began ??= performance.now();
      show(job.done);
      const seconds = (performance.now() - began) / 1000;
      const done = Math.round(job.done * count);
      replace(status, [
        t('job.done', { done, items }),
        seconds > 1 && done
          ? t('job.rate', { rate: number(done / seconds, done / seconds < 10 ? 1 : 0) })
          : null,
        job.remaining ? t('job.left', { count: Math.ceil(job.remaining) }) : null,
      ].filter(Boolean).join(' · '));
    },
  };
}

/**
 * Names of files, which are divided before their endings where a column is too narrow for them.
 * @param {string} text
 */
export const divisible = (text) =>
  text.split(/(?=\.\w{2,5}\b)/).flatMap((part, index) => (index ? [el('wbr'), part] : [part]));

/**
 * Shows what has failed, with reasons; nothing without failures.
 * @param {string} title
 * @param {[name: string, reason: string | null | undefined][]} rows
 */
export function problems(title, rows) {
  if (!rows.length) return null;
  return ask(title,
    el('div', { class: 'scroll' }, el('table', {}, rows.map(([name, reason]) => el('tr', {},
      el('th', { scope: 'row' }, divisible(name)), el('td', {}, reason ?? ''))))),
    [{ label: t('close'), value: 'close', kind: 'primary' }]);
}
