// SPDX-License-Identifier: Apache-2.0
import { colorLabel, labelColors, rating } from '../grid/changes.js';
import { showHelp } from '../keys.js';
import { t } from '../language.js';
import { actOnMessage } from '../messages.js';

/** The keys of what only a library has. */
const ofLibraries = /^(?:6|x$|p$|f$|Delete)/;

/** The keys of what is not done with a photo of the trash. */
const notInTrash = /^(?:6|x$|p$|f$|e$|\[$|\]$)/;

/**
 * The keys of the viewer.
 * @param {import('./viewer.js').Viewer} viewer
 * @returns {Binding[]}
 */
export function viewerKeys(viewer) {
  const { isTrash, service, stage } = viewer;
  /**
   * @param {number} step
   * @param {number} x
   * @param {number} y
   */
  const move = (step, x, y) =>
    () => { if (stage.zoom) stage.panBy(x, y); else if (step) viewer.step(step); };
  /**
   * Judges the photo, as in the grid: the next one follows.
   * @param {() => unknown} work
   */
  const andNext = (work) => { work(); viewer.step(1); };
  const next = (/** @type {string} */ text) => t('keys.andNext', { text });
  const rate = (/** @type {number} */ stars) => andNext(() => viewer.mark(rating, stars));
  /** @type {Binding[]} digits rate, as in the grid; where nothing is rated, they zoom */
  const digits = service.mode === 'library' && !service.readOnly && !isTrash
    ? [
      ['1 2 3 4 5', next(t('keys.rate')), ({ key }) => rate(Number(key))],
      ['0', next(t('keys.unrate')), () => rate(0)],
      ['Alt+0 Alt+1 Alt+2 Alt+3 Alt+4 Alt+5', null, ({ key }) => rate(Number(key))],
    ]
    : [
      ['0', t('fit'), () => stage.zoomTo(0)],
      ['1', t('percent', { number: 100 }), () => stage.zoomTo(1)],
    ];
  /** @type {Binding[]} */
  const all = [
    ['←', t('previousPhoto'), move(-1, 80, 0)],
    ['→', t('nextPhoto'), move(1, -80, 0)],
    ['↑', null, move(0, 0, 80)],
    ['↓', null, move(0, 0, -80)],
    ['Esc', t('back'), () => (stage.zoom ? stage.zoomTo(0) : viewer.back())],
    ['e', t('edit'), () => viewer.edit()],
    [
      'o', t('keys.showOriginal'),
      () => stage.showVersion('original'),
      { up: () => stage.showVersion('current') },
    ],
    ['[', t('rotateLeft'), () => { viewer.rotate(-1); }],
    [']', t('rotateRight'), () => { viewer.rotate(1); }],
    ...digits,
    [
      '6 7 8 9', t('keys.label'),
      ({ key }) => { viewer.mark(colorLabel, labelColors[Number(key) - 6], null); },
    ],
    ['x', next(t('keys.reject')), () => andNext(() => viewer.mark(rating, -1))],
    ['p', next(t('keys.pick')), () => andNext(() => viewer.toggleFavorite())],
    ['f', t('favorite'), () => { viewer.toggleFavorite(); }],
    ['i', t('info.title'), () => viewer.toggleInfo()],
    ['l', t('keys.playLive'), () => viewer.motion.toggle()],
    ['Ctrl+z', t('keys.undo'), actOnMessage],
    ...(isTrash ? [
      /** @type {Binding} */ (['r', t('selection.restore'), () => { viewer.trashed.restore(); }]),
      /** @type {Binding} */ (['Delete', t('selection.purge'), () => { viewer.trashed.purge(); }]),
    ] : [
      /** @type {Binding} */ (['Delete', t('moveToTrash'), () => { viewer.trash(); }]),
    ]),
    ['z', t('keys.zoom'), () => stage.zoomTo(stage.zoom ? 0 : 1)],
    ['= +', t('zoomIn'), () => stage.zoomBy(1)],
    ['-', t('zoomOut'), () => stage.zoomBy(-1)],
    ['?', t('keys'), () => { showHelp(); }],
  ];
  const left = isTrash ? all.filter(([keys]) => !notInTrash.test(keys)) : all;
  return service.mode === 'library' ? left : left.filter(([keys]) => !ofLibraries.test(keys));
}
