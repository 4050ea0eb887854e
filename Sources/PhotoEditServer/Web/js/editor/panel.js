// SPDX-License-Identifier: Apache-2.0
import { menu } from '../dialogs.js';
import { el, icon, iconButton, replace } from '../dom.js';
import { setting, keep } from '../settings.js';
import { control } from './controls.js';
import { isEqual, label, identityOf } from './schema.js';

/** @type {Parameter} */
const opacity = {
  name: 'opacity', type: 'number', range: [0, 1], usefulRange: [0, 1], neutral: 1, default: 1,
  unit: 'fraction', summary: 'Share of the effect.', allowed: '0…1',
};
/** @type {Record<string, string>} */
const toolNames = {
  crop: 'Crop on the photo', straighten: 'Straighten on the photo',
  perspective: 'Move corners on the photo', 'mask.linear': 'Place on the photo',
  'mask.radial': 'Place on the photo',
};
let counter = 0;

/**
 * The panel of one filter: of a node of the graph, or of a filter that is offered and not yet used.
 */
export class Panel {
  /**
   * @param {Filter} filter
   * @param {string | null} nodeId
   * @param {import('./editor.js').Editor} host
   */
  constructor(filter, nodeId, host) {
    this.filter = filter;
    this.nodeId = nodeId;
    this.host = host;
    this.prefix = `p${++counter}`;
    /** @type {Map<string, Control>} */
    this.controls = new Map();
    /** @type {HTMLElement | null} */
    this.about = null;
    /** @type {HTMLButtonElement | null} the switch of its tool on the photo */
    this.tool = null;
    /** @type {HTMLElement | null} the place of the panel of its mask */
    this.maskSlot = null;
    /** @type {HTMLElement | null} */
    this.details = null;
    this.isMask = filter.family === 'mask';
    this.build();
    const open = setting(
      `open.${filter.name}`, ['exposure', 'whiteBalance'].includes(filter.name) || nodeId !== null);
    this.setOpen(open, false);
  }

  get draft() { return this.host.draft; }
  get node() { return this.nodeId === null ? null : this.draft.node(this.nodeId); }

  build() {
    this.power = iconButton(
      'power', 'Switch off', () => this.toggle(), { class: 'icon-button power' });
    this.resetButton = iconButton('reset', 'Reset', () => this.reset());
    /** @type {HTMLElement} */
    this.more = iconButton('more', 'More', () => this.openMenu(), { 'aria-haspopup': 'menu' });
    this.disclosure = el('button', {
      type: 'button', class: 'disclosure', 'aria-expanded': 'false',
      'aria-controls': `${this.prefix}-body`,
      on: { click: () => this.setOpen(!this.isOpen), keydown: (event) => this.moveKeys(event) },
    }, icon('forward', 'chevron'), el('span', { class: 'panel-name' }, label(this.filter.name)));
    this.badge = this.filter.family === 'neighbourhood' ? el('span', {
      class: 'badge', title: 'Judge this filter at 100 %: it depends on neighboring pixels',
      hidden: true,
    }, '1:1') : null;
    this.body = el('div', { class: 'panel-body', id: `${this.prefix}-body`, hidden: true });
    this.element = el('section', {
      class: this.isMask ? 'panel mask-panel' : 'panel', 'aria-label': label(this.filter.name),
      data: { filter: this.filter.name },
    },
      el('div', { class: 'panel-head' },
        el('h3', {}, this.disclosure),
        this.badge,
        el('span', { class: 'panel-actions' },
          this.isMask ? null : this.power, this.resetButton, this.more)),
      this.body);
  }

  /**
   * @param {boolean} open
   * @param {boolean} [store]
   */
  setOpen(open, store = true) {
    this.isOpen = open;
    this.disclosure.setAttribute('aria-expanded', String(open));
    this.body.hidden = !open;
    if (open && !this.body.firstChild) this.fill();
    if (store) {
      keep(`open.${this.filter.name}`, open);
      this.host.opened(this);
    }
  }

  fill() {
    /** @type {Edit} */
    const edit = {
      prefix: this.prefix,
      set: (name, value, at) => this.set(name, value, at),
      begin: () => this.draft.beginGesture(),
      end: () => this.draft.endGesture(),
      canAttach: this.host.canAttach,
      attach: (name, file) => this.host.attach(this, name, file),
      choosePresetFile: (parameter, anchor) =>
        this.host.presets.chooseFile(this, parameter, anchor),
      attachmentName: (name) => this.host.attachmentName(name),
    };
    const primary = this.filter.parameters.filter((parameter) =>
      parameter.neutral !== null || parameter.type === 'asset');
    const shown = primary.length ? primary : this.filter.parameters;
    const hidden = this.filter.parameters.filter((parameter) => !shown.includes(parameter));
    /** @param {Parameter} parameter */
    const make = (parameter) => {
      const made = control(this.filter, parameter, edit);
      this.controls.set(parameter.name, made);
      return made.element;
    };
    /** @type {HTMLElement[]} */
    const extra = [];
    if (!['geometry', 'movie', 'mask'].includes(this.filter.family)) {
      const made = control(
        this.filter, opacity, { ...edit, set: (_, value, at) => this.setOpacity(value, at) });
      this.controls.set(':opacity', made);
      extra.push(made.element);
    }
    const tool = toolNames[this.filter.name];
    if (tool) {
      this.tool = el('button', {
        type: 'button', class: 'button tool', 'aria-pressed': 'false',
        on: { click: (event) => this.host.tools.toggle(this, event.detail === 0) },
      }, icon(this.filter.name === 'crop' ? 'crop' : this.isMask ? 'mask' : 'sliders'), tool);
    }
    this.details = hidden.length + extra.length ? el('details', { class: 'more' },
      el('summary', {}, 'Options'), hidden.map(make), extra) : null;
    this.maskSlot = el('div', { class: 'mask-slot' });
    replace(this.body,
      this.filter.parameters.length ? null : el('p', { class: 'caption' }, this.filter.summary),
      this.tool, shown.map(make), this.details, this.maskSlot, this.about);
    this.show();
  }

  get values() { return this.node?.params ?? this.host.schema.values(this.filter); }

  /** Shows the values of the node. */
  show() {
    const { node, values } = this;
    const isActive = node !== null && node !== undefined;
    this.element.dataset.active = String(isActive);
    this.element.dataset.node = this.nodeId ?? '';
    this.element.dataset.enabled = String(node?.enabled !== false);
    this.power.hidden = !isActive;
    this.power.disabled = this.filter.parameters.some((parameter) =>
      parameter.type === 'asset' && !values[parameter.name]);
    this.power.setAttribute('aria-pressed', String(isActive && node.enabled !== false));
    this.power.setAttribute('aria-label', node?.enabled === false ? 'Switch on' : 'Switch off');
    const saved = isActive ? this.draft.savedNode(this.nodeId) : null;
    const isChanged = isActive && !isEqual(node, saved ?? null);
    this.element.dataset.changed = String(isChanged);
    this.disclosure.title = isChanged
      ? `${this.filter.summary} Changed since the last save.`
      : this.filter.summary;
    this.resetButton.hidden = !isActive;
    for (const parameter of this.filter.parameters) {
      const made = this.controls.get(parameter.name);
      if (!made) continue;
      const value = values[parameter.name]
        ?? (parameter.type === 'asset' ? null : parameter.default);
      made.show(value);
      made.element.dataset.changed = String(isActive
        && !isEqual(value,
          saved ? saved.params?.[parameter.name] ?? parameter.default : identityOf(parameter)));
    }
    this.controls.get(':opacity')?.show(node?.opacity ?? 1);
  }

  /**
   * Returns the identifier of the node; adds the node when the filter is not used yet.
   * @param {Record<string, Value>} [values]
   */
  ensure(values = {}) {
    if (this.node) return this.nodeId;
    this.nodeId = this.host.panels.reserve(this, () =>
      this.draft.add(this.filter, { ...this.host.schema.values(this.filter), ...values }));
    return this.nodeId;
  }

  /**
   * @param {string} name
   * @param {Value} value
   * @param {number} [at] the time of the input
   */
  set(name, value, at) { this.setAll({ [name]: value }, at); }

  /**
   * Sets parameters; the first values that differ from those without effect add the node, in the
   * same undo step.
   * @param {Record<string, Value>} values
   * @param {number} [at]
   */
  setAll(values, at) {
    this.host.inputAt = at ?? performance.now();
    const names = Object.keys(values);
    if (this.node) this.draft.setValues(this.nodeId, values);
    else if (names.some((name) => !isEqual(this.values[name], values[name]))) this.ensure(values);
  }

  /**
   * @param {Value} value
   * @param {number} [at]
   */
  setOpacity(value, at) {
    this.host.inputAt = at ?? performance.now();
    this.draft.setProperty(this.ensure(), 'opacity', value === 1 ? undefined : Number(value));
  }

  toggle() {
    if (this.node) {
      this.draft.setProperty(
        this.nodeId, 'enabled', this.node.enabled === false ? undefined : false);
    }
  }

  /** Sets every parameter to the value without effect. */
  reset() {
    if (!this.node) return;
    this.draft.change((graph) => {
      const node = graph.nodes.find((item) => item.id === this.nodeId);
      for (const parameter of this.filter.parameters) {
        if (parameter.type !== 'asset') {
          node.params = { ...node.params, [parameter.name]: identityOf(parameter) };
        }
      }
      delete node.opacity;
    });
  }

  /** @param {KeyboardEvent} event */
  moveKeys(event) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || !step || !this.node) return;
    event.preventDefault();
    this.draft.move(this.nodeId, step);
    this.disclosure.focus();
  }

  openMenu() {
    const { node, draft, nodeId } = this;
    const canMask = node && !this.isMask && !['geometry', 'movie'].includes(this.filter.family);
    const masks = [
      ['linear', 'mask.linear'],
      ['radial', 'mask.radial'],
      ['luminance', 'mask.luma'],
    ];
    menu(this.more, [
      { label: 'About this filter', symbol: 'info', action: () => this.showAbout() },
      node && {
        label: 'Move up', symbol: 'up', disabled: !draft.canMove(nodeId, -1),
        action: () => draft.move(nodeId, -1),
      },
      node && {
        label: 'Move down', symbol: 'down', disabled: !draft.canMove(nodeId, 1),
        action: () => draft.move(nodeId, 1),
      },
      ...(canMask && !node.mask ? masks : []).map(([name, filter]) =>
        ({ label: `Add ${name} mask`, symbol: 'mask', action: () => this.addMask(filter) })),
      canMask && node.mask && {
        label: 'Remove mask', symbol: 'mask', action: () => draft.setMask(nodeId, null),
      },
      node && { label: 'Remove filter', symbol: 'trash', action: () => draft.remove(nodeId) },
    ]);
  }

  /** @param {string} name */
  addMask(name) {
    this.setOpen(true);
    this.draft.setMask(this.nodeId, name);
  }

  showAbout() {
    if (!this.isOpen) this.setOpen(true);
    if (this.about) { this.about.remove(); this.about = null; return; }
    const { filter } = this;
    const facts = [
      ['Formula', filter.formula],
      ['Reads', filter.reach],
      ['Computed', filter.light === 'linear' ? 'in linear light' : 'in gamma-encoded values'],
      ['Equivalents', filter.peers],
    ].filter(([, text]) => text);
    this.about = el('div', { class: 'about' }, el('p', {}, filter.summary),
      el('dl', {}, facts.map(([name, text]) => [el('dt', {}, name), el('dd', {}, text)]).flat()));
    this.body.append(this.about);
  }
}
