// SPDX-License-Identifier: Apache-2.0
import { showHelp } from '../keys.js';

/**
 * The keys of the editor.
 * @param {import('./editor.js').Editor} editor
 * @returns {Binding[]}
 */
export function editorKeys(editor) {
  const { draft, stage, compare, saving, rendering } = editor;
  const controls = 'input, [role="slider"], button, select, summary';
  /**
   * @param {number} x
   * @param {number} y
   */
  const pan = (x, y) => () =>
    (stage.zoom && !document.activeElement?.matches(controls) ? stage.panBy(x, y) : false);
  return [
    ['Ctrl+s', 'Save', () => { saving.save(); }],
    ['Ctrl+z', 'Undo in the draft', () => draft.undo()],
    ['Ctrl+Shift+z Ctrl+y', 'Redo in the draft', () => draft.redo()],
    [
      '\\', 'Show the original while held',
      () => compare.hold(true),
      { up: () => compare.hold(false) },
    ],
    ['y', 'Split view: before and after', () => editor.toggleSplit()],
    ['j', 'Show clipped shadows and highlights', () => rendering.toggleClipping()],
    ['[', 'Rotate left', () => editor.rotate(-1)],
    [']', 'Rotate right', () => editor.rotate(1)],
    ['c', 'Crop', () => editor.tools.open('crop')],
    ['s', 'Straighten', () => editor.tools.open('straighten')],
    ['m', 'Show the mask of the filter', () => editor.tools.toggleMask()],
    ['/ +', 'Add a filter', () => editor.addFilter(editor.view.addButton)],
    ['0', 'Fit the photo', () => stage.zoomTo(0)],
    ['1', 'Show at 100 %', () => stage.zoomTo(1)],
    ['= Ctrl+=', 'Zoom in', () => stage.zoomBy(1)],
    ['- Ctrl+-', 'Zoom out', () => stage.zoomBy(-1)],
    ['h', 'Show or hide the history', () => editor.view.toggleHistory()],
    ['Esc', 'End a tool or a preview', () => editor.tools.escape()],
    ['←', null, pan(60, 0)],
    ['→', null, pan(-60, 0)],
    ['↑', null, pan(0, 60)],
    ['↓', null, pan(0, -60)],
    ['?', 'Keys', () => showHelp()],
  ];
}
