// SPDX-License-Identifier: Apache-2.0
import { call, get, path, post } from '../api.js';
import { ask } from '../dialogs.js';
import { el, visible } from '../dom.js';
import { date, t } from '../language.js';
import { announce, message, report } from '../messages.js';
import { differences, differenceTable } from './differences.js';
import { lossList } from './histogram.js';
import { Session } from './session.js';

// The revisions that other tabs have saved.
const tabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('photoedit-saved') : null;
/** @type {Set<string>} */
const otherTabs = new Set();
tabs?.addEventListener('message', ({ data }) => { otherTabs.add(data); });

/** Saving, reverting and the conflicts with other programs. */
export class Saving {
  /** @param {import('./editor.js').Editor} editor */
  constructor(editor) {
    this.editor = editor;
    /** @type {Journal | null} */
    this.states = null;
    this.isSaving = false;
    /** Indicates whether Save was chosen again while it runs. */
    this.savesAgain = false;
    /** @type {Promise<void> | null} the last Save, which may still be on its way */
    this.running = null;
    /** Indicates whether the editor is being left. */
    this.isLeaving = false;
    this.acceptsLosses = false;
    this.onClose = () => editor.session.flushOnClose();
    this.onFocus = () => this.loadHistory();
    this.onLogin = (/** @type {Event} */ event) => { event.preventDefault(); this.reconnect(); };
  }

  start() {
    addEventListener('pagehide', this.onClose);
    addEventListener('focus', this.onFocus);
    document.addEventListener('photoedit:reconnect', this.onLogin);
    this.editor.session.onAway = () => this.onlyHere();
    if (this.editor.session.draftGraph && this.editor.draft.isChanged) {
      message(t('saving.draftBack'));
    }
    this.loadHistory();
  }

  stop() {
    removeEventListener('pagehide', this.onClose);
    removeEventListener('focus', this.onFocus);
    document.removeEventListener('photoedit:reconnect', this.onLogin);
    this.editor.session.end(this.editor.draft.isChanged ? 'keep' : 'discard');
  }

  /** Says what can be done for a draft that the server did not get. */
  onlyHere() {
    const { hostname, port } = location;
    // Without these options, each start has an address of its own, which knows nothing of this tab.
    const isOwn = hostname.startsWith('127.');
    const options = `--address ${hostname} --port ${port}`;
    const kept = t('saving.onlyHere');
    message(
      isOwn ? `${kept} ${t('saving.sameAddress', { options })}` : kept, { error: true });
  }

  draftChanged() {
    const { draft, session, readOnly } = this.editor;
    if (!readOnly) session.keepDraft(draft.effective);
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
      message(t('saving.elsewhere'));
    } else {
      this.reload();
      message(t('saving.reloaded'));
    }
  }

  /** Goes on with the draft after another login: the session has ended, or the server. */
  async reconnect() {
    const { editor } = this;
    const { draft, session } = editor;
    try {
      /** @type {Service} */
      const { asset, mode } = await get(path`/api/service`);
      const fresh = await Session.begin(mode === 'photo' ? asset : session.asset);
      Object.assign(session, { ...fresh, draftGraph: null, onAway: session.onAway });
      draft.rebase(session.graph);
      if (draft.isChanged) session.keepDraft(draft.effective);
      editor.rendering.scheduler.still();
      await this.loadHistory();
    } catch {
      // The photo is no longer there under its identifier.
      location.reload();
    }
  }

  /** Reads the current state of the photo again. */
  async reload() {
    const { editor } = this;
    const { session } = editor;
    const fresh = await Session.begin(session.asset);
    session.end('discard');
    const { onAway } = session;
    Object.assign(session, { ...fresh, draftGraph: null, pendingDraft: null, onAway });
    editor.draft.reset(session.graph);
    await this.loadHistory();
  }

  async save() {
    const { draft, session, view, readOnly } = this.editor;
    // A click during Save is for what was changed meanwhile.
    this.savesAgain = this.isSaving;
    if (!draft.isChanged || this.isSaving || readOnly) return;
    // What follows the image in the file is a copy of the camera, of which nobody misses anything.
    const losses = (session.losses ?? []).filter(({ kind }) => kind !== 'trailingData');
    if (losses.length && !this.acceptsLosses) {
      const answer = await ask(t('saving.losses'),
        el('div', {}, el('p', {}, t('saving.lossesHelp')), lossList(losses)),
        [{ label: t('cancel') }, { label: t('save'), value: 'save', kind: 'primary' }]);
      if (answer !== 'save') return;
      this.acceptsLosses = true;
    }
    let isSaved = true;
    do {
      this.savesAgain = false;
      this.running = this.commit(session.revision).then((result) => { isSaved = result; });
      await this.running;
    } while (isSaved && this.savesAgain && draft.isChanged);
    view.show();
  }

  /**
   * Saves the draft; returns whether it did.
   * @param {string} revision
   * @returns {Promise<boolean>}
   */
  async commit(revision) {
    const { draft, session, view } = this.editor;
    /** @type {Graph} */
    const graph = structuredClone(draft.effective);
    const edited = JSON.stringify(draft.graph);
    this.isSaving = true;
    view.show();
    try {
      // Without a filter, the photo is not edited.
      const result = graph.nodes.length
        ? await session.save(graph, revision)
        : await session.perform('revert', {}, revision);
      const isUnchanged = JSON.stringify(draft.graph) === edited;
      tabs?.postMessage(result.revision);
      session.graph = result.graph ?? graph;
      if (isUnchanged) draft.reset(session.graph);
      else this.rebase(structuredClone({ ...graph, ...session.graph }));
      this.editor.changed('gesture');
      this.saved(result.file);
      await this.loadHistory();
      return true;
    } catch (problem) {
      if (problem.word === 'stale-edit') await this.resolve(problem.body.state ?? {});
      else if (problem.status === 404 && this.editor.service.mode === 'library') this.notHere();
      else report(problem);
      if (draft.isChanged) session.keepDraft(draft.effective);
      return false;
    } finally {
      this.isSaving = false;
      view.show();
    }
  }

  /** Says that the library does not have the photo any more, and restores it to save its edit. */
  notHere() {
    const restore = async () => {
      try {
        await post(path`/api/restore`, { ids: [this.editor.session.asset] });
        await this.save();
      } catch (problem) {
        report(problem);
      }
    };
    message(t('saving.notHere'), { error: true, label: t('selection.restore'), action: restore });
  }

  /**
   * Compares a draft that was changed during Save with what was saved.
   * @param {Graph} saved
   */
  rebase(saved) {
    const { draft, tools } = this.editor;
    draft.saved = saved;
    tools.beginsHere(saved.nodes);
  }

  /**
   * Says where the edited photo is; in a library, the library has it.
   * @param {string} [file]
   */
  saved(file) {
    const { service, session, view } = this.editor;
    view.flash();
    const text = file && service.mode !== 'library'
      ? t('saving.savedAs', { file: visible(file) })
      : t('saved');
    if (!file) { announce(text); return; }
    message(text, {
      label: t('download'),
      action: () => location.assign(path`/api/assets/${session.asset}/file?version=current`),
    });
  }

  /**
   * Asks what is to be done with a draft when another program has changed the photo.
   * @param {Partial<CurrentState>} state
   */
  async resolve(state) {
    const { draft, schema } = this.editor;
    const time = state.date && date(state.date, { hour: 'numeric', minute: '2-digit' });
    const theirs = differences(draft.saved, state.graph ?? null, schema);
    const mine = differences(draft.saved, draft.effective, schema);
    const isTab = otherTabs.has(state.revision);
    const answer = await ask(
      time
        ? t(isTab ? 'saving.otherTabAt' : 'saving.otherProgramAt', { time })
        : t(isTab ? 'saving.otherTab' : 'saving.otherProgram'),
      el('div', { class: 'conflict scroll' },
        el('p', {}, t('saving.conflictHelp')),
        el('h3', {}, t(isTab ? 'saving.theTab' : 'saving.theProgram')),
        differenceTable(theirs, schema),
        el('h3', {}, t('saving.you')),
        differenceTable(mine, schema)),
      [
        { label: t('saving.later') },
        { label: t('saving.discardMine'), value: 'discard' },
        { label: t('saving.saveMine'), value: 'save', kind: 'primary' },
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
        message(t('saving.reloaded'));
      } else {
        report(problem);
      }
      return false;
    }
  }

  async revert() {
    if (!(await this.mayReplaceDraft()) || !(await this.perform('revert'))) return;
    const { session } = this.editor;
    const { revision } = session;
    message(t('saving.reverted'), {
      label: t('undo'),
      action: () => (session.revision === revision
        ? this.perform('undo', { steps: 1 })
        : message(t('saving.savedSince'))),
    });
  }

  /** @param {EditState} state */
  async goTo(state) {
    const steps = state.n - this.states.current;
    if (!steps || !(await this.mayReplaceDraft())) return;
    if (await this.perform(steps < 0 ? 'undo' : 'redo', { steps: Math.abs(steps) })) {
      announce(t('saving.restored'));
    }
  }

  async mayReplaceDraft() {
    await this.running;
    if (!this.editor.draft.isChanged) return true;
    const answer = await ask(
      t('saving.discardQuestion'),
      el('p', {}, t('saving.discardWarning')),
      [
        { label: t('cancel') },
        {
          label: t('saving.discardDraft'), value: 'discard', kind: 'primary', isFinal: true,
        },
      ]);
    return answer === 'discard';
  }

  /** Goes back to the saved state; the change can be undone. */
  discard() {
    const { draft } = this.editor;
    if (!draft.isChanged) return;
    const discarded = structuredClone(draft.graph);
    draft.change((graph) => {
      graph.nodes = structuredClone(draft.saved.nodes);
      graph.output = structuredClone(draft.saved.output);
    });
    this.editor.tools.beginsHere();
    message(t('saving.discarded'), {
      label: t('undo'), action: () => draft.restore(discarded),
    });
  }

  /** Stores the draft before the editor is left; true stays in the editor. */
  async leave() {
    this.isLeaving = true;
    try {
      return await this.stays();
    } finally {
      this.isLeaving = false;
    }
  }

  async stays() {
    const { draft, session } = this.editor;
    // What is being saved is not asked about.
    await this.running;
    if (!draft.isChanged || this.editor.readOnly) return false;
    const answer = await ask(
      t('saving.leave'),
      el('p', {}, t('saving.leaveHelp')),
      [
        { label: t('saving.keepDraft'), value: 'keep' },
        { label: t('editor.discard'), value: 'discard' },
        { label: t('save'), value: 'save', kind: 'primary' },
      ]);
    if (answer === null) return true;
    if (answer === 'save') { await this.save(); return draft.isChanged; }
    if (answer === 'keep') {
      session.keepDraft(draft.effective);
      await session.flush().catch(report);
    }
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
    const id = panel.nodeId;
    editor.inputAt = performance.now();
    editor.draft.change((graph) => {
      const node = graph.nodes.find((item) => item.id === id);
      node.params = { ...node.params, [name]: add(graph) };
      delete node.enabled;
      // What works within a mask waited for its file.
      for (const reader of graph.nodes) if (reader.mask === id) delete reader.enabled;
    });
  }
}
