// SPDX-License-Identifier: Apache-2.0
import { button, el, replace } from '../dom.js';
import { t } from '../language.js';
import { loaded, once } from '../later.js';
import { localRows, masked, masks } from './adjustTable.js';
import { control } from './controls.js';
import { LocalAdjustment, maskGroups, NodeAdjustment } from './localAdjustment.js';
import { label } from './schema.js';

/** The parameters of masks that are set on the photo. */
const onPhoto = new Set(['from', 'to', 'center', 'radius', 'strokes']);

/** The section for parts of the photo: masks, each with its own sliders. */
export class MaskSection {
  /**
   * @param {import('./adjust.js').Adjust} adjust
   * @param {string} name of the section
   */
  constructor(adjust, name) {
    this.adjust = adjust;
    this.name = name;
    /** @type {string | null} */
    this.selected = null;
    /** @type {Map<string, LocalAdjustment>} */
    this.adjustments = new Map();
    /** @type {string | undefined} what the list of masks shows */
    this.listed = undefined;
    /** @type {import('./adjust.js').Shown[]} the rows of the selected mask itself */
    this.shapeRows = [];
    this.list = el(
      'div', { class: 'segments', role: 'radiogroup', 'aria-label': t('adjust.masks') });
    this.shape = el('div', {});
    this.join = el('div', {});
    this.tool = button(t('local.tool'), (event) => this.toggleTool(event.detail === 0), {
      class: 'button tool', symbol: 'mask', 'aria-pressed': 'false',
      title: t('local.toolHelp'),
    });
    this.caption = el('p', { class: 'caption' }, t('local.help'));
    this.local = el('div', { class: 'local', hidden: true });
  }

  get groups() { return maskGroups(this.adjust.host.draft); }
  get isTouched() { return this.groups.length > 0; }

  /** What is in the section: the buttons that add a mask, and the sliders of the selected one. */
  contents() {
    const { host } = this.adjust;
    const known = Object.entries(masks).filter(([name]) => host.schema.filter(name));
    this.listed = undefined;
    return !known.length ? [] : [
      el('div', { class: 'tool-row', role: 'group', 'aria-label': t('local.add') },
        known.map(([name, text]) => button(text, () => this.add(name), {
          class: 'button tool', title: host.schema.filter(name).summary, data: { filter: name },
        }))),
      this.caption, this.local,
    ];
  }

  /**
   * Adds a mask and begins to place it on the photo, or to paint it.
   * @param {string} mask
   */
  async add(mask) {
    const { host } = this.adjust;
    this.selected = host.addMasked(masked, mask);
    this.show();
    this.adjust.show();
    await host.tools.use(host.panels.panelOf(this.selected));
    host.tools.tool?.focus?.focus({ preventScroll: true });
  }

  /** @param {string} id */
  select(id) {
    const { tools, panels } = this.adjust.host;
    const isInUse = this.isInUse;
    this.selected = id;
    this.adjust.show();
    if (isInUse) tools.use(panels.panelOf(this.placed.at(-1)));
  }

  /** @param {GraphNode | undefined} node */
  isGroup(node) { return this.adjust.host.schema.filter(node?.filter)?.inputs === 'masks'; }

  /** The masks that are placed on the photo: the selected one, or the members of a group. */
  get placed() {
    const node = this.adjust.host.draft.node(this.selected);
    return this.isGroup(node) ? node.in : [this.selected];
  }

  /** Indicates whether the selected mask is on the photo. */
  get isInUse() {
    const { tools, panels } = this.adjust.host;
    // An editor that is being opened has no tools yet.
    return Boolean(tools?.target)
      && this.placed.some((id) => tools.target === panels.panelOf(id));
  }

  /** @param {boolean} byKey */
  toggleTool(byKey) {
    const { tools, panels } = this.adjust.host;
    return this.isInUse
      ? tools.use(null)
      : tools.toggle(panels.panelOf(this.placed.at(-1)), byKey);
  }

  showTool() {
    const { tools, panels } = this.adjust.host;
    this.tool.setAttribute('aria-pressed', String(this.isInUse));
    /** @type {NodeListOf<HTMLElement>} */
    const buttons = this.shape.querySelectorAll('[data-node]');
    for (const item of buttons) {
      item.setAttribute(
        'aria-pressed', String(tools?.target === panels.panelOf(item.dataset.node)));
    }
  }

  /** Removes masks with their filters, in one step. */
  remove(groups = this.groups) {
    const { draft } = this.adjust.host;
    this.adjust.host.inputAt = performance.now();
    draft.beginGesture();
    for (const { nodes } of groups) for (const { id } of nodes) draft.remove(id);
    draft.endGesture();
  }

  /** Brings the section in line with the draft. */
  show() {
    const { groups } = this;
    if (!groups.some(({ mask }) => mask.id === this.selected)) {
      this.selected = groups.at(-1)?.mask.id ?? null;
    }
    this.caption.hidden = groups.length > 0;
    this.local.hidden = !groups.length;
    const list = JSON.stringify([this.selected, groups.map(({ mask }) => [mask.id, mask.filter])]);
    // Without a parent, the section has not been opened.
    if (list === this.listed || !this.local.parentElement) return;
    this.listed = list;
    if (!groups.length) return;
    if (!this.local.firstChild) this.fill();
    this.showList(groups);
    this.showShape(groups.find(({ mask }) => mask.id === this.selected).mask);
    this.showTool();
  }

  fill() {
    const rows = localRows.flatMap((row) => this.adjust.row(
      this.name, row, false, (filter, fixed) => this.adjustment(filter, fixed)));
    replace(this.local,
      this.list,
      el('div', { class: 'tool-row' },
        this.tool,
        button(t('control.remove'), () => this.remove(
          this.groups.filter(({ mask }) => mask.id === this.selected)), {
          class: 'button tool', title: t('local.removeHelp'),
        })),
      el('div', { role: 'group', 'aria-label': t('local.within') }, rows),
      this.shape,
      this.join);
    once('join', async () => {
      const { joinButtons } = await loaded(import('./maskMembers.js'));
      replace(this.join, joinButtons(this));
    });
  }

  /**
   * @param {string} name
   * @param {Record<string, Value>} [fixed]
   */
  adjustment(name, fixed = {}) {
    const { host } = this.adjust;
    const filter = host.schema.filter(name);
    if (filter && !this.adjustments.has(name)) {
      this.adjustments.set(name, new LocalAdjustment(filter, host, fixed, this));
    }
    return this.adjustments.get(name) ?? null;
  }

  /** @param {ReturnType<typeof maskGroups>} groups */
  showList(groups) {
    const hadFocus = this.list.contains(document.activeElement);
    replace(this.list, groups.map(({ mask }, index) => el('label', {},
      el('input', {
        type: 'radio', name: 'local-mask', value: mask.id, checked: mask.id === this.selected,
        on: { change: () => this.select(mask.id) },
      }),
      el('span', {}, `${index + 1} ${masks[mask.filter] ?? label(mask.filter)}`))));
    /** @type {HTMLElement | null} */
    const checked = this.list.querySelector('input:checked');
    if (hadFocus) checked?.focus();
  }

  /**
   * Shows the parameters of a mask that are not set on the photo.
   * @param {GraphNode} mask
   */
  showShape(mask) {
    const { adjust } = this;
    const filter = adjust.host.schema.filter(mask.filter);
    const adjustment = new NodeAdjustment(filter, adjust.host, this);
    adjust.rows = adjust.rows.filter((row) => !this.shapeRows.includes(row));
    const before = adjust.rows.length;
    // A file is chosen in the list of filters.
    const elements = filter.parameters
      .filter(({ name, type }) => !onPhoto.has(name) && type !== 'asset')
      .flatMap((parameter) => adjust.shown(
        this.name, adjustment, parameter,
        control(filter, parameter, { ...adjust.edit(adjustment, parameter), section: this }),
        () => adjustment.value(parameter.name)));
    this.shapeRows = adjust.rows.slice(before);
    replace(this.shape, this.isGroup(mask)
      ? elements
      : elements.length > 0 && el('details', { class: 'more' },
        el('summary', {}, t('local.shape')), elements));
  }
}
