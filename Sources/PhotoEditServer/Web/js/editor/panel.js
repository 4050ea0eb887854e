// SPDX-License-Identifier: Apache-2.0
import { menu } from '../dialogs.js';
import { el, icon, iconButton, replace } from '../dom.js';
import { t } from '../language.js';
import { setting, keep } from '../settings.js';
import { control } from './controls.js';
import { pointsIn } from './levels.js';
import { identityOf, isEqual, isInternal, label, needsFile } from './schema.js';

/** @type {Parameter} */
const opacity = {
  name: 'opacity', type: 'number', range: [0, 1], usefulRange: [0, 1], neutral: 1, default: 1,
  unit: 'fraction', summary: t('panel.opacityHelp'), allowed: '0…1', label: t('panel.opacity'),
};
/** @type {Record<string, string>} */
const toolNames = {
  crop: t('panel.cropTool'), straighten: t('panel.straightenTool'),
  perspective: t('panel.perspectiveTool'), 'mask.linear': t('panel.maskTool'),
  'mask.radial': t('panel.maskTool'), 'mask.brush': t('panel.brushTool'),
  heal: t('panel.healTool'), redEye: t('panel.redEyeTool'),
};
let counter = 0;

/** The panel of one filter of the graph, with all of its parameters. */
export class Panel {
  /**
   * @param {Filter} filter
   * @param {string} nodeId
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
    /** The place of the panels of its masks. */
    this.maskSlot = el('div', { class: 'mask-slot' });
    /** @type {HTMLElement | null} */
    this.details = null;
    this.isMask = filter.family === 'mask';
    this.build();
    /** Whether it stays in the list while its filter has no effect. */
    this.isKept = false;
    this.setOpen(
      setting(`open.${filter.name}`, !host.panels.adjust.covers(filter.name)), false);
  }

  get draft() { return this.host.draft; }
  get node() { return this.draft.node(this.nodeId) ?? null; }

  build() {
    this.power = iconButton(
      'power', t('panel.switchOff'), () => this.toggle(), { class: 'icon-button power' });
    this.resetButton = iconButton('reset', t('panel.reset'), () => this.reset());
    /** @type {HTMLElement} */
    this.more = iconButton(
      'more', t('editor.more'), () => this.openMenu(), { 'aria-haspopup': 'menu' });
    this.disclosure = el('button', {
      type: 'button', class: 'disclosure', 'aria-expanded': 'false',
      'aria-controls': `${this.prefix}-body`,
      on: { click: () => this.setOpen(!this.isOpen), keydown: (event) => this.moveKeys(event) },
    }, icon('forward', 'chevron'), el('span', { class: 'panel-name' }, label(this.filter.name)));
    this.badge = this.filter.family === 'neighbourhood' ? el('span', {
      class: 'badge', title: t('panel.judge'), hidden: true,
    }, '1:1') : null;
    this.masked = el(
      'span', { class: 'masked', role: 'img', hidden: true }, icon('mask'));
    this.body = el(
      'div', { class: 'panel-body', id: `${this.prefix}-body`, hidden: true }, this.maskSlot);
    this.element = el('section', {
      class: this.isMask ? 'panel mask-panel' : 'panel', 'aria-label': label(this.filter.name),
      data: { filter: this.filter.name },
    },
      el('div', { class: 'panel-head' },
        el('h3', {}, this.disclosure),
        this.masked,
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
    // Until it is opened, it has only the place of its masks.
    if (open && this.body.firstChild === this.maskSlot) this.fill();
    if (open) this.showLevels();
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
      remove: () => this.draft.remove(this.nodeId),
      canAttach: this.host.canAttach,
      attach: (name, file) => this.host.attach(this, name, file),
      choosePresetFile: (parameter, anchor) =>
        this.host.presets.chooseFile(this, parameter, anchor),
      attachmentName: (name) => this.host.attachmentName(name),
    };
    const all = this.filter.parameters.filter((parameter) => !isInternal(parameter));
    const primary = all.filter((parameter) =>
      parameter.neutral !== null || needsFile(parameter));
    const shown = primary.length ? primary : all;
    const hidden = all.filter((parameter) => !shown.includes(parameter));
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
      el('summary', {}, t('panel.options')), hidden.map(make), extra) : null;
    replace(this.body,
      this.filter.parameters.length ? null : el('p', { class: 'caption' }, this.filter.summary),
      this.tool, shown.map(make), this.details, this.maskSlot, this.about);
    this.show();
  }

  get values() { return this.node?.params ?? this.host.schema.values(this.filter); }

  /** Shows the values of the node. */
  show() {
    const { node, values } = this;
    const isActive = node !== null;
    this.element.dataset.active = String(isActive);
    this.element.dataset.node = this.nodeId;
    this.element.dataset.enabled = String(node?.enabled !== false);
    const mask = this.draft.node(node?.mask);
    this.masked.hidden = !mask;
    // Filters of masks that are closed are told apart.
    if (mask) {
      this.masked.title = label(mask.filter);
      this.masked.setAttribute('aria-label', this.masked.title);
    }
    this.power.hidden = !isActive;
    this.power.disabled = this.filter.parameters.some((parameter) =>
      needsFile(parameter) && !values[parameter.name]);
    this.power.setAttribute('aria-pressed', String(isActive && node.enabled !== false));
    this.power.setAttribute(
      'aria-label', t(node?.enabled === false ? 'panel.switchOn' : 'panel.switchOff'));
    const saved = isActive ? this.draft.savedNode(this.nodeId) : null;
    const isChanged = isActive && !isEqual(node, saved ?? null);
    this.element.dataset.changed = String(isChanged);
    this.disclosure.title = isChanged
      ? t('panel.changed', { summary: this.filter.summary })
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

  showLevels() {
    const { measured } = this.host;
    if (!measured || !this.isOpen) return;
    for (const made of this.controls.values()) {
      made.showLevels?.(
        measured.levels, this.values.channel, pointsIn(measured.graph, this.nodeId));
    }
  }

  /**
   * @param {string} name
   * @param {Value} value
   * @param {number} [at] the time of the input
   */
  set(name, value, at) { this.setAll({ [name]: value }, at); }

  /**
   * @param {Record<string, Value>} values
   * @param {number} [at]
   */
  setAll(values, at) {
    this.isKept = true;
    this.host.inputAt = at ?? performance.now();
    if (this.node) this.draft.setValues(this.nodeId, values);
  }

  /**
   * @param {Value} value
   * @param {number} [at]
   */
  setOpacity(value, at) {
    this.host.inputAt = at ?? performance.now();
    this.isKept = true;
    this.draft.setProperty(this.nodeId, 'opacity', value === 1 ? undefined : Number(value));
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
    this.isKept = true;
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
      [t('panel.addLinear'), 'mask.linear'],
      [t('panel.addRadial'), 'mask.radial'],
      [t('panel.addLuminance'), 'mask.luma'],
      [t('panel.addBrush'), 'mask.brush'],
    ].filter(([, filter]) => this.host.schema.filter(filter));
    menu(this.more, [
      { label: t('panel.about'), symbol: 'info', action: () => this.showAbout() },
      node && {
        label: t('panel.up'), symbol: 'up', disabled: !draft.canMove(nodeId, -1),
        action: () => draft.move(nodeId, -1),
      },
      node && {
        label: t('panel.down'), symbol: 'down', disabled: !draft.canMove(nodeId, 1),
        action: () => draft.move(nodeId, 1),
      },
      ...(canMask && !node.mask ? masks : []).map(([name, filter]) =>
        ({ label: name, symbol: 'mask', action: () => this.addMask(filter) })),
      canMask && node.mask && {
        label: t('panel.removeMask'), symbol: 'mask', action: () => draft.setMask(nodeId, null),
      },
      node && {
        label: t('panel.remove'), symbol: 'trash', action: () => draft.remove(nodeId),
      },
    ]);
  }

  /** @param {string} name */
  addMask(name) {
    const { draft, host } = this;
    this.setOpen(true);
    draft.setMask(this.nodeId, name);
    // It has no effect until it is painted.
    if (name === 'mask.brush') host.tools.use(host.panels.panelOf(this.node.mask));
  }

  showAbout() {
    if (!this.isOpen) this.setOpen(true);
    if (this.about) { this.about.remove(); this.about = null; return; }
    const { filter } = this;
    const facts = [
      [t('panel.formula'), filter.formula],
      [t('panel.reads'), filter.reach],
      [t('panel.computed'), t(filter.light === 'linear' ? 'panel.linear' : 'panel.encoded')],
      [t('panel.equivalents'), filter.peers],
    ].filter(([, text]) => text);
    this.about = el('div', { class: 'about' }, el('p', {}, filter.summary),
      el('dl', {}, facts.map(([name, text]) => [el('dt', {}, name), el('dd', {}, text)]).flat()));
    this.body.append(this.about);
  }
}
