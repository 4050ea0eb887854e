// SPDX-License-Identifier: Apache-2.0
import { call, path } from '../api.js';
import { ask } from '../dialogs.js';
import { el } from '../dom.js';
import { announce, message, report } from '../messages.js';
import { differences, differenceTable } from './differences.js';
import { lossList } from './histogram.js';
import { Session } from './session.js';

/** Saving, reverting and the conflicts with other programs. */
export class Saving {
  /** @param {import('./editor.js').Editor} editor */
  constructor(editor) {
    this.editor = editor;
    /** @type {Journal | null} */
    this.states = null;
    this.isSaving = false;
    this.acceptsLosses = false;
    this.onClose = () => editor.session.flushOnClose();
    this.onFocus = () => this.loadHistory();
  }

  start() {
    addEventListener('pagehide', this.onClose);
    addEventListener('focus', this.onFocus);
    if (this.editor.session.draftGraph && this.editor.draft.isChanged) {
      message('Your unsaved changes are back.');
    }
    this.loadHistory();
  }

  stop() {
    removeEventListener('pagehide', this.onClose);
    removeEventListener('focus', this.onFocus);
    this.editor.session.end(this.editor.draft.isChanged ? 'keep' : 'discard');
  }

  draftChanged() {
    const { draft, session, readOnly } = this.editor;
    if (!readOnly) session.keepDraft(draft.graph);
  }

  async loadHistory() {
    const { session, history, view } = this.editor;
    try {
      const states = await session.history();
      history.show(states);
      this.states = states;
      view.showHistoryCount(states.states.length);
      if (states.revision && states.revision !== session.revision && !this.isSaving) {
        this.changedElsewhere();
      }
    } catch (problem) {
      if (problem.status !== 404) report(problem);
    }
  }

  changedElsewhere() {
    if (this.editor.draft.isChanged) {
      message('Another program changed this photo. Save shows the difference.');
    } else {
      this.reload();
      message('Another program changed this photo; its new state is shown.');
    }
  }

  /** Reads the current state of the photo again. */
  async reload() {
    const { editor } = this;
    const { session } = editor;
    const fresh = await Session.begin(session.asset);
    session.end('discard');
    Object.assign(session, { ...fresh, draftGraph: null, pendingDraft: null });
    editor.draft.reset(session.graph);
    await this.loadHistory();
  }

  async save() {
    const { draft, session, view, readOnly } = this.editor;
    if (!draft.isChanged || this.isSaving || readOnly) return;
    const losses = session.losses ?? [];
    if (losses.length && !this.acceptsLosses) {
      const answer = await ask('Some content cannot be kept',
        el('div', {}, el('p', {}, 'The saved image will not contain:'), lossList(losses)),
        [{ label: 'Cancel' }, { label: 'Save', value: 'save', kind: 'primary' }]);
      if (answer !== 'save') return;
      this.acceptsLosses = true;
    }
    await this.commit(session.revision);
    view.show();
  }

  /** @param {string} revision */
  async commit(revision) {
    const { draft, session, view } = this.editor;
    /** @type {Graph} */
    const graph = structuredClone(draft.graph);
    this.isSaving = true;
    view.show();
    try {
      const result = await session.save(graph, revision);
      const isUnchanged = JSON.stringify(draft.graph) === JSON.stringify(graph);
      session.graph = result.graph ?? graph;
      if (isUnchanged) draft.reset(session.graph);
      else draft.saved = structuredClone({ ...graph, ...session.graph });
      this.editor.changed('gesture');
      announce('Saved');
      view.flash();
      await this.loadHistory();
    } catch (problem) {
      if (problem.word === 'stale-edit') await this.resolve(problem.body.state ?? {});
      else report(problem);
      if (draft.isChanged) session.keepDraft(draft.graph);
    } finally {
      this.isSaving = false;
      view.show();
    }
  }

  /**
   * Asks what is to be done with a draft when another program has changed the photo.
   * @param {Partial<CurrentState>} state
   */
  async resolve(state) {
    const { draft, schema } = this.editor;
    const at = state.date
      ? ` at ${new Date(state.date).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}`
      : '';
    const theirs = differences(draft.saved, state.graph ?? null);
    const mine = differences(draft.saved, draft.graph);
    const answer = await ask(
      `Changed by another program${at}`,
      el('div', { class: 'conflict scroll' },
        el('p', {},
          'Nothing was overwritten. Both versions stay in the history, whichever you choose.'),
        el('h3', {}, 'The other program'),
        differenceTable(theirs, schema),
        el('h3', {}, 'You'),
        differenceTable(mine, schema)),
      [
        { label: 'Decide later' },
        { label: 'Discard mine', value: 'discard' },
        { label: 'Save mine on top', value: 'save', kind: 'primary' },
      ]);
    if (answer === 'save') {
      this.editor.session.revision = state.revision;
      await this.commit(state.revision);
    } else if (answer === 'discard') {
      await this.reload();
    }
  }

  /**
   * Performs revert, undo or redo on the journal.
   * @param {string} action
   * @param {{ steps?: number }} [body]
   */
  async perform(action, body) {
    const { session, draft } = this.editor;
    try {
      const result = await session.perform(action, body);
      session.graph = result.graph;
      this.editor.history.selected = null;
      this.editor.rendering.state = null;
      draft.reset(result.graph);
      session.pendingDraft = null;
      await call('PUT', path`/api/editing/${session.id}/draft`, { json: { graph: draft.graph } })
        .catch(() => {});
      await this.loadHistory();
      return true;
    } catch (problem) {
      if (problem.word === 'stale-edit') {
        await this.reload();
        message('Another program changed this photo; its new state is shown.');
      } else {
        report(problem);
      }
      return false;
    }
  }

  async revert() {
    if (await this.mayReplaceDraft() && await this.perform('revert')) {
      message('Reverted to the original.',
        { label: 'Undo', action: () => this.perform('undo', { steps: 1 }) });
    }
  }

  /** @param {EditState} state */
  async goTo(state) {
    const steps = state.n - this.states.current;
    if (!steps || !(await this.mayReplaceDraft())) return;
    if (await this.perform(steps < 0 ? 'undo' : 'redo', { steps: Math.abs(steps) })) {
      announce('State restored');
    }
  }

  async mayReplaceDraft() {
    if (!this.editor.draft.isChanged) return true;
    const answer = await ask(
      'Discard the unsaved changes?',
      el('p', {}, 'The saved states stay in the history. The draft is not saved yet.'),
      [{ label: 'Cancel' }, { label: 'Discard draft', value: 'discard', kind: 'primary' }]);
    return answer === 'discard';
  }

  /** Goes back to the saved state; the change can be undone. */
  discard() {
    const { draft } = this.editor;
    if (!draft.isChanged) return;
    draft.change((graph) => {
      graph.nodes = structuredClone(draft.saved.nodes);
      graph.output = structuredClone(draft.saved.output);
    });
    message('Draft discarded.', { label: 'Undo', action: () => draft.undo() });
  }

  /** Stores the draft before the editor is left; true stays in the editor. */
  async leave() {
    const { draft, session } = this.editor;
    if (!draft.isChanged || this.editor.readOnly) return false;
    const answer = await ask(
      'Save the changes to this photo?',
      el('p', {}, 'Without saving, they are kept as a draft and are here when you come back.'),
      [
        { label: 'Keep as draft', value: 'keep' },
        { label: 'Discard', value: 'discard' },
        { label: 'Save', value: 'save', kind: 'primary' },
      ]);
    if (answer === null) return true;
    if (answer === 'save') { await this.save(); return draft.isChanged; }
    if (answer === 'keep') { session.keepDraft(draft.graph); await session.flush().catch(report); }
    if (answer === 'discard') { session.forgetDraft(); draft.reset(draft.saved); }
    return false;
  }

  /**
   * Sends a file that a filter needs, and uses it, in one undo step.
   * @param {import('./panel.js').Panel} panel
   * @param {string} name
   * @param {File} file
   */
  async attach(panel, name, file) {
    const { attachments, draft, session } = this.editor;
    /** @type {{ upload: string }} */
    const { upload } = await call('PUT', path`/api/uploads/${file.name}`, { body: file });
    const { asset, assets } = await session.attach(upload, panel.filter.name, draft.graph);
    attachments.set(asset, file.name);
    this.useFile(panel, name, (graph) => {
      graph.assets = { ...graph.assets, ...assets };
      return asset;
    });
  }

  /**
   * Sets a parameter to a file that a function adds to the graph, in one undo step.
   * @param {import('./panel.js').Panel} panel
   * @param {string} name
   * @param {(graph: Graph) => string} add
   */
  useFile(panel, name, add) {
    const { editor } = this;
    const id = panel.ensure();
    editor.inputAt = performance.now();
    editor.draft.change((graph) => {
      const node = graph.nodes.find((item) => item.id === id);
      node.params = { ...node.params, [name]: add(graph) };
      delete node.enabled;
    });
  }
}
