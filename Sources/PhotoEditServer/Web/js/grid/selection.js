// SPDX-License-Identifier: Apache-2.0

/** The selected indexes of a list, as ranges that follow changes. */
export class Selection extends EventTarget {
  constructor() {
    super();
    this.ranges = [];
    this.anchor = null;
  }

  get count() { return this.ranges.reduce((sum, [from, to]) => sum + to - from, 0); }
  has(index) { return this.ranges.some(([from, to]) => index >= from && index < to); }

  *[Symbol.iterator]() {
    for (const [from, to] of this.ranges) {
      for (let index = from; index < to; index += 1) yield index;
    }
  }

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

  add(from, to) { this.set([...this.ranges.map((range) => [...range]), [from, to]]); }

  remove(from, to) {
    this.set(this.ranges.flatMap(([start, end]) =>
      [[start, Math.min(end, from)], [Math.max(start, to), end]]));
  }

  toggle(index) {
    this.anchor = index;
    if (this.has(index)) this.remove(index, index + 1);
    else this.add(index, index + 1);
  }

  /** Selects from the anchor to an index, in place of the last range. */
  extend(index) {
    this.anchor ??= index;
    this.set(
      [...(this.kept ?? []), [Math.min(this.anchor, index), Math.max(this.anchor, index) + 1]]);
  }

  clear() {
    this.anchor = null;
    if (this.ranges.length) this.set([]);
  }

  /** Follows a change: `origins` has the old index of every new one. */
  follow(origins) {
    if (!this.ranges.length) return;
    const selected = new Set(this);
    const ranges = [];
    for (let index = 0; index < origins.length; index += 1) {
      if (selected.has(origins[index])) ranges.push([index, index + 1]);
    }
    this.anchor = null;
    this.set(ranges);
  }
}
