// SPDX-License-Identifier: Apache-2.0
import { askForText } from '../dialogs.js';
import { showHelp } from '../keys.js';
import { actOnMessage, message } from '../messages.js';

/** The keys of what only a library has. */
const ofLibraries = new Set(['f', 'Delete', 'a', 'l', 'Alt+← Alt+↑', 'Alt+→ Alt+↓', '/']);

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
    grid.focus(index);
    return true;
  };
  /** @param {(index: number) => void} work */
  const onFocused = (work) => () => (inGrid() ? (work(grid.focused), true) : false);
  /** @type {Binding[]} */
  const ofSource = [];
  if (timeline.isAlbum) {
    ofSource.push(['Backspace', 'Remove from the album', () => { actions.removeFromAlbum(); }]);
  }
  if (timeline.source === 'trash') ofSource.push(['r', 'Restore', () => { actions.restore(); }]);
  /** @type {Binding[]} */
  const all = [
    ['←', 'Previous photo', move(() => grid.focused - 1)],
    ['→', 'Next photo', move(() => grid.focused + 1)],
    ['↑', 'Row above', move(() => grid.vertical(-1))],
    ['↓', 'Row below', move(() => grid.vertical(1))],
    ['Shift+←', 'Select a range', move(() => grid.focused - 1, true)],
    ['Shift+→', null, move(() => grid.focused + 1, true)],
    ['Shift+↑', null, move(() => grid.vertical(-1), true)],
    ['Shift+↓', null, move(() => grid.vertical(1), true)],
    ['PageUp', null, move(() => grid.vertical(-grid.visibleRows))],
    ['PageDown', null, move(() => grid.vertical(grid.visibleRows))],
    ['Home', 'First photo', move(() => 0)],
    ['End', 'Last photo', move(() => list.count - 1)],
    ['Enter', 'Show the photo', onFocused((index) => timeline.open(index))],
    ['e', 'Edit the photo', onFocused((index) => timeline.edit(index))],
    ['Space', 'Select', onFocused((index) => selection.toggle(index))],
    ['Ctrl+a', 'Select the section, then everything', () => selectAll(timeline)],
    ['Esc', 'Clear the selection', () => (selection.count ? selection.clear() : false)],
    ['Ctrl+z', 'Undo, while a message offers it', actOnMessage],
    ['f', 'Favorite', () => { actions.favorite(); }],
    ['[', 'Rotate left', () => { actions.rotate(-1); }],
    [']', 'Rotate right', () => { actions.rotate(1); }],
    ['Delete', 'Move to the trash', () => { actions.trash(); }],
    ...ofSource,
    ['a', 'Add to an album', () => { actions.addToAlbum(); }],
    ['l', 'Add to the last used album', () => { actions.addToLast(); }],
    ['Alt+← Alt+↑', 'Move to the front in an album', () => { actions.nudge(-1); }],
    ['Alt+→ Alt+↓', 'Move to the back in an album', () => { actions.nudge(1); }],
    ['c', 'Copy the edit', () => { actions.copyEdit(); }],
    ['v', 'Paste the edit', () => { actions.pasteEdit(); }],
    ['/', 'Search', () => timeline.search.focus()],
    ['k', 'Compare two photos', () => { timeline.compare(); }],
    ['m', 'Group by month or moment', () => { timeline.switchSections(); }],
    ['g', 'Go to a date', () => { goToDate(timeline); }],
    ['?', 'Keys', () => { showHelp(); }],
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
async function goToDate(timeline) {
  const date = await askForText('Go to a date',
    { placeholder: '2024-06', 'aria-label': 'Year, or year and month', inputmode: 'numeric' },
    { action: 'Go' });
  if (/^\d{4}(-\d\d)?$/.test(date)) timeline.jumpTo(date);
  else if (date) message('Type a year, or a year and a month: 2024-06.');
}
