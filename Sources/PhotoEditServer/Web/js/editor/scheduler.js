// SPDX-License-Identifier: Apache-2.0

const overdue = 250;
const longest = 2000;
const stillDelay = 150;

/**
 * The order of preview requests: one in flight, and only the newest graph waits.
 *
 * A request that is not answered in 250 ms no longer holds back the newest graph, and is aborted:
 * the server would cancel it, and over a slow network its image would delay the newer one. During a
 * drag whose previews take longer, each gets twice the time of the one before it, up to two
 * seconds; otherwise all of them would be canceled. A still follows 150 ms after the last input,
 * and the next input replaces it at once. An older image is never painted over a newer one.
 */
export class Scheduler {
  /**
   * @param {object} work
   * @param {(item: PreviewItem) => Promise<Preview>} work.render
   * @param {(preview: Preview, item: PreviewItem) => void} work.paint
   * @param {(problem: import('../api.js').Problem, item: PreviewItem) => void} work.failed
   * @param {(isBusy: boolean) => void} [work.busy]
   */
  constructor(work) {
    this.work = work;
    this.sequence = 0;
    this.painted = 0;
    /** @type {Set<PreviewItem>} */
    this.flying = new Set();
    this.dragLimit = overdue;
    /** @type {PreviewItem | null} */
    this.waiting = null;
    this.stopped = false;
  }

  /** Requests a preview for an input; `at` is the time of the input event. */
  input(at = performance.now()) {
    this.enqueue('drag', at);
    clearTimeout(this.stillTimer);
    this.stillTimer = setTimeout(() => this.enqueue('still', at), stillDelay);
  }

  /** Requests the still at once. */
  still(at = performance.now()) {
    clearTimeout(this.stillTimer);
    this.enqueue('still', at);
  }

  stop() {
    clearTimeout(this.stillTimer);
    clearTimeout(this.pumpTimer);
    this.waiting = null;
    for (const item of this.flying) item.controller.abort();
    this.stopped = true;
  }

  /**
   * @param {string} purpose
   * @param {number} at
   */
  enqueue(purpose, at) {
    this.sequence += 1;
    this.waiting = { purpose, at, sequence: this.sequence, controller: new AbortController() };
    this.pump();
  }

  pump() {
    clearTimeout(this.pumpTimer);
    if (!this.waiting || this.stopped) return;
    const now = performance.now();
    const newest = [...this.flying].at(-1);
    const limit = newest?.purpose === 'drag' ? this.dragLimit
      : this.waiting.purpose === 'drag' ? 0 : overdue;
    const rest = newest ? newest.sent + limit - now : 0;
    if (rest > 0) {
      this.pumpTimer = setTimeout(() => this.pump(), rest);
      return;
    }
    const item = this.waiting;
    this.waiting = null;
    for (const older of this.flying) {
      if (older.purpose === 'drag') this.dragLimit = Math.min(longest, 2 * this.dragLimit);
      older.controller.abort();
    }
    item.sent = now;
    this.flying.add(item);
    this.work.busy?.(true);
    this.run(item);
  }

  /** @param {PreviewItem} item */
  async run(item) {
    try {
      const result = await this.work.render(item);
      if (item.purpose === 'drag') {
        this.dragLimit = Math.min(longest, Math.max(overdue, 2 * (performance.now() - item.sent)));
      }
      if (item.sequence > this.painted && !this.stopped) {
        this.painted = item.sequence;
        this.work.paint(result, item);
      } else {
        result.bitmap?.close();
      }
    } catch (problem) {
      if (!this.stopped) this.recover(problem, item);
    } finally {
      this.flying.delete(item);
      if (!this.flying.size) this.work.busy?.(Boolean(this.waiting));
      this.pump();
    }
  }

  /**
   * @param {import('../api.js').Problem} problem
   * @param {PreviewItem} item
   */
  recover(problem, item) {
    if (problem.name === 'AbortError') return;
    if (problem.word === 'superseded') {
      this.dragLimit = Math.min(longest, 2 * this.dragLimit);
      // The newest one is asked for again; an older one is not needed any more.
      if (item.sequence === this.sequence) this.enqueue(item.purpose, item.at);
      return;
    }
    if (problem.status === 503) {
      setTimeout(
        () => { if (item.sequence === this.sequence) this.enqueue(item.purpose, item.at); },
        (problem.body?.retryAfter || 0.2) * 1000);
      return;
    }
    if (item.sequence > this.painted) this.work.failed(problem, item);
  }
}
