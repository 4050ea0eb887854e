// SPDX-License-Identifier: Apache-2.0
import { el } from './dom.js';
import { list, t } from './language.js';
import { partsIn } from './parts.js';

/** @typedef {{ graph: Graph, from: string }} CopiedEdit */
/** @typedef {import('./parts.js').Part} Part */

/** @type {CopiedEdit | null} */
let copied = null;
/** @type {Set<Part>} the parts that belong to one photo more than to others */
const leftOut = new Set(['retouch', 'geometry', 'local']);

/** The edit that was copied last, in the grid or in the editor. */
export const copiedEdit = () => copied;

/** @param {CopiedEdit} edit */
export function copy(edit) { copied = structuredClone(edit); }

/**
 * The parts of an edit that are taken to another photo unless others are chosen: those that were
 * chosen last.
 * @param {Graph} graph
 * @param {import('./parts.js').Descriptions} schema
 * @returns {Set<Part>}
 */
export function usualParts(graph, schema) {
  const all = partsIn(graph, schema).map(({ part }) => part);
  const usual = all.filter((part) => !leftOut.has(part));
  return new Set(usual.length ? usual : all);
}

/**
 * Boxes with which the parts of an edit are chosen.
 * @param {Graph} graph
 * @param {import('./parts.js').Descriptions} schema
 * @param {Set<Part>} chosen which is changed
 * @param {() => void} [changed]
 */
export function partChoice(graph, schema, chosen, changed) {
  return el('div', { class: 'parts', role: 'group', 'aria-label': t('parts.title') },
    partsIn(graph, schema).map(({ part, title, filters }) => {
      /** @type {HTMLInputElement} */
      const box = el('input', {
        type: 'checkbox', checked: chosen.has(part), data: { part },
        on: {
          change: () => {
            if (box.checked) { chosen.add(part); leftOut.delete(part); }
            else { chosen.delete(part); leftOut.add(part); }
            changed?.();
          },
        },
      });
      return el('label', { class: 'part' },
        box, el('span', {}, title), el('span', { class: 'caption' }, list(filters)));
    }));
}
