// SPDX-License-Identifier: Apache-2.0
// What describes several photos is changed in one dialog: title, caption, keywords, people, place.
import './dialogWords.js';
import { get, path } from './api.js';
import { coordinates } from './coordinates.js';
import { countedIds } from './counted.js';
import { ask } from './dialogs.js';
import { el } from './dom.js';
import { changeProperties, typedWords } from './grid/changes.js';
import { t } from './language.js';
import { asBefore, forEach, reportResults } from './results.js';

/** @typedef {'title' | 'caption' | 'keywords' | 'people' | 'location'} Property */
/** @typedef {Partial<Pick<Asset, Property>>} Change */

/**
 * Asks for what describes photos, and stores it; fields that are left empty change nothing.
 * @param {string[]} ids
 * @param {import('./counted.js').ItemOf} itemOf
 */
export async function describe(ids, itemOf) {
  const note = el('p', { class: 'caption', id: 'describe-note', role: 'alert' });
  /**
   * @param {string} name
   * @param {string} title
   * @param {string} [hint]
   */
  const row = (name, title, hint = '') => {
    /** @type {HTMLInputElement} */
    const field = el('input', {
      class: 'field', id: `describe-${name}`, type: 'text', placeholder: hint, dir: 'auto',
      'aria-describedby': 'describe-note',
      on: {
        keydown: (event) => {
          if (event.key !== 'Enter' || event.isComposing) return;
          event.preventDefault();
          /** @type {HTMLElement} */
          const primary = field.closest('dialog').querySelector('.primary');
          primary.click();
        },
      },
    });
    return { field, parts: [el('label', { for: field.id }, title), field] };
  };
  const rows = {
    title: row('title', t('info.photoTitle')),
    caption: row('caption', t('info.caption')),
    keywords: row('keywords', t('info.addKeywords'), t('info.commas')),
    people: row('people', t('info.addPeople'), t('info.commas')),
    location: row('location', t('describe.location'), '38.7223, -9.1393'),
  };
  const value = (/** @type {keyof typeof rows} */ name) => rows[name].field.value.trim();
  const refuses = () => {
    const isWrong = value('location') !== '' && !coordinates(value('location'));
    rows.location.field.setAttribute('aria-invalid', String(isWrong));
    note.textContent = isWrong ? t('describe.noLocation') : '';
    if (isWrong) rows.location.field.focus();
    return isWrong;
  };
  setTimeout(() => rows.title.field.focus());
  const answer = await ask(t('describe.title', countedIds(ids, itemOf)), el('div', {},
    el('p', { class: 'caption' }, t('describe.help')),
    el('div', { class: 'described' }, Object.values(rows).flatMap(({ parts }) => parts)),
    note), [
    { label: t('cancel') }, { label: t('apply'), value: 'apply', kind: 'primary', refuses },
  ]);
  if (!answer) return;
  /** @type {Change} */
  const given = {
    ...(value('title') ? { title: value('title') } : {}),
    ...(value('caption') ? { caption: value('caption') } : {}),
    ...(value('location') ? { location: coordinates(value('location')) } : {}),
  };
  const [keywords, people] = [typedWords(value('keywords')), typedWords(value('people'))];
  if (!keywords.length && !people.length && !Object.keys(given).length) return;
  /** @type {Map<string, Change>} what was changed, as it was before */
  const before = new Map();
  const results = await forEach(ids.map((id) => ({ id })), async ({ id }) => {
    /** @type {Asset} */
    const asset = await get(path`/api/assets/${id}`);
    /** @type {Change} */
    const change = {
      ...given,
      ...(keywords.length ? { keywords: [...new Set([...asset.keywords, ...keywords])] } : {}),
      ...(people.length ? { people: [...new Set([...asset.people, ...people])] } : {}),
    };
    await changeProperties(id, change);
    before.set(id, Object.fromEntries(Object.keys(change).map((name) =>
      [name, asset[/** @type {Property} */ (name)] ?? null])));
    return null;
  });
  reportResults(results, {
    itemOf,
    done: (counted) => t('done.changed', counted),
    undo: async (applied) => reportResults(
      await forEach(applied, async ({ id }) => {
        await changeProperties(id, before.get(id));
        return null;
      }),
      { itemOf, done: asBefore, undo: null }),
  });
}
