// SPDX-License-Identifier: Apache-2.0
import { closest, el, icon, iconButton, replace } from '../dom.js';
import { currentToken, subscribe } from '../events.js';
import { keepImage } from '../grid/images.js';
import { keepShown } from '../grid/lastShown.js';
import { AssetList } from '../grid/list.js';
import { imageAddress, nameOf } from '../grid/tile.js';
import { t } from '../language.js';
import { message, report } from '../messages.js';
import { searching } from '../query.js';
import { address, go, photoAddress } from '../router.js';
import { keep, setting } from '../settings.js';
import { cellsNear, cellWidth, centered, reachable } from './strip.js';

/** The longest time for which the list waits for the first image of the photo. */
const longestWait = 3000;

/** @type {Filmstrip | null} the strip that stays while one photo after the other is edited */
let current = null;

/**
 * The strip of the list that an address names.
 * @param {URLSearchParams} query
 */
export function filmstrip(query) {
  const [source, predicate] = [query.get('from') ?? 'all', query.get('where') ?? ''];
  if (current?.source !== source || current.predicate !== predicate) {
    current?.stop();
    current = new Filmstrip(source, predicate);
  }
  return current;
}

/** @param {Item} item */
const isMovie = (item) => item.flags?.includes('movie') ?? false;

/**
 * The photos of a list below the one that is edited. Its list is requested after the photo, and
 * only the cells near the window exist.
 */
export class Filmstrip {
  /**
   * @param {string} source
   * @param {string} predicate
   */
  constructor(source, predicate) {
    this.source = source;
    this.predicate = predicate;
    /** @type {AssetList | null} */
    this.list = null;
    /** @type {Promise<void> | null} */
    this.opening = null;
    /** @type {string | null} the photo that is edited */
    this.asset = null;
    /** @type {string | null} the photo whose editor was opened first */
    this.first = null;
    this.index = -1;
    /** @type {number | null} the photo that is edited next */
    this.target = null;
    this.isStopped = false;
    /** Indicates whether the editor of another photo is being opened. */
    this.isOpening = false;
    /** Indicates whether a cell had the focus when the editor before was left. */
    this.hadFocus = false;
    this.part = reachable(0, 0);
    /** @type {Map<number, HTMLElement>} */
    this.cells = new Map();
    this.canvas = el('div', { class: 'strip-canvas', role: 'presentation' });
    this.scroller = el('div', {
      class: 'strip-scroller', role: 'listbox', 'aria-label': t('strip.photos'),
      'aria-orientation': 'horizontal',
      on: {
        scroll: () => this.render(),
        click: (event) => this.clicked(event),
        wheel: (event) => { if (!event.deltaX) this.scroller.scrollLeft += event.deltaY; },
        keydown: (event) => this.pressed(event),
      },
    }, this.canvas);
    this.element = el('nav', {
      class: 'filmstrip', 'aria-label': t('strip.title'), hidden: !setting('filmstrip', true),
    },
      iconButton('back', t('previousPhoto'), () => this.step(-1), { keys: ',' }),
      this.scroller,
      iconButton('forward', t('nextPhoto'), () => this.step(1), { keys: '.' }));
    this.observer = new ResizeObserver(() => this.center());
    this.observer.observe(this.scroller);
  }

  get isShown() { return !this.element.hidden; }

  /** The keys that work also while the next photo is opened. */
  get keys() {
    /** @param {number} step */
    const go = (step) => () => { this.step(step); };
    /** @type {Binding[]} */
    const keys = [
      [', ←', t('previousPhoto'), go(-1)],
      ['. →', t('nextPhoto'), go(1)],
    ];
    return keys;
  }

  toggle() {
    this.element.hidden = this.isShown;
    keep('filmstrip', this.isShown);
    this.center();
  }

  /**
   * Shows which photo is edited, after its editor has taken the strip.
   * @param {string} asset
   */
  show(asset) {
    this.asset = asset;
    this.first ??= asset;
    keepShown(asset);
    if (!this.list) { this.openLater(); return; }
    if (this.target !== null && this.list.items[this.target]?.id === asset) {
      [this.index, this.target] = [this.target, null];
    }
    this.center();
    if (this.hadFocus) this.cells.get(this.index)?.focus({ preventScroll: true });
    this.hadFocus = false;
    if (this.list.items[this.index]?.id !== asset) this.locate();
  }

  /** Requests the list when the photo is on the screen. */
  openLater() {
    const begin = () => {
      clearTimeout(timer);
      document.removeEventListener('photoedit:painted', begin);
      this.open();
    };
    const timer = setTimeout(begin, longestWait);
    document.addEventListener('photoedit:painted', begin);
  }

  open() {
    this.opening ??= this.load();
    return this.opening;
  }

  async load() {
    try {
      const token = await currentToken();
      const list = await AssetList.open({
        source: this.source, sections: 'none', ...searching(this.predicate),
      });
      if (this.isStopped) { list.close(); return; }
      this.list = list;
      list.onStale = () => this.reopen();
      this.unfollow = subscribe({ views: () => [list.id], token: () => token },
        (type, data) => this.follow(type, data));
      await this.locate();
    } catch (problem) {
      this.opening = null;
      report(problem);
    }
  }

  async reopen() {
    try {
      await this.list.reopen();
      await this.locate();
    } catch (problem) {
      report(problem);
    }
  }

  /**
   * Follows the commits of all programs, also those of this editor.
   * @param {string} type
   * @param {any} data
   */
  async follow(type, data) {
    const { list } = this;
    if (type === 'reset') { this.reopen(); return; }
    if (type !== 'view' || data.view !== list.id || data.to === list.token) return;
    if (data.reset || data.from !== list.token) { this.reopen(); return; }
    list.apply(data);
    const moves = [data.removed, data.inserted, data.moves].some((part) => part?.length);
    if (moves) await this.locate();
    else this.render();
  }

  /** Finds the photo that is edited in the list, which stays where it is on the screen. */
  async locate() {
    const { part, index, scroller } = this;
    const place = (index - part.first) * cellWidth - scroller.scrollLeft;
    const found = await this.list.indexOf(this.asset);
    this.index = found;
    this.clear();
    this.part = reachable(this.list.count, Math.max(0, found));
    this.center();
    if (index < 0 || found < 0) return;
    scroller.scrollLeft = (found - this.part.first) * cellWidth - place;
    this.render();
  }

  clear() {
    for (const cell of this.cells.values()) cell.remove();
    this.cells.clear();
  }

  /** Shows the photo that is edited, or the one that is next, in the middle. */
  center() {
    if (!this.list || !this.element.isConnected || !this.isShown) return;
    const index = Math.max(0, this.target ?? this.index);
    if (index < this.part.first || index >= this.part.end) {
      this.part = reachable(this.list.count, index);
      this.clear();
    }
    const cells = this.part.end - this.part.first;
    this.canvas.style.setProperty('width', `${cells * cellWidth}px`);
    this.scroller.scrollLeft = centered(this.part, index, this.scroller.clientWidth);
    this.render();
  }

  render() {
    const { list, part, scroller } = this;
    if (!list || !this.isShown) return;
    const { from, to } = cellsNear(part, scroller.scrollLeft, scroller.clientWidth);
    for (const [index, cell] of this.cells) {
      if (index >= from && index < to) continue;
      // A picture that is still on its way is no longer wanted.
      cell.querySelector('img')?.removeAttribute('src');
      cell.remove();
      this.cells.delete(index);
    }
    if (to > from) list.need(from, to, () => this.render());
    for (let index = from; index < to; index += 1) this.showCell(index);
  }

  /** @param {number} index */
  showCell(index) {
    let cell = this.cells.get(index);
    if (!cell) {
      cell = el('button', {
        type: 'button', class: 'strip-cell', role: 'option', data: { index }, tabindex: '-1',
        'aria-label': t('photo'), 'aria-posinset': index + 1, 'aria-setsize': this.list.count,
      });
      cell.style.setProperty('left', `${(index - this.part.first) * cellWidth}px`);
      this.cells.set(index, cell);
      this.canvas.append(cell);
    }
    const isCurrent = index === (this.target ?? this.index);
    cell.setAttribute('aria-selected', String(isCurrent));
    cell.tabIndex = isCurrent ? 0 : -1;
    const item = this.list.items[index];
    if (!item || cell.dataset.picture === `${item.id} ${item.picture}`) return;
    cell.dataset.picture = `${item.id} ${item.picture}`;
    cell.setAttribute('aria-label', nameOf(item));
    cell.title = item.title;
    /** @type {HTMLImageElement} */
    const image = el('img', {
      alt: '', decoding: 'async', fetchpriority: 'low', draggable: 'false',
      src: imageAddress(item, 76, 56), on: {
        load: () => keepImage(image),
        error: () => { if (image.isConnected) image.replaceWith(icon('info', 'strip-failed')); },
      },
    });
    replace(cell,
      image,
      isMovie(item) && icon('play', 'strip-mark'),
      item.flags?.includes('edited') && icon('sliders', 'strip-mark'));
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const cell = closest(event, '.strip-cell');
    if (cell) this.goTo(Number(cell.dataset.index));
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    this.step(step);
  }

  /**
   * Edits the next photo in a direction; videos are passed over.
   * @param {number} step
   */
  async step(step) {
    await this.open();
    const { list } = this;
    if (!list) return;
    const from = this.target ?? this.index;
    for (let index = from + step; index >= 0 && index < list.count; index += step) {
      const item = await list.item(index);
      if (!item || isMovie(item)) continue;
      this.goTo(index);
      return;
    }
    message(t(step < 0 ? 'strip.first' : 'strip.last'));
  }

  /**
   * Opens the editor of a photo, or shows a video; keys that are pressed meanwhile go further from
   * there.
   * @param {number} index
   */
  async goTo(index) {
    const item = this.list.items[index];
    if (!item) return;
    this.target = index;
    this.center();
    if (this.isOpening) return;
    this.isOpening = true;
    this.hadFocus = this.scroller.contains(document.activeElement);
    while (this.target !== null && !this.isStopped) {
      const next = this.list.items[this.target];
      if (next.id === this.asset) { this.stay(); break; }
      const more = isMovie(next) ? [] : ['edit'];
      await go(photoAddress(next, this, ...more), { replaces: true });
    }
    this.isOpening = false;
  }

  /** Stays with the photo, because its editor was not left or another one could not be opened. */
  stay() {
    this.target = null;
    this.center();
  }

  /** Ends the strip unless the address is that of another editor. */
  left() {
    if (/^#\/a\/[^/]+\/edit(?:\?|$)/.test(location.hash)) return;
    this.returnToLast();
    this.stop();
    if (current === this) current = null;
  }

  /** Lets the viewer from which the first photo was opened show the last one. */
  returnToLast() {
    const isOfFirst = location.hash.split('?')[0] === address('a', this.first ?? '');
    if (isOfFirst && this.asset !== this.first) {
      history.replaceState(null, '', photoAddress({ id: this.asset }, this));
    }
  }

  stop() {
    this.isStopped = true;
    this.observer.disconnect();
    this.unfollow?.();
    this.list?.close();
  }
}
