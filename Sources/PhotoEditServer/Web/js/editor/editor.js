// SPDX-License-Identifier: Apache-2.0
import { get, path } from '../api.js';
import { button, el, icon, replace, visible } from '../dom.js';
import { bind } from '../keys.js';
import { list, nameOf, t } from '../language.js';
import { loaded, once } from '../later.js';
import { endActions, message, report } from '../messages.js';
import { whenBack } from '../retry.js';
import { address, go, goBack, open } from '../router.js';
import { setting } from '../settings.js';
import { styled } from '../styles.js';
import { masked, placeIn } from './adjustTable.js';
import { canonical, label, schema as loadSchema } from './schema.js';
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
 * @param {URLSearchParams} query the list whose photos the strip has
 * @returns {Promise<(() => Promise<boolean>) | null>}
 */
export async function openEditor(screen, asset, service, query) {
  // A photo that is served alone needs neither the strip nor the modules of lists.
  const strip = service.mode === 'photo'
    ? null
    : (await styled('filmstrip', import('./filmstrip.js'))).filmstrip(query);
  if (strip?.isOpening) {
    waitFor(screen, strip);
  } else {
    replace(screen,
      el('main', { class: 'notice', 'aria-busy': 'true' },
        el('p', { class: 'caption' }, t('editor.opening')),
        strip && button(t('back'), () => history.back(), { kind: 'plain late' })));
  }
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
    replace(screen, el('div', { class: 'editor' },
      el('main', { class: 'notice' },
        icon('info'),
        el('h1', {}, t('editor.cannotEdit')),
        el('p', {}, problem.message),
        problem.word === 'unreachable' && button(t('start.tryAgain'), open),
        service.mode === 'photo' ? null : button(t('back'), () => history.back())),
      strip?.element));
    const stop = problem.word === 'unreachable' ? whenBack(open) : null;
    bind(strip?.keys ?? []);
    strip?.show(asset);
    return async () => { stop?.(); bind([]); strip?.left(); return true; };
  }
  const [schema, session, photo] = parts;
  const name = photo?.title ?? photo?.name ?? service.name;
  const editor = new Editor(schema, session, service, name, strip);
  editor.start(screen);
  return () => editor.stop();
}

/**
 * Leaves the photo before on the screen while the next one of its strip is opened.
 * @param {HTMLElement} screen
 * @param {import('./filmstrip.js').Filmstrip} strip
 */
function waitFor(screen, strip) {
  /** @type {HTMLElement} */
  const shown = screen.querySelector('.editor');
  shown.dataset.busy = 'true';
  for (const part of shown.children) {
    if (part instanceof HTMLElement && part !== strip.element) part.inert = true;
  }
  bind(strip.keys);
}

/**
 * The properties of a photo; none if they cannot be read.
 * @param {string} asset
 * @returns {Promise<Partial<Asset>>}
 */
function properties(asset) { return get(path`/api/assets/${asset}`).catch(() => ({})); }

const pasting = () => loaded(import('./pasting.js'));

/** The editor: it connects the draft, the server's session and what is on the screen. */
export class Editor {
  /**
   * @param {import('./schema.js').Schema} schema
   * @param {Session} session
   * @param {Service} service
   * @param {string} name
   * @param {import('./filmstrip.js').Filmstrip | null} strip
   */
  constructor(schema, session, service, name, strip) {
    this.schema = schema;
    this.session = session;
    this.service = service;
    this.name = visible(name);
    this.strip = strip;
    /** @type {number | undefined} the time of the input whose preview is requested next */
    this.inputAt = undefined;
    this.isMeasuring = false;
    /** @type {{ levels: Statistics['levels'], graph: Graph } | null} the last result */
    this.measured = null;
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
    /** @type {import('./looks.js').Looks | null} the strip, once it was opened */
    this.looks = null;
    this.presets = new Presets(this);
    /** @type {Map<string, string>} the names of files by those of attachments */
    this.attachments = new Map();
  }

  /** Indicates whether the server takes files that a filter needs. */
  get canAttach() { return !this.readOnly; }
  /** Indicates whether an edit of another photo can be pasted. */
  get canPaste() { return this.strip !== null && !this.readOnly; }
  get readOnly() { return this.service.readOnly === true; }

  /** @param {HTMLElement} screen */
  start(screen) {
    this.view = layOutEditor(this);
    replace(screen, this.view.element);
    document.title = t('window', { name: this.name });
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
    if (setting('looks', false)) this.toggleLooks();
    this.strip?.show(this.session.asset);
  }

  /** Ends the editor; the draft stays on the server. */
  async stop() {
    const stays = await this.saving.leave();
    if (stays) { this.strip?.stay(); return false; }
    bind(this.strip?.isOpening ? this.strip.keys : []);
    this.tools.use(null);
    endActions();
    this.looks?.stop();
    this.rendering.stop();
    this.stage.stop();
    this.saving.stop();
    this.strip?.left();
    return true;
  }

  /** Goes back to where the photo was opened; once, however often that is asked for. */
  back() { if (!this.saving.isLeaving) goBack(); }

  /** Shows or hides the strip of looks. */
  toggleLooks() {
    return once('looks', async () => {
      const { Looks } = await loaded(import('./looks.js'));
      if (!this.view.element.isConnected) return;
      this.looks ??= new Looks(this, this.view.looks);
      this.looks.toggle();
    });
  }

  /** Copies the edit that is shown. */
  copyEdit() { return once('copy', async () => (await pasting()).copyEdit(this)); }

  /** @param {{ asks?: boolean }} [options] */
  pasteEdit(options) {
    return once('paste', async () => (await pasting()).pasteEdit(this, options));
  }

  /** @param {string} kind */
  changed(kind) {
    // What is saved, reverted or read again is no part of what a tool takes back.
    if (kind === 'reset') this.tools.beginsHere();
    this.panels.update(kind);
    this.tools.changed();
    this.looks?.changed();
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
      const { draft, panels, schema } = this;
      this.inputAt = performance.now();
      if (this.tools.has(filter.name) && schema.isMask(filter.name)) {
        panels.adjust.masks.add(filter.name);
        panels.reveal(panels.adjust.masks.selected);
        return;
      }
      draft.beginGesture();
      const id = draft.addWithInputs(filter, schema.values(filter, { effect: true }));
      // A mask alone does nothing.
      if (schema.isMask(filter.name)) panels.reveal(this.addReader(id));
      draft.endGesture();
      panels.reveal(id);
      if (draft.node(id).enabled === false) {
        message(t('editor.needsFile', { filter: label(filter.name) }));
      }
    });
  }

  /**
   * Adds a filter that works within a mask of the graph, and begins to work with it.
   * @param {string} mask
   */
  addReader(mask) {
    const filter = this.schema.filter(masked.name);
    const isOff = this.draft.node(mask).enabled === false;
    return this.draft.add(filter, { ...this.schema.values(filter), ...masked.values },
      { mask, ...(isOff && { enabled: false }) });
  }

  /**
   * Adds a filter that works within a mask; returns the name of the mask.
   * @param {{ name: string, values: Record<string, Value> }} added
   * @param {string} mask
   */
  addMasked({ name, values }, mask) {
    const { draft, panels, schema } = this;
    const filter = schema.filter(name);
    this.inputAt = performance.now();
    draft.beginGesture();
    // Filters of other masks stay together.
    const others = draft.nodes.filter((node) => !node.mask);
    const id = draft.add(filter, { ...schema.values(filter), ...values },
      { before: placeIn(others, name) });
    draft.setMask(id, mask);
    draft.endGesture();
    // In the list of filters, the mask is within the filter.
    panels.panelOf(id).setOpen(true, false);
    panels.arrange(draft);
    return draft.node(id).mask;
  }

  /**
   * Adds the filters that a measurement of the photo proposes, in place of those before, or the
   * correction of its lens.
   * @param {{ lens?: boolean }} [options]
   */
  async adjustAutomatically(options = {}) {
    const { lens = false } = options;
    const { draft, session } = this;
    if (this.isMeasuring) return;
    this.isMeasuring = true;
    this.view.show();
    try {
      const before = structuredClone(draft.graph);
      const { graph, unchanged } = await session.adjusted(draft.graph, lens);
      this.inputAt = performance.now();
      draft.change((edited) => { edited.nodes = graph.nodes; });
      const added = graph.nodes.filter((node) => (lens
        ? node.filter === 'lens' : node.ext?.auto === 1));
      const filters = list(added.map((node) => label(node.filter)));
      if (lens ? unchanged.length : !added.length) {
        const reasons = list(unchanged.map(({ reason }) => nameOf(`reason.${reason}`) ?? reason));
        message(t(lens ? 'editor.lensUnchanged' : 'editor.nothingToImprove', { reasons }));
      } else if (canonical(before) !== canonical(draft.graph)) {
        message(t('editor.autoDone', { filters }), {
          label: t('undo'), action: () => draft.restore(before),
        });
      }
    } catch (problem) {
      report(problem);
    }
    this.isMeasuring = false;
    this.view.show();
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
   * Adds a flip, or takes back the same one at the end of the graph.
   * @param {'horizontal' | 'vertical'} axis
   */
  flip(axis) {
    const last = this.draft.nodes.at(-1);
    this.inputAt = performance.now();
    if (last?.filter === 'flip' && last.enabled !== false && last.params?.axis === axis) {
      this.draft.remove(last.id);
    } else {
      this.draft.add(this.schema.filter('flip'), { axis });
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

  toggleStrip() {
    this.strip.toggle();
    this.view.show();
  }

  /** @param {import('./panel.js').Panel} panel */
  opened(panel) {
    if (!panel.isOpen && this.tools.target === panel) this.tools.use(null);
    this.panels.arrange(this.draft);
  }

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
