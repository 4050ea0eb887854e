// SPDX-License-Identifier: Apache-2.0
import { get, path, Problem } from '../api.js';
import { el, icon, iconButton, replace } from '../dom.js';
import { bind, showHelp } from '../keys.js';
import { message, report } from '../messages.js';
import { address, go, photoAddress } from '../router.js';
import { keep, setting, switchTheme } from '../settings.js';
import { Grid } from './grid.js';
import { AssetList } from './list.js';
import { Selection } from './selection.js';
import { Sidebar } from './sidebar.js';
import { Actions } from './actions.js';
import { Drag } from './drag.js';
import { follow } from './live.js';
import { gridKeys } from './gridKeys.js';
import { searchField } from '../search.js';
import { canImport } from '../import.js';

/** @type {{ key: string, top: number, focused: number } | null} */
let savedPosition = null;

/**
 * Shows the timeline of a library, folder or album.
 * @param {HTMLElement} screen
 * @param {Service} service
 * @param {{ source: string, query: URLSearchParams }} options
 */
export async function openTimeline(screen, service, { source, query }) {
  const timeline = new Timeline(service, source, query.get('where') ?? '');
  return timeline.start(screen);
}

/** @returns {Promise<string | null>} */
async function freshToken() {
  /** @type {Service} */
  const { token } = await get(path`/api/service`);
  return token;
}

/** The timeline: the grid with its bar and the list of albums. */
export class Timeline {
  /**
   * @param {Service} service
   * @param {string} source
   * @param {string} predicate
   */
  constructor(service, source, predicate) {
    this.service = service;
    this.source = source;
    this.predicate = predicate;
    /** @type {number | undefined} the timer that hides the caption */
    this.captionTimer = undefined;
    this.isReopening = false;
    this.key = `${source}?${predicate}`;
    this.selection = new Selection();
    this.actions = new Actions(this);
  }

  /** @param {HTMLElement} screen */
  async start(screen) {
    this.layOut();
    replace(screen, this.element);
    document.title = `${this.service.name || 'Photos'} – photoedit`;
    try {
      // The events that follow are those after the state of the list. The token of the page's start
      // serves once.
      const { service } = this;
      this.token = service.token ?? await freshToken();
      service.token = null;
      this.list = await AssetList.open(this.request);
    } catch (problem) {
      if (problem.body?.position !== undefined) this.search.showProblem(problem);
      replace(this.main,
        el('div', { class: 'notice' },
          el('h2', {}, problem.body?.position !== undefined
            ? 'This search is not valid'
            : problem.body?.title ?? 'This list cannot be shown'),
          el('p', {}, problem.message)));
      bind([['/', 'Search', () => this.search.focus()], ['?', 'Keys', () => { showHelp(); }]]);
      return () => bind([]);
    }
    this.grid = new Grid(this.list, this.selection, {
      open: (index) => this.open(index),
      selected: () => this.showSelection(),
      stale: () => this.reopen(),
      moved: (top) => { this.top = top; },
    });
    replace(this.main, this.grid.element, this.empty());
    if (savedPosition?.key === this.key) {
      this.grid.resized();
      this.grid.scroller.scrollTo(savedPosition.top);
      this.grid.focused = Math.max(0, Math.min(this.list.count - 1, savedPosition.focused));
      requestAnimationFrame(() => this.grid.focus(this.grid.focused, { scrolls: false }));
    }
    if (!this.service.readOnly) this.drag = new Drag(this);
    bind(gridKeys(this));
    this.showCount();
    this.unfollow = follow(this);
    return () => this.stop();
  }

  /** Indicates whether there are albums, favorites, predicates and a trash: a folder has none. */
  get isLibrary() { return this.service.mode === 'library'; }

  get isAlbum() { return this.source.startsWith('album:'); }

  /** @returns {ListRequest} */
  get request() {
    return {
      source: this.source, sections: setting('sections', 'month'),
      ...(this.predicate ? { predicate: this.predicate } : {}),
    };
  }

  stop() {
    savedPosition = { key: this.key, top: this.top ?? 0, focused: this.grid.focused };
    bind([]);
    this.unfollow?.();
    this.grid.stop();
    this.list.close();
  }

  layOut() {
    const { service } = this;
    this.search = searchField({ value: this.predicate, run: (text) => this.searchFor(text) });
    this.status = el('p', { class: 'subtitle numbers' });
    this.selectionBar = el('div', { class: 'selection-bar', hidden: true });
    const bar = el('header', { class: 'bar' },
      this.isLibrary
        ? iconButton('layers', 'Albums', () => this.toggleSidebar(), { class: 'icon-button' })
        : null,
      el('div', { class: 'title' }, el('h1', {}, service.name || 'Photos'), this.status),
      this.isLibrary ? this.search.element : el('div', { class: 'space' }),
      el('div', { class: 'group' },
        canImport(service)
          ? iconButton('import', 'Import', () => this.actions.importPhotos())
          : null,
        iconButton(
          'history', 'Group by month or moment', () => this.switchSections(), { keys: 'm' }),
        iconButton('theme', 'Dark or light', switchTheme),
        iconButton('help', 'Keys', showHelp, { keys: '?' })),
      this.selectionBar);
    this.main = el('main', { class: 'timeline-main' });
    this.sidebar = new Sidebar(this);
    this.caption = el('div', { class: 'live-caption', hidden: true });
    this.body = el('div', { class: 'timeline-body' }, this.sidebar.element, this.main);
    this.element = el('div', { class: 'timeline' }, bar, this.body, this.caption);
    this.element.dataset.sidebar = String(
      this.isLibrary && setting('sidebar', true) && innerWidth > 900);
  }

  /** Changes between sections by month and by moment; the photo at the top edge stays. */
  async switchSections() {
    const sections = setting('sections', 'month') === 'month' ? 'moment' : 'month';
    keep('sections', sections);
    if (!this.grid) return;
    this.list.request = this.request;
    await this.reopen();
    message(sections === 'month' ? 'Grouped by month.' : 'Grouped by moment.');
  }

  toggleSidebar() {
    const isShown = this.element.dataset.sidebar !== 'true';
    this.element.dataset.sidebar = String(isShown);
    keep('sidebar', isShown);
  }

  empty() {
    if (this.list.count) return null;
    const [title, text] = this.predicate
      ? ['No photo matches', 'Change the search, or remove it.']
      : this.source === 'trash'
      ? ['The trash is empty', 'Photos that you delete can be restored from here.']
      : [
        'No photos yet',
        this.isLibrary
          ? 'Import photos to see them here.'
          : 'Photos that are added to this folder appear here.',
      ];
    return el('div', { class: 'notice over' },
      icon(this.predicate ? 'search' : 'album'), el('h2', {}, title), el('p', {}, text));
  }

  showCount() {
    this.status.textContent =
      `${this.list.count.toLocaleString()} ${this.list.count === 1 ? 'photo' : 'photos'}`;
    this.main.querySelector('.notice')?.remove();
    const empty = this.empty();
    if (empty) this.main.append(empty);
  }

  showSelection() {
    const { count } = this.selection;
    this.selectionBar.hidden = !count;
    if (!count) return;
    replace(this.selectionBar,
      iconButton('close', 'Clear selection', () => this.selection.clear()),
      el('strong', { class: 'numbers' }, `${count.toLocaleString()} selected`),
      el('div', { class: 'space' }),
      count === 2 && iconButton('split', 'Compare', () => this.compare(), { keys: 'k' }),
      this.changeButtons(count === 1));
  }

  /**
   * The buttons that change or write the selected photos.
   * @param {boolean} isOne
   * @returns {Child[]}
   */
  changeButtons(isOne) {
    const { actions, isLibrary, service } = this;
    if (service.readOnly) return [];
    if (this.source === 'trash') {
      return [iconButton('undo', 'Restore', () => actions.restore(), { keys: 'r' })];
    }
    const remove = () => actions.removeFromAlbum();
    return [
      isLibrary && iconButton('heart', 'Favorite', () => actions.favorite(), { keys: 'f' }),
      iconButton('left', 'Rotate left', () => actions.rotate(-1), { keys: '[' }),
      iconButton('right', 'Rotate right', () => actions.rotate(1), { keys: ']' }),
      isLibrary && iconButton('album', 'Add to album', () => actions.addToAlbum(), { keys: 'a' }),
      this.isAlbum && iconButton('minus', 'Remove from the album', remove, { keys: 'Backspace' }),
      isOne && iconButton('copy', 'Copy the edit', () => actions.copyEdit(), { keys: 'c' }),
      iconButton('sliders', 'Apply an edit', () => actions.applyEdit(), { keys: 'v' }),
      isOne && iconButton('download', 'Download', () => actions.download()),
      service.roots.export.length > 0
        && iconButton('export', 'Export', () => actions.exportPhotos()),
      isLibrary
        && iconButton('trash', 'Move to the trash', () => actions.trash(), { keys: 'Delete' }),
    ];
  }

  /** @param {string} text */
  searchFor(text) {
    const base = location.hash.split('?')[0] || '#/';
    go(text ? `${base}?where=${encodeURIComponent(text)}` : base);
  }

  /** @param {number} index */
  async open(index) {
    const item = await this.list.item(index);
    if (item) go(photoAddress(item, this));
  }

  /** Shows the two selected photos side by side. */
  async compare() {
    if (this.selection.count !== 2) { message('Select two photos to compare them.'); return; }
    const items = await Promise.all([...this.selection].map((index) => this.list.item(index)));
    go(address('compare', ...items.map((item) => item.id)));
  }

  /** @param {number} index */
  async edit(index) {
    const item = await this.list.item(index);
    if (item) go(address('a', item.id, 'edit'));
  }

  /** Opens the list again and keeps the place by the asset at the top edge. */
  async reopen() {
    if (this.isReopening) return;
    this.isReopening = true;
    try {
      const anchor = this.grid.anchor();
      const kept = this.list.items[anchor.asset]?.id;
      const focused = this.list.items[this.grid.focused]?.id;
      await this.list.reopen();
      this.selection.clear();
      if (kept) anchor.asset = Math.max(0, await this.list.indexOf(kept));
      if (focused) this.grid.focused = Math.max(0, await this.list.indexOf(focused));
      this.grid.clear();
      this.grid.measure();
      this.grid.restore(anchor);
      this.showCount();
    } catch (problem) {
      report(problem);
    }
    this.isReopening = false;
  }

  /** The identifiers of the selection, or of the focused asset. */
  async ids() {
    const indexes = this.selection.count
      ? [...this.selection]
      : [this.grid.focused].filter((index) => index < this.list.count);
    const items = await Promise.all(indexes.map((index) => this.list.item(index)));
    if (items.includes(undefined)) {
      throw new Problem({
        title: 'The list has changed',
        detail: 'The list has changed meanwhile; nothing was done. Try again.',
      });
    }
    return items.map((item) => item.id);
  }

  /** @param {string} date */
  async jumpTo(date) {
    const { sections } = this.list;
    const found = sections.findIndex((section) =>
      section.key && section.key.slice(0, date.length) <= date);
    const index = found < 0 ? sections.length - 1 : found;
    this.grid.scroller.scrollTo(this.grid.layout.sectionTops[index]);
    this.grid.focus(sections[index].start, { scrolls: false });
    message(sections[index].title || 'All photos');
  }
}

