// SPDX-License-Identifier: Apache-2.0
import { Problem } from '../api.js';
import { menu } from '../dialogs.js';
import { button, el, iconButton, replace, visible } from '../dom.js';
import { currentToken, viewsChanged } from '../events.js';
import { bind, showHelp } from '../keys.js';
import { t } from '../language.js';
import { chooseLanguage } from '../later.js';
import { message, report } from '../messages.js';
import { whenBack } from '../retry.js';
import { address, go, open, photoAddress } from '../router.js';
import { keep, setting, switchTheme } from '../settings.js';
import { style } from '../styles.js';
import { aboutFolder } from './aboutFolder.js';
import { Grid } from './grid.js';
import { takeFiles } from './dropping.js';
import { emptyNotice } from './emptyNotice.js';
import { takeShown } from './lastShown.js';
import { AssetList } from './list.js';
import { Selection } from './selection.js';
import { SelectionBar } from './selectionBar.js';
import { Sidebar } from './sidebar.js';
import { Actions } from './actions.js';
import { Drag } from './drag.js';
import { follow } from './live.js';
import { goToDate, gridKeys } from './gridKeys.js';
import { searchField } from '../search.js';
import { isOneOf, searching } from '../query.js';
import { canImport } from '../import.js';

/**
 * Where a list was left, with the photos that were compared; a reload of the page and the buttons
 * of the browser return there.
 * @typedef {{
 *   key: string, top: number, focused: number, asset?: string, selected?: string[],
 * }} Position
 */

/** @type {Position | null} */
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

/** Where the list of albums covers the photos. */
const narrow = matchMedia('(max-width: 900px)');

/** The number of selected photos that an address can name. */
const maximumNeighbors = 500;

/** @type {Record<string, string>} */
const titles = {
  favorites: t('grid.favorites'), recent: t('grid.recent'), trash: t('grid.trash'),
};

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
    /** @type {string[] | undefined} the selection while it is compared, to which Esc returns */
    this.compared = undefined;
    this.key = `${source}?${predicate}`;
    this.selection = new Selection();
    this.actions = new Actions(this);
    /** Goes on after another login, of which the list knows nothing. */
    this.onLogin = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.reopen();
      if (this.sidebar.canAlbums) this.sidebar.load();
    };
  }

  /** @param {HTMLElement} screen */
  async start(screen) {
    this.layOut();
    const opening = this.openList().then(() => null, (problem) => problem);
    await style('grid');
    replace(screen, this.element);
    if (this.sidebar.canAlbums) this.sidebar.load();
    document.title = t('window', { name: this.service.name || t('grid.photos') });
    const problem = await opening;
    if (problem) {
      const isInvalid = Boolean(this.predicate) && problem.status === 400;
      if (isInvalid) this.search.showProblem(problem);
      const title = isInvalid ? t('grid.badSearch') : t('grid.noList');
      replace(this.main,
        el('div', { class: 'notice' },
          el('h2', {}, title),
          // The reason of an invalid search is below its field.
          el('p', {}, isInvalid ? t('grid.correctSearch') : problem.message),
          problem.word === 'unreachable' && button(t('start.tryAgain'), open)));
      bind([['/', t('search'), () => this.search.focus()], ['?', t('keys'), showHelp]]);
      const stop = problem.word === 'unreachable' ? whenBack(open) : null;
      return () => { stop?.(); this.ended(); bind([]); };
    }
    this.grid = new Grid(this.list, this.selection, {
      open: (index) => this.open(index),
      selected: () => this.showSelection(),
      stale: () => this.reopen(),
      arrived: () => this.showNumber(),
      moved: (top) => { this.top = top; this.keepPosition(); },
    });
    replace(this.main, this.grid.element, emptyNotice(this));
    // That of the history is a moment older, but it is there after a reload of the page.
    const position = [savedPosition, /** @type {Position | null} */ (history.state?.position)].find(
      (known) => known?.key === this.key);
    if (position) {
      this.grid.resized();
      this.grid.scroller.scrollTo(position.top);
      this.grid.focused = Math.max(0, Math.min(this.list.count - 1, position.focused));
      // It may have been left for another photo than the one that was opened.
      const shown = takeShown();
      const index = shown && shown !== position.asset ? await this.list.indexOf(shown) : -1;
      if (index >= 0) {
        this.grid.focused = index;
        this.grid.reveal(index);
      }
      if (position.selected) {
        await this.select(position.selected);
        // Whoever clears the selection does not find it again after a reload.
        this.keepPosition();
      }
      requestAnimationFrame(() => {
        // A key may have opened the search meanwhile.
        if (document.activeElement !== document.body) return;
        this.grid.focus(this.grid.focused, { scrolls: false });
      });
    }
    // The keys go on with what was found.
    if (!position && this.predicate) {
      this.grid.resized();
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) this.grid.focus(0, { scrolls: false });
      });
    }
    if (!this.service.readOnly) this.drag = new Drag(this);
    if (canImport(this.service)) {
      takeFiles(this.element, (files) => this.actions.importPhotos(files));
    }
    bind(gridKeys(this));
    document.addEventListener('photoedit:reconnect', this.onLogin);
    this.showCount();
    this.unfollow = follow(this);
    return () => this.stop();
  }

  async openList() {
    // The events that follow are those after the state of the list. The token of the page's start
    // serves once.
    const { service } = this;
    this.token = service.token ?? await currentToken();
    service.token = null;
    this.list = await AssetList.open(this.request);
  }

  /** Indicates whether there are albums, favorites, predicates and a trash: a folder has none. */
  get isLibrary() { return this.service.mode === 'library'; }

  get isAlbum() { return this.source.startsWith('album:'); }

  /** @returns {ListRequest} */
  get request() {
    return {
      source: this.source, sections: setting('sections', 'month'),
      ...searching(this.predicate),
    };
  }

  get position() {
    const focused = this.grid?.focused ?? 0;
    const asset = this.list?.items[focused]?.id;
    return { key: this.key, top: this.top ?? 0, focused, asset, selected: this.compared };
  }

  /** Keeps the place for a reload, a moment after the last scrolling. */
  keepPosition() {
    clearTimeout(this.positionTimer);
    this.positionTimer = setTimeout(() => {
      if (this.element.isConnected) history.replaceState({ position: this.position }, '');
    }, 300);
  }

  stop() {
    this.ended();
    savedPosition = this.position;
    clearTimeout(this.positionTimer);
    bind([]);
    document.removeEventListener('photoedit:reconnect', this.onLogin);
    this.unfollow?.();
    this.grid.stop();
    this.list.close();
  }

  layOut() {
    const { service } = this;
    this.search = searchField({ value: this.predicate, run: (text) => this.searchFor(text) });
    this.status = el('p', { class: 'subtitle numbers' });
    this.heading = el('h1', {}, titles[this.source] ?? (service.name || t('grid.photos')));
    this.selectionBar = new SelectionBar(this);
    this.viewButton = iconButton(
      'calendar', t('grid.view'), () => this.openViewMenu(), { 'aria-haspopup': 'menu' });
    this.emptyTrash =
      button(t('grid.emptyTrash'), () => this.actions.emptyTrash(), { kind: 'plain' });
    const bar = el('header', { class: 'bar' },
      this.isLibrary
        ? iconButton('layers', t('grid.albums'), () => this.toggleSidebar())
        : null,
      el('div', { class: 'title' }, this.heading, this.status),
      this.isLibrary ? this.search.element : el('div', { class: 'space' }),
      !this.isLibrary && iconButton('info', t('folder.title'), aboutFolder),
      el('div', { class: 'group' },
        canImport(service)
          ? iconButton('import', t('import'), () => this.actions.importPhotos())
          : null,
        this.source === 'trash' && !service.readOnly ? this.emptyTrash : null,
        this.viewButton,
        iconButton('theme', t('theme'), switchTheme),
        iconButton('help', t('keys'), showHelp, { keys: '?' })),
      this.selectionBar.element);
    this.covered = [...bar.children].flatMap((child) =>
      (child instanceof HTMLElement && child !== this.selectionBar.element ? [child] : []));
    this.main = el('main', { class: 'timeline-main', data: { drop: t('grid.drop') } });
    this.sidebar = new Sidebar(this);
    this.caption = el('div', { class: 'live-caption', hidden: true });
    const cover = el('div', {
      class: 'sidebar-shade', 'aria-hidden': 'true', on: { click: () => this.closeSidebar() },
    });
    this.body = el('div', { class: 'timeline-body' }, this.sidebar.element, cover, this.main);
    this.element = el('div', { class: 'timeline' }, bar, this.body, this.caption);
    const showSidebar = () => {
      this.element.dataset.sidebar = String(
        this.isLibrary && setting('sidebar', true) && !narrow.matches);
    };
    // The list of a wide window would cover the photos of a narrow one.
    narrow.addEventListener('change', showSidebar);
    this.ended = () => narrow.removeEventListener('change', showSidebar);
    showSidebar();
  }

  openViewMenu() {
    const isByMonth = setting('sections', 'month') === 'month';
    menu(this.viewButton, [
      {
        label: t(isByMonth ? 'grid.groupByMoment' : 'grid.groupByMonth'), symbol: 'calendar',
        action: () => this.switchSections(),
      },
      this.list?.sections[0]?.key && {
        label: t('keys.goToDate'), symbol: 'search', action: () => goToDate(this),
      },
      this.list?.count > 0 && {
        label: t('grid.selectAll'), symbol: 'check',
        action: () => this.selection.set([[0, this.list.count]]),
      },
      { label: t('keys.larger'), symbol: 'plus', action: () => this.grid?.resizeTiles(1) },
      { label: t('keys.smaller'), symbol: 'minus', action: () => this.grid?.resizeTiles(-1) },
      { label: t('language'), symbol: 'globe', action: chooseLanguage },
    ]);
  }

  /** Changes between sections by month and by moment; the photo at the top edge stays. */
  async switchSections() {
    if (this.source === 'recent') { message(t('grid.byImport')); return; }
    const sections = setting('sections', 'month') === 'month' ? 'moment' : 'month';
    keep('sections', sections);
    if (!this.grid) return;
    this.list.request = this.request;
    await this.reopen();
    message(t(sections === 'month' ? 'grid.byMonth' : 'grid.byMoment'));
  }

  toggleSidebar() {
    const isShown = this.element.dataset.sidebar !== 'true';
    this.element.dataset.sidebar = String(isShown);
    keep('sidebar', isShown);
  }

  /** Closes a list of albums that covers the photos; returns whether it did. */
  closeSidebar() {
    if (!narrow.matches || this.element.dataset.sidebar !== 'true') return false;
    this.toggleSidebar();
    return true;
  }

  /**
   * Shows the name of the album.
   * @param {Album[]} albums
   */
  showTitle(albums) {
    const album = albums.find(({ id }) => this.source === `album:${id}`);
    if (!album) return;
    this.heading.textContent = visible(album.title);
    this.heading.title = visible(album.title);
    document.title = t('window', { name: visible(album.title) });
  }

  /** Shows how many photos and videos there are; which, is known when their items are loaded. */
  showNumber() { this.status.textContent = this.list.counted().items; }

  showCount() {
    this.showNumber();
    this.emptyTrash.disabled = !this.list.count;
    this.main.querySelector('.notice')?.remove();
    const empty = emptyNotice(this);
    if (empty) this.main.append(empty);
  }

  showSelection() {
    const { count } = this.selection;
    this.selectionBar.show(count);
    // The bar covers these: the focus must not go where it cannot be seen.
    for (const covered of this.covered) covered.inert = count > 0;
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
    if (this.selection.count !== 2) { message(t('selection.twoToCompare')); return; }
    const items = await Promise.all([...this.selection].map((index) => this.list.item(index)));
    this.compared = items.map((item) => item.id);
    history.replaceState({ position: this.position }, '');
    go(address('compare', ...this.compared));
  }

  /** @param {number} index */
  async edit(index) {
    const item = await this.list.item(index);
    if (item) go(photoAddress(item, await this.neighbors(index), 'edit'));
  }

  /**
   * The photos that are edited one after the other: several that are selected, or the list.
   * @param {number} index
   */
  async neighbors(index) {
    const { source, predicate, selection } = this;
    const isChosen = this.isLibrary && selection.has(index) && selection.count > 1
      && selection.count <= maximumNeighbors;
    if (!isChosen) return { source, predicate };
    return { source, predicate: isOneOf(await this.ids()) };
  }

  /** Opens the list again and keeps the place by the asset at the top edge. */
  async reopen() {
    if (this.isReopening) return;
    this.isReopening = true;
    try {
      const anchor = this.grid.anchor();
      const { list, selection } = this;
      const { items, count } = list;
      const kept = items[anchor.asset]?.id;
      const focused = items[this.grid.focused]?.id;
      await list.reopen();
      viewsChanged();
      const selected = [...selection].map((index) => items[index]?.id);
      const isAll = count > 0 && selected.length === count;
      if (isAll) selection.set([[0, list.count]]);
      else await this.select(selected);
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

  /**
   * Selects photos by their identifiers; nothing if there are many, or one is not known.
   * @param {(string | undefined)[]} ids
   */
  async select(ids) {
    const isKnown = ids.length <= maximumNeighbors && !ids.includes(undefined);
    const indexes = isKnown ? await Promise.all(ids.map((id) => this.list.indexOf(id))) : [];
    this.selection.set(
      indexes.filter((index) => index >= 0).map((index) => [index, index + 1]));
  }

  /** The identifiers of the selection, or of the focused asset. */
  async ids() {
    const indexes = this.selection.count
      ? [...this.selection]
      : [this.grid.focused].filter((index) => index < this.list.count);
    const items = await Promise.all(indexes.map((index) => this.list.item(index)));
    if (items.includes(undefined)) {
      throw new Problem({ title: t('grid.changed'), detail: t('grid.changedDetail') });
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
    this.grid.render();
    this.grid.focus(sections[index].start, { scrolls: false });
    message(sections[index].title || t('grid.all'));
  }
}

