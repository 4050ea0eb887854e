// SPDX-License-Identifier: Apache-2.0
import { call, get, path } from '../api.js';
import { ask, askForText, menu } from '../dialogs.js';
import { button, el, iconButton, replace } from '../dom.js';
import { message, report } from '../messages.js';

/** The presets: adding one to the draft, saving the draft as one, and deleting one. */
export class Presets {
  /** @param {import('./editor.js').Editor} editor */
  constructor(editor) {
    this.editor = editor;
    /** @type {Preset[]} */
    this.all = [];
    this.list = el('ul', { class: 'preset-list' });
    this.element = el('section', { class: 'presets', 'aria-label': 'Presets' },
      el('div', { class: 'side-head' },
        el('h2', { class: 'section-title' }, 'Presets'),
        editor.readOnly
          ? null
          : iconButton('plus', 'Save the edit as a preset', () => this.save())),
      this.list);
    this.load();
  }

  async load() {
    try {
      /** @type {{ presets: Preset[] }} */
      const { presets } = await get(path`/api/presets`);
      this.all = presets;
      this.element.hidden = false;
      replace(this.list,
        presets.map((preset) => el('li', {},
          button(preset.name, () => this.apply(preset), { kind: 'plain preset' }),
          this.editor.readOnly
            ? null
            : iconButton('trash', `Delete preset ${preset.name}`, () => this.remove(preset)))));
      if (!presets.length) {
        replace(
          this.list, el('li', { class: 'caption' }, 'Save an edit to use it on other photos.'));
      }
    } catch (problem) {
      this.element.hidden = true;
      if (problem.status !== 404) report(problem);
    }
  }

  /**
   * Adds the nodes of a preset after those of the draft, with names of their own.
   * @param {Preset} preset
   */
  apply({ graph, name }) {
    const { draft } = this.editor;
    draft.change((edited) => {
      const last = draft.previousImage(edited, edited.nodes.length);
      const names = new Map([['source', last]]);
      const files = this.addFiles(graph.assets ?? {}, edited);
      /** @type {GraphNode[]} */
      const nodes = structuredClone(graph.nodes);
      for (const node of nodes) {
        const id = draft.freeName();
        names.set(node.id, id);
        node.id = id;
        if (node.in) node.in = node.in.map((input) => names.get(input) ?? input);
        if (node.mask) node.mask = names.get(node.mask) ?? node.mask;
        for (const { name: key, type } of draft.schema.filter(node.filter)?.parameters ?? []) {
          const file = type === 'asset' && files.get(String(node.params?.[key]));
          if (file) node.params[key] = file;
        }
        edited.nodes.push(node);
      }
    });
    message(`Preset “${name}” added.`, { label: 'Undo', action: () => draft.undo() });
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
        : [{ label: 'No preset has such a file', disabled: true }]);
  }

  async save() {
    const { draft } = this.editor;
    if (!draft.nodes.length) { message('There is no edit to save as a preset.'); return; }
    const name = await askForText('Save as a preset',
      { 'aria-label': 'Name', maxlength: 64, pattern: '[A-Za-z0-9 ._\\-]{1,64}' },
      { action: 'Save', note: 'Letters, digits, spaces, dots, hyphens and underscores.' });
    if (!name) return;
    try {
      await call('PUT', path`/api/presets/${name}`, { json: { graph: draft.graph } });
      message('Preset saved.');
      await this.load();
    } catch (problem) {
      report(problem);
    }
  }

  /** @param {Preset} preset */
  async remove({ name }) {
    const answer = await ask(
      `Delete the preset “${name}”?`,
      el('p', {}, 'Photos that were edited with it stay as they are.'),
      [{ label: 'Cancel' }, { label: 'Delete', value: 'delete', kind: 'primary' }]);
    if (answer === 'delete') {
      await call('DELETE', path`/api/presets/${name}`).then(() => this.load(), report);
    }
  }
}
