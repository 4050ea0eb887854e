// SPDX-License-Identifier: Apache-2.0
import { isEqual } from './schema.js';

/**
 * A filter as a slider or a tool edits it: the last node of the filter without a mask, or one that
 * is added with the first value that is not the one without effect. Other nodes of the filter, and
 * those in branches, are edited in the list of filters.
 */
export class Adjustment {
  /**
   * @param {Filter} filter
   * @param {{ draft: import('./draft.js').Draft, schema: import('./schema.js').Schema,
   *   inputAt?: number }} host
   * @param {Record<string, Value>} [fixed] values that the node has
   */
  constructor(filter, host, fixed = {}) {
    this.filter = filter;
    this.host = host;
    this.fixed = fixed;
    /** The values of a photo without the filter, in place of those of the catalog. */
    this.resting = /** @type {Record<string, Value>} */ ({});
    /** @type {HTMLButtonElement | null} the button of its tool */
    this.tool = null;
    /** The values of a new node in the catalog. */
    this.standard = host.schema.values(filter);
  }

  get node() {
    return this.host.draft.nodes.findLast((node) =>
      this.host.schema.filter(node.filter) === this.filter && !node.mask && !node.in
      && Object.entries(this.fixed).every(([name, value]) =>
        isEqual(node.params?.[name] ?? this.standard[name], value))) ?? null;
  }

  get nodeId() { return this.node?.id ?? null; }

  /** @param {string} name */
  value(name) {
    const { node } = this;
    return (node ? node.params : this.resting)?.[name] ?? this.standard[name];
  }

  /**
   * @param {string} name
   * @param {Value} value
   * @param {number} [at] the time of the input
   */
  set(name, value, at) { this.setAll({ [name]: value }, at); }

  /**
   * Sets values; the first ones that differ from those of a photo without the filter add it.
   * @param {Record<string, Value>} values
   * @param {number} [at]
   */
  setAll(values, at) {
    const { draft } = this.host;
    const { node } = this;
    this.host.inputAt = at ?? performance.now();
    if (!node) {
      if (Object.keys(values).some((name) => !isEqual(this.value(name), values[name]))) {
        this.add(values);
      }
    } else if (node.enabled === false) {
      // A slider that moves and changes nothing would be broken.
      draft.change((graph) => {
        const own = graph.nodes.find(({ id }) => id === node.id);
        delete own.enabled;
        own.params = { ...own.params, ...values };
      });
    } else {
      draft.setValues(node.id, values);
    }
  }

  /** @param {Record<string, Value>} [values] */
  add(values = {}) {
    const { draft } = this.host;
    const all = { ...this.standard, ...this.fixed, ...this.resting, ...values };
    return draft.add(
      this.filter, structuredClone(all), { before: draft.placeOf(this.filter) });
  }

  remove() { if (this.node) this.host.draft.remove(this.node.id); }

  /** Indicates whether a node is at a value at which the filter is not used. */
  get rests() {
    return Boolean(this.node) && Object.entries(this.resting).some(([name, value]) =>
      isEqual(this.node.params?.[name], value));
  }
}
