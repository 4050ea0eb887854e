// SPDX-License-Identifier: Apache-2.0
// Masks of several masks: what the Masks section does with the members of a group.
import '../dialogWords.js';
import { menu } from '../dialogs.js';
import { button, el, iconButton } from '../dom.js';
import { t } from '../language.js';
import { masks } from './adjustTable.js';
import { label } from './schema.js';

/** The most masks that a group can have. */
const most = 16;

/** @typedef {import('./maskSection.js').MaskSection} MaskSection */

/**
 * The buttons that add another mask to the selected one, or take it away from that.
 * @param {MaskSection} section
 */
export function joinButtons(section) {
  const { schema } = section.adjust.host;
  /** @type {[op: string, text: string][]} */
  const ways = schema.filter('mask.group')
    ? [['add', t('members.add')], ['subtract', t('members.subtract')]]
    : [];
  return el('div', { class: 'tool-row' }, ways.map(([op, text]) => {
    /** @type {HTMLButtonElement} */
    const opener = button(text, () => menu(opener, Object.entries(masks)
      .filter(([kind]) => schema.filter(kind))
      .map(([kind, name]) => ({
        label: name, symbol: 'mask', disabled: section.placed.length >= most,
        action: () => join(section, op, kind),
      }))), {
      class: 'button tool', symbol: op === 'add' ? 'plus' : 'minus', 'aria-haspopup': 'menu',
    });
    return opener;
  }));
}

/**
 * Adds a mask to the selected one, which becomes a group if it is none, and begins to place it.
 * @param {MaskSection} section
 * @param {string} op
 * @param {string} kind
 */
async function join(section, op, kind) {
  const { draft, schema, tools, panels } = section.adjust.host;
  section.adjust.host.inputAt = performance.now();
  /** @param {string} name */
  const made = (name) => {
    const filter = schema.filter(name);
    return { id: draft.freeName(), filter: name, v: filter.version, params: schema.values(filter) };
  };
  let [id, selected] = ['', section.selected];
  draft.change((graph) => {
    const { nodes } = graph;
    const index = nodes.findIndex((node) => node.id === selected);
    const reads = !/none|optional/.test(schema.filter(kind).inputs);
    const mask = { ...made(kind), in: reads ? [draft.previousImage(graph, index)] : [] };
    ({ id } = mask);
    let group = nodes[index];
    nodes.splice(section.isGroup(group) ? index : index + 1, 0, mask);
    if (!section.isGroup(group)) {
      group = { ...made('mask.group'), in: [selected] };
      nodes.splice(index + 2, 0, group);
      for (const node of nodes) if (node.mask === selected) node.mask = group.id;
    }
    // Without members, all masks of a group are added.
    const members = /** @type {Member[]} */ (group.params.members);
    const own = members?.length ? members : group.in.map(() => ({ op: 'add' }));
    group.in = [...group.in, id];
    group.params = { ...group.params, members: [...own, { op }] };
    section.selected = group.id;
  });
  section.adjust.show();
  await tools.use(panels.panelOf(id));
  tools.tool?.focus?.focus({ preventScroll: true });
}

/**
 * Takes a mask out of the selected group; the last one that is simply added stays without a group.
 * @param {MaskSection} section
 * @param {string} id
 */
function leave(section, id) {
  const { draft } = section.adjust.host;
  const group = section.selected;
  section.adjust.host.inputAt = performance.now();
  draft.beginGesture();
  draft.remove(id);
  const rest = draft.node(group);
  const members = /** @type {Member[]} */ (rest?.params.members ?? []);
  const isPlain = members.every((member) => Object.keys(member).join() === 'op')
    && members[0]?.op === 'add';
  if (rest?.in.length === 1 && isPlain) {
    [section.selected] = rest.in;
    draft.change((graph) => { draft.replaceMask(graph, group, section.selected); });
  }
  draft.endGesture();
  section.adjust.show();
}

/**
 * What a row of the Masks section has for a member: the kind of its mask, and its buttons.
 * @param {MaskSection} section
 * @param {number} index
 */
export function memberOf(section, index) {
  const { draft, schema, tools, panels } = section.adjust.host;
  const id = section.placed[index];
  const { filter = '' } = draft.node(id) ?? {};
  const name = `${index + 1} ${masks[filter] ?? label(schema.filter(filter)?.name ?? filter)}`;
  /** @param {string} text */
  const about = (text) => ({ 'aria-label': `${name}, ${text}` });
  return {
    name,
    buttons: [
      tools.has(filter) && iconButton('mask', t('local.tool'),
        (event) => tools.toggle(panels.panelOf(id), event.detail === 0), {
          ...about(t('local.tool')), data: { node: id },
          'aria-pressed': String(tools.target === panels.panelOf(id)),
        }),
      section.placed.length > 1 && iconButton(
        'trash', t('control.remove'), () => leave(section, id), about(t('control.remove'))),
    ].filter(Boolean),
  };
}
