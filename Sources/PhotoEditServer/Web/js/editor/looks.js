// SPDX-License-Identifier: Apache-2.0
import { el, replace } from '../dom.js';
import { t } from '../language.js';
import { report } from '../messages.js';
import { keep } from '../settings.js';
import { canonical, label } from './schema.js';

/** The size of a small image in pixels of the page, and the delay after a change of the draft. */
const [width, height, delay] = [104, 78, 500];

/**
 * A way to finish the photo: without a look, with one, or with a preset.
 * @typedef {object} Choice
 * @property {string} name
 * @property {(graph: Graph) => void} finish adds its nodes to the graph without any
 * @property {() => void} choose
 * @property {string | null} look the filter, for the mark of the one that is chosen
 */

const nearest = /** @type {const} */ ({ block: 'nearest', inline: 'nearest' });

/**
 * The strip of looks: this photo in each look and preset. One under the pointer is previewed, a
 * click takes it in place of the last one.
 */
export class Looks {
  /**
   * @param {import('./editor.js').Editor} editor
   * @param {HTMLElement} element the place of the strip, which is hidden
   */
  constructor(editor, element) {
    this.editor = editor;
    this.element = element;
    this.list = el('div', {
      class: 'look-list', role: 'group', 'aria-label': t('looks.list'),
      on: { pointerleave: () => this.preview(null) },
    });
    /** @type {HTMLInputElement} */
    this.strength = el('input', {
      class: 'slider', type: 'range', min: 0, max: 1, step: 0.01,
      'aria-label': t('looks.strengthOf'),
      on: {
        pointerdown: () => editor.draft.beginGesture(),
        input: (event) => this.setStrength(Number(this.strength.value), event.timeStamp),
        change: () => editor.draft.endGesture(),
        pointerup: () => editor.draft.endGesture(),
        pointercancel: () => editor.draft.endGesture(),
        dblclick: () => this.setStrength(1),
      },
    });
    this.amount = el('span', { class: 'numbers', 'aria-hidden': 'true' });
    this.strengthBox = el('label', { class: 'look-strength' },
      el('span', {}, t('looks.strength'), ' ', this.amount), this.strength);
    element.append(this.list, this.strengthBox);
    this.isShown = false;
    /** @type {Choice[]} */
    this.choices = [];
    /** @type {Choice | null} the one under the pointer */
    this.hovered = null;
    /** @type {string | null} the graph of which the small images are */
    this.shownBase = null;
    /** @type {Element | null} the one that is used, and was scrolled into view */
    this.shown = null;
    /** @type {AbortController | null} */
    this.loading = null;
  }

  /** @param {boolean} [isShown] */
  toggle(isShown = !this.isShown) {
    this.isShown = isShown;
    this.element.hidden = !isShown;
    keep('looks', isShown);
    this.preview(null);
    if (isShown) { this.makeChoices(); this.changed(); }
    this.editor.view.show();
  }

  /** The node of the look that is used. */
  get node() {
    return this.editor.draft.nodes.findLast(({ filter }) => filter.startsWith('look.')) ?? null;
  }

  /** The nodes of the draft without its look and without the preset that was applied last. */
  get base() {
    const { draft, presets } = this.editor;
    const look = this.node?.id;
    return structuredClone(draft.nodes.filter(({ id }) =>
      id !== look && !presets.applied.has(id)));
  }

  makeChoices() {
    const { draft, presets, schema } = this.editor;
    const looks = schema.filters.filter(({ name }) => name.startsWith('look.'));
    this.choices = [
      { name: t('looks.none'), finish: () => {}, choose: () => this.take(null), look: '' },
      ...looks.map((filter) => ({
        name: label(filter.name), look: filter.name, choose: () => this.take(filter),
        finish: (/** @type {Graph} */ { nodes }) => nodes.push({
          id: draft.freeName(), filter: filter.name, v: filter.version, params: { amount: 1 },
        }),
      })),
      ...presets.all.map((preset) => ({
        name: preset.name, look: null, choose: () => presets.apply(preset),
        finish: (/** @type {Graph} */ graph) => presets.append(preset.graph, graph),
      })),
    ];
    this.shownBase = null;
    replace(this.list, this.choices.map((choice) => el('button', {
      type: 'button', class: 'look', 'aria-pressed': 'false', data: { look: choice.look ?? '' },
      on: {
        click: () => { this.hovered = null; choice.choose(); },
        pointerenter: (event) => { if (event.pointerType === 'mouse') this.preview(choice); },
      },
    }, el('canvas', { width, height, 'aria-hidden': 'true' }), el('span', {}, choice.name))));
  }

  /**
   * Shows the photo in a look without taking it; null shows the draft again.
   * @param {Choice | null} choice
   */
  preview(choice) {
    if (this.hovered === choice) return;
    this.hovered = choice;
    const { rendering } = this.editor;
    rendering.proposal = choice && this.graphOf(choice);
    rendering.scheduler.input();
  }

  /** @param {Choice} choice */
  graphOf(choice) {
    /** @type {Graph} */
    const graph = { ...structuredClone(this.editor.draft.graph), nodes: this.base };
    choice.finish(graph);
    return graph;
  }

  /** Shows presets that were saved or deleted. */
  presetsChanged() { if (this.isShown) { this.makeChoices(); this.changed(); } }

  /**
   * Puts a look in place of the one before; null removes it.
   * @param {Filter | null} filter
   */
  take(filter) {
    const { draft, rendering, schema } = this.editor;
    rendering.proposal = null;
    const { node } = this;
    this.editor.inputAt = performance.now();
    if (!filter) {
      if (node) draft.remove(node.id);
    } else if (node) {
      const id = node.id;
      draft.change((graph) => {
        graph.nodes = graph.nodes.map((item) => (item.id !== id ? item : {
          ...item, filter: filter.name, v: filter.version,
        }));
      });
    } else {
      draft.add(schema.filter(filter.name), { amount: 1 });
    }
  }

  /**
   * @param {number} amount
   * @param {number} [at]
   */
  setStrength(amount, at) {
    if (!this.node) return;
    this.editor.inputAt = at ?? performance.now();
    this.editor.draft.setValue(this.node.id, 'amount', amount);
  }

  /** @param {number} amount */
  showStrength(amount) {
    const text = t('percent', { number: Math.round(amount * 100) });
    this.strength.value = String(amount);
    this.strength.setAttribute('aria-valuetext', text);
    this.amount.textContent = text;
  }

  /** Follows a change of the draft. */
  changed() {
    if (!this.isShown) return;
    const { node } = this;
    for (const [index, button] of [...this.list.children].entries()) {
      const { look } = this.choices[index];
      button.setAttribute('aria-pressed', String(look !== null && look === (node?.filter ?? '')));
    }
    this.strengthBox.hidden = !node;
    if (node) this.showStrength(Number(node.params?.amount ?? 0));
    const chosen = this.list.querySelector('[aria-pressed="true"]');
    if (chosen !== this.shown) chosen?.scrollIntoView(nearest);
    this.shown = chosen;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), this.shownBase === null ? 0 : delay);
  }

  /** Renders the small images, which the server makes of the same few pixels. */
  async load() {
    const base = canonical(this.base);
    if (base === this.shownBase || !this.isShown) return;
    this.shownBase = base;
    this.loading?.abort();
    this.loading = new AbortController();
    const { signal } = this.loading;
    const scale = Math.min(2, devicePixelRatio);
    const size = { width: Math.round(width * scale), height: Math.round(height * scale) };
    const rest = this.choices.entries();
    const worker = async () => {
      for (const [index, choice] of rest) {
        const canvas = this.list.children[index].querySelector('canvas');
        const options = { sequence: 0, purpose: 'look', signal };
        const { bitmap } = await this.editor.session.preview(this.graphOf(choice), size, options);
        [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
        canvas.getContext('2d').drawImage(bitmap, 0, 0);
        bitmap.close();
        canvas.dataset.loaded = 'true';
      }
    };
    try {
      await Promise.all([worker(), worker()]);
      // The images before it have their widths now.
      if (!signal.aborted) this.shown?.scrollIntoView(nearest);
    } catch (problem) {
      // A graph that cannot be rendered is reported by its preview.
      if (![422, 503].includes(problem.status)) report(problem);
      if (!signal.aborted) this.shownBase = '';
    }
  }

  stop() {
    clearTimeout(this.timer);
    this.loading?.abort();
  }
}
