// SPDX-License-Identifier: Apache-2.0
import { el, iconButton, replace } from '../dom.js';
import { AssetList } from '../grid/list.js';
import { bind, showHelp } from '../keys.js';
import { t } from '../language.js';
import { report } from '../messages.js';
import { address, go, goBack } from '../router.js';
import { PhotoStage } from './photoStage.js';

/**
 * Shows two photos side by side; zooming and panning one moves the other to the same part.
 * @param {HTMLElement} screen
 * @param {string[]} ids
 */
export async function openSideBySide(screen, ids) {
  const stages = ids.map(() => new PhotoStage());
  const titles = ids.map(() => el('h2', {}, ''));
  const scale = el('span', { class: 'caption numbers' });
  const panes = stages.map((stage, index) => el('figure', {
    class: 'pane', 'aria-label': t(index ? 'compare.second' : 'compare.first'),
  }, el('figcaption', {}, titles[index]), stage.element));
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
  const both = (/** @type {(stage: PhotoStage) => unknown} */ action) => () => action(stages[0]);
  bind([
    ['Esc', t('back'), () => (stages[0].zoom ? stages[0].zoomTo(0) : goBack())],
    ['0', t('fit'), both((stage) => stage.zoomTo(0))],
    ['1', t('percent', { number: 100 }), both((stage) => stage.zoomTo(1))],
    ['= +', t('zoomIn'), both((stage) => stage.zoomBy(1))],
    ['-', t('zoomOut'), both((stage) => stage.zoomBy(-1))],
    ['←', null, both((stage) => stage.panBy(80, 0))],
    ['→', null, both((stage) => stage.panBy(-80, 0))],
    ['↑', null, both((stage) => stage.panBy(0, 80))],
    ['↓', null, both((stage) => stage.panBy(0, -80))],
    [
      'o', t('keys.showOriginals'),
      () => { for (const stage of stages) stage.showVersion('original'); },
      { up: () => { for (const stage of stages) stage.showVersion('current'); } },
    ],
    ['e', t('keys.editFirst'), () => edit(0)],
    ['Shift+e', t('keys.editSecond'), () => edit(1)],
    ['?', t('keys'), () => { showHelp(); }],
  ]);
  /** @type {AssetList | null} */
  let list = null;
  try {
    list = await AssetList.open({ source: 'all', sections: 'none' });
    for (const [index, id] of ids.entries()) {
      const item = await list.item(await list.indexOf(id));
      titles[index].textContent = item.title ?? t('photo');
      stages[index].show(item);
    }
  } catch (problem) {
    report(problem);
  }
  return () => {
    bind([]);
    for (const stage of stages) stage.stop();
    list?.close();
  };
}
