// SPDX-License-Identifier: Apache-2.0
import { el, icon, iconButton, replace } from '../dom.js';
import { label } from '../editor/schema.js';
import { colorLabel, favorite, labelColors, rating, setMarkOf } from '../grid/changes.js';
import { AssetList } from '../grid/list.js';
import { labelMark } from '../grid/tile.js';
import { bind, showHelp } from '../keys.js';
import { t } from '../language.js';
import { actOnMessage, report } from '../messages.js';
import { address, go, goBack } from '../router.js';
import { PhotoStage } from './photoStage.js';

/**
 * Shows two photos side by side; zooming and panning one moves the other to the same part. The one
 * that has the focus is judged by the keys of the viewer.
 * @param {HTMLElement} screen
 * @param {string[]} ids
 * @param {Service} service
 */
export async function openSideBySide(screen, ids, service) {
  /** @type {Item[]} */
  const items = [];
  /** @type {Set<number>} which of them are in the trash, where nothing is judged */
  const trashed = new Set();
  let active = 0;
  const stages = ids.map(() => new PhotoStage());
  const titles = ids.map(() => el('h2', {}, ''));
  const marks = ids.map(() => el('span', { class: 'marks' }));
  const scale = el('span', { class: 'caption numbers' });
  /** @type {HTMLElement[]} */
  const panes = stages.map((stage, index) => el('figure', {
    class: 'pane', tabindex: '0', 'aria-label': t(index ? 'compare.second' : 'compare.first'),
    on: { focus: () => activate(index), pointerdown: () => panes[index].focus() },
  }, el('figcaption', {}, titles[index], marks[index]), stage.element));
  /** @param {number} index */
  const edit = (index) => go(address('a', ids[index], 'edit'));
  const bar = el('header', { class: 'bar' },
    iconButton('back', t('back'), goBack, { keys: 'Esc' }),
    el('div', { class: 'title' }, el('h1', {}, t('compare.title'))),
    el('div', { class: 'space' }),
    iconButton('minus', t('zoomOut'), () => stages[0].zoomBy(-1), { keys: '-' }),
    scale,
    iconButton('plus', t('zoomIn'), () => stages[0].zoomBy(1), { keys: '=' }),
    iconButton('help', t('keys'), showHelp, { keys: '?' }));
  replace(screen,
    el('div', { class: 'viewer side-by-side' }, bar, el('main', { class: 'viewer-body' }, panes)));
  document.title = t('window', { name: t('compare.title') });

  /**
   * Lets the keys be for a photo, also while a button has the focus.
   * @param {number} index
   */
  function activate(index) {
    active = index;
    for (const [order, pane] of panes.entries()) pane.dataset.active = String(order === index);
  }
  activate(0);

  /** @param {number} index */
  function showMarks(index) {
    const { flags, rating: stars, label: color } = items[index];
    /**
     * @param {string} name
     * @param {Child} content
     */
    const mark = (name, content) => el('span', { role: 'img', 'aria-label': name }, content);
    replace(marks[index],
      stars > 0 && mark(t('stars', { count: stars }), '★'.repeat(stars)),
      stars < 0 && t('tile.rejectedMark'),
      color && mark(t('tile.label', { label: label(color) }), labelMark(color)),
      flags.includes('favorite') && mark(t('tile.favorite'), icon('heart')));
  }

  /**
   * Gives the photo that has the focus a value.
   * @template T
   * @param {import('../grid/changes.js').Mark<T>} mark
   * @param {T} value
   * @param {T} [other] the value instead, if it has the first one
   */
  function setFocused(mark, value, other) {
    const index = active;
    if (!items[index] || trashed.has(index)) return;
    const changed = () => showMarks(index);
    setMarkOf(mark, items[index], value, { other, changed }).catch(report);
  }
  const favor = () => setFocused(favorite, true, false);
  /** @type {Binding[]} */
  const judging = service.readOnly || service.mode !== 'library' ? [
    ['0', t('fit'), () => stages[0].zoomTo(0)],
    ['1', t('percent', { number: 100 }), () => stages[0].zoomTo(1)],
  ] : [
    ['1 2 3 4 5', t('keys.rate'), ({ key }) => setFocused(rating, Number(key))],
    ['0', t('keys.unrate'), () => setFocused(rating, 0)],
    [
      'Alt+0 Alt+1 Alt+2 Alt+3 Alt+4 Alt+5', null,
      ({ key }) => setFocused(rating, Number(key)),
    ],
    [
      '6 7 8 9', t('keys.label'),
      ({ key }) => setFocused(colorLabel, labelColors[Number(key) - 6], null),
    ],
    ['x', t('keys.reject'), () => setFocused(rating, -1)],
    ['p', t('keys.pick'), favor],
    ['f', t('favorite'), favor],
    ['Ctrl+z', t('keys.undo'), actOnMessage],
  ];

  let isFollowing = false;
  for (const [index, stage] of stages.entries()) {
    stage.addEventListener('view', () => {
      scale.textContent = stages[0].scaleText;
      const other = stages[1 - index];
      if (isFollowing || !other.full || !stage.full) return;
      isFollowing = true;
      // The same part of both, although their sizes may differ.
      other.center = [...stage.center];
      other.zoom = stage.zoom && stage.zoom * (stage.full[0] / other.full[0]);
      other.element.dataset.zoomed = stage.element.dataset.zoomed;
      other.layOut();
      other.dispatchEvent(new Event('view'));
      isFollowing = false;
    });
  }
  /**
   * Pans both photos; those that are shown whole take turns to have the focus.
   * @param {number} x
   * @param {number} y
   */
  const move = (x, y) => () => {
    if (stages[0].zoom) stages[0].panBy(x, y);
    else panes[x + y > 0 ? 0 : 1].focus();
  };
  const both = (/** @type {(stage: PhotoStage) => unknown} */ action) => () => action(stages[0]);
  bind([
    ['Esc', t('back'), () => (stages[0].zoom ? stages[0].zoomTo(0) : goBack())],
    ['z', t('keys.zoom'), both((stage) => stage.zoomTo(stage.zoom ? 0 : 1))],
    ['= +', t('zoomIn'), both((stage) => stage.zoomBy(1))],
    ['-', t('zoomOut'), both((stage) => stage.zoomBy(-1))],
    ['←', t('compare.first'), move(80, 0)],
    ['→', t('compare.second'), move(-80, 0)],
    ['↑', null, move(0, 80)],
    ['↓', null, move(0, -80)],
    ...judging,
    [
      'o', t('keys.showOriginals'),
      () => { for (const stage of stages) stage.showVersion('original'); },
      { up: () => { for (const stage of stages) stage.showVersion('current'); } },
    ],
    ['e', t('keys.editFirst'), () => edit(0)],
    ['Shift+e', t('keys.editSecond'), () => edit(1)],
    ['?', t('keys'), () => { showHelp(); }],
  ]);
  const sources = service.mode === 'library' ? ['all', 'trash'] : ['all'];
  /** @type {AssetList[]} */
  const lists = [];
  /**
   * A photo, with the list that has it: those in the trash are compared as well.
   * @param {string} id
   */
  async function find(id) {
    for (const [order, source] of sources.entries()) {
      lists[order] ??= await AssetList.open({ source, sections: 'none' });
      const index = await lists[order].indexOf(id);
      if (index >= 0) return { item: await lists[order].item(index), source };
    }
    return null;
  }
  try {
    for (const [index, id] of ids.entries()) {
      const found = await find(id);
      titles[index].textContent = found ? found.item.title ?? t('photo') : t('viewer.missing');
      if (!found) continue;
      stages[index].show(found.item);
      items[index] = found.item;
      if (found.source === 'trash') trashed.add(index);
      showMarks(index);
    }
    // A button of the bar may have been reached meanwhile.
    if (document.activeElement === document.body) panes[active].focus();
  } catch (problem) {
    report(problem);
  }
  return () => {
    bind([]);
    for (const stage of stages) stage.stop();
    for (const list of lists) list.close();
  };
}
