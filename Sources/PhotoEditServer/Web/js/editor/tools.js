// SPDX-License-Identifier: Apache-2.0
import { loaded } from '../later.js';
import { report } from '../messages.js';
import { styled } from '../styles.js';
import { takenBack } from './differences.js';
import { Panel } from './panel.js';

/**
 * @typedef {{
 *   makeTool: (editor: import('./editor.js').Editor, target: Target) => Tool
 * }} ToolModule
 */

/**
 * What a tool edits: the node of a panel, or what the Adjust panel edits.
 * @typedef {Panel | import('./adjustment.js').Adjustment} Target
 */

/** @type {Record<string, () => Promise<ToolModule>>} */
const makers = {
  crop: () => import('./crop.js'),
  straighten: () => import('./crop.js'),
  perspective: () => import('./perspective.js'),
  whiteBalance: () => import('./pipette.js'),
  heal: () => styled('retouch', import('./retouch.js')),
  redEye: () => styled('retouch', import('./retouch.js')),
  'mask.linear': () => import('./mask.js'),
  'mask.radial': () => import('./mask.js'),
  'mask.luma': () => import('./mask.js'),
  'mask.brush': () => styled('retouch', import('./brushTool.js')),
};

/** The tools that Esc cancels; the handles of a mask stay where they are. */
const canCancel = new Set(['crop', 'straighten', 'perspective']);

/** The tools that are used on a part of the photo as well. */
const canZoom = new Set(['heal', 'redEye', 'mask.brush']);

/** The tools on the photo: at most one is in use. */
export class Tools {
  /** @param {import('./editor.js').Editor} editor */
  constructor(editor) {
    this.editor = editor;
    /** @type {Target | null} */
    this.target = null;
    /** @type {Tool | null} */
    this.tool = null;
    /** Whether the last image of a tool that has ended is on the screen. */
    this.isHeld = false;
    /** @type {GraphNode[]} the graph to which `cancel` goes back */
    this.before = [];
    editor.stage.addEventListener('layout', () => this.tool?.layOut());
  }

  /**
   * Indicates whether a filter has a tool.
   * @param {string} name
   */
  has(name) { return name in makers; }

  /**
   * The graph that is rendered while a tool is in use.
   * @param {Graph} graph
   */
  graph(graph) { return this.tool?.graph?.(graph) ?? graph; }

  /**
   * Begins or ends a tool. By a key, what its arrow keys move gets the focus: the crop area, a
   * handle, the dial.
   * @param {Target} target
   * @param {boolean} [byKey]
   */
  async toggle(target, byKey = false) {
    await this.use(this.target === target ? null : target);
    if (byKey && this.target === target) {
      /** @type {HTMLElement | null} */
      const first = this.editor.stage.handles.querySelector('[tabindex="0"]');
      (this.tool?.focus ?? first)?.focus();
    }
  }

  /** @param {Target | null} target */
  async use(target) {
    if (this.target === target) return;
    const { view, stage, rendering, compare } = this.editor;
    this.tool?.stop?.();
    this.target?.tool?.setAttribute('aria-pressed', 'false');
    const had = Boolean(this.tool);
    const opener = this.target;
    const hadFocus = stage.handles.contains(document.activeElement)
      || view.toolBar.contains(document.activeElement);
    this.target = target;
    this.beginsHere();
    this.tool = null;
    stage.handles.replaceChildren();
    // Until the image without the tool is there, the last one stays as the tool has cut it.
    this.isHeld ||= had;
    stage.element.dataset.tool = target ? target.filter.name : '';
    const load = target ? makers[target.filter.name] : null;
    if (load) {
      try {
        const { makeTool } = await loaded(load());
        if (this.target !== target) return;
        if (compare.split !== null) this.editor.toggleSplit(false);
        if (stage.zoom && !canZoom.has(target.filter.name)) stage.zoomTo(0);
        target.tool?.setAttribute('aria-pressed', 'true');
        this.tool = makeTool(this.editor, target);
        if (stage.size) this.tool.layOut();
        if (target.filter.name === 'straighten') this.tool.level?.();
      } catch (problem) {
        report(problem);
      }
    }
    view.toolBar.hidden = !this.tool?.bar;
    view.toolBar.replaceChildren(...(this.tool?.bar ? [this.tool.bar] : []));
    this.editor.panels.adjust.masks.showTool();
    if (hadFocus && !target) opener?.tool?.focus();
    if (this.isHeld || this.tool) rendering.scheduler.still();
  }

  /**
   * Lets `cancel` go back to a graph: that of the beginning of the tool, or what was saved since.
   * @param {GraphNode[]} [nodes]
   */
  beginsHere(nodes = this.editor.draft.nodes) { this.before = structuredClone(nodes); }

  /** Ends the tool and takes back what was done with it, in one step that can be undone. */
  cancel() {
    const filters = this.tool?.filters ?? [this.target.filter.name];
    this.editor.inputAt = performance.now();
    this.editor.draft.change((graph) => {
      graph.nodes = takenBack(this.before, graph.nodes, filters);
    });
    return this.use(null);
  }

  /**
   * Opens the tool of a filter by a key.
   * @param {string} name
   */
  async open(name) {
    const target = this.editor.panels.adjust.adjustment(name);
    if (target) await this.toggle(target, true);
  }

  /** Opens the crop tool where a line can be drawn along the horizon. */
  async straighten() {
    if (!this.tool?.level) await this.open('crop');
    this.tool?.level?.();
  }

  changed() {
    const { target, editor: { panels } } = this;
    if (target instanceof Panel && !panels.panels.includes(target)) this.use(null);
    else if (this.editor.stage.size) this.tool?.layOut();
  }

  /**
   * Says that a graph was painted, so that a hint ends.
   * @param {Graph} graph
   */
  painted(graph) {
    if (this.isHeld) {
      this.isHeld = false;
      for (const name of ['transform', 'clip-path']) {
        this.editor.stage.canvas.style.removeProperty(name);
      }
    }
    this.tool?.painted?.(graph);
  }

  /** Indicates whether the picture has more than the photo, whose levels are then not measured. */
  get addsToPhoto() { return this.tool?.addsToPhoto?.() ?? false; }

  /**
   * Offers a key of the editor to the tool; false if the key is not for it.
   * @param {string} key
   */
  press(key) { return this.tool?.press?.(key) ?? false; }

  toggleMask() {
    const { panels, draft } = this.editor;
    if (this.tool?.toggleMask) { this.tool.toggleMask(); return; }
    const mask = panels.adjust.masks.selected ?? draft.nodes.findLast((node) => node.mask)?.mask;
    const panel = mask && panels.panelOf(mask);
    if (panel && makers[panel.filter.name]) this.use(panel).then(() => this.tool?.toggleMask?.());
  }

  escape() {
    const { rendering, history, stage } = this.editor;
    if (this.press('Esc')) return true;
    if (this.target && canCancel.has(this.target.filter.name)) this.cancel();
    else if (this.target) this.use(null);
    else if (rendering.state) history.select(null);
    else if (stage.zoom) stage.zoomTo(0);
    else return false;
    return true;
  }
}
