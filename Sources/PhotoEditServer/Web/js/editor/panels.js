// SPDX-License-Identifier: Apache-2.0
import { button, el, replace } from '../dom.js';
import { t } from '../language.js';
import { Adjust } from './adjust.js';
import { Panel } from './panel.js';

const reduced = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * Puts panels in a place; those that are there in this order stay.
 * @param {HTMLElement} place
 * @param {(Panel | null)[]} panels
 */
function put(place, panels) {
  const elements = panels.flatMap((panel) => (panel ? [panel.element] : []));
  if (place.children.length !== elements.length
    || elements.some((element, index) => place.children[index] !== element)) {
    replace(place, elements);
  }
}

/** The column of panels: Adjust, which never moves, and below it the filters of the graph. */
export class Panels {
  /** @param {import('./editor.js').Editor} host */
  constructor(host) {
    this.host = host;
    /** @type {Panel[]} */
    this.panels = [];
    this.adjust = new Adjust(host);
    this.list = el('div', { class: 'panel-list' });
    this.more = el('h2', { class: 'section-title' }, t('panels.order'));
    this.auto = button(t('editor.auto'), () => host.adjustAutomatically(), {
      symbol: 'wand', class: 'button small',
      title: t('editor.autoHelp'),
    });
    this.element = el('div', { class: 'panels scroll' },
      el('div', { class: 'side-head' },
        el('h2', { class: 'section-title' }, t('adjust.title')), this.auto),
      this.adjust.element,
      this.more,
      this.list);
  }

  /** @param {string} id */
  panelOf(id) { return this.panels.find((panel) => panel.nodeId === id); }

  /**
   * Brings the panels in line with the draft.
   * @param {string} kind
   */
  update(kind) {
    const { draft, schema } = this.host;
    if (kind !== 'value' && kind !== 'gesture') this.match(draft, schema);
    this.adjust.show();
    for (const panel of this.panels) panel.show();
    if (!draft.gesture) this.arrange(draft);
  }

  /**
   * @param {import('./draft.js').Draft} draft
   * @param {import('./schema.js').Schema} schema
   */
  match(draft, schema) {
    const known = new Map(draft.nodes.map((node) => [node.id, schema.filter(node.filter)]));
    // A name that is free again may be that of another filter.
    const ended = this.panels.filter(({ nodeId, filter }) => known.get(nodeId) !== filter);
    for (const panel of ended) panel.element.remove();
    this.panels = this.panels.filter((panel) => !ended.includes(panel));
    for (const [id, filter] of known) {
      if (filter && !this.panelOf(id)) this.panels.push(new Panel(filter, id, this.host));
    }
  }

  /**
   * Puts the panels in the order of the graph, masks within what reads them; those that move slide
   * to their new position. A filter without effect is not in the saved graph, and has a panel only
   * once it was used there.
   * @param {import('./draft.js').Draft} draft
   */
  arrange(draft) {
    const before = new Map(this.panels.map((panel) =>
      [panel, panel.element.isConnected ? panel.element.getBoundingClientRect().top : null]));
    const focused = document.activeElement;
    const effective = new Set(draft.effective.nodes.map((node) => node.id));
    /** @param {string} id */
    const shown = (id) => {
      const panel = this.panelOf(id);
      return panel && (effective.has(id) || panel.isKept) ? panel : null;
    };
    const { readers } = draft;
    /** @type {Panel[]} */
    const listed = [];
    for (const node of draft.nodes) {
      const panel = shown(node.id);
      if (!panel) continue;
      if (!shown(readers.get(node.id))) listed.push(panel);
      put(panel.maskSlot, [...new Set([...node.in ?? [], node.mask])]
        .filter((id) => readers.get(id) === node.id).map(shown));
    }
    this.more.hidden = !listed.length;
    put(this.list, listed);
    if (focused instanceof HTMLElement && focused !== document.activeElement
      && focused.isConnected) {
      focused.focus({ preventScroll: true });
    }
    if (reduced.matches) return;
    for (const panel of this.panels) {
      const old = before.get(panel);
      if (old === null || !panel.element.isConnected) continue;
      const shift = old - panel.element.getBoundingClientRect().top;
      if (Math.abs(shift) > 1) {
        panel.element.animate([{ transform: `translateY(${shift}px)` }, { transform: 'none' }], {
          duration: 180, easing: 'ease-out',
        });
      }
    }
  }

  /** Shows the levels of the image behind the curves that are seen. */
  showLevels() {
    this.adjust.showLevels();
    for (const panel of this.panels) panel.showLevels();
  }

  /** Moves the focus to the first slider of the Adjust panel that is seen. */
  focus() {
    /** @type {NodeListOf<HTMLElement>} */
    const controls = this.adjust.element.querySelectorAll('.slider, .disclosure');
    const sliders = [...controls].filter((control) => control.matches('.slider'));
    (sliders.find((slider) => slider.checkVisibility()) ?? controls[0]).focus();
  }

  /**
   * Opens and shows the panel of a node.
   * @param {string} id
   */
  reveal(id) {
    const panel = this.panelOf(id);
    if (!panel) return;
    panel.isKept = true;
    this.arrange(this.host.draft);
    panel.setOpen(true);
    const { readers } = this.host.draft;
    for (let owner = panel; owner; owner = this.panelOf(readers.get(owner.nodeId))) {
      if (!owner.isOpen) owner.setOpen(true, false);
    }
    panel.element.scrollIntoView(
      { block: 'nearest', behavior: reduced.matches ? 'auto' : 'smooth' });
    /** @type {NodeListOf<HTMLElement>} */
    const controls = panel.body.querySelectorAll('input, select, textarea, button');
    const first = [...controls].find((control) => control.checkVisibility()) ?? panel.disclosure;
    first.focus({ preventScroll: true });
  }

  /**
   * Shows the mark of filters that are to be judged at 100 %.
   * @param {number} scale
   */
  showScale(scale) {
    for (const panel of this.panels) if (panel.badge) panel.badge.hidden = scale >= 0.995;
  }
}
