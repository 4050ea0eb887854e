// SPDX-License-Identifier: Apache-2.0
import { get, path } from './api.js';
import { el, icon, iconButton, replace } from './dom.js';
import { list, t } from './language.js';
import { isCondition } from './query.js';
import { keep, setting } from './settings.js';

/**
 * What the server understands, each with an example that is valid.
 * @typedef {{ terms: { key: string, example: string }[],
 *   conditions: { key: string, example: string }[] }} Vocabulary
 */

/** @type {Promise<Vocabulary> | undefined} */
let loading;

/** Loads the vocabulary once. */
function vocabulary() {
  loading ??= get(path`/api/search`);
  loading.catch(() => { loading = undefined; });
  return loading;
}

/** @returns {[name: string, search: string][]} */
const chips = () => [
  [t('grid.favorites'), 'is:favorite'],
  [t('search.videos'), 'is:video'],
  [t('search.edited'), 'is:edited'],
  [t('search.fourStars'), 'rating:4..'],
  [t('info.rejected'), 'rating:-1'],
  [t('search.thisYear'), String(new Date().getFullYear())],
];

/** @returns {string[]} the last ones, newest first */
const searches = () => setting('searches', []);

/** @typedef {[name: string, action: () => void, note?: string]} Suggestion */

/**
 * The field for words, terms and conditions, with completion of keys and the place of an error.
 * @param {{ value: string, run: (search: string) => void }} options
 */
export function searchField({ value, run }) {
  const input = el('input', {
    class: 'search-input', type: 'text', value, placeholder: t('search'),
    'aria-label': t('search.help'), autocomplete: 'off',
    spellcheck: 'false', role: 'combobox',
    'aria-expanded': 'false', 'aria-controls': 'search-list', 'aria-describedby': 'search-problem',
    on: {
      input: () => { showProblem(null); complete(); },
      keydown: keys,
      focus: () => { if (problemText.hidden) complete(); },
      blur: () => setTimeout(close, 150),
    },
  });
  const mirror = el('div', { class: 'search-mirror', 'aria-hidden': 'true' });
  const problemText =
    el('p', { class: 'search-problem', id: 'search-problem', role: 'alert', hidden: true });
  const listbox = el('div', {
    class: 'search-list', id: 'search-list', role: 'listbox', 'aria-label': t('search.suggestions'),
    hidden: true,
  });
  const clear = iconButton('close', t('search.clear'), () => run(''), { hidden: !value });
  const element = el('div', { class: 'search', role: 'search' },
    el('div', { class: 'search-box' },
      icon('search'), el('div', { class: 'search-field' }, mirror, input), clear),
    problemText,
    listbox);
  /** @type {Suggestion[]} */
  let options = [];
  let current = -1;

  async function complete() {
    const before = input.value.slice(0, input.selectionStart);
    const part = /[\p{L}\p{N}:]+$/u.exec(before)?.[0] ?? '';
    /** @type {Suggestion[]} */
    const recent = [];
    for (const [name, text] of chips()) recent.push([name, () => submit(text), text]);
    for (const text of searches()) recent.push([text, () => submit(text)]);
    if (!input.value) { show(recent); return; }
    if (!part) { show([]); return; }
    const { terms, conditions } = await vocabulary().catch(() => ({ terms: [], conditions: [] }));
    if (document.activeElement !== input || !input.value) return;
    /** @param {{ key: string }} word */
    const begins = ({ key }) => key.toLowerCase().startsWith(part.toLowerCase());
    // A key of a condition is of use only where one is written.
    const known = isCondition(input.value) ? conditions : terms;
    const found = known.filter(begins).slice(0, 8);
    show(found.map(({ key, example }) => {
      // A term is completed up to its value, a condition with its operator.
      const word = example.startsWith(`${key}:`) ? `${key}:` : `${key} `;
      return [word, () => insert(word, part), example === key ? undefined : example];
    }));
  }

  /** @param {Suggestion[]} entries */
  function show(entries) {
    current = -1;
    replace(listbox, entries.map(([name, action, note], index) => el('div', {
      class: 'search-option', role: 'option', id: `search-${index}`, 'aria-selected': 'false',
      // The field keeps the focus, without which the list would close before the click.
      on: { pointerdown: (event) => event.preventDefault(), click: action },
    }, el('span', {}, name), note ? el('code', { class: 'caption' }, note) : null)));
    options = entries;
    listbox.hidden = !entries.length;
    input.setAttribute('aria-expanded', String(entries.length > 0));
  }

  function close() { show([]); }

  /**
   * @param {string} word
   * @param {string} part what is there of it
   */
  function insert(word, part) {
    const start = input.selectionStart - part.length;
    input.setRangeText(word, start, input.selectionStart, 'end');
    complete();
  }

  /** @param {string} text */
  function submit(text) {
    close();
    const kept = searches().filter((item) => item !== text);
    if (text && !chips().some(([, chip]) => chip === text)) {
      keep('searches', [text, ...kept].slice(0, 6));
    }
    run(text.trim());
  }

  /** @param {number} index */
  function select(index) {
    current = (index + options.length + 1) % (options.length + 1);
    for (const [position, option] of [...listbox.children].entries()) {
      option.setAttribute('aria-selected', String(position === current));
    }
    input.setAttribute(
      'aria-activedescendant', current < options.length ? `search-${current}` : '');
  }

  /** @param {KeyboardEvent} event */
  function keys(event) {
    if (event.key === 'ArrowDown' && options.length) {
      event.preventDefault();
      select(current + 1);
    }
    if (event.key === 'ArrowUp' && options.length) { event.preventDefault(); select(current - 1); }
    if (event.key === 'Tab' && options.length && input.value) {
      event.preventDefault();
      options[Math.max(0, current)]?.[1]();
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      if (current >= 0 && options[current]) options[current][1]();
      else submit(input.value);
    }
    if (event.key === 'Escape') {
      event.stopPropagation();
      if (listbox.hidden) input.blur(); else close();
    }
  }

  /**
   * Shows the problem of a predicate under the character where it is.
   * @param {import('./api.js').Problem | null} problem
   */
  function showProblem(problem) {
    problemText.hidden = !problem;
    input.setAttribute('aria-invalid', String(Boolean(problem)));
    replace(mirror);
    if (!problem) return;
    input.focus();
    const { term, allowed } = problem.body;
    // What else the server says is about its command line.
    problemText.textContent = allowed
      ? t('search.unknown', { term, allowed: list(allowed) })
      : problem.message;
    if (problem.body.position === undefined) { delete problemText.dataset.position; return; }
    // The server counts characters from 1.
    const position = Math.min(Math.max(0, (problem.body.position ?? 1) - 1), input.value.length);
    problemText.dataset.position = String(position);
    const wrong = /^\w+|^./.exec(input.value.slice(position))?.[0] ?? ' ';
    replace(mirror, input.value.slice(0, position), el('span', { class: 'search-error' }, wrong));
    input.setSelectionRange(position, position);
    close();
  }

  return { element, showProblem, focus: () => { input.focus(); input.select(); } };
}
