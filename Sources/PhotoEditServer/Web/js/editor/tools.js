// SPDX-License-Identifier: Apache-2.0
import { report } from '../messages.js';

/**
 * @typedef {{
 *   makeTool: (editor: import('./editor.js').Editor, panel: import('./panel.js').Panel) => Tool
 * }} ToolModule
 */

/** @type {Record<string, () => Promise<ToolModule>>} */
const makers = {
  crop: () => import('./crop.js'),
  straighten: () => import('./straighten.js'),
  perspective: () => import('./perspective.js'),
  'mask.linear': () => import('./mask.js'),
  'mask.radial': () => import('./mask.js'),
  'mask.luma': () => import('./mask.js'),
};

/** The tools on the photo: at most one is in use. */
export class Tools {
  /** @param {import('./editor.js').Editor} editor */
  constructor(editor) {
    this.editor = editor;
    /** @type {import('./panel.js').Panel | null} */
    this.panel = null;
    /** @type {Tool | null} */
    this.tool = null;
    editor.stage.addEventListener('layout', () => this.tool?.layOut());
  }

  /**
   * The graph that is rendered while a tool is in use.
   * @param {Graph} graph
   */
  graph(graph) { return this.tool?.graph?.(graph) ?? graph; }

  /**
   * Begins or ends a tool. By a key, what its arrow keys move gets the focus: the crop area, a
   * handle, the dial.
   * @param {import('./panel.js').Panel} panel
   * @param {boolean} [byKey]
   */
  async toggle(panel, byKey = false) {
    await this.use(this.panel === panel ? null : panel);
    if (byKey && this.panel === panel) {
      /** @type {HTMLElement | null} */
      const first = this.editor.stage.handles.querySelector('[tabindex="0"]');
      (this.tool?.focus ?? first)?.focus();
    }
  }

  /** @param {import('./panel.js').Panel | null} panel */
  async use(panel) {
    if (this.panel === panel) return;
    const { view, stage, rendering, compare } = this.editor;
    this.tool?.stop?.();
    this.panel?.tool?.setAttribute('aria-pressed', 'false');
    const had = Boolean(this.tool);
    const opener = this.panel;
    const hadFocus = stage.handles.contains(document.activeElement)
      || view.toolBar.contains(document.activeElement);
    this.panel = panel;
    this.tool = null;
    stage.handles.replaceChildren();
    stage.canvas.style.removeProperty('transform');
    stage.element.dataset.tool = panel ? panel.filter.name : '';
    const load = panel ? makers[panel.filter.name] : null;
    if (load) {
      try {
        const { makeTool } = await load();
        if (this.panel !== panel) return;
        if (compare.split !== null) this.editor.toggleSplit(false);
        if (stage.zoom) stage.zoomTo(0);
        panel.tool?.setAttribute('aria-pressed', 'true');
        this.tool = makeTool(this.editor, panel);
        if (stage.size) this.tool.layOut();
      } catch (problem) {
        report(problem);
      }
    }
    view.toolBar.hidden = !this.tool?.bar;
    view.toolBar.replaceChildren(...(this.tool?.bar ? [this.tool.bar] : []));
    if (hadFocus && !panel) (opener?.tool ?? opener?.disclosure)?.focus();
    if (had || this.tool) rendering.scheduler.still();
  }

  /**
   * Opens the tool of a filter by a key.
   * @param {string} name
   */
  async open(name) {
    const panel = this.editor.panels.panels.findLast((item) => item.filter.name === name);
    if (!panel) return;
    panel.setOpen(true);
    panel.element.scrollIntoView({ block: 'nearest' });
    await this.toggle(panel, true);
  }

  changed() {
    if (this.panel && !this.editor.panels.panels.includes(this.panel)) this.use(null);
    else if (this.editor.stage.size) this.tool?.layOut();
  }

  /**
   * Says that a graph was painted, so that a hint ends.
   * @param {Graph} graph
   */
  painted(graph) { this.tool?.painted?.(graph); }

  toggleMask() {
    const { panels, draft } = this.editor;
    if (this.tool?.toggleMask) { this.tool.toggleMask(); return; }
    const owner = draft.nodes.findLast((node) => node.mask);
    const panel = owner && panels.panelOf(owner.mask);
    if (panel && makers[panel.filter.name]) this.use(panel).then(() => this.tool?.toggleMask?.());
  }

  escape() {
    const { rendering, history, stage } = this.editor;
    if (this.panel) this.use(null);
    else if (rendering.state) history.select(null);
    else if (stage.zoom) stage.zoomTo(0);
    else return false;
    return true;
  }
}
