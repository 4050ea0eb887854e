// SPDX-License-Identifier: Apache-2.0
// The part of a video that is kept and its sound, as filters of its edit.
import { number } from '../language.js';

/**
 * What the viewer changes of a video: times in seconds of the original; an end of 0 is its end.
 * @typedef {{ start: number, end: number, isMuted: boolean }} VideoEdit
 */

/** @param {number} seconds */
const rounded = (seconds) => Math.round(seconds * 1000) / 1000;

/** @param {GraphNode} node */
const isActive = ({ enabled }) => enabled !== false;

/**
 * What the viewer shows of an edit.
 * @param {Graph | null} graph
 * @returns {VideoEdit}
 */
export function videoEdit(graph) {
  const nodes = (graph?.nodes ?? []).filter(isActive);
  const trim = nodes.find(({ filter }) => filter === 'trim')?.params;
  return {
    start: Number(trim?.start ?? 0), end: Number(trim?.end ?? 0),
    isMuted: nodes.some(({ filter }) => filter === 'mute'),
  };
}

/**
 * An edit with other times and another sound; its other filters stay as they are.
 * @param {Graph | null} graph
 * @param {VideoEdit} edit
 * @returns {Graph}
 */
export function withVideoEdit(graph, { start, end, isMuted }) {
  const rest = (graph?.nodes ?? []).filter(({ filter }) => !['trim', 'mute'].includes(filter));
  const taken = new Set(rest.map(({ id }) => id));
  let number = 1;
  const free = () => {
    while (taken.has(`n${number}`)) number += 1;
    taken.add(`n${number}`);
    return `n${number}`;
  };
  /** @type {GraphNode[]} */
  const added = [];
  if (start > 0 || end > 0) {
    const params = { start: rounded(start), end: rounded(end) };
    added.push({ id: free(), filter: 'trim', v: 1, params });
  }
  if (isMuted) added.push({ id: free(), filter: 'mute', v: 1, params: {} });
  // The times are those of the original, so that it is trimmed first.
  return {
    format: 'org.photoedit.filter-graph', version: '1.0', ...graph, nodes: [...added, ...rest],
  };
}

/**
 * The times after one of them was moved; the kept part is never shorter than a tenth of a second.
 * @param {VideoEdit} edit
 * @param {'start' | 'end'} side
 * @param {number} time
 * @param {number} duration
 * @returns {VideoEdit}
 */
export function moved(edit, side, time, duration) {
  const shortest = Math.min(0.1, duration);
  const end = edit.end || duration;
  if (side === 'start') {
    return { ...edit, start: Math.max(0, Math.min(end - shortest, time)) };
  }
  const limited = Math.max(edit.start + shortest, Math.min(duration, time));
  return { ...edit, end: limited >= duration - 0.0005 ? 0 : limited };
}

/**
 * A time in minutes, seconds and tenths.
 * @param {number} seconds
 */
export function timeText(seconds) {
  const tenths = Math.round(seconds * 10);
  const [minutes, rest] = [Math.floor(tenths / 600), tenths % 600];
  return `${minutes}:${number(rest / 10, 1).padStart(4, '0')}`;
}
