// SPDX-License-Identifier: Apache-2.0
import { report } from '../messages.js';
import { Scheduler } from './scheduler.js';

/** The previews of the editor: it requests and paints them, and shows their statistics. */
export class Rendering {
  /** @param {import('./editor.js').Editor} editor */
  constructor(editor) {
    this.editor = editor;
    this.showsClipping = false;
    /** @type {EditState | null} the state of the history that is shown */
    this.state = null;
    /** @type {Graph | null} a look that is shown while the pointer is on it */
    this.proposal = null;
    /** @type {string | null} the name of the preview that is shown */
    this.preview = null;
    /** @type {string | null} the request for the last still */
    this.requested = null;
    this.isPreparing = false;
    this.prepareAgain = false;
    this.scheduler = new Scheduler({
      render: (item) => this.render(item),
      paint: (result, item) => this.paint(result, item),
      failed: (problem) => this.failed(problem),
      busy: (isBusy) => { editor.view.element.dataset.busy = String(isBusy); },
    });
  }

  start() {
    const { stage } = this.editor;
    /** @type {number | undefined} */
    let timer;
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.scheduler.still(), 80);
    };
    // A stage that has just been laid out reports its size as well; its still is already requested.
    stage.addEventListener(
      'resize', () => { if (JSON.stringify(stage.request('still')) !== this.requested) later(); });
    stage.addEventListener('view', () => { this.editor.view.showScale(); later(); });
  }

  stop() { this.scheduler.stop(); }

  /** @param {number} [at] */
  input(at) { this.scheduler.input(at); }

  /** The graph on the screen: a state of the history, that of a tool, or the draft. */
  get graph() {
    const { draft, tools } = this.editor;
    if (this.proposal) return this.proposal;
    return this.state
      ? this.state.graph ?? { ...draft.graph, nodes: [] }
      : tools.graph(draft.graph);
  }

  get isCostly() {
    return this.graph.nodes.some((node) =>
      node.enabled !== false && this.editor.schema.isCostly(node.filter));
  }

  /** @param {PreviewItem} item */
  render(item) {
    const { session, stage } = this.editor;
    const request = stage.request(item.purpose, this.isCostly);
    this.requested = JSON.stringify(stage.request('still'));
    item.graph = this.graph;
    item.tool = this.editor.tools.tool;
    // The histogram is that of the whole photo.
    const isPhoto = !request.region && !this.editor.tools.addsToPhoto;
    const options = { ...item, statistics: isPhoto, signal: item.controller.signal };
    return session.preview(item.graph, request, options);
  }

  /**
   * @param {Preview} result
   * @param {PreviewItem} item
   */
  paint(result, item) {
    const { stage, view } = this.editor;
    // The image of a tool that has ended shows what it leaves out; another one is on its way.
    if ((result.region && !stage.zoom) || item.tool !== this.editor.tools.tool) {
      result.bitmap.close();
      return;
    }
    stage.paint(result);
    this.editor.tools.painted(item.graph);
    view.showProblem(null);
    view.showScale();
    this.preview = result.preview;
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        document.dispatchEvent(new CustomEvent('photoedit:painted', {
          detail: {
            sequence: item.sequence, purpose: item.purpose, at: item.at, painted: performance.now(),
          },
        }));
        this.afterPaint(result, item);
      };
      channel.port2.postMessage(null);
    });
  }

  /**
   * @param {Preview} result
   * @param {PreviewItem} item
   */
  afterPaint(result, item) {
    if (result.statistics) {
      this.editor.histogram.show(result.statistics);
      this.editor.measured = { levels: result.statistics.levels, graph: item.graph };
      this.editor.panels.showLevels();
    }
    if (item.purpose === 'still' && !this.scheduler.waiting) {
      if (this.showsClipping) this.showClipping();
      this.prepareCompare();
    }
  }

  toggleClipping() {
    this.showsClipping = !this.showsClipping;
    this.editor.histogram.showClipping(this.showsClipping);
    if (this.showsClipping) this.showClipping();
    else this.editor.stage.clipping.hidden = true;
  }

  showClipping() {
    const { clipping } = this.editor.stage;
    if (!this.preview) return;
    clipping.src = this.editor.session.clippingAddress(this.preview);
    clipping.hidden = false;
  }

  /** @param {import('../api.js').Problem} problem */
  failed(problem) {
    // A photo that cannot be decoded at all says so for as long as it is there.
    const isDamaged = problem.word !== 'unreachable' && !this.preview;
    // Its neighbors wait for no image.
    if (isDamaged) this.editor.strip?.open();
    if (problem.status === 422 || isDamaged) this.editor.view.showProblem(problem);
    else if (problem.status !== 401) report(problem);
  }

  /**
   * Renders a graph that is compared with; it does not replace the preview of the draft.
   * @param {Graph} graph
   * @param {PreviewRequest} size
   */
  load(graph, size) {
    return this.editor.session.preview(
      graph, size, { sequence: 0, purpose: graph.nodes.length ? 'compare' : 'original' });
  }

  async prepareCompare() {
    if (this.isPreparing) { this.prepareAgain = true; return; }
    this.isPreparing = true;
    try {
      await this.editor.compare.prepare(this.editor.draft.graph);
    } catch (problem) {
      if (!['superseded', 'busy'].includes(problem.word)) report(problem);
    }
    this.isPreparing = false;
    if (this.prepareAgain) { this.prepareAgain = false; this.prepareCompare(); }
  }

  /**
   * Shows a state of the history, or the draft again.
   * @param {EditState | null} state
   */
  previewState(state) {
    this.state = state;
    this.editor.view.show();
    this.scheduler.still();
  }
}
