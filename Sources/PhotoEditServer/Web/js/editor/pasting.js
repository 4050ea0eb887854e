// SPDX-License-Identifier: Apache-2.0
import { ask } from '../dialogs.js';
import { copiedEdit, copy, partChoice, usualParts } from '../copied.js';
import { isTouched } from '../dom.js';
import { list, t } from '../language.js';
import { message } from '../messages.js';
import { filesOf, partsIn, pick, pickParts, partOf } from '../parts.js';

/**
 * Copies the edit that is shown, saved or not.
 * @param {import('./editor.js').Editor} editor
 */
export function copyEdit({ draft, session }) {
  const graph = draft.effective;
  if (!graph.nodes.length) { message(t('paste.nothing')); return; }
  copy({ graph, from: session.asset });
  message(t(isTouched() ? 'paste.copiedTouch' : 'paste.copied'));
}

/**
 * Puts parts of the copied edit in place of the same parts of the draft.
 * @param {import('./editor.js').Editor} editor
 * @param {{ asks?: boolean }} options without a question, the parts are those of the last time
 */
export async function pasteEdit(editor, { asks = true } = {}) {
  const { draft, presets, schema } = editor;
  const copied = copiedEdit();
  if (!copied) {
    message(t(isTouched() ? 'paste.copyFirstTouch' : 'paste.copyFirst'));
    return;
  }
  const chosen = usualParts(copied.graph, schema);
  if (asks) {
    const answer = await ask(t('pasteEdit'), partChoice(copied.graph, schema, chosen), [
      { label: t('cancel') },
      { label: t('paste.paste'), value: 'paste', kind: 'primary', refuses: () => !chosen.size },
    ]);
    if (answer !== 'paste') return;
  }
  const known = new Set([draft.graph, ...presets.all.map(({ graph }) => graph)].flatMap(
    ({ assets = {} }) => Object.values(assets).map(({ digest }) => digest)));
  const { assets = {} } = copied.graph;
  /** @param {GraphNode} node */
  const hasFiles = (node) =>
    copied.from === editor.session.asset
    || filesOf(node, schema).every((name) => !assets[name] || known.has(assets[name].digest));
  const all = pickParts(copied.graph, chosen, schema);
  const pasted = pick(all, hasFiles, schema);
  const before = structuredClone(draft.graph);
  editor.inputAt = performance.now();
  draft.change((graph) => {
    graph.nodes = pick(graph, (node) => !chosen.has(partOf(node, schema)), schema).nodes;
    presets.append(pasted, graph);
  });
  const parts = list(partsIn(pasted, schema).map(({ title }) => title));
  const isWhole = pasted.nodes.length === all.nodes.length;
  message(
    isWhole ? t('paste.done', { parts }) : t('paste.noFile'),
    { label: t('undo'), action: () => draft.restore(before) });
}
