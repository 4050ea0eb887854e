// SPDX-License-Identifier: Apache-2.0
import { button, el, icon, iconButton } from '../dom.js';
import { t } from '../language.js';
import { keep, setting } from '../settings.js';
import { Adjustment } from './adjustment.js';
import { sections, titleOf, tools, wheelNames } from './adjustTable.js';
import { flagControl } from './choiceControls.js';
import { control } from './controls.js';
import { pointsIn } from './levels.js';
import { MaskSection } from './maskSection.js';
import { lensSection } from './lensSection.js';
import { retouchSection } from './retouchSection.js';
import { identityOf, isEqual, label } from './schema.js';
import { wheelControl } from './wheelControl.js';

/**
 * @typedef {import('./adjustTable.js').Row} Row
 * @typedef {import('./adjustTable.js').Fold} Fold
 * @typedef {import('./adjustTable.js').Section} Section
 */

/**
 * A row on the screen: `show` brings it in line with the draft.
 * @typedef {object} Shown
 * @property {string} section
 * @property {Adjustment} adjustment
 * @property {Parameter} parameter
 * @property {() => void} show
 * @property {HTMLElement} [element]
 * @property {Control['showLevels']} [showLevels]
 * @property {unknown[]} [state] what it shows: nodes are changed by other parameters
 */

/**
 * The Adjust panel: sliders in sections that never move. Behind them are ordinary filters; one
 * whose values have no effect is not in the saved graph.
 */
export class Adjust {
  /** @param {import('./editor.js').Editor} host */
  constructor(host) {
    this.host = host;
    /** @type {Map<string, Adjustment>} by filter and fixed values */
    this.adjustments = new Map();
    /** @type {Shown[]} */
    this.rows = [];
    /** @type {Map<string, { element: HTMLElement, reset: HTMLElement }>} */
    this.sections = new Map();
    this.masks = new MaskSection(this, 'Masks');
    this.count = 0;
    /** @type {(() => void)[]} what makes the controls of the sections, when they are shown first */
    this.unfilled = [];
    this.element = el('div', { class: 'adjust' },
      el('div', { class: 'tool-strip' }, this.toolButtons()),
      sections.map((section) => this.section(section)));
  }

  /**
   * The adjustment of a filter; null if the server does not have it.
   * @param {string} name
   * @param {Record<string, Value>} [fixed]
   */
  adjustment(name, fixed) {
    const filter = this.host.schema.filter(name);
    if (!filter) return null;
    const key = name + JSON.stringify(fixed ?? {});
    if (!this.adjustments.has(key)) {
      this.adjustments.set(key, new Adjustment(filter, this.host, fixed));
    }
    return this.adjustments.get(key);
  }

  /** The buttons of tools on the photo. */
  toolButtons() {
    return Object.keys(tools).flatMap((name) => {
      const target = this.adjustment(name);
      if (!target) return [];
      target.tool = button(label(name),
        (event) => this.host.tools.toggle(target, event.detail === 0), {
          symbol: name, class: 'button tool',
          'aria-pressed': 'false', title: target.filter.summary, data: { filter: name },
        });
      return [target.tool];
    });
  }

  /** @param {Section} section */
  section(section) {
    const id = `section-${section.name.replace(/\W+/g, '-')}`;
    const isOpen = setting(`section.${section.name}`, ['Light', 'Color'].includes(section.name));
    const body = el('div', { class: 'panel-body', id });
    const disclosure = el('button', {
      type: 'button', class: 'disclosure', 'aria-controls': id,
      on: { click: () => open(body.hidden, true) },
    }, icon('forward', 'chevron'), el('span', { class: 'panel-name' }, titleOf(section.name)));
    const reset = iconButton('reset', t('adjust.reset', { section: titleOf(section.name) }),
      () => this.reset(section.name));
    const element = el('section', {
      class: 'adjust-section', 'aria-label': titleOf(section.name),
      data: { section: section.name, filters: this.filtersOf(section).join(' ') },
    }, el('div', { class: 'panel-head' }, el('h3', {}, disclosure), reset), body);
    this.sections.set(section.name, { element, reset });

    /**
     * @param {boolean} shows
     * @param {boolean} [stores]
     */
    const open = (shows, stores = false) => {
      body.hidden = !shows;
      disclosure.setAttribute('aria-expanded', String(shows));
      if (shows && !body.firstChild) {
        body.append(...this.contents(section));
        if (section.hasMasks) this.masks.show();
      }
      if (shows) this.showLevels();
      if (stores) { keep(`section.${section.name}`, shows); this.show(); }
    };
    this.unfilled.push(() => open(isOpen));
    return element;
  }

  /**
   * The names of the filters of a section.
   * @param {Section} section
   */
  filtersOf({ uses, correctsLens, retouches = [], rows }) {
    const names = rows.flatMap((row) => (typeof row !== 'string' && 'fold' in row
      ? [...(row.rows ?? []), ...Object.values(row.tabs ?? {}).flat()]
      : [row])).map((row) => parts(row).filter);
    return [...new Set([
      ...(uses ? [uses] : []), ...(correctsLens ? ['lens'] : []), ...retouches, ...names,
    ])];
  }

  /**
   * Indicates whether sliders edit a filter.
   * @param {string} name
   */
  covers(name) { return sections.some((section) => this.filtersOf(section).includes(name)); }

  /**
   * Shows whether a filter is used; its section is put back by removing it.
   * @param {string} section
   * @param {Adjustment} adjustment
   * @param {() => void} show
   */
  watchUse(section, adjustment, show) {
    this.rows.push({
      section, adjustment, show, parameter: {
        name: 'isUsed', type: 'flag', unit: 'none', default: false, neutral: false, allowed: '',
        summary: adjustment.filter.summary,
      },
    });
  }

  /** @param {Section} section */
  contents({ name, uses, hasMasks, correctsLens, retouches, rows }) {
    return [
      ...(correctsLens ? lensSection(this, name) : []),
      ...(hasMasks ? this.masks.contents() : []),
      ...(retouches ? retouchSection(this, name, retouches) : []),
      ...(uses ? this.useSwitch(name, uses) : []),
      ...rows.flatMap((row) => (typeof row !== 'string' && 'fold' in row
        ? this.fold(name, row)
        : this.row(name, row, uses !== undefined))),
    ];
  }

  /**
   * A part that a click opens, with the rows of one tab at a time.
   * @param {string} section
   * @param {Fold} fold
   */
  fold(section, { fold, tabs = {}, wheels = {}, rows = [] }) {
    const groups = Object.entries(tabs).map(([name, items]) => el('div', {
      class: 'tab-rows', role: 'group', 'aria-label': titleOf(name),
    },
      wheels[name] ? this.wheel(section, name, wheels[name]) : [],
      items.flatMap((row) => this.row(section, row))));
    const rest = rows.flatMap((row) => this.row(section, row));
    if (![...groups, ...rest].some((item) => item.childElementCount)) return [];
    /** @param {number} shown */
    const select = (shown) => {
      groups.forEach((group, index) => { group.hidden = index !== shown; });
      this.showLevels();
    };
    const prefix = `tabs${(this.count += 1)}`;
    select(0);
    return [el('details', {
      class: 'more fold', data: { fold }, on: { toggle: () => this.showLevels() },
    },
      el('summary', {}, titleOf(fold)),
      el('div', { class: 'segments', role: 'radiogroup', 'aria-label': titleOf(fold) },
        Object.keys(tabs).map((name, index) => el('label', {},
          el('input', {
            type: 'radio', name: prefix, value: name, checked: index === 0,
            on: { change: () => select(index) },
          }), el('span', {}, titleOf(name))))),
      groups, rest)];
  }

  /**
   * A wheel that changes two parameters of a filter.
   * @param {string} section
   * @param {string} name
   * @param {[hue: string, strength: string]} ends
   */
  wheel(section, name, ends) {
    const { draft } = this.host;
    const [hue, strength] = ends.map((at) => parts(at).name);
    const adjustment = this.adjustment(parts(ends[0]).filter);
    const parameter = adjustment?.filter.parameters.find((item) => item.name === strength);
    if (!parameter) return [];
    const made = wheelControl({
      name: wheelNames[name], most: parameter.usefulRange?.[1] ?? 1,
      begin: () => draft.beginGesture(), end: () => draft.endGesture(),
      set: (angle, share, at) => adjustment.setAll({ [hue]: angle, [strength]: share }, at),
    });
    this.rows.push({
      section, adjustment, parameter,
      show: () => made.show(Number(adjustment.value(hue)), Number(adjustment.value(strength))),
    });
    return [made.element];
  }

  /**
   * The switch of a section whose filter has an effect with any values.
   * @param {string} section
   * @param {string} name
   */
  useSwitch(section, name) {
    const adjustment = this.adjustment(name);
    if (!adjustment) return [];
    /** @type {Parameter} */
    const parameter = {
      name: 'isUsed', type: 'flag', label: t('adjust.convert'), unit: 'none', default: false,
      neutral: false, summary: adjustment.filter.summary, allowed: '',
    };
    const made = flagControl(adjustment.filter, parameter, {
      ...this.edit(adjustment, parameter),
      set: (_, value, at) => {
        this.host.inputAt = at;
        if (value) adjustment.add();
        else adjustment.remove();
      },
    });
    return this.shown(section, adjustment, parameter, made, () => adjustment.node !== null);
  }

  /**
   * @param {string} section
   * @param {string | Row} row
   * @param {boolean} [isSwitched] whether a switch adds the filter
   * @param {Adjust['adjustment']} [find] finds what the row edits
   */
  row(section, row, isSwitched = false, find = (...of) => this.adjustment(...of)) {
    const { filter, name, ramp, rest, fixed, tool, ...more } = parts(row);
    const adjustment = find(filter, fixed);
    const described = adjustment?.filter.parameters.find((item) => item.name === name);
    if (!described) return [];
    if (rest !== undefined) adjustment.resting[name] = rest;
    /** @type {Parameter} */
    const parameter = {
      ...described, ramp, neutral: rest ?? described.neutral,
      label: more.label ?? (name === 'amount' ? label(filter) : undefined),
    };
    const made = control(adjustment.filter, parameter, this.edit(adjustment, parameter));
    if (tool) {
      adjustment.tool = this.toolButton(adjustment, tool);
      made.element.append(adjustment.tool);
    }
    const depends = isSwitched || (rest === undefined && Object.keys(adjustment.resting).length);
    return this.shown(
      section, adjustment, parameter, made, () => adjustment.value(name),
      depends ? () => adjustment.node === null : undefined);
  }

  /**
   * The button that begins or ends the tool of a filter, beside its sliders.
   * @param {Adjustment} adjustment
   * @param {import('./adjustTable.js').ToolButton} tool
   */
  toolButton(adjustment, { name, symbol, keys }) {
    return iconButton(
      symbol, name, (event) => this.host.tools.toggle(adjustment, event.detail === 0),
      { keys, 'aria-pressed': 'false' });
  }

  /**
   * @param {string} section
   * @param {Adjustment} adjustment
   * @param {Parameter} parameter
   * @param {Control} made
   * @param {() => Value} value
   * @param {() => boolean} [isOff] whether it waits for the filter to be used
   */
  shown(section, adjustment, parameter, { element, show, showLevels }, value, isOff) {
    element.dataset.filter = adjustment.filter.name;
    this.rows.push({
      section, adjustment, parameter, element, showLevels,
      show: () => {
        show(value());
        element.dataset.changed =
          String(!isOff?.() && adjustment.node?.enabled !== false
            && !isEqual(value(), identityOf(parameter)));
        if (!isOff) return;
        for (const input of element.querySelectorAll('input')) input.disabled = isOff();
      },
    });
    return [element];
  }

  /**
   * What a control does with the draft.
   * @param {Adjustment} adjustment
   * @param {Parameter} parameter
   * @returns {Edit}
   */
  edit(adjustment, parameter) {
    const { draft } = this.host;
    return {
      prefix: `a${(this.count += 1)}`,
      set: (name, value, at) => {
        const rests = !draft.gesture && parameter.name in adjustment.resting
          && value === adjustment.resting[parameter.name];
        if (rests) adjustment.remove();
        else adjustment.set(name, value, at);
      },
      begin: () => draft.beginGesture(),
      end: () => {
        if (adjustment.rests) adjustment.remove();
        draft.endGesture();
      },
      remove: () => adjustment.remove(),
      canAttach: false, attach() {}, choosePresetFile() {}, attachmentName: (name) => name,
    };
  }

  /**
   * Takes back what the rows of a section have set, in one step.
   * @param {string} section
   */
  reset(section) {
    const { draft } = this.host;
    if (section === this.masks.name) { this.masks.remove(); return; }
    this.host.inputAt = performance.now();
    draft.beginGesture();
    for (const { adjustment, parameter } of this.rowsOf(section)) {
      if (!adjustment.node) continue;
      if (parameter.name === 'isUsed' || parameter.name in adjustment.resting) adjustment.remove();
      else adjustment.set(parameter.name, identityOf(parameter));
    }
    draft.endGesture();
  }

  /** @param {string} section */
  rowsOf(section) { return this.rows.filter((row) => row.section === section); }

  /** Shows the values of the draft; a section with values of its own is marked. */
  show() {
    for (const fill of this.unfilled.splice(0)) fill();
    this.masks.show();
    for (const row of this.rows) {
      const { node } = row.adjustment;
      const state = [node, node?.params, node?.enabled];
      if (row.state?.every((item, index) => item === state[index])) continue;
      row.state = state;
      row.show();
    }
    for (const section of sections) {
      const { element, reset } = this.sections.get(section.name);
      const isTouched = section.hasMasks
        ? this.masks.isTouched
        : this.isUsed(this.filtersOf(section));
      element.dataset.changed = String(isTouched);
      reset.dataset.shown = String(isTouched);
      reset.tabIndex = isTouched ? 0 : -1;
      reset.setAttribute('aria-hidden', String(!isTouched));
    }
    for (const [name, filters] of Object.entries(tools)) {
      const button = this.adjustment(name)?.tool;
      if (button) button.dataset.changed = String(this.isUsed(filters));
    }
  }

  /** Shows the levels of the image behind the curves that are seen. */
  showLevels() {
    const { measured } = this.host;
    if (!measured) return;
    for (const { adjustment, element, showLevels } of this.rows) {
      if (!showLevels || !element.checkVisibility()) continue;
      showLevels(measured.levels, adjustment.fixed.channel,
        pointsIn(measured.graph, adjustment.nodeId));
    }
  }

  /**
   * Indicates whether the draft has one of some filters with an effect that a row or tool edits.
   * @param {string[]} filters
   */
  isUsed(filters) {
    const { draft, schema } = this.host;
    const used = new Set(filters.map((name) => schema.filter(name)));
    return draft.nodes.some((node) => !node.mask && !node.in && node.enabled !== false
      && used.has(schema.filter(node.filter)) && !schema.hasNoEffect(node));
  }
}

/** @param {string | Row} row */
function parts(row) {
  const { at, ...more } = typeof row === 'string' ? { at: row } : row;
  const dot = at.lastIndexOf('.');
  return {
    .../** @type {Partial<Row>} */ (more), filter: at.slice(0, dot), name: at.slice(dot + 1),
  };
}
