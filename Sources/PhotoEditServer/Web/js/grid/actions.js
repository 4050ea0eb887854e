// SPDX-License-Identifier: Apache-2.0
import { call, finish, get, path, post } from '../api.js';
import { message, report } from '../messages.js';
import { keep, setting } from '../settings.js';
import { applyToSelection } from '../batch.js';
import { exportSelection, reviewImport } from '../import.js';

/** @param {number} count */
const photos = (count) => `${count.toLocaleString()} ${count === 1 ? 'photo' : 'photos'}`;

/** What can be done with the selection of a grid, or with its focused asset. */
export class Actions {
  /** @type {{ graph: Graph, from: string } | null} the edit that was copied last */
  static copied = null;

  /** @param {import('./timeline.js').Timeline} timeline */
  constructor(timeline) { this.timeline = timeline; }

  get canWrite() { return !this.timeline.service.readOnly; }

  /** @param {(ids: string[]) => unknown} work */
  async perform(work) {
    if (!this.canWrite) return message('This server was started with --read-only.');
    try {
      const ids = await this.timeline.ids();
      return ids.length ? await work(ids) : null;
    } catch (problem) {
      return report(problem);
    }
  }

  trash() {
    if (this.timeline.source === 'trash') {
      return message('These photos are in the trash already. Press r to restore them.');
    }
    return this.perform(async (ids) => {
      await post(path`/api/trash`, { ids });
      this.timeline.selection.clear();
      message(
        `${photos(ids.length)} moved to the trash.`,
        { label: 'Undo', action: () => post(path`/api/restore`, { ids }).catch(report) });
    });
  }

  restore() {
    return this.perform(async (ids) => {
      await post(path`/api/restore`, { ids });
      this.timeline.selection.clear();
      message(`${photos(ids.length)} restored.`);
    });
  }

  favorite() {
    return this.perform(async (ids) => {
      const { list, grid, selection } = this.timeline;
      const first = list.items[selection.count ? [...selection][0] : grid.focused];
      const favorite = !first?.flags?.includes('favorite');
      const options = { json: { favorite }, headers: { 'If-Match': '*' } };
      await Promise.all(ids.map((id) => call('PATCH', path`/api/assets/${id}`, options)));
      message(
        favorite
          ? `${photos(ids.length)} marked as favorite.`
          : `${photos(ids.length)} no longer marked as favorite.`);
    });
  }

  /** @param {number} turns */
  rotate(turns) {
    return this.perform(async (ids) => {
      const graph = {
        format: 'org.photoedit.filter-graph', version: '1.0',
        nodes: [{ id: 'n1', filter: 'rotate90', v: 1, params: { turns: (turns + 4) % 4 } }],
      };
      /** @type {Job<BatchPlan>} */
      const begun = await post(path`/api/batches`, { ids, graph, mode: 'add' });
      const plan = await finish(begun);
      const rows = plan.rows.filter((row) => !row.obstacle);
      await finish(await post(
        path`/api/batches/${plan.plan}/run`, { ids: rows.map((row) => row.id) }));
      message(`${photos(rows.length)} rotated.`);
    });
  }

  async addToAlbum() {
    const { sidebar, element } = this.timeline;
    if (!sidebar.canAlbums) return;
    /** @type {HTMLElement} */
    const anchor = element.querySelector('[aria-label="Add to album"]')
      ?? element.querySelector('.collection');
    const album = await sidebar.choose(
      anchor.offsetParent ? anchor : element.querySelector('.bar .icon-button'));
    if (album) await this.add(album);
  }

  addToLast() {
    const album = this.timeline.sidebar.flat().find((item) =>
      item.id === setting('lastAlbum', null));
    return album ? this.add(album) : this.addToAlbum();
  }

  /** @param {Album} album */
  add(album) {
    return this.perform(async (ids) => {
      await post(path`/api/albums/${album.id}/members`, { add: ids });
      keep('lastAlbum', album.id);
      message(`${photos(ids.length)} added to “${album.title}”.`);
      this.timeline.sidebar.load();
    });
  }

  /** Removes photos from the album that is shown; they stay in the library. */
  removeFromAlbum() {
    const { source, sidebar } = this.timeline;
    const members = path`/api/albums/${source.slice(6)}/members`;
    return this.perform(async (ids) => {
      await post(members, { remove: ids });
      this.timeline.selection.clear();
      message(`${photos(ids.length)} removed from the album.`, {
        label: 'Undo',
        action: () => post(members, { add: ids }).then(() => sidebar.load(), report),
      });
      sidebar.load();
    });
  }

  /**
   * Moves the selection within a manually sorted album; null is its end.
   * @param {string | null} before
   */
  move(before) {
    const { source } = this.timeline;
    if (!this.timeline.isAlbum) return null;
    return this.perform((ids) =>
      post(path`/api/albums/${source.slice(6)}/members`, { move: { ids, before } }));
  }

  /** @param {number} step */
  async nudge(step) {
    const { grid, list, selection } = this.timeline;
    const indexes = selection.count ? [...selection] : [grid.focused];
    const target = step < 0 ? indexes[0] - 1 : indexes.at(-1) + 2;
    if (target < 0 || indexes.at(-1) + step >= list.count) return;
    await this.move(target < list.count ? (await list.item(target)).id : null);
  }

  async copyEdit() {
    try {
      const [id] = await this.timeline.ids();
      if (!id) return null;
      /** @type {Journal} */
      const history = await get(path`/api/assets/${id}/history`);
      const state = history.states.find((item) => item.n === history.current);
      if (!state?.graph?.nodes?.length) return message('This photo has no edit to copy.');
      Actions.copied = { graph: state.graph, from: id };
      return message('Edit copied. Select photos and press v, or choose “Apply an edit”.');
    } catch (problem) {
      return report(problem);
    }
  }

  pasteEdit() {
    if (!Actions.copied) return message('Copy an edit first: press c on a photo.');
    return this.perform((ids) => applyToSelection(this.timeline, ids, Actions.copied));
  }

  applyEdit() {
    return this.perform((ids) => applyToSelection(this.timeline, ids, Actions.copied));
  }

  importPhotos() { return reviewImport(this.timeline); }

  exportPhotos() { return this.perform((ids) => exportSelection(this.timeline, ids)); }

  async download() {
    const [id] = await this.timeline.ids();
    if (!id) return;
    location.assign(path`/api/assets/${id}/file?version=current`);
  }
}
