// SPDX-License-Identifier: Apache-2.0
import { get, path, post } from '../api.js';
import { copiedEdit, copy } from '../copied.js';
import { countedIds } from '../counted.js';
import { ask, menu } from '../dialogs.js';
import { el, isTouched } from '../dom.js';
import { download, filesOf } from '../download.js';
import { label } from '../editor/schema.js';
import { t } from '../language.js';
import { message, report } from '../messages.js';
import { isOneOf } from '../query.js';
import { forEach, reportResults } from '../results.js';
import { keep, setting } from '../settings.js';
import { applyToSelection } from '../batch.js';
import { exportSelection, reviewImport } from '../import.js';
import { loaded, once } from '../later.js';
import { AssetList } from './list.js';
import { colorLabel, favorite, labelColors, rating, rotate, setMark } from './changes.js';
import { labelMark } from './tile.js';

/** The number of photos in a condition. */
const maximumAsked = 1000;

/**
 * Those of some photos that an album has.
 * @param {Album} album
 * @param {string[]} ids
 */
async function membersOf({ id }, ids) {
  /** @type {Set<string>} */
  const found = new Set();
  for (let first = 0; first < ids.length; first += maximumAsked) {
    const list = await AssetList.open({
      source: `album:${id}`, sections: 'none',
      predicate: isOneOf(ids.slice(first, first + maximumAsked)),
    });
    for (let index = 0; index < list.count; index += 1) found.add((await list.item(index)).id);
    list.close();
  }
  return found;
}

/**
 * Permanently deletes photos of the trash after a question; returns whether it did.
 * @param {string[]} ids
 * @param {import('../counted.js').ItemOf} itemOf
 */
export async function purge(ids, itemOf) {
  // Afterwards, they are not in the list.
  const items = countedIds(ids, itemOf);
  const answer = await ask(t('actions.purge', items),
    el('p', {}, t('actions.purgeHelp')),
    [
      { label: t('cancel') },
      { label: t('selection.purge'), value: 'delete', kind: 'primary', isFinal: true },
    ]);
  if (answer !== 'delete') return false;
  await post(path`/api/purge`, { ids });
  message(t('done.purged', items));
  return true;
}

/** What can be done with the selection of a grid, or with its focused asset. */
export class Actions {
  /** @param {import('./timeline.js').Timeline} timeline */
  constructor(timeline) {
    this.timeline = timeline;
    /** @type {Set<string>} the photos that are being moved to the trash */
    this.leaving = new Set();
  }

  get canWrite() { return !this.timeline.service.readOnly; }

  /** @param {(ids: string[]) => unknown} work */
  async perform(work) {
    if (!this.canWrite) return message(t('readOnlyServer'));
    try {
      const ids = await this.timeline.ids();
      return ids.length ? await work(ids) : null;
    } catch (problem) {
      return report(problem);
    }
  }

  trash() {
    if (this.timeline.source === 'trash') {
      return message(t(isTouched() ? 'actions.inTrashTouch' : 'actions.inTrash'));
    }
    return this.performAndGoOn(async (chosen) => {
      const ids = chosen.filter((id) => !this.leaving.has(id));
      if (!ids.length) return;
      // Afterwards, they are not in the list.
      const text = t('done.trashed', countedIds(ids, this.itemOf));
      for (const id of ids) this.leaving.add(id);
      try {
        await post(path`/api/trash`, { ids });
      } finally {
        for (const id of ids) this.leaving.delete(id);
      }
      this.timeline.selection.clear();
      message(
        text,
        { label: t('undo'), action: () => post(path`/api/restore`, { ids }).catch(report) });
    });
  }

  restore() {
    return this.perform(async (ids) => {
      // Afterwards, they are not in the list.
      const text = t('done.restored', countedIds(ids, this.itemOf));
      await post(path`/api/restore`, { ids });
      this.timeline.selection.clear();
      message(
        text,
        { label: t('undo'), action: () => post(path`/api/trash`, { ids }).catch(report) });
    });
  }

  /**
   * Does something with the selection or the focused photo, of which the next one has the focus at
   * once: a key that is pressed while a value is stored is for that one.
   * @param {(ids: string[]) => unknown} work
   */
  performAndGoOn(work) {
    const done = this.perform(work);
    if (this.canWrite) this.goOn();
    return done;
  }

  /**
   * Marks photos as favorites, or all of them no longer if the first one is.
   * @param {boolean} [goesOn] to the next photo
   */
  favorite(goesOn = false) {
    const mark = (/** @type {string[]} */ ids) => {
      const first = this.itemOf(ids[0]);
      const value = !(first && favorite.of(first));
      return setMark(favorite, ids, value, { itemOf: this.itemOf });
    };
    return goesOn ? this.performAndGoOn(mark) : this.perform(mark);
  }

  /**
   * Rates photos with 0 to 5 stars; -1 rejects them.
   * @param {number} value
   */
  rate(value) {
    return this.performAndGoOn((ids) => setMark(rating, ids, value, { itemOf: this.itemOf }));
  }

  /**
   * Gives photos the color of a label; null for none.
   * @param {string | null} color
   * @param {{ toggles?: boolean }} options whether it is taken from photos that all have it
   */
  setLabel(color, { toggles = false } = {}) {
    return this.performAndGoOn((ids) => setMark(
      colorLabel, ids, color, { itemOf: this.itemOf, other: toggles ? null : undefined }));
  }

  /**
   * The button of the selection below which something is chosen: its own, or that of the menu.
   * @param {string} symbol
   */
  anchor(symbol) {
    const { element } = this.timeline;
    /** @type {NodeListOf<HTMLElement>} */
    const buttons =
      element.querySelectorAll(`.selection-bar :is([data-action=${symbol}], .narrow)`);
    return [...buttons].find((button) => button.checkVisibility());
  }

  /** Lets a label be chosen for the selection. */
  chooseLabel() {
    menu(this.anchor('tag'), [
      ...labelColors.map((color) => ({
        label: label(color), image: labelMark(color), action: () => this.setLabel(color),
      })),
      { label: t('info.noLabel'), symbol: 'reset', action: () => this.setLabel(null) },
    ]);
  }

  /** Lets a rating be chosen for the selection, where there is no key for it. */
  chooseRating() {
    menu(this.anchor('star'), [
      ...[5, 4, 3, 2, 1].map((count) => ({
        label: t('stars', { count }), symbol: 'star', action: () => this.rate(count),
      })),
      { label: t('keys.unrate'), symbol: 'reset', action: () => this.rate(0) },
      { label: t('keys.reject'), symbol: 'close', action: () => this.rate(-1) },
    ]);
  }

  /** One photo after the other is judged, unless several are selected. */
  goOn() {
    const { grid, selection } = this.timeline;
    if (!selection.count) grid.focus(grid.focused + 1);
  }

  /** The items of the list that are loaded now, by their identifiers. */
  get itemOf() {
    const known = new Map(this.timeline.list.items.filter(Boolean).map((item) => [item.id, item]));
    return (/** @type {string} */ id) => known.get(id);
  }

  /** @param {number} turns */
  rotate(turns) {
    return this.perform(async (ids) =>
      reportResults(await rotate(ids, turns), {
        done: (rotated) => t('done.rotated', rotated), itemOf: this.itemOf,
      }));
  }

  /** Reverts the edits of photos to their originals. */
  revert() {
    return this.perform(async (ids) => {
      /** @type {{ id: string, revision: string }[]} */
      const edited = [];
      const read = await forEach(ids.map((id) => ({ id })), async ({ id }) => {
        /** @type {Journal} */
        const { revision, states, current } = await get(path`/api/assets/${id}/history`);
        if (states.find((state) => state.n === current)?.edited) edited.push({ id, revision });
        return null;
      });
      const unread = read.filter(({ outcome }) => outcome !== 'applied');
      if (!edited.length && !unread.length) {
        return message(t('actions.nothingToRevert'));
      }
      const results = await forEach(edited, ({ id, revision }) =>
        post(path`/api/assets/${id}/revert`, {}, { ifMatch: revision }));
      return reportResults([...results, ...unread],
        { done: (reverted) => t('done.reverted', reverted), itemOf: this.itemOf });
    });
  }

  async addToAlbum() {
    const { sidebar, element, grid } = this.timeline;
    if (!sidebar.canAlbums || !this.timeline.list.count) return;
    // Below the button of a selection, or beside the photo that has the focus.
    /** @type {HTMLElement} */
    const button =
      element.querySelector('.selection-bar:not([hidden]) [data-action="album"]');
    const tile = grid.tiles.get(grid.focused)?.element;
    const album = await sidebar.choose(
      button ?? tile ?? element.querySelector('.bar .icon-button'));
    if (album) await this.add(album);
  }

  addToLast() {
    const album = this.timeline.sidebar.flat().find((item) =>
      item.id === setting('lastAlbum', null));
    return album ? this.add(album) : this.addToAlbum();
  }

  /** @param {Album} album */
  add(album) {
    const { sidebar } = this.timeline;
    const members = path`/api/albums/${album.id}/members`;
    return this.perform(async (ids) => {
      const known = await membersOf(album, ids);
      const remove = ids.filter((id) => !known.has(id));
      await post(members, { add: ids });
      keep('lastAlbum', album.id);
      message(t('done.added', { ...countedIds(ids, this.itemOf), album: album.title }), {
        label: t('undo'),
        action: remove.length
          ? () => post(members, { remove }).then(() => sidebar.load(), report)
          : undefined,
      });
      sidebar.load();
    });
  }

  /** Removes photos from the album that is shown; they stay in the library. */
  removeFromAlbum() {
    const { source, sidebar } = this.timeline;
    const members = path`/api/albums/${source.slice(6)}/members`;
    return this.perform(async (ids) => {
      const text = t('done.removed', countedIds(ids, this.itemOf));
      await post(members, { remove: ids });
      this.timeline.selection.clear();
      message(text, {
        label: t('undo'),
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
    const { source, list, selection, grid } = this.timeline;
    if (!this.timeline.isAlbum) return null;
    const members = path`/api/albums/${source.slice(6)}/members`;
    return this.perform(async (ids) => {
      // Each photo goes back to the one that followed it; of several in a row, that is moved first.
      /** @type {{ ids: string[], before: string | null }[]} */
      const moves = [];
      for (const index of selection.count ? selection : [grid.focused]) {
        const [item, next] = [list.items[index], await list.item(index + 1)];
        moves.unshift({ ids: [item.id], before: next?.id ?? null });
      }
      await post(members, { move: { ids, before } });
      message(t('done.moved', countedIds(ids, this.itemOf)), {
        label: t('undo'),
        action: async () => {
          try {
            for (const move of moves) await post(members, { move });
          } catch (problem) {
            report(problem);
          }
        },
      });
    });
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
      if (!state?.graph?.nodes?.length) return message(t('paste.nothing'));
      copy({ graph: state.graph, from: id });
      return message(t(isTouched() ? 'actions.copiedTouch' : 'actions.copied'));
    } catch (problem) {
      return report(problem);
    }
  }

  pasteEdit() {
    return copiedEdit()
      ? this.applyEdit()
      : message(t(isTouched() ? 'actions.copyFirstTouch' : 'actions.copyFirst'));
  }

  applyEdit() {
    return this.perform((ids) =>
      once('batch', () => applyToSelection(this.timeline, ids, copiedEdit())));
  }

  /** Changes what describes the selected photos; that of one is shown beside it. */
  describe() {
    const { grid, selection } = this.timeline;
    const index = selection.count ? [...selection][0] : grid.focused;
    return this.perform((ids) => once('describe', async () => {
      if (ids.length === 1) {
        keep('info', true);
        this.timeline.open(index);
        return;
      }
      const dialog = await loaded(import('../describeDialog.js'));
      await dialog.describe(ids, this.itemOf);
    }));
  }

  /** @param {File[]} [files] that are chosen already */
  importPhotos(files) { return reviewImport(this.timeline, files); }

  /** Permanently deletes the selected photos of the trash. */
  purge() { return this.perform((ids) => this.deletePermanently(ids)); }

  /** Permanently deletes everything in the trash. */
  async emptyTrash() {
    const { list } = this.timeline;
    const items = await Promise.all(Array.from({ length: list.count }, (_, index) =>
      list.item(index)));
    const ids = items.filter(Boolean).map((item) => item.id);
    if (ids.length) await this.deletePermanently(ids).catch(report);
    else message(t('actions.trashIsEmpty'));
  }

  /** @param {string[]} ids */
  async deletePermanently(ids) {
    if (await purge(ids, this.itemOf)) this.timeline.selection.clear();
  }

  /** Writes photos into a folder, or lets the browser download them. */
  async exportPhotos() {
    try {
      const ids = await this.timeline.ids();
      if (ids.length) await exportSelection(this.timeline, ids);
    } catch (problem) {
      report(problem);
    }
  }

  /** Downloads the current version of each photo. */
  async download() {
    try {
      await download(await filesOf(await this.timeline.ids(), 'current'));
    } catch (problem) {
      report(problem);
    }
  }
}
