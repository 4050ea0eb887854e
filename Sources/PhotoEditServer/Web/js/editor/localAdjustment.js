// SPDX-License-Identifier: Apache-2.0
import { placeIn } from './adjustTable.js';
import { Adjustment } from './adjustment.js';

/** @typedef {{ selected: string | null }} Selection the node of the mask that is edited */

/**
 * The masks of a draft that limit filters, in order, each with those filters.
 * @param {import('./draft.js').Draft} draft
 */
export function maskGroups(draft) {
  return draft.nodes.flatMap((mask) => {
    const nodes = draft.nodes.filter((node) => node.mask === mask.id && !node.in);
    return nodes.length ? [{ mask, nodes }] : [];
  });
}

/**
 * A filter within the selected mask. Filters within a mask follow one another, so that they get the
 * same image; the last one stays without effect, because the mask would go with it.
 */
export class LocalAdjustment extends Adjustment {
  /**
   * @param {Filter} filter
   * @param {ConstructorParameters<typeof Adjustment>[1]} host
   * @param {Record<string, Value>} fixed
   * @param {Selection} selection
   */
  constructor(filter, host, fixed, selection) {
    super(filter, host, fixed);
    this.selection = selection;
  }

  get group() {
    const { selected } = this.selection;
    return maskGroups(this.host.draft).find(({ mask }) => mask.id === selected)?.nodes ?? [];
  }

  get node() {
    return this.group.findLast((node) => this.host.schema.filter(node.filter) === this.filter)
      ?? null;
  }

  /**
   * @param {Record<string, Value>} values
   * @param {number} [at]
   */
  setAll(values, at) {
    const { draft } = this.host;
    if (draft.gesture || !this.restsWith({ ...this.node?.params, ...values })) {
      super.setAll(values, at);
      return;
    }
    this.host.inputAt = at ?? performance.now();
    this.remove();
  }

  /** @param {Record<string, Value>} [values] */
  add(values = {}) {
    const { draft } = this.host;
    const { group } = this;
    const after = draft.nodes.indexOf(group.at(-1)) + 1;
    return draft.add(this.filter, structuredClone({ ...this.standard, ...this.fixed, ...values }), {
      mask: this.selection.selected,
      before: placeIn(group, this.filter.name) ?? draft.nodes[after]?.id ?? null,
    });
  }

  get rests() { return this.restsWith(this.node?.params); }

  /** @param {Record<string, Value>} [params] */
  restsWith(params) {
    const { node, group, host } = this;
    return node !== null && group.length > 1
      && host.schema.hasNoEffect({ ...node, params, mask: undefined });
  }
}

/** A node by its name, such as the selected mask itself. */
export class NodeAdjustment extends Adjustment {
  /**
   * @param {Filter} filter
   * @param {ConstructorParameters<typeof Adjustment>[1]} host
   * @param {Selection} selection
   */
  constructor(filter, host, selection) {
    super(filter, host);
    this.selection = selection;
  }

  get node() { return this.host.draft.node(this.selection.selected) ?? null; }
}
