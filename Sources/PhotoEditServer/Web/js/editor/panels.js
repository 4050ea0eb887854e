// SPDX-License-Identifier: Apache-2.0
import { el, replace } from '../dom.js';
import { Panel } from './panel.js';

const essentials = [
  'exposure', 'whiteBalance', 'contrast', 'shadowsHighlights', 'vibrance', 'clarity', 'crop',
  'straighten',
];
const reduced = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * The column of panels: the nodes of the graph in order, then often used filters that are not in
 * it.
 */
export class Panels {
  /** @param {import('./editor.js').Editor} host */
  constructor(host) {
    this.host = host;
    /** @type {Panel[]} */
    this.panels = [];
    /** @type {Panel | null} the panel of the node that is being added */
    this.reserved = null;
    this.list = el('div', { class: 'panel-list' });
    this.offered = el('div', { class: 'panel-list offered' });
    this.heading = el('h2', { class: 'section-title' }, 'Edit');
    this.more = el('h2', { class: 'section-title' }, 'Often used');
    this.element =
      el('div', { class: 'panels scroll' }, this.heading, this.list, this.more, this.offered);
  }

  /**
   * Adds a node whose panel is there already; returns its identifier.
   * @param {Panel} panel
   * @param {() => string} add
   */
  reserve(panel, add) {
    this.reserved = panel;
    const id = add();
    this.reserved = null;
    return id;
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
    for (const panel of this.panels) panel.show();
    if (kind !== 'value' && !draft.gesture) this.arrange(draft);
  }

  /**
   * @param {import('./draft.js').Draft} draft
   * @param {import('./schema.js').Schema} schema
   */
  match(draft, schema) {
    const nodes = draft.nodes.filter((node) => schema.filter(node.filter));
    const known = new Set(nodes.map((node) => node.id));
    for (const panel of this.panels) {
      if (panel.nodeId !== null && !known.has(panel.nodeId)) panel.nodeId = null;
    }
    for (const node of nodes) {
      const found = this.panelOf(node.id);
      if (found && found.filter.name === schema.filter(node.filter).name) continue;
      const filter = schema.filter(node.filter);
      const free = this.reserved
        ?? this.panels.find((panel) => panel.nodeId === null && panel.filter === filter);
      if (free) free.nodeId = node.id;
      else this.panels.push(new Panel(filter, node.id, this.host));
    }
    const used = new Set(nodes.map((node) => schema.filter(node.filter).name));
    for (const name of essentials) {
      const filter = schema.filter(name);
      const has = this.panels.some((panel) => panel.filter === filter);
      if (filter && !used.has(name) && !has) this.panels.push(new Panel(filter, null, this.host));
    }
    /** @param {Panel} panel */
    const keep = (panel) => panel.nodeId !== null
      || (essentials.includes(panel.filter.name) && !used.has(panel.filter.name)
        && this.panels.find((other) => other.filter === panel.filter) === panel);
    for (const panel of this.panels) if (!keep(panel)) panel.element.remove();
    this.panels = this.panels.filter(keep);
  }

  /**
   * Puts the elements in order; those that move slide to their new position.
   * @param {import('./draft.js').Draft} draft
   */
  arrange(draft) {
    const before = new Map(this.panels.map((panel) =>
      [panel, panel.element.isConnected ? panel.element.getBoundingClientRect().top : null]));
    const focused = document.activeElement;
    const masked = draft.nodes.filter((node) => node.mask);
    const owners = new Map(masked.map((node) => [node.mask, node.id]));
    /** @type {HTMLElement[]} */
    const active = [];
    for (const node of draft.nodes) {
      const panel = this.panelOf(node.id);
      if (!panel) continue;
      const owner = owners.has(node.id) ? this.panelOf(owners.get(node.id)) : null;
      if (owner?.maskSlot) {
        if (owner.maskSlot.firstChild !== panel.element) replace(owner.maskSlot, panel.element);
      } else {
        active.push(panel.element);
      }
    }
    const offered = essentials.map((name) =>
      this.panels.find((panel) => panel.nodeId === null && panel.filter.name === name)?.element)
      .filter(Boolean);
    this.put(this.list, active);
    this.put(this.offered, offered);
    this.heading.hidden = !active.length;
    this.more.hidden = !offered.length;
    this.more.textContent = active.length ? 'Often used' : 'Start with';
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

  /**
   * @param {HTMLElement} list
   * @param {HTMLElement[]} elements
   */
  put(list, elements) {
    if (list.children.length === elements.length
      && elements.every((element, index) => list.children[index] === element)) {
      return;
    }
    list.replaceChildren(...elements);
  }

  /**
   * Opens and shows the panel of a node.
   * @param {string} id
   */
  reveal(id) {
    const panel = this.panelOf(id);
    if (!panel) return;
    panel.setOpen(true);
    panel.element.scrollIntoView(
      { block: 'nearest', behavior: reduced.matches ? 'auto' : 'smooth' });
    /** @type {NodeListOf<HTMLElement>} */
    const controls = panel.body.querySelectorAll('input, select, button');
    const first = [...controls].find((control) => control.checkVisibility()) ?? panel.disclosure;
    first.focus({ preventScroll: true });
  }

  /**
   * Shows the mark of filters that are to be judged at 100 %.
   * @param {number} scale
   */
  showScale(scale) {
    for (const panel of this.panels) {
      if (panel.badge) panel.badge.hidden = panel.nodeId === null || scale >= 0.995;
    }
  }
}
