// SPDX-License-Identifier: Apache-2.0
import { askForText } from '../dialogs.js';
import { showHelp } from '../keys.js';
import { t } from '../language.js';
import { actOnMessage, message } from '../messages.js';
import { labelColors } from './changes.js';

/** The keys of what only a library has. */
const ofLibraries = new Set([
  '1 2 3 4 5', '0', '6 7 8 9', 'x', 'p', 'f', 'Delete', 'a', 'l', 'i', 'Alt+← Alt+↑', 'Alt+→ Alt+↓',
  '/',
]);

/**
 * The keys of the timeline.
 * @param {import('./timeline.js').Timeline} timeline
 * @returns {Binding[]}
 */
export function gridKeys(timeline) {
  const { grid, list, selection, actions } = timeline;
  const inGrid = () =>
    !document.activeElement?.closest?.('.sidebar, .bar, .scrubber, dialog, .popover');
  /**
   * @param {() => number} target
   * @param {boolean} [extends_]
   */
  const move = (target, extends_ = false) => () => {
    if (!inGrid() || !list.count) return false;
    const index = Math.max(0, Math.min(list.count - 1, target()));
    if (extends_) { selection.anchor ??= grid.focused; selection.extend(index); }
    else if (!selection.count) selection.anchor = null;
    grid.focus(index);
    return true;
  };
  /**
   * What is done with the photo that has the focus; a button has these keys for itself.
   * @param {(index: number) => void} work
   */
  const onFocused = (work) => () => {
    if (!inGrid() || document.activeElement?.matches('button, summary')) return false;
    work(grid.focused);
    return true;
  };
  /** @type {Binding[]} */
  const ofSource = [];
  if (timeline.isAlbum) {
    ofSource.push(['Backspace', t('selection.remove'), () => { actions.removeFromAlbum(); }]);
  }
  if (timeline.source === 'trash') {
    ofSource.push(['r', t('selection.restore'), () => { actions.restore(); }]);
  }
  const next = (/** @type {string} */ text) => t('keys.andNext', { text });
  /** @type {Binding[]} */
  const all = [
    ['←', t('previousPhoto'), move(() => grid.focused - 1)],
    ['→', t('nextPhoto'), move(() => grid.focused + 1)],
    ['↑', t('keys.rowAbove'), move(() => grid.vertical(-1))],
    ['↓', t('keys.rowBelow'), move(() => grid.vertical(1))],
    ['Shift+←', t('keys.selectRange'), move(() => grid.focused - 1, true)],
    ['Shift+→', null, move(() => grid.focused + 1, true)],
    ['Shift+↑', null, move(() => grid.vertical(-1), true)],
    ['Shift+↓', null, move(() => grid.vertical(1), true)],
    ['PageUp', null, move(() => grid.vertical(-grid.visibleRows))],
    ['PageDown', null, move(() => grid.vertical(grid.visibleRows))],
    ['Home', t('keys.first'), move(() => 0)],
    ['End', t('keys.last'), move(() => list.count - 1)],
    ['Enter', t('keys.show'), onFocused((index) => timeline.open(index))],
    ['e', t('keys.edit'), onFocused((index) => timeline.edit(index))],
    ['Space', t('grid.select'), onFocused((index) => selection.toggle(index))],
    ['Ctrl+a', t('keys.selectAll'), () => selectAll(timeline)],
    ['Esc', t('keys.clear'), () =>
      (timeline.closeSidebar() ? true : selection.count ? selection.clear() : false)],
    ['+ =', t('keys.larger'), () => grid.resizeTiles(1)],
    ['-', t('keys.smaller'), () => grid.resizeTiles(-1)],
    ['Ctrl+z', t('keys.undo'), actOnMessage],
    ['1 2 3 4 5', next(t('keys.rate')), ({ key }) => { actions.rate(Number(key)); }],
    ['0', next(t('keys.unrate')), () => { actions.rate(0); }],
    [
      '6 7 8 9', next(t('keys.label')),
      ({ key }) => { actions.setLabel(labelColors[Number(key) - 6], { toggles: true }); },
    ],
    ['x', next(t('keys.reject')), () => { actions.rate(-1); }],
    ['p', next(t('keys.pick')), () => { actions.favorite(true); }],
    ['f', t('favorite'), () => { actions.favorite(); }],
    ['[', t('rotateLeft'), () => { actions.rotate(-1); }],
    [']', t('rotateRight'), () => { actions.rotate(1); }],
    ['Delete', t('moveToTrash'), () => { actions.trash(); }],
    ...ofSource,
    ['a', t('keys.add'), () => { actions.addToAlbum(); }],
    ['l', t('keys.addToLast'), () => { actions.addToLast(); }],
    ...(timeline.source === 'trash' ? [] : [
      /** @type {Binding} */ (['i', t('info.title'), () => { actions.describe(); }]),
    ]),
    ['Alt+← Alt+↑', t('keys.toFront'), () => { actions.nudge(-1); }],
    ['Alt+→ Alt+↓', t('keys.toBack'), () => { actions.nudge(1); }],
    ['c', t('copyEdit'), () => { actions.copyEdit(); }],
    ['v', t('pasteEdit'), () => { actions.pasteEdit(); }],
    ['/', t('search'), () => { selection.clear(); timeline.search.focus(); }],
    ['k', t('keys.compare'), () => { timeline.compare(); }],
    ['m', t('grid.group'), () => { timeline.switchSections(); }],
    ['g', t('keys.goToDate'), () => { goToDate(timeline); }],
    ['?', t('keys'), () => { showHelp(); }],
  ];
  return timeline.isLibrary ? all : all.filter(([keys]) => !ofLibraries.has(keys));
}

/** @param {import('./timeline.js').Timeline} timeline */
function selectAll({ grid, list, selection }) {
  const section = list.sections[grid.layout.sectionOf(grid.focused)];
  const [from, to] = [section.start, section.start + section.count];
  let all = true;
  for (let index = from; index < to && all; index += 1) all = selection.has(index);
  if (all) selection.set([[0, list.count]]);
  else selection.add(from, to);
}

/** @param {import('./timeline.js').Timeline} timeline */
export async function goToDate(timeline) {
  const date = await askForText(t('keys.goToDate'),
    { placeholder: '2024-06', 'aria-label': t('date.field'), inputmode: 'numeric' },
    { action: t('date.go') });
  if (/^\d{4}(-\d\d)?$/.test(date)) timeline.jumpTo(date);
  else if (date) message(t('date.wrong'));
}
