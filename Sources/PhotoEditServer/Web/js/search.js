// SPDX-License-Identifier: Apache-2.0
import { el, icon, iconButton, replace } from './dom.js';
import { keep, setting } from './settings.js';

const words = [
  'mediaType', 'mediaSubtypes', 'creationDate', 'modificationDate', 'duration', 'pixelWidth',
  'pixelHeight', 'favorite', 'hidden', 'hasAdjustments', 'originalFilename', 'title', 'AND', 'OR',
  'NOT', 'IN', 'BETWEEN', 'CONTAINS', 'BEGINSWITH', 'ENDSWITH', 'LIKE', 'YES', 'NO', 'image',
  'video',
];
/** @returns {[name: string, predicate: string][]} */
const chips = () => [
  ['Favorites', 'favorite == YES'],
  ['Videos', 'mediaType == video'],
  ['Edited', 'hasAdjustments == YES'],
  ['This year', `creationDate >= CAST("${new Date().getFullYear()}-01-01T00:00:00Z", "NSDate")`],
];

/** @returns {string[]} the last ones, newest first */
const searches = () => setting('searches', []);

/** @typedef {[name: string, action: () => void, note?: string]} Suggestion */

/**
 * The field for predicates, with completion of words and the place of an error.
 * @param {{ value: string, run: (predicate: string) => void }} options
 */
export function searchField({ value, run }) {
  const input = el('input', {
    class: 'search-input', type: 'text', value, placeholder: 'Search: favorite == YES',
    'aria-label': 'Search by predicate', autocomplete: 'off', spellcheck: 'false', role: 'combobox',
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
  const list = el('div', {
    class: 'search-list', id: 'search-list', role: 'listbox', 'aria-label': 'Suggestions',
    hidden: true,
  });
  const clear = iconButton('close', 'Clear search', () => run(''), { hidden: !value });
  const element = el('div', { class: 'search', role: 'search' },
    el('div', { class: 'search-box' },
      icon('search'), el('div', { class: 'search-field' }, mirror, input), clear),
    problemText,
    list);
  /** @type {Suggestion[]} */
  let options = [];
  let current = -1;

  function complete() {
    const before = input.value.slice(0, input.selectionStart);
    const part = /[A-Za-z]+$/.exec(before)?.[0] ?? '';
    const begins = (/** @type {string} */ word) =>
      word.toLowerCase().startsWith(part.toLowerCase()) && word !== part;
    const found = part ? words.filter(begins).slice(0, 7) : [];
    /** @type {Suggestion[]} */
    const recent = [];
    for (const [name, text] of chips()) recent.push([name, () => submit(text), text]);
    for (const text of searches()) recent.push([text, () => submit(text)]);
    /** @type {Suggestion[]} */
    const completions = found.map((word) => [word, () => insert(word, part)]);
    show(input.value ? completions : [...completions, ...recent]);
  }

  /** @param {Suggestion[]} entries */
  function show(entries) {
    current = -1;
    replace(list, entries.map(([name, action, note], index) => el('div', {
      class: 'search-option', role: 'option', id: `search-${index}`, 'aria-selected': 'false',
      on: { pointerdown: (event) => { event.preventDefault(); action(); } },
    }, el('span', {}, name), note ? el('code', { class: 'caption' }, note) : null)));
    options = entries;
    list.hidden = !entries.length;
    input.setAttribute('aria-expanded', String(entries.length > 0));
  }

  function close() { show([]); }

  /**
   * @param {string} word
   * @param {string} part what is there of it
   */
  function insert(word, part) {
    const start = input.selectionStart - part.length;
    input.setRangeText(`${word} `, start, input.selectionStart, 'end');
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
    for (const [position, option] of [...list.children].entries()) {
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
      if (list.hidden) input.blur(); else close();
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
    // The server counts characters from 1.
    const position = Math.min(Math.max(0, (problem.body.position ?? 1) - 1), input.value.length);
    problemText.textContent = problem.message;
    problemText.dataset.position = String(position);
    const wrong = /^\w+|^./.exec(input.value.slice(position))?.[0] ?? ' ';
    replace(mirror, input.value.slice(0, position), el('span', { class: 'search-error' }, wrong));
    input.focus();
    input.setSelectionRange(position, position);
    close();
  }

  return { element, showProblem, focus: () => { input.focus(); input.select(); } };
}
