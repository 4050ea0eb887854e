// SPDX-License-Identifier: Apache-2.0
import { get, path } from '../api.js';
import { button, el, icon, replace, visible } from '../dom.js';
import { bind } from '../keys.js';
import { report } from '../messages.js';
import { address, go } from '../router.js';
import { schema as loadSchema } from './schema.js';
import { Compare } from './compare.js';
import { Draft } from './draft.js';
import { Histogram } from './histogram.js';
import { History } from './history.js';
import { layOutEditor } from './layout.js';
import { Panels } from './panels.js';
import { openPalette } from './palette.js';
import { Presets } from './presets.js';
import { Rendering } from './rendering.js';
import { Saving } from './saving.js';
import { Session } from './session.js';
import { Stage } from './stage.js';
import { Tools } from './tools.js';
import { editorKeys } from './editorKeys.js';

/**
 * Shows the editor of a photo; the result ends it.
 * @param {HTMLElement} screen
 * @param {string} asset
 * @param {Service} service
 * @returns {Promise<(() => Promise<boolean>) | null>}
 */
export async function openEditor(screen, asset, service) {
  replace(screen,
    el('main', { class: 'notice', 'aria-busy': 'true' },
      el('p', { class: 'caption' }, 'Opening the photo…')));
  let parts;
  try {
    parts = await Promise.all([
      loadSchema(),
      Session.begin(asset),
      service.mode === 'photo' ? null : properties(asset),
    ]);
  } catch (problem) {
    // A video is played instead.
    const { flags } = await properties(asset);
    if (flags?.includes('movie')) { go(address('a', asset), { replaces: true }); return null; }
    replace(screen,
      el('main', { class: 'notice' },
        icon('info'),
        el('h1', {}, 'This photo cannot be edited'),
        el('p', {}, problem.message),
        service.mode === 'photo' ? null : button('Back', () => history.back())));
    return null;
  }
  const [schema, session, photo] = parts;
  const name = photo?.title ?? photo?.name ?? service.name;
  const editor = new Editor(schema, session, service, name);
  editor.start(screen);
  return () => editor.stop();
}

/**
 * The properties of a photo; none if they cannot be read.
 * @param {string} asset
 * @returns {Promise<Partial<Asset>>}
 */
function properties(asset) { return get(path`/api/assets/${asset}`).catch(() => ({})); }

/** The editor: it connects the draft, the server's session and what is on the screen. */
export class Editor {
  /**
   * @param {import('./schema.js').Schema} schema
   * @param {Session} session
   * @param {Service} service
   * @param {string} name
   */
  constructor(schema, session, service, name) {
    this.schema = schema;
    this.session = session;
    this.service = service;
    this.name = visible(name);
    /** @type {number | undefined} the time of the input whose preview is requested next */
    this.inputAt = undefined;
    this.draft = new Draft(schema, session.graph);
    this.stage = new Stage({
      colorSpace:
        session.wideGamut && matchMedia('(color-gamut: p3)').matches ? 'display-p3' : 'srgb',
    });
    this.histogram = new Histogram({ toggleClipping: () => this.rendering.toggleClipping() });
    this.panels = new Panels(this);
    this.history = new History({
      schema,
      preview: (state) => this.rendering.previewState(state),
      goTo: (state) => this.saving.goTo(state),
      compare: (state) => this.toggleSplit(true, state.graph ?? { ...this.draft.graph, nodes: [] }),
    });
    this.compare = new Compare(
      this.stage, { schema, load: (graph, size) => this.rendering.load(graph, size) });
    this.rendering = new Rendering(this);
    this.saving = new Saving(this);
    this.tools = new Tools(this);
    this.presets = new Presets(this);
    /** @type {Map<string, string>} the names of files by those of attachments */
    this.attachments = new Map();
  }

  /** Indicates whether the server takes files that a filter needs. */
  get canAttach() { return !this.readOnly; }
  get readOnly() { return this.service.readOnly === true; }

  /** @param {HTMLElement} screen */
  start(screen) {
    this.view = layOutEditor(this);
    replace(screen, this.view.element);
    document.title = `${this.name} – photoedit`;
    if (this.session.draftGraph) this.draft.reset(this.session.graph, this.session.draftGraph);
    this.draft.addEventListener('change', (event) =>
      this.changed(/** @type {CustomEvent<{ kind: string }>} */ (event).detail.kind));
    // The server renders while the panels are made.
    this.view.show();
    this.rendering.start();
    this.rendering.scheduler.still();
    this.panels.update('reset');
    bind(editorKeys(this));
    this.saving.start();
  }

  /** Ends the editor; the draft stays on the server. */
  async stop() {
    const stays = await this.saving.leave();
    if (stays) return false;
    bind([]);
    this.tools.use(null);
    this.rendering.stop();
    this.stage.stop();
    this.saving.stop();
    return true;
  }

  /** @param {string} kind */
  changed(kind) {
    this.panels.update(kind);
    this.tools.changed();
    this.view.show();
    if (kind === 'gesture') return;
    if (kind === 'reset') { this.rendering.scheduler.still(); return; }
    this.rendering.input(this.inputAt);
    this.inputAt = undefined;
    this.saving.draftChanged();
  }

  /** @param {HTMLElement} anchor */
  addFilter(anchor) {
    openPalette(anchor, this.schema, (filter) => {
      this.inputAt = performance.now();
      const id = this.draft.addWithInputs(filter, this.schema.values(filter, { effect: true }));
      this.panels.reveal(id);
    });
  }

  /**
   * Adds a 90° rotation, or joins it with one at the end of the graph.
   * @param {number} turns
   */
  rotate(turns) {
    const last = this.draft.nodes.at(-1);
    this.inputAt = performance.now();
    if (last?.filter === 'rotate90' && last.enabled !== false) {
      const sum = (Number(last.params.turns) + turns + 4) % 4;
      if (sum === 0 && !this.draft.savedNode(last.id)) this.draft.remove(last.id);
      else this.draft.setValue(last.id, 'turns', sum);
    } else {
      this.draft.add(this.schema.filter('rotate90'), { turns: (turns + 4) % 4 });
    }
  }

  /**
   * @param {boolean} [isOn]
   * @param {Graph | null} [other]
   */
  toggleSplit(isOn = this.compare.split === null, other = null) {
    this.compare.setSplit(isOn, other);
    this.view.show();
    if (isOn) this.rendering.prepareCompare();
  }

  /** @param {import('./panel.js').Panel} panel */
  opened(panel) { if (!panel.isOpen && this.tools.panel === panel) this.tools.use(null); }

  /** @param {string} name */
  attachmentName(name) { return this.attachments.get(name) ?? name; }

  /**
   * @param {import('./panel.js').Panel} panel
   * @param {string} name
   * @param {File} file
   */
  async attach(panel, name, file) {
    try {
      await this.saving.attach(panel, name, file);
    } catch (problem) {
      report(problem);
    }
  }
}
