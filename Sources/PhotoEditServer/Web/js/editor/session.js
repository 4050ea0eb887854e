// SPDX-License-Identifier: Apache-2.0
import { call, finish, get, path, post, send } from '../api.js';

// A server that ends takes the changes of this time with it.
const draftDelay = 300;
const retryDelay = 1000;

/** The editing session of a photo on the server. */
export class Session {
  /** @param {string} asset */
  static async begin(asset) {
    return new Session(asset, await post(path`/api/assets/${asset}/editing`));
  }

  /**
   * @param {string} asset
   * @param {EditingAnswer} created
   */
  constructor(asset, created) {
    this.asset = asset;
    this.id = created.session;
    this.revision = created.revision;
    this.graph = created.graph;
    this.losses = created.losses;
    this.wideGamut = created.wideGamut;
    /** @type {[width: number, height: number]} that of the photo before its edit */
    this.size = [created.size.width, created.size.height];
    /** @type {Graph | null} the draft that an earlier session has left */
    this.draftGraph = created.draft?.graph ?? null;
    /** @type {Graph | null} a draft that is not stored yet */
    this.pendingDraft = null;
    /** @type {(() => void) | undefined} called when a draft is in this tab only */
    this.onAway = undefined;
  }

  /**
   * Renders a graph; returns the bitmap with its scale and the name of the preview, and its
   * statistics if requested.
   * @param {Graph} graph
   * @param {PreviewRequest} request
   * @param {object} options
   * @param {number} options.sequence
   * @param {string} options.purpose
   * @param {boolean} [options.statistics]
   * @param {AbortSignal} [options.signal]
   * @returns {Promise<Preview>}
   */
  async preview(graph, request, { sequence, purpose, statistics = false, signal }) {
    const response = await send('POST', path`/api/editing/${this.id}/preview`, {
      json: { graph, ...request, sequence, purpose, statistics }, signal,
    });
    const form = statistics ? await response.formData() : null;
    const image = form ? /** @type {File} */ (form.get('image')) : await response.blob();
    const bitmap = await createImageBitmap(image);
    return {
      bitmap, statistics: form && JSON.parse(String(form.get('statistics'))),
      preview: response.headers.get('X-Photoedit-Preview'),
      scale: Number(response.headers.get('X-Photoedit-Scale')) || 1,
      full: [response.headers.get('X-Photoedit-Width'), response.headers.get('X-Photoedit-Height')]
        .map(Number),
      region: request.region,
    };
  }

  /**
   * Adds a file that was sent to the attachments of a graph; returns them and the name of the file.
   * @param {string} upload
   * @param {string} filter
   * @param {Graph} graph
   * @returns {Promise<{ asset: string, assets: Record<string, Attachment> }>}
   */
  attach(upload, filter, graph) {
    return post(path`/api/editing/${this.id}/attachments`, { upload, filter, graph });
  }

  /**
   * Measures the result of a graph; returns the graph with the filters that improve it.
   * @param {Graph} graph
   * @param {boolean} lens whether its lens is corrected, and nothing else
   * @returns {Promise<{ graph: Graph, unchanged: { kind: string, reason: string }[] }>}
   */
  adjusted(graph, lens) { return post(path`/api/editing/${this.id}/auto`, { graph, lens }); }

  /** @param {string} preview */
  clippingAddress(preview) { return path`/api/editing/${this.id}/clipping/${preview}.png`; }

  /** @returns {Promise<Journal>} */
  history() { return get(path`/api/assets/${this.asset}/history`); }

  /**
   * Stores the draft a moment after its last change.
   * @param {Graph} graph
   * @param {number} [delay]
   */
  keepDraft(graph, delay = draftDelay) {
    this.pendingDraft = graph;
    clearTimeout(this.draftTimer);
    this.draftTimer = setTimeout(
      () => this.flush().catch((problem) => this.keepLater(problem)), delay);
  }

  /**
   * Tries again to store a draft that the server did not take; the page keeps it meanwhile.
   * @param {import('../api.js').Problem} problem
   */
  keepLater(problem) {
    if (!this.pendingDraft) return;
    if (problem.word === 'unreachable') this.onAway?.();
    this.keepDraft(this.pendingDraft, retryDelay);
  }

  /** Stores the draft at once. */
  async flush() {
    clearTimeout(this.draftTimer);
    const graph = this.pendingDraft;
    if (graph === null) return;
    await call('PUT', path`/api/editing/${this.id}/draft`, { json: { graph } });
    if (this.pendingDraft === graph) this.pendingDraft = null;
    this.hasDraft = true;
  }

  forgetDraft() {
    clearTimeout(this.draftTimer);
    this.pendingDraft = null;
  }

  /** Stores a pending draft while the page is closed. */
  flushOnClose() {
    if (!this.pendingDraft) return;
    fetch(path`/api/editing/${this.id}/draft`, {
      method: 'PUT', keepalive: true, credentials: 'same-origin',
      headers: { 'Content-Type': 'application/json', 'X-Photoedit': '1' },
      body: JSON.stringify({ graph: this.pendingDraft }),
    });
  }

  /**
   * Commits a graph; throws a problem with the word `stale-edit` when the photo has changed.
   * @param {Graph} graph
   * @param {string} [revision]
   */
  async save(graph, revision = this.revision) {
    this.forgetDraft();
    /** @type {Job<SaveResult>} */
    const job = await post(path`/api/editing/${this.id}/save`, { graph }, { ifMatch: revision });
    const result = await finish(job);
    this.revision = result.revision;
    this.losses = result.losses ?? this.losses;
    return result;
  }

  /**
   * Performs revert, undo or redo.
   * @param {string} action
   * @param {{ steps?: number }} [body]
   * @param {string} [revision]
   * @returns {Promise<CurrentState & { file?: string }>}
   */
  async perform(action, body = {}, revision = this.revision) {
    this.forgetDraft();
    /** @type {CurrentState} */
    const result = await post(
      path`/api/assets/${this.asset}/${action}`, body, { ifMatch: revision });
    this.revision = result.revision;
    return result;
  }

  /** @param {'keep' | 'discard'} draft */
  end(draft) {
    return call('DELETE', `${path`/api/editing/${this.id}`}?draft=${draft}`).catch(() => {});
  }
}
