// SPDX-License-Identifier: Apache-2.0
import { call, get, path, post, send } from '../api.js';
import { visible } from '../dom.js';
import { insertedIndex, origins } from '../applying.js';
import { counted, countOf, isVideo } from '../counted.js';
import { localTitle } from '../language.js';
import { byteOf } from './layout.js';

const chunk = 200;

/**
 * A request for the items of a chunk; one that is held is waited for.
 * @typedef {{ controller: AbortController, answer: Promise<void>, isHeld: boolean }} ChunkRequest
 */

/**
 * @param {Item} item
 * @returns {Item}
 */
const shown = (item) => ({ ...item, title: visible(item.title) });

/**
 * @param {Section} section
 * @returns {Section}
 */
const named = (section) => ({ ...section, title: localTitle(section.title) });

/**
 * A list that the server keeps open: one byte for every asset, and the items that were needed so
 * far.
 */
export class AssetList {
  /** @param {ListRequest} request */
  static async open(request) {
    const list = new AssetList(request);
    await list.reopen();
    return list;
  }

  /** @param {ListRequest} request */
  constructor(request) {
    this.request = request;
    this.id = '';
    this.token = '';
    this.count = 0;
    /** @type {Section[]} */
    this.sections = [];
    /** @type {(Item | undefined)[]} */
    this.items = [];
    this.shapes = new Uint8Array(0);
    /** The kinds of the items that are loaded. */
    this.kinds = { hasVideos: false, hasPhotos: false };
    /** @type {Map<number, ChunkRequest>} the requests that are not answered yet, by chunk */
    this.loading = new Map();
    /** @type {(() => void) | undefined} called when items have arrived */
    this.arrived = undefined;
    /** @type {(() => void) | undefined} called when the server no longer has the list */
    this.onStale = undefined;
  }

  async reopen() {
    /** @type {{ view: string, token: string, count: number, sections: Section[] }} */
    const opened = await post(path`/api/views`, this.request);
    this.abort();
    this.id = opened.view;
    this.token = opened.token;
    this.count = opened.count;
    this.sections = (opened.sections ?? []).map(named);
    this.items = new Array(this.count);
    this.kinds = { hasVideos: false, hasPhotos: false };
    // The first items come with the shapes; a list is most often seen from its beginning.
    if (this.count) this.load(0);
    const shapes = await send(
      'GET', `${path`/api/views/${this.id}/shapes`}?at=${encodeURIComponent(this.token)}`);
    this.shapes = new Uint8Array(await shapes.arrayBuffer());
    if (!this.sections.length) {
      this.sections = [{ key: '', title: '', start: 0, count: this.count }];
    }
  }

  close() {
    this.abort();
    call('DELETE', path`/api/views/${this.id}`).catch(() => {});
  }

  abort() {
    for (const { controller } of this.loading.values()) controller.abort();
    this.loading.clear();
  }

  /** @param {Item[]} items that were loaded */
  note(items) {
    for (const item of items) {
      if (isVideo(item)) this.kinds.hasVideos = true; else this.kinds.hasPhotos = true;
    }
  }

  /**
   * What a section has, or the whole list, as far as its items are loaded.
   * @param {{ start: number, count: number }} [section]
   */
  counted(section) {
    // A list can be long, and its items arrive in many parts.
    const { hasVideos, hasPhotos } = this.kinds;
    if (!section && hasVideos === hasPhotos) return countOf(this.count, this.kinds);
    if (!hasVideos) return countOf(section?.count ?? this.count, this.kinds);
    const { start, count } = section ?? { start: 0, count: this.count };
    return counted(this.items.slice(start, start + count));
  }

  /**
   * Loads the items of a range; requests for chunks outside of it are aborted, unless their items
   * are waited for.
   * @param {number} from
   * @param {number} to
   * @param {() => void} arrived
   */
  need(from, to, arrived) {
    this.arrived = arrived;
    const [first, final] = [Math.floor(from / chunk), Math.floor(Math.max(from, to - 1) / chunk)];
    for (const [index, { controller, isHeld }] of this.loading) {
      if (!isHeld && (index < first - 1 || index > final + 1)) {
        controller.abort();
        this.loading.delete(index);
      }
    }
    for (let index = first; index <= final; index += 1) {
      if (!this.loading.has(index) && this.lacks(index)) this.load(index);
    }
  }

  /** @param {number} index */
  lacks(index) {
    const end = Math.min(this.count, (index + 1) * chunk);
    for (let position = index * chunk; position < end; position += 1) {
      if (!this.items[position]) return true;
    }
    return false;
  }

  /**
   * @param {number} index
   * @returns {ChunkRequest}
   */
  load(index) {
    const request = {
      controller: new AbortController(), isHeld: false, answer: Promise.resolve(),
    };
    this.loading.set(index, request);
    request.answer = this.fill(index, request);
    return request;
  }

  /**
   * @param {number} index
   * @param {ChunkRequest} request
   */
  async fill(index, request) {
    const { id, token } = this;
    try {
      const from = index * chunk;
      const count = Math.min(chunk, this.count - from);
      const address = `${path`/api/views/${id}/items`}?at=${encodeURIComponent(token)}`;
      /** @type {{ items: Item[] }} */
      const { items } = await get(
        `${address}&from=${from}&count=${count}`, { signal: request.controller.signal });
      if (id !== this.id || token !== this.token) return;
      for (const [offset, item] of items.entries()) this.items[from + offset] = shown(item);
      this.note(items);
      this.loading.delete(index);
      this.arrived?.();
    } catch (problem) {
      if (this.loading.get(index) === request) this.loading.delete(index);
      if (problem.word === 'stale-view') this.onStale?.();
      else if (problem.name !== 'AbortError') setTimeout(() => this.arrived?.(), 1000);
    }
  }

  /**
   * The item at an index, loaded when it is not there; the items of a chunk are requested once.
   * @param {number} index
   * @returns {Promise<Item | undefined>}
   */
  async item(index) {
    if (this.items[index]) return this.items[index];
    const part = Math.floor(index / chunk);
    const request = this.loading.get(part) ?? this.load(part);
    request.isHeld = true;
    await request.answer;
    return this.items[index];
  }

  /**
   * Applies the differences of a commit; returns for each new index the old one.
   * @param {ListChange} change
   */
  apply(change) {
    this.abort();
    const from = origins(this.count, change);
    const [shapes, items] = [this.shapes, this.items];
    this.shapes = new Uint8Array(from.length);
    this.items = new Array(from.length);
    for (let index = 0; index < from.length; index += 1) {
      if (from[index] < 0) continue;
      this.shapes[index] = shapes[from[index]];
      if (items[from[index]]) this.items[index] = items[from[index]];
    }
    /**
     * @param {number} index
     * @param {Item} item
     */
    const put = (index, item) => {
      this.items[index] = shown(item);
      this.shapes[index] = byteOf(item.w, item.h);
    };
    for (const [index, item] of change.inserted ?? []) put(insertedIndex(index, change), item);
    for (const [index, item] of change.changed ?? []) put(index, item);
    this.kinds = { hasVideos: false, hasPhotos: false };
    this.note(this.items.filter(Boolean));
    this.count = change.count ?? from.length;
    this.token = change.to;
    this.sections = change.sections?.map(named)
      ?? [{ key: '', title: '', start: 0, count: from.length }];
    return from;
  }

  /** @param {string} asset */
  async indexOf(asset) {
    const known = this.items.findIndex((item) => item?.id === asset);
    if (known >= 0) return known;
    /** @type {{ index: number } | null} */
    const answer = await get(
      `${path`/api/views/${this.id}/index`}?asset=${encodeURIComponent(asset)}`)
      .catch(() => null);
    if (answer || this.request.source !== 'trash') return answer?.index ?? -1;
    // The server looks for no photo of the trash.
    for (let first = 0; first < this.count; first += chunk) {
      await this.item(first);
      const index = this.items.findIndex((item) => item?.id === asset);
      if (index >= 0) return index;
    }
    return -1;
  }
}
