// SPDX-License-Identifier: Apache-2.0
import { button, el, replace } from '../dom.js';
import { date, t } from '../language.js';
import { changeText } from './changeText.js';
import { differences } from './differences.js';

const own = /^org\.photoedit/;

/** @param {string | undefined} stored */
const time = (stored) => {
  const value = new Date(stored);
  if (Number.isNaN(value.getTime())) return '';
  const isToday = value.toDateString() === new Date().toDateString();
  return date(value,
    isToday
      ? { hour: 'numeric', minute: '2-digit' }
      : { day: 'numeric', month: 'short', year: 'numeric', hour: 'numeric', minute: '2-digit' });
};

/** The states of the photo's journal, newest first, with the differences in their values. */
export class History {
  /**
   * @param {object} options
   * @param {import('./schema.js').Schema} options.schema
   * @param {(state: EditState | null) => void} options.preview
   * @param {(state: EditState) => void} options.goTo
   * @param {(state: EditState) => void} options.compare
   */
  constructor(options) {
    this.options = options;
    /** @type {Journal | null} */
    this.history = null;
    this.list = el('ol', { class: 'history-list' });
    this.element = el('section', { class: 'history', 'aria-label': t('history.title') }, this.list);
    /** @type {number | null} */
    this.selected = null;
  }

  /** @param {Journal} history */
  show(history) {
    this.history = history;
    if (this.selected !== null && !history.states.some((state) => state.n === this.selected)) {
      this.selected = null;
    }
    const states = [...history.states].sort((a, b) => b.n - a.n);
    replace(this.list, states.map((state) => this.row(state)));
  }

  /**
   * What a state changed, with its values; the server names only the filter that was added.
   * @param {EditState} state
   */
  changes(state) {
    const before = this.history.states.find((item) => item.n === state.n - 1);
    return state.graph && before && (before.graph || !before.edited)
      ? differences(before.graph, state.graph, this.options.schema)
      : state.changes ?? [];
  }

  /** @param {EditState} state */
  row(state) {
    const isCurrent = state.n === this.history.current;
    const isSelected = this.selected === state.n && !isCurrent;
    const changes = this.changes(state);
    const lines = changes.slice(0, 4).map((change) => {
      const [name, text] = changeText(change, this.options.schema);
      return el('span', { class: 'change' },
        el('span', {}, name), el('span', { class: 'numbers' }, text));
    });
    if (changes.length > 4) {
      lines.push(el('span', { class: 'caption' }, t('andMore', { count: changes.length - 4 })));
    }
    const isFirst = state.n === Math.min(...this.history.states.map((item) => item.n));
    if (!lines.length) {
      lines.push(el('span', { class: 'change' },
        el('span', {}, isFirst && !state.graph?.nodes?.length
          ? t('history.original')
          : !state.graph?.nodes?.length
          ? t('history.reverted')
          : t('history.saved'))));
    }
    const caption = [
      time(state.date),
      own.test(state.editor ?? 'org.photoedit') ? null : state.editor,
    ].filter(Boolean).join(' · ');
    return el('li', {
      class: 'state',
      data: {
        n: state.n, current: String(isCurrent), future: String(state.n > this.history.current),
      },
    },
      el('button', {
        type: 'button', class: 'state-button', 'aria-current': isCurrent ? 'step' : null,
        'aria-pressed': String(isSelected),
        on: { click: () => this.select(isCurrent || isSelected ? null : state) },
      },
        el('span', { class: 'state-mark', 'aria-hidden': 'true' }),
        el('span', { class: 'state-text' },
          lines,
          caption
            ? el('span', { class: 'caption' }, 
              isCurrent ? t('history.currentOf', { caption }) : caption)
            : isCurrent
            ? el('span', { class: 'caption' }, t('history.current'))
            : null)),
      isSelected ? el('div', { class: 'state-actions' },
        button(t('editor.goTo'), () => this.options.goTo(state), { kind: 'small' }),
        button(t('history.compare'), () => this.options.compare(state), {
          kind: 'plain small',
        })) : null);
  }

  /** @param {EditState | null} state */
  select(state) {
    this.selected = state?.n ?? null;
    this.options.preview(state);
    this.show(this.history);
    const shown = state?.n ?? this.history.current;
    /** @type {HTMLElement | null} */
    const button = this.list.querySelector(`[data-n="${shown}"] button`);
    button?.focus();
  }
}
