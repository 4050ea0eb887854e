// SPDX-License-Identifier: Apache-2.0

/** @typedef {[from: number, to: number]} Range the end is not included */

/** The selected indexes of a list, as ranges that follow changes. */
export class Selection extends EventTarget {
  constructor() {
    super();
    /** @type {Range[]} */
    this.ranges = [];
    /** @type {number | null} */
    this.anchor = null;
  }

  get count() { return this.ranges.reduce((sum, [from, to]) => sum + to - from, 0); }

  /** @param {number} index */
  has(index) { return this.ranges.some(([from, to]) => index >= from && index < to); }

  *[Symbol.iterator]() {
    for (const [from, to] of this.ranges) {
      for (let index = from; index < to; index += 1) yield index;
    }
  }

  /** @param {Range[]} ranges */
  set(ranges) {
    const sorted = ranges.filter(([from, to]) => to > from).sort((a, b) => a[0] - b[0]);
    this.ranges = [];
    for (const [from, to] of sorted) {
      const last = this.ranges.at(-1);
      if (last && from <= last[1]) last[1] = Math.max(last[1], to);
      else this.ranges.push([from, to]);
    }
    this.dispatchEvent(new Event('change'));
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  add(from, to) { this.set([...this.ranges, [from, to]]); }

  /**
   * @param {number} from
   * @param {number} to
   */
  remove(from, to) {
    /** @type {(range: Range) => Range[]} */
    const outside = ([start, end]) =>
      [[start, Math.min(end, from)], [Math.max(start, to), end]];
    this.set(this.ranges.flatMap(outside));
  }

  /** @param {number} index */
  toggle(index) {
    this.anchor = index;
    if (this.has(index)) this.remove(index, index + 1);
    else this.add(index, index + 1);
  }

  /**
   * Selects from the anchor to an index, in place of the last range.
   * @param {number} index
   */
  extend(index) {
    this.anchor ??= index;
    this.set([[Math.min(this.anchor, index), Math.max(this.anchor, index) + 1]]);
  }

  clear() {
    this.anchor = null;
    if (this.ranges.length) this.set([]);
  }

  /**
   * Follows a change: `origins` has the old index of every new one.
   * @param {Int32Array} origins
   */
  follow(origins) {
    if (!this.ranges.length) return;
    const selected = new Set(this);
    /** @type {Range[]} */
    const ranges = [];
    for (let index = 0; index < origins.length; index += 1) {
      if (selected.has(origins[index])) ranges.push([index, index + 1]);
    }
    this.anchor = null;
    this.set(ranges);
  }
}
