// SPDX-License-Identifier: Apache-2.0
// What the modules expect of a browser, and values that tests share.

globalThis.CustomEvent ??= class extends Event {
  constructor(type, { detail } = {}) {
    super(type);
    this.detail = detail;
  }
};

/** An element that remembers its attributes, styles and listeners. */
class Element extends EventTarget {
  attributes = {};
  dataset = {};
  styles = {};
  style = { setProperty: (name, value) => { this.styles[name] = value; } };

  setAttribute(name, value) { this.attributes[name] = value; }
  append() {}
  replaceChildren() {}
  focus() {}
}

globalThis.document = Object.assign(new EventTarget(), {
  createElement: () => new Element(),
  createElementNS: () => new Element(),
});

const parameters = (values) => Object.entries(values)
  .map(([name, value]) => ({ name, type: 'number', default: value }));

/** Descriptions of filters, as far as the page uses them here. */
export const filters = [
  { name: 'exposure', version: 1, family: 'point', parameters: parameters({ ev: 0, black: 0 }) },
  { name: 'sepia', version: 1, family: 'point', parameters: parameters({ amount: 1 }) },
  { name: 'crop', version: 1, family: 'geometry', parameters: parameters({ x: 0, w: 1 }) },
  { name: 'heal', version: 1, family: 'neighbourhood', parameters: [
    { name: 'spots', type: 'numbers', default: [0.5, 0.5, 0, 0.5, 0.5], neutral: null },
    { name: 'mode', type: 'choice', default: 'heal', neutral: null },
    { name: 'feather', type: 'number', default: 0.2, neutral: null },
  ] },
  { name: 'blend', version: 1, family: 'layer', inputs: 'twoPictures', parameters: [] },
  { name: 'mask.linear', version: 1, family: 'mask', inputs: 'none',
    parameters: parameters({ from: [0.5, 0], to: [0.5, 1] }) },
  { name: 'mask.radial', version: 1, family: 'mask', inputs: 'none',
    parameters: parameters({ center: [0.5, 0.5], radius: [0.4, 0.4], angle: 0 }) },
  { name: 'mask.invert', version: 1, family: 'mask', inputs: 'mask', parameters: [] },
  { name: 'mask.intersect', version: 1, family: 'mask', inputs: 'twoMasks', parameters: [] },
  { name: 'mask.group', version: 1, family: 'mask', inputs: 'masks',
    parameters: [{ name: 'members', type: 'members', default: [] }] },
  { name: 'lut3d', version: 1, family: 'point',
    parameters: [{ name: 'file', type: 'asset', default: null }] },
];

/** A node of a graph. */
export const node = (id, filter = 'exposure', params = {}, more = {}) =>
  ({ id, filter, v: 1, params, ...more });
