// SPDX-License-Identifier: Apache-2.0
import { call, get, path } from '../api.js';
import { ask, askForText, menu } from '../dialogs.js';
import { button, el, iconButton, replace } from '../dom.js';
import { t } from '../language.js';
import { message, report } from '../messages.js';

/** The presets: adding one to the draft, saving the draft as one, and deleting one. */
export class Presets {
  /** @param {import('./editor.js').Editor} editor */
  constructor(editor) {
    this.editor = editor;
    /** @type {Preset[]} */
    this.all = [];
    /** @type {Set<string>} the nodes of the preset that was applied last */
    this.applied = new Set();
    this.list = el('ul', { class: 'preset-list' });
    this.element = el('section', { class: 'presets', 'aria-label': t('presets.title') },
      el('div', { class: 'side-head' },
        el('h2', { class: 'section-title' }, t('presets.title')),
        editor.readOnly
          ? null
          : iconButton('plus', t('presets.save'), () => this.save())),
      this.list);
    this.load();
  }

  async load() {
    try {
      /** @type {{ presets: Preset[] }} */
      const { presets } = await get(path`/api/presets`);
      this.all = presets;
      this.editor.looks?.presetsChanged();
      this.element.hidden = false;
      replace(this.list,
        presets.map((preset) => el('li', {},
          button(preset.name, () => this.apply(preset), { kind: 'plain preset' }),
          this.editor.readOnly
            ? null
            : iconButton('trash',
              t('presets.delete', { name: preset.name }), () => this.remove(preset)))));
      if (!presets.length) {
        replace(this.list, el('li', { class: 'caption' }, t('presets.none')));
      }
    } catch (problem) {
      this.element.hidden = true;
      if (problem.status !== 404) report(problem);
    }
  }

  /**
   * Adds the nodes of a preset after those of the draft, with names of their own, in place of those
   * of the preset before.
   * @param {Preset} preset
   */
  apply({ graph, name }) {
    const { draft } = this.editor;
    const before = structuredClone(draft.graph);
    const replaced = this.applied;
    draft.beginGesture();
    for (const id of replaced) if (draft.node(id)) draft.remove(id);
    draft.change((edited) => { this.applied = this.append(graph, edited); });
    draft.endGesture();
    message(t(replaced.size ? 'presets.applied' : 'presets.added', { name }), {
      label: t('undo'),
      action: () => { this.applied = replaced; draft.restore(before); },
    });
  }

  /**
   * Appends the nodes of a preset to a graph; returns their names there.
   * @param {Graph} preset
   * @param {Graph} edited
   */
  append(preset, edited) {
    const { draft } = this.editor;
    const known = [...edited.nodes, ...draft.nodes, ...draft.saved.nodes];
    const taken = new Set(known.map(({ id }) => id));
    const names = new Map([['source', draft.previousImage(edited, edited.nodes.length)]]);
    const files = this.addFiles(preset.assets ?? {}, edited);
    /** @type {Set<string>} */
    const added = new Set();
    for (const node of /** @type {GraphNode[]} */ (structuredClone(preset.nodes))) {
      let number = 1;
      while (taken.has(`n${number}`)) number += 1;
      const id = `n${number}`;
      taken.add(id);
      names.set(node.id, id);
      node.id = id;
      if (node.in) node.in = node.in.map((input) => names.get(input) ?? input);
      if (node.mask) node.mask = names.get(node.mask) ?? node.mask;
      for (const { name: key, type } of draft.schema.filter(node.filter)?.parameters ?? []) {
        const file = type === 'asset' && files.get(String(node.params?.[key]));
        if (file) node.params[key] = file;
      }
      edited.nodes.push(node);
      added.add(id);
    }
    return added;
  }

  /**
   * Adds the files of a preset, under other names if theirs are taken; returns the names.
   * @param {Record<string, Attachment>} files
   * @param {Graph} edited
   */
  addFiles(files, edited) {
    /** @type {Map<string, string>} */
    const names = new Map();
    for (const [key, file] of Object.entries(files)) {
      let free = key;
      const isTaken = () => (edited.assets?.[free]?.digest ?? file.digest) !== file.digest;
      for (let number = 2; isTaken(); number += 1) free = `${key}-${number}`;
      edited.assets = { ...edited.assets, [free]: file };
      names.set(key, free);
    }
    return names;
  }

  /**
   * The files that presets have for parameters of a kind, each once.
   * @param {string} kind
   */
  files(kind) {
    /** @type {Map<string, { key: string, file: Attachment, preset: string }>} */
    const found = new Map();
    for (const { graph, name: preset } of this.all) {
      for (const node of graph.nodes) {
        for (const { name, type, kind: own } of this.editor.schema.filter(node.filter)?.parameters
          ?? []) {
          const key = String(node.params?.[name]);
          const file = graph.assets?.[key];
          if (type === 'asset' && own === kind && file && !found.has(file.digest)) {
            found.set(file.digest, { key, file, preset });
          }
        }
      }
    }
    return [...found.values()];
  }

  /**
   * Lets the reader choose a file of a preset for a parameter.
   * @param {import('./panel.js').Panel} panel
   * @param {Parameter} parameter
   * @param {HTMLElement} anchor
   */
  async chooseFile(panel, parameter, anchor) {
    await this.load();
    const files = this.files(parameter.kind);
    menu(anchor,
      files.length
        ? files.map(({ key, file, preset }) => ({
          label: `${key} (${preset})`,
          action: () =>
            this.editor.saving.useFile(
              panel, parameter.name, (graph) => this.addFiles({ [key]: file }, graph).get(key)),
        }))
        : [{ label: t('presets.noFile'), disabled: true }]);
  }

  async save() {
    const { draft } = this.editor;
    if (!draft.nodes.length) { message(t('presets.nothing')); return; }
    const properties = { 'aria-label': t('name'), maxlength: 64 };
    const name = await askForText(t('presets.saveTitle'), properties, {
      action: t('save'),
      refuse: (text) => (/[/\\:]|^\./.test(text) ? t('presets.badName') : null),
    });
    if (!name) return;
    try {
      await call('PUT', path`/api/presets/${name}`, { json: { graph: draft.graph } });
      message(t('presets.saved'));
      await this.load();
    } catch (problem) {
      report(problem);
    }
  }

  /** @param {Preset} preset */
  async remove({ name }) {
    const answer = await ask(
      t('presets.deleteQuestion', { name }),
      el('p', {}, t('presets.deleteHelp')),
      [
        { label: t('cancel') },
        { label: t('delete'), value: 'delete', kind: 'primary', isFinal: true },
      ]);
    if (answer === 'delete') {
      await call('DELETE', path`/api/presets/${name}`).then(() => this.load(), report);
    }
  }
}
