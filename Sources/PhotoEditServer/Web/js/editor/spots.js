// SPDX-License-Identifier: Apache-2.0
// The discs of the filters that retouch: spots that are replaced by another part of the photo, and
// pupils. Positions are in fractions of the image that the filter gets.

/** @typedef {import('./adjustment.js').Adjustment} Adjustment */

/**
 * A disc of an adjustment.
 * @typedef {object} Spot
 * @property {Point} center
 * @property {number} radius a fraction of the longer side
 * @property {Point} [source] the center of what replaces it
 */

/** @typedef {{ adjustment: Adjustment, index: number }} Place which disc of which adjustment */

/**
 * What a filter stores of a disc: the parameter, how many numbers, and how many discs at most.
 * @type {Record<string, { parameter: string, length: number, most: number }>}
 */
const stores = {
  heal: { parameter: 'spots', length: 5, most: 200 },
  redEye: { parameter: 'pupils', length: 3, most: 16 },
};

/** @param {number} value */
const rounded = (value) => Math.round(Math.min(1, Math.max(0, value)) * 1e5) / 1e5;

/** The discs of one or several adjustments, in the order in which they are applied. */
export class Spots {
  /**
   * @param {import('./draft.js').Draft} draft
   * @param {Adjustment[]} adjustments
   */
  constructor(draft, adjustments) {
    this.draft = draft;
    this.adjustments = adjustments;
    this.store = stores[adjustments[0].filter.name];
  }

  /**
   * The discs of an adjustment.
   * @param {Adjustment} adjustment
   * @returns {Spot[]}
   */
  of({ node }) {
    const { parameter, length } = this.store;
    const numbers = /** @type {number[]} */ (node?.params?.[parameter] ?? []);
    return Array.from({ length: Math.floor(numbers.length / length) }, (_, index) => {
      const [x, y, radius, ...source] = numbers.slice(index * length, (index + 1) * length);
      return {
        center: [x, y], radius, ...(source.length && { source: /** @type {Point} */ (source) }),
      };
    });
  }

  /**
   * All discs.
   * @returns {(Spot & Place)[]}
   */
  get all() {
    return this.adjustments.flatMap((adjustment) =>
      this.of(adjustment).map((spot, index) => ({ ...spot, adjustment, index })));
  }

  /**
   * Indicates whether an adjustment can have one more.
   * @param {Adjustment} adjustment
   */
  hasSpace(adjustment) { return this.of(adjustment).length < this.store.most; }

  /**
   * Stores the discs of an adjustment. One that is added works as the others do; one without discs
   * is removed.
   * @param {Adjustment} adjustment
   * @param {Spot[]} spots
   * @param {number} [at] the time of the input
   */
  put(adjustment, spots, at) {
    if (!spots.length) { adjustment.remove(); return; }
    const { parameter } = this.store;
    const like = adjustment.node ? null : this.adjustments.find(({ node }) => node)?.node;
    const numbers = spots.flatMap(({ center, radius, source = [] }) =>
      [...center, radius, ...source].map(rounded));
    adjustment.setAll({ ...like?.params, ...adjustment.fixed, [parameter]: numbers }, at);
    if (like?.opacity !== undefined) {
      this.draft.setProperty(adjustment.nodeId, 'opacity', like.opacity);
    }
  }

  /**
   * Adds a disc in a step of its own; one without size, with which the filter begins, is replaced.
   * @param {Adjustment} adjustment
   * @param {Spot} spot
   */
  add(adjustment, spot) {
    const kept = this.of(adjustment).filter(({ radius }) => radius > 0);
    this.inOneStep(() => this.put(adjustment, [...kept, spot]));
    return { adjustment, index: kept.length };
  }

  /**
   * @param {Place} place
   * @param {Partial<Spot>} values
   * @param {number} [at] the time of the input
   */
  change({ adjustment, index }, values, at) {
    this.put(adjustment, this.of(adjustment).map((spot, order) =>
      (order === index ? { ...spot, ...values } : spot)), at);
  }

  /**
   * Changes what all discs have in common; a filter that is switched off begins to work.
   * @param {string} key changes with the same one in quick succession are one undo step
   * @param {(node: GraphNode) => void} change
   * @param {number} at the time of the input
   */
  changeNodes(key, change, at) {
    const ids = this.adjustments.map(({ nodeId }) => nodeId);
    this.adjustments[0].host.inputAt = at;
    this.draft.change((graph) => {
      for (const node of graph.nodes.filter(({ id }) => ids.includes(id))) {
        delete node.enabled;
        change(node);
      }
    }, { key, kind: 'value' });
  }

  /**
   * Moves the center or the source of a disc; the source keeps its distance from a spot that is
   * moved.
   * @param {Spot & Place} spot
   * @param {'center' | 'source'} part
   * @param {Point} to
   */
  moveTo(spot, part, to) {
    const { center, source } = spot;
    /** @type {Partial<Spot>} */
    const values = { [part]: to };
    if (part === 'center' && source) {
      values.source = [source[0] + to[0] - center[0], source[1] + to[1] - center[1]];
    }
    this.change(spot, values);
  }

  /**
   * The index of a disc among all of them.
   * @param {Place} place
   */
  indexOf({ adjustment, index }) {
    return this.all.findIndex((spot) => spot.adjustment === adjustment && spot.index === index);
  }

  /** @param {Place} place */
  remove({ adjustment, index }) {
    this.inOneStep(() =>
      this.put(adjustment, this.of(adjustment).filter((_, order) => order !== index)));
  }

  /**
   * Moves a disc to another adjustment, in one step.
   * @param {Place} from
   * @param {Adjustment} to
   */
  move(from, to) {
    const spot = this.of(from.adjustment)[from.index];
    let place = from;
    this.inOneStep(() => {
      place = this.add(to, spot);
      this.remove(from);
    });
    return place;
  }

  /** @param {() => void} action */
  inOneStep(action) {
    const { draft } = this;
    if (draft.gesture) { action(); return; }
    draft.beginGesture();
    action();
    draft.endGesture();
  }
}
