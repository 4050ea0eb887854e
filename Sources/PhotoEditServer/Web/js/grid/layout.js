// SPDX-License-Identifier: Apache-2.0

export const gap = 4;
/** The space between sections that are side by side, and that of a character of their titles. */
const sectionGap = 28;
const characterWidth = 10;
// Tiles of very narrow or wide images show a part of them, so that they are large enough to see and
// to hit.
const ratios = Float64Array.from({ length: 256 }, (_, byte) =>
  (byte === 0 ? 4 / 3 : Math.min(5, Math.max(0.4, Math.exp((byte - 128) / 48)))));

/**
 * The width of a tile divided by its height, from the byte of its asset.
 * @param {number} byte
 */
export const ratioOf = (byte) => ratios[byte];

/**
 * The byte of a ratio.
 * @param {number} width
 * @param {number} height
 */
export const byteOf = (width, height) => (width > 0 && height > 0
  ? Math.max(1, Math.min(255, Math.round(128 + 48 * Math.log(width / height)))) : 0);

/**
 * The rectangle of an asset in a virtual list, and its row.
 * @typedef {object} Box
 * @property {number} left
 * @property {number} top
 * @property {number} width
 * @property {number} height
 * @property {number} row
 */

/**
 * The rows of a justified layout, in typed arrays: one pass over one byte per asset. Short sections
 * share a row, or a list with one photo a month would be mostly empty.
 */
export class Layout {
  /**
   * @param {Uint8Array} shapes
   * @param {Section[]} sections
   * @param {{ width: number, height: number, header: number }} size
   */
  constructor(shapes, sections, { width, height, header }) {
    const capacity = shapes.length + sections.length + 1;
    this.starts = new Uint32Array(capacity + 1);
    this.tops = new Float64Array(capacity + 1);
    this.heights = new Float32Array(capacity);
    this.sectionTops = new Float64Array(sections.length + 1);
    this.sectionRows = new Uint32Array(sections.length + 1);
    this.sectionStarts = new Uint32Array(sections.length);
    this.sectionLefts = new Float32Array(sections.length);
    this.sectionWidths = new Float32Array(sections.length).fill(width);
    this.sections = sections;
    this.shapes = shapes;
    this.width = width;
    this.height = height;
    this.header = header;
    for (let index = 0; index < sections.length; index += 1) {
      this.sectionStarts[index] = sections[index].start;
    }
    let row = 0;
    let top = 0;
    for (let index = 0; index < sections.length; index += 1) {
      const { start, count } = sections[index];
      this.sectionTops[index] = top;
      this.sectionRows[index] = row;
      if (sections[index].title) top += header;
      const shared = this.placeSideBySide(index);
      if (shared > 1) {
        for (let next = index; next < index + shared; next += 1) {
          this.sectionTops[next] = this.sectionTops[index];
          this.sectionRows[next] = row;
        }
        this.starts[row] = start;
        this.tops[row] = top;
        this.heights[row] = height;
        top += height + gap + 12;
        row += 1;
        index += shared - 1;
        continue;
      }
      const end = Math.min(start + count, shapes.length);
      let first = start;
      let sum = 0;
      for (let asset = start; asset < end; asset += 1) {
        const ratio = ratios[shapes[asset]];
        const filled = (sum + ratio) * height + (asset - first) * gap;
        if (filled >= width || asset === end - 1) {
          sum += ratio;
          const space = width - (asset - first) * gap;
          const isFull = filled >= width;
          const exact = Math.min(isFull ? space / sum : height, height * 1.6, space / sum);
          this.starts[row] = first;
          this.tops[row] = top;
          this.heights[row] = exact;
          top += exact + gap;
          row += 1;
          first = asset + 1;
          sum = 0;
        } else {
          sum += ratio;
        }
      }
      top += 12;
    }
    this.sectionTops[sections.length] = top;
    this.sectionRows[sections.length] = row;
    this.starts[row] = shapes.length;
    this.tops[row] = top;
    this.rowCount = row;
    this.total = top;
  }

  /**
   * Sets the left edges and widths of the sections that fit into one row, from a section on;
   * returns how many they are.
   * @param {number} first
   */
  placeSideBySide(first) {
    const { sections, sectionLefts, sectionWidths, width } = this;
    let left = 0;
    let index = first;
    for (; index < sections.length; index += 1) {
      const own = this.widthOf(sections[index], width - left);
      if (left + own > width) break;
      sectionLefts[index] = left;
      sectionWidths[index] = own;
      left += own + sectionGap;
    }
    if (index - first > 1) return index - first;
    sectionLefts[first] = 0;
    sectionWidths[first] = width;
    return 1;
  }

  /**
   * The width of a section in one row; any larger number if it does not fit, or has no title.
   * @param {Section} section
   * @param {number} space
   */
  widthOf({ start, count, title }, space) {
    if (!title || !count) return Infinity;
    const { shapes, height } = this;
    const end = start + count;
    let width = -gap;
    for (let asset = start; asset < end && width <= space; asset += 1) {
      width += ratios[shapes[asset]] * height + gap;
    }
    const needed = title.length * characterWidth;
    return width > needed ? width : needed;
  }

  /**
   * The last row that begins at or above a position.
   * @param {number} position
   */
  rowAt(position) {
    return Math.max(0, Math.min(this.rowCount - 1, last(this.tops, this.rowCount, position)));
  }

  /** @param {number} asset */
  rowOf(asset) { return Math.max(0, last(this.starts, this.rowCount, asset)); }

  /**
   * The last section that begins at or above a position; of those side by side, the last one.
   * @param {number} position
   */
  lastSectionAt(position) {
    return Math.max(0,
      Math.min(this.sections.length - 1, last(this.sectionTops, this.sections.length, position)));
  }

  /**
   * The same, and the first one of those side by side.
   * @param {number} position
   */
  sectionAt(position) {
    let index = this.lastSectionAt(position);
    while (index > 0 && this.sectionTops[index - 1] === this.sectionTops[index]) index -= 1;
    return index;
  }

  /** @param {number} asset */
  sectionOf(asset) {
    return Math.max(0, last(this.sectionStarts, this.sections.length, asset));
  }

  /**
   * Calls back with the left edge and width of every asset of a row.
   * @param {number} row
   * @param {(asset: number, left: number, width: number) => void} visit
   */
  eachInRow(row, visit) {
    const height = this.heights[row];
    let left = 0;
    let section = this.sectionOf(this.starts[row]);
    for (let asset = this.starts[row]; asset < this.starts[row + 1]; asset += 1) {
      if (asset === this.sectionStarts[section + 1]) {
        section += 1;
        left = this.sectionLefts[section];
      }
      const width = ratios[this.shapes[asset]] * height;
      visit(asset, left, width);
      left += width + gap;
    }
  }

  /**
   * The asset of a row that is below or above a horizontal position.
   * @param {number} row
   * @param {number} x
   */
  inRow(row, x) {
    let found = this.starts[row];
    this.eachInRow(row, (asset, left) => { if (left <= x) found = asset; });
    return found;
  }

  /**
   * The rectangle of an asset in the virtual list.
   * @param {number} asset
   */
  box(asset) {
    const row = this.rowOf(asset);
    /** @type {Box | null} */
    let box = null;
    this.eachInRow(row, (index, left, width) => {
      if (index === asset) {
        box = { left, width, top: this.tops[row], height: this.heights[row], row };
      }
    });
    return box;
  }
}

/**
 * The last index whose value is not above a number; -1 when there is none.
 * @param {ArrayLike<number>} values
 * @param {number} count
 * @param {number} number
 */
function last(values, count, number) {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
