// SPDX-License-Identifier: Apache-2.0
import { isOwnChange } from '../api.js';
import { indexes } from '../applying.js';
import { ask } from '../dialogs.js';
import { button, el, replace, visible } from '../dom.js';
import { subscribe } from '../events.js';
import { list, t } from '../language.js';
import { announce } from '../messages.js';
import { dropImages } from './images.js';

const reduced = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * Keeps a timeline in line with the library; returns what ends it.
 * @param {import('./timeline.js').Timeline} timeline
 */
export function follow(timeline) {
  const { list } = timeline;
  return subscribe({ views: () => [list.id], token: () => timeline.token }, (type, data) => {
    if (type === 'reset') timeline.reopen();
    if (type === 'commit') {
      dropImages(data.assets?.deleted ?? []);
      const hasAlbums = Object.keys(data.albums ?? {}).length > 0;
      if (hasAlbums && timeline.sidebar.canAlbums) timeline.sidebar.load();
    }
    if (type !== 'view' || data.view !== list.id || data.to === list.token) return;
    if (data.reset || data.from !== list.token) { timeline.reopen(); return; }
    applyChange(timeline, data);
  });
}

/**
 * Applies the differences of a commit to the grid: tiles keep their image and slide to their new
 * position.
 * @param {import('./timeline.js').Timeline} timeline
 * @param {ListChange} change
 */
export function applyChange(timeline, change) {
  const { grid, list, selection } = timeline;
  const started = performance.now();
  const anchor = grid.anchor();
  const hadFocus = grid.tiles.get(grid.focused)?.element === document.activeElement;
  /** @type {Map<import('./tile.js').Tile, DOMRect>} */
  const boxes = new Map();
  for (const tile of grid.tiles.values()) boxes.set(tile, tile.element.getBoundingClientRect());
  const from = list.apply(change);
  /** @type {Map<number, number>} */
  const to = new Map();
  for (let index = 0; index < from.length; index += 1) {
    if (from[index] >= 0) to.set(from[index], index);
  }
  const tiles = new Map();
  for (const [index, tile] of grid.tiles) {
    if (to.has(index)) tiles.set(to.get(index), tile);
    else tile.release();
  }
  grid.tiles = tiles;
  selection.follow(from);
  grid.focused = next(to, grid.focused, list.count);
  // A change above the window leaves the first visible asset where it is.
  const isAtTop = grid.scroller.top < 8;
  anchor.asset = next(to, anchor.asset, list.count);
  for (const row of grid.rows.values()) row.layout = null;
  grid.measure();
  if (isAtTop) { grid.scroller.scrollTo(0); grid.render(); } else grid.restore(anchor);
  for (const [index, tile] of grid.tiles) grid.decorate(tile, index);
  if (hadFocus) grid.tiles.get(grid.focused)?.element.focus({ preventScroll: true });
  if (!reduced.matches) slide(grid, boxes);
  timeline.showCount();
  // What is done here is said by its own message.
  if (!isOwnChange()) showCaption(timeline, change);
  document.dispatchEvent(new CustomEvent('photoedit:applied',
    { detail: { token: change.to, milliseconds: performance.now() - started } }));
}

/**
 * The new index of an asset, or that of its successor when it was removed.
 * @param {Map<number, number>} to
 * @param {number} index
 * @param {number} count
 */
function next(to, index, count) {
  for (let old = index; old < index + 2000; old += 1) if (to.has(old)) return to.get(old);
  return Math.max(0, Math.min(count - 1, index));
}

/**
 * @param {import('./grid.js').Grid} grid
 * @param {Map<import('./tile.js').Tile, DOMRect>} boxes
 */
function slide(grid, boxes) {
  for (const tile of grid.tiles.values()) {
    const old = boxes.get(tile);
    if (!old) {
      tile.element.animate([{ opacity: 0 }, { opacity: 1 }], { duration: 180 });
      continue;
    }
    const box = tile.element.getBoundingClientRect();
    const [x, y] = [old.left - box.left, old.top - box.top];
    if (Math.abs(x) + Math.abs(y) < 1 || Math.abs(y) > 3000) continue;
    tile.element.animate([{ translate: `${x}px ${y}px` }, { translate: '0 0' }], {
      duration: 180, easing: 'cubic-bezier(.2,.8,.3,1)',
    });
  }
}

/** @param {Run[]} runs */
const size = (runs) => indexes(runs).length;

/**
 * @param {import('./timeline.js').Timeline} timeline
 * @param {ListChange} change
 */
function showCaption(timeline, change) {
  const counts = /** @type {const} */ ([
    [change.inserted?.length ?? 0, 'live.added'],
    [size(change.removed ?? []), timeline.isAlbum ? 'live.left' : 'live.removed'],
    [change.moves?.length ?? 0, 'live.moved'],
    [change.changed?.length ?? 0, 'live.changed'],
  ]);
  const text = list(counts.filter(([count]) => count).map(([count, key]) => t(key, { count })));
  if (!text) return;
  announce(text);
  const { caption } = timeline;
  replace(caption,
    el('span', {}, text),
    button(t('live.details'), () => inspect(change), { kind: 'plain small' }));
  caption.hidden = false;
  clearTimeout(timeline.captionTimer);
  // Who is about to open the details has the time for it.
  const hide = () => {
    if (caption.matches(':hover, :focus-within')) wait(2000);
    else caption.hidden = true;
  };
  /** @param {number} time */
  const wait = (time) => { timeline.captionTimer = setTimeout(hide, time); };
  wait(6000);
}

/**
 * Shows the change details as the library delivered them.
 * @param {ListChange} change
 */
function inspect(change) {
  /** @type {[name: string, value: unknown][]} */
  const rows = [
    ['removedIndexes', change.removed],
    ['insertedIndexes', (change.inserted ?? []).map(([index]) => index)],
    ['moves', change.moves],
    ['changedIndexes', (change.changed ?? []).map(([index]) => index)],
  ];
  const names = (/** @type {[number, Item][] | undefined} */ members) =>
    (members ?? []).map(([, item]) => visible(item.title));
  const parts = /** @type {const} */ ([
    ['live.addedNames', names(change.inserted)], ['live.changedNames', names(change.changed)],
  ]);
  return ask(t('live.title'),
    el('div', { class: 'scroll' },
      parts.filter(([, titles]) => titles.length).map(([key, titles]) => el('p', {},
        t(key, { names: list(titles.slice(0, 20)) }),
        titles.length > 20 && ` ${t('andMore', { count: titles.length - 20 })}`)),
      el('details', {},
        el('summary', {}, t('live.report')),
        el('p', { class: 'numbers' },
          t('live.step', { from: change.from, to: change.to, count: change.count })),
        el('table', { class: 'mono' }, rows.map(([name, value]) => el('tr', {},
          el('th', { scope: 'row' }, name),
          el('td', {}, JSON.stringify(value ?? []).slice(0, 600))))))),
    [{ label: t('close'), value: 'close', kind: 'primary' }]);
}
